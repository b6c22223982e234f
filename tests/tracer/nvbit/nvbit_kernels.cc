#include "tests/tracer/nvbit/nvbit_kernels.h"

#include <map>

namespace
{

using InstrType::OperandType;

InstrType::operand_t operand(OperandType type, uint64_t value)
{
    InstrType::operand_t made = {};
    made.type = type;
    if (type == OperandType::IMM_UINT64)
        made.u.imm_uint64.value = value;
    else
        made.u.reg.num = static_cast<int>(value);
    return made;
}

InstrType::operand_t predicate(OperandType type, int number, bool negated)
{
    InstrType::operand_t made = operand(type, static_cast<uint64_t>(number));
    made.is_not = negated;
    return made;
}

// The operation in the low bits of an instruction of sm_90.
uint64_t operation_of(const std::string &opcode)
{
    static const std::map<std::string, uint64_t> known = {
        {"MOV", 0x202}, {"ISETP", 0x20c},  {"EXIT", 0x94d},  {"LDG", 0x981},
        {"STG", 0x986}, {"LDGSTS", 0xfae}, {"LDL", 0x983},   {"LD", 0x980},
        {"LDS", 0x984}, {"RED", 0x1ff},    {"LDC", 0xb82},   {"FADD", 0x221},
        {"BAR", 0xb1d}, {"ULDC", 0xab9},   {"SYNCS", 0x9a7}, {"UTMALDG", 0x5b4}};
    return known.at(opcode.substr(0, opcode.find('.')));
}

void add(CUfunc_st &func, const char *opcode, std::vector<InstrType::operand_t> operands,
         int guard = -1, bool negated = false)
{
    std::unique_ptr<Instr> instr(new Instr());
    instr->opcode = opcode;
    instr->offset = static_cast<uint32_t>(func.code.size() * 16);
    instr->operands = operands;
    instr->low = operation_of(opcode);
    if (!operands.empty() && operands[0].type == OperandType::REG)
        instr->low |= static_cast<uint64_t>(operands[0].u.reg.num) << 16;
    instr->high = static_cast<uint64_t>(func.code.size() % 16) << 41; // cycles of stall
    instr->guard = guard;
    instr->negated = negated;
    func.instrs.push_back(instr.get());
    func.code.push_back(std::move(instr));
}

enum { MOV, ISETP, LEAVE, LDG, LDGSTS, STG, LDL, LD, LDS, RED, LDC, EXIT };

uint64_t mix(uint64_t x)
{
    x = (x ^ x >> 31) * UINT64_C(0x9e3779b97f4a7c15);
    return x ^ x >> 29;
}

// The address of a memory operand: evenly apart, or anywhere.
uint64_t address_of(int instr, int id, uint64_t block, unsigned thread)
{
    const uint64_t base = UINT64_C(0x7f4000000000) + (block << 12);
    switch (instr) {
    case LDG:
        return base + 8 * thread;
    case LDGSTS:
        return id == 0 ? 16 * thread : base + 16 * (mix(thread) % 512);
    case STG:
        return base + 4 * (mix(block * 1024 + thread) % 4096);
    case LDL:
        return 64;
    case LD:
        return UINT64_C(0x7f0002000000) + 4 * thread;
    case LDS:
        return 4 * (thread / 2);
    default:
        return base;
    }
}

Step step_of(int instr, uint32_t active, uint32_t guard, uint64_t block, unsigned warp)
{
    Step step = {};
    step.instr = static_cast<size_t>(instr);
    step.active = active;
    step.guard = guard;
    step.operand = instr == LDGSTS ? 0xfffffff7 : 0;
    for (int id = 0; id < 2; id++)
        for (unsigned lane = 0; lane < 32; lane++)
            step.address[id][lane] = address_of(instr, id, block, warp * 32 + lane);
    return step;
}

// EXITs with a predicate operand: lanes leave only where it holds, too.
enum { BEGIN, GUARDED, LOAD, NEGATED, ADD, UNIFORM, NEVER, LAST };

void add_code(CUfunc_st &func)
{
    auto reg = [](int n) { return operand(OperandType::REG, static_cast<uint64_t>(n)); };
    auto mref = [](int n) { return operand(OperandType::MREF, static_cast<uint64_t>(n)); };
    add(func, "MOV", {reg(1), operand(OperandType::IMM_UINT64, 7)});
    add(func, "ISETP.GE.AND",
        {operand(OperandType::PRED, 0), operand(OperandType::PRED, 7), reg(2), reg(3)});
    add(func, "EXIT", {}, 0);
    add(func, "LDG.E.64", {reg(4), mref(2)});
    add(func, "LDGSTS.E.128", {mref(6), mref(8), predicate(OperandType::PRED, 2, false)});
    add(func, "STG.E", {mref(10), reg(4)}, 1, true);
    add(func, "LDL", {reg(5), mref(1)});
    add(func, "LD.E", {reg(9), mref(12)});
    add(func, "LDS", {reg(3), mref(7)});
    add(func, "RED.E.ADD.STRONG.GPU", {mref(14), reg(4)});
    add(func, "LDC", {reg(11), operand(OperandType::CBANK, 0)});
    add(func, "EXIT", {});
    for (size_t last : {LEAVE, RED, EXIT}) {
        basic_block_t block;
        size_t first =
            func.blocks.empty() ? 0 : func.blocks.back().instrs.back()->offset / 16 + 1;
        for (size_t i = first; i <= last; i++)
            block.instrs.push_back(func.instrs[i]);
        func.blocks.push_back(block);
    }
    for (basic_block_t &block : func.blocks)
        func.cfg.bbs.push_back(&block);
}

// In odd blocks every other thread leaves at once; the others go through a loop
// two times. Warp 1 stores nothing.
std::vector<Step> walk(uint64_t block, unsigned warp, unsigned threads)
{
    const unsigned left = threads - warp * 32;
    uint32_t active = left >= 32 ? UINT32_MAX : (1u << left) - 1;
    const uint32_t leave = block % 2 != 0 ? 0xaaaaaaaa : 0;
    std::vector<Step> steps;
    steps.push_back(step_of(MOV, active, UINT32_MAX, block, warp));
    steps.push_back(step_of(ISETP, active, UINT32_MAX, block, warp));
    steps.push_back(step_of(LEAVE, active, leave, block, warp));
    active &= ~leave;
    for (int turn = 0; turn < 2; turn++)
        for (int i = LDG; i <= RED; i++)
            steps.push_back(step_of(i, active,
                                    i != STG    ? UINT32_MAX
                                    : warp == 1 ? 0
                                                : 0x0f0f0f0f,
                                    block, warp));
    steps.push_back(step_of(LDC, active, UINT32_MAX, block, warp));
    steps.push_back(step_of(EXIT, active, UINT32_MAX, block, warp));
    return steps;
}

void add_leaving_code(CUfunc_st &func)
{
    add(func, "MOV", {operand(OperandType::REG, 1), operand(OperandType::IMM_UINT64, 7)});
    add(func, "EXIT", {predicate(OperandType::PRED, 1, false)}, 0, true);
    add(func, "LDG.E.64", {operand(OperandType::REG, 4), operand(OperandType::MREF, 2)});
    add(func, "EXIT", {predicate(OperandType::PRED, 2, true)});
    add(func, "FADD", {operand(OperandType::REG, 4), operand(OperandType::REG, 4)});
    add(func, "EXIT", {predicate(OperandType::UPRED, 3, false)});
    add(func, "EXIT", {predicate(OperandType::PRED, InstrType::PT, true)});
    add(func, "EXIT", {predicate(OperandType::PRED, InstrType::PT, false)});
    func.blocks.emplace_back();
    func.blocks.back().instrs = func.instrs;
    func.cfg.bbs.push_back(&func.blocks.back());
}

void init(CUfunc_st &func, const char *name)
{
    func.name = name;
    func.regs = 24;
    func.shared = 128;
    func.binary_version = 86;
    func.cfg.is_degenerate = false;
}

} // namespace

