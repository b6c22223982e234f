#include "tracer/nvbit/functions.h"

#include <cstring>

#include "tracer/nvbit/inspect.h"

struct Functions::Place {
    CUcontext ctx;
    CUfunction func;
    uint32_t binary_version;
    uint64_t channel, state;
    Inspected now;
    Instr *instr;
};

namespace
{

// NVBit 1.7.4 crashes programs in which this one is instrumented
// (github.com/NVlabs/NVBit/issues/142).
bool is_dangerous(Instr *instr)
{
    return strcmp(NVBIT_VERSION, "1.7.4") == 0 &&
           strcmp(instr->getOpcode(), "CALL.REL.NOINC") == 0;
}

uint32_t line_of(CUcontext ctx, CUfunction func, uint32_t offset)
{
    char *file, *folder;
    uint32_t line = 0;
    return nvbit_get_line_info(ctx, func, offset, &file, &folder, &line) ? line : 0;
}

// The module of FUNC, which may be a CUkernel; nullptr: not known.
CUmodule module_of(CUfunction func)
{
    CUmodule module = nullptr;
    CUresult rc = cuFuncGetModule(&module, func);
#if HAS_KERNELS
    CUfunction function;
    if (rc != CUDA_SUCCESS &&
        cuKernelGetFunction(&function, reinterpret_cast<CUkernel>(func)) == CUDA_SUCCESS)
        rc = cuFuncGetModule(&module, function);
#endif
    return rc == CUDA_SUCCESS ? module : nullptr;
}

} // namespace

std::vector<CUfunction> Functions::forget(CUmodule module)
{
    std::vector<CUfunction> gone;
    for (const auto &entry : known)
        if (module != nullptr && entry.second == module)
            gone.push_back(entry.first);
    for (CUfunction func : gone)
        known.erase(func);
    return gone;
}

int Functions::instrument(CUcontext ctx, CUfunction func, uint32_t binary_version,
                          uint64_t channel, uint64_t state, error *err)
{
    if (known.count(func) != 0)
        return 0;
    std::vector<CUfunction> functions = nvbit_get_related_functions(ctx, func);
    functions.push_back(func);
    const CUmodule module = module_of(func);
    for (CUfunction f : functions) {
        if (!known.emplace(f, module).second)
            continue;
        Place place = {ctx, f, binary_version, channel, state, {}, nullptr};
        if (options.mode == TRACER_PROFILE)
            count(place);
        else if (trace(place, err) != 0)
            return -1;
    }
    return 0;
}

// ---- records ---------------------------------------------------------------

namespace
{

// The value of the predicate operand, 1 if there is none, and whether it is negated.
void add_operand(Instr *instr, const PredicateOperand &operand)
{
    if (!operand.is_there || operand.number == InstrType::PT)
        nvbit_add_call_arg_const_val32(instr, 1);
    else if (operand.uniform)
        nvbit_add_call_arg_upred_val_at(instr, operand.number);
    else
        nvbit_add_call_arg_pred_val_at(instr, operand.number);
    nvbit_add_call_arg_const_val32(instr, operand.negated);
}

// The value of REGISTER, or 0 if there is none.
void add_value(Instr *instr, const Register *reg)
{
    if (reg == nullptr)
        nvbit_add_call_arg_const_val32(instr, 0);
    else if (reg->uniform)
        nvbit_add_call_arg_ureg_val(instr, reg->number);
    else
        nvbit_add_call_arg_reg_val(instr, reg->number);
}

// The values of the REGISTERS, as many as the function takes.
void add_values(Instr *instr, const std::vector<Register> &registers, size_t most)
{
    for (size_t i = 0; i < most; i++)
        add_value(instr, i < registers.size() ? &registers[i] : nullptr);
}

// What hearth_constant(), hearth_copy(), hearth_access_values() and hearth_access() take beyond
// the others.
void add_access(Instr *instr, const Inspected &now)
{
    if (now.constant.is_there) {
        const Register index = {now.constant.uniform, now.constant.number};
        add_value(instr, &index);
        nvbit_add_call_arg_const_val32(instr, now.constant.offset);
        return;
    }
    nvbit_add_call_arg_mref_addr64(instr, now.operands - 1);
    if (now.inst.second)
        nvbit_add_call_arg_mref_addr64(instr, now.operands - 2);
    if (now.inst.values == 0)
        return;
    nvbit_add_call_arg_const_val32(instr, now.inst.values);
    add_values(instr, now.values, TRACER_MOST_VALUES);
}

const char *function_for(const Inspected &now)
{
    if (now.inst.memory)
        return now.constant.is_there ? "hearth_constant"
               : now.inst.second     ? "hearth_copy"
               : now.inst.values > 0 ? "hearth_access_values"
                                     : "hearth_access";
    return now.operand.is_there  ? "hearth_exit"
           : now.inst.values > 0 ? "hearth_values"
                                 : "hearth_inst";
}

} // namespace