// The lanes of MASK that execute STEP, and leave where it is an EXIT, or copy.
uint32_t mask_of(const CUfunc_st &func, const Step &step)
{
    const Instr &instr = *func.instrs[step.instr];
    uint32_t mask = step.active & step.guard;
    const bool copies = instr.opcode.find("LDGSTS") == 0;
    if ((copies || instr.opcode == "EXIT") && !instr.operands.empty()) {
        const InstrType::operand_t &operand = instr.operands.back();
        const uint32_t holds = operand.u.pred.num == InstrType::PT ? UINT32_MAX : step.operand;
        mask &= operand.is_not ? ~holds : holds;
    }
    return mask;
}

namespace
{

// All lanes of a warp reach an EXIT whose guard holds in all of them, and whose
// operand in few: the others go on.
std::vector<Step> leave(const CUfunc_st &leaver, uint64_t block, unsigned warp,
                        unsigned threads)
{
    static const int order[] = {BEGIN, GUARDED, LOAD,  GUARDED, NEGATED,
                                ADD,   UNIFORM, NEVER, LAST};
    const uint32_t operands[] = {0, 0x000000ff, 0, 0x00ff0000, 0x00ffffff, 0, 0xf, 0, 0};
    const unsigned left = threads - warp * 32;
    uint32_t active = left >= 32 ? UINT32_MAX : (1u << left) - 1;
    std::vector<Step> steps;
    for (size_t i = 0; i < sizeof order / sizeof *order && active != 0; i++) {
        Step step = step_of(order[i], active, UINT32_MAX, block, warp);
        step.operand = operands[i];
        for (unsigned lane = 0; lane < 32; lane++)
            step.address[0][lane] = 0x7f4000000000 + 8 * lane;
        steps.push_back(step);
        if (leaver.instrs[step.instr]->opcode == "EXIT")
            active &= ~mask_of(leaver, step);
    }
    return steps;
}

} // namespace

void make_walker(CUfunc_st &func, const char *name)
{
    init(func, name);
    add_code(func);
    func.run = walk;
}

void make_leaver(CUfunc_st &func, const char *name)
{
    init(func, name);
    add_leaving_code(func);
    func.run = [&func](uint64_t block, unsigned warp, unsigned threads) {
        return leave(func, block, warp, threads);
    };
}

void make_meeter(CUfunc_st &func, const char *name)
{
    auto reg = [](int n) { return operand(OperandType::REG, static_cast<uint64_t>(n)); };
    init(func, name);
    add(func, "BAR.SYNC.DEFER_BLOCKING", {reg(1), reg(2)});
    add(func, "BAR.ARV", {operand(OperandType::IMM_UINT64, 5), reg(3)}, 0);
    add(func, "BAR.SYNC.DEFER_BLOCKING", {operand(OperandType::IMM_UINT64, 0)});
    add(func, "EXIT", {});
    func.blocks.emplace_back();
    func.blocks.back().instrs = func.instrs;
    func.cfg.bbs.push_back(&func.blocks.back());
    func.run = [](uint64_t block, unsigned warp, unsigned) {
        std::vector<Step> steps;
        for (int i = 0; i < 4; i++) {
            steps.push_back(step_of(i, UINT32_MAX, i == 1 ? 0xff : UINT32_MAX, block, warp));
            steps.back().registers[1] = 1 + warp;
            steps.back().registers[2] = 64;
            steps.back().registers[3] = 96;
        }
        return steps;
    };
}

namespace
{

InstrType::operand_t indexed_constant(int bank, int number, int offset)
{
    InstrType::operand_t made = {};
    made.type = OperandType::CBANK;
    made.u.cbank.id = bank;
    made.u.cbank.has_reg_offset = true;
    made.u.cbank.reg_offset = number;
    made.u.cbank.has_imm_offset = offset != 0;
    made.u.cbank.imm_offset = offset;
    return made;
}

InstrType::operand_t uniform_address(int number)
{
    InstrType::operand_t made = operand(OperandType::MREF, 0);
    made.u.mref.has_ur = true;
    made.u.mref.ur_num = number;
    return made;
}

// Where lanes copy to in shared memory: evenly apart in the first warp.
Step copy_step(int instr, unsigned warp)
{
    Step step = step_of(instr, UINT32_MAX, instr == 0 ? 0xff : UINT32_MAX, 0, warp);
    step.operand = 0xfffffff8; // the others copy nothing
    for (unsigned lane = 0; lane < 32; lane++) {
        step.address[0][lane] =
            instr == 0 ? 0x400 + 16 * (warp == 0 ? lane : lane * lane) : 0x30480;
        step.address[1][lane] = UINT64_C(0x7f4000000000) + 16 * lane;
    }
    step.by_lane = 8;
    for (uint32_t i = 0; i < 16; i++) {
        step.registers[i] = 100 * i;
        step.uniforms[i] = 1000 + i;
    }
    return step;
}

} // namespace

void make_copier(CUfunc_st &func, const char *name)
{
    auto reg = [](int n) { return operand(OperandType::REG, static_cast<uint64_t>(n)); };
    auto uniform = [](int n) { return operand(OperandType::UREG, static_cast<uint64_t>(n)); };
    auto mref = [](int n) { return operand(OperandType::MREF, static_cast<uint64_t>(n)); };
    init(func, name);
    add(func, "LDGSTS.E.128", {mref(6), mref(8), predicate(OperandType::PRED, 1, true)}, 0);
    add(func, "LDC.64", {reg(12), indexed_constant(3, 2, 0x210)});
    func.instrs.back()->sass = "LDC.64 R12, c[0x3][R2+0x210] ;";
    add(func, "LDC", {reg(13), indexed_constant(0, 4, 0)});
    func.instrs.back()->sass = "LDC R13, c[0x0][UR4] ;";
    add(func, "ULDC", {uniform(4), indexed_constant(0, 5, 0x20)});
    add(func, "LDC", {reg(11), operand(OperandType::CBANK, 0)});
    add(func, "SYNCS.ARRIVE.TRANS64.RED", {reg(255), uniform_address(4), reg(7)});
    add(func, "SYNCS.EXCH.64", {uniform(63), uniform_address(4), uniform(8)});
    add(func, "UTMALDG.3D", {uniform_address(8), uniform_address(4)});
    add(func, "EXIT", {});
    func.blocks.emplace_back();
    func.blocks.back().instrs = func.instrs;
    func.cfg.bbs.push_back(&func.blocks.back());
    func.run = [](uint64_t, unsigned warp, unsigned) {
        std::vector<Step> steps;
        for (int i = 0; i < 9; i++)
            steps.push_back(copy_step(i, warp));
        return steps;
    };
}