int Functions::instrument_one(Place &place, error *err)
{
    const tracer_inst &inst = place.now.inst;
    const bool access =
        (inst.memory && !place.now.constant.is_there) || tracer_inst_leaves(&inst);
    if (options.mode == TRACER_MEMORY && !access) {
        tracer_inst unsent = inst;
        unsent.unsent = true;
        return tracer_add_inst(target, &unsent, err) == UINT32_MAX ? -1 : 0;
    }
    const uint32_t number = tracer_add_inst(target, &inst, err);
    if (number == UINT32_MAX)
        return -1;
    nvbit_insert_call(place.instr, function_for(place.now), IPOINT_BEFORE);
    nvbit_add_call_arg_guard_pred_val(place.instr);
    if (place.now.operand.is_there || inst.second)
        add_operand(place.instr, place.now.operand);
    nvbit_add_call_arg_const_val32(place.instr, number);
    nvbit_add_call_arg_const_val32(place.instr,
                                   TRACER_WANT_INSTS | (access ? TRACER_WANT_ACCESSES : 0));
    nvbit_add_call_arg_launch_val64(place.instr, 0);
    nvbit_add_call_arg_const_val64(place.instr, place.channel);
    if (inst.memory)
        add_access(place.instr, place.now);
    else if (inst.values > 0)
        add_values(place.instr, place.now.values, TRACE_MAX_VALUES);
    return 0;
}

int Functions::trace(Place &place, error *err)
{
    const char *name = nvbit_get_func_name(place.ctx, place.func, true);
    uint64_t position = 0;
    for (Instr *instr : nvbit_get_instrs(place.ctx, place.func)) {
        const bool within = position >= options.instr_begin && position < options.instr_end;
        position++;
        if (!within || is_dangerous(instr))
            continue;
        inspect(place.now, instr, name, place.binary_version);
        place.instr = instr;
        if (options.lineinfo)
            place.now.inst.line = line_of(place.ctx, place.func, instr->getOffset());
        if (options.verbose > 1)
            instr->printDecoded();
        if (instrument_one(place, err) != 0)
            return -1;
    }
    return 0;
}

// ---- counts ----------------------------------------------------------------

// LENGTH instructions from INSTR on are counted by one call.
void Functions::begin_run(Place &place, Instr *instr, uint32_t length)
{
    inspect(place.now, instr, "", place.binary_version);
    const PredicateOperand operand = place.now.operand;
    nvbit_insert_call(instr, operand.is_there ? "hearth_count_where" : "hearth_count",
                      IPOINT_BEFORE);
    nvbit_add_call_arg_guard_pred_val(instr);
    if (operand.is_there)
        add_operand(instr, operand);
    else
        nvbit_add_call_arg_const_val32(instr, length);
    nvbit_add_call_arg_launch_val64(instr, 0);
    nvbit_add_call_arg_const_val64(instr, place.state);
}

namespace
{

void count_access(Instr *instr, const Inspected &inspected, uint64_t state)
{
    unsigned width;
    const enum tracer_count_kind kind = tracer_count_kind(&inspected.inst, &width);
    if (kind == TRACER_COUNT_PLAIN)
        return;
    nvbit_insert_call(instr, "hearth_count_access", IPOINT_BEFORE);
    nvbit_add_call_arg_guard_pred_val(instr);
    add_operand(instr, inspected.operand);
    nvbit_add_call_arg_const_val32(instr, kind);
    nvbit_add_call_arg_const_val32(instr, width);
    nvbit_add_call_arg_launch_val64(instr, 0);
    nvbit_add_call_arg_const_val64(instr, state);
    nvbit_add_call_arg_mref_addr64(instr, inspected.operands - 1);
}

// Whether some of the lanes that are active do not execute INSTR, leave with it or copy
// nothing.
bool parts_lanes(Instr *instr, uint32_t binary_version)
{
    Inspected inspected;
    inspect(inspected, instr, "", binary_version);
    return instr->hasPred() || inspected.operand.is_there;
}

// The runs of instructions that the same lanes execute: basic blocks, cut where
// instructions have a guard, or EXIT or LDGSTS a predicate operand. Where control
// flow is not known, each is its own.
std::vector<std::vector<Instr *>> runs_of(CUcontext ctx, CUfunction func,
                                          uint32_t binary_version)
{
    std::vector<std::vector<Instr *>> runs;
    const CFG_t &cfg = nvbit_get_CFG(ctx, func);
    if (cfg.is_degenerate) {
        for (Instr *instr : nvbit_get_instrs(ctx, func))
            runs.push_back({instr});
        return runs;
    }
    for (const basic_block_t *block : cfg.bbs) {
        bool guarded = true;
        for (Instr *instr : block->instrs) {
            const bool parts = parts_lanes(instr, binary_version);
            if (guarded || parts)
                runs.emplace_back();
            guarded = parts;
            runs.back().push_back(instr);
        }
    }
    return runs;
}

} // namespace

void Functions::count(Place &place)
{
    for (const std::vector<Instr *> &run :
         runs_of(place.ctx, place.func, place.binary_version)) {
        if (is_dangerous(run.front()))
            continue;
        begin_run(place, run.front(), static_cast<uint32_t>(run.size()));
        for (Instr *instr : run) {
            inspect(place.now, instr, "", place.binary_version);
            count_access(instr, place.now, place.state);
        }
    }
}
