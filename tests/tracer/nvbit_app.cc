// An application on the stub driver: the tool sees it as it would see a real one.
//   nvbit_app SCENARIO EXPECTED
// writes what ran to EXPECTED: "context launch block warp pc mask opcode [address...]".
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <map>
#include <thread>

#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tracer/stub/driver.h"

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

void add(CUfunc_st &func, const char *opcode, std::vector<InstrType::operand_t> operands,
         int guard = -1, bool negated = false)
{
    std::unique_ptr<Instr> instr(new Instr());
    instr->opcode = opcode;
    instr->offset = static_cast<uint32_t>(func.code.size() * 16);
    instr->operands = operands;
    instr->guard = guard;
    instr->negated = negated;
    func.instrs.push_back(instr.get());
    func.code.push_back(std::move(instr));
}

enum { MOV, ISETP, LEAVE, LDG, LDGSTS, STG, LDL, LD, LDS, RED, LDC, EXIT };

void add_code(CUfunc_st &func)
{
    auto reg = [](int n) { return operand(OperandType::REG, static_cast<uint64_t>(n)); };
    auto mref = [](int n) { return operand(OperandType::MREF, static_cast<uint64_t>(n)); };
    add(func, "MOV", {reg(1), operand(OperandType::IMM_UINT64, 7)});
    add(func, "ISETP.GE.AND",
        {operand(OperandType::PRED, 0), operand(OperandType::PRED, 7), reg(2), reg(3)});
    add(func, "EXIT", {}, 0);
    add(func, "LDG.E.64", {reg(4), mref(2)});
    add(func, "LDGSTS.E.128", {mref(6), mref(8)});
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
    for (int id = 0; id < 2; id++)
        for (unsigned lane = 0; lane < 32; lane++)
            step.address[id][lane] = address_of(instr, id, block, warp * 32 + lane);
    return step;
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

// EXITs with a predicate operand: lanes leave only where it holds, too.
enum { BEGIN, GUARDED, LOAD, NEGATED, ADD, UNIFORM, NEVER, LAST };

void add_leaving_code(CUfunc_st &func)
{
    auto pred = [](OperandType type, int number, bool negated) {
        InstrType::operand_t made = operand(type, static_cast<uint64_t>(number));
        made.is_not = negated;
        return made;
    };
    add(func, "MOV", {operand(OperandType::REG, 1), operand(OperandType::IMM_UINT64, 7)});
    add(func, "EXIT", {pred(OperandType::PRED, 1, false)}, 0, true);
    add(func, "LDG.E.64", {operand(OperandType::REG, 4), operand(OperandType::MREF, 2)});
    add(func, "EXIT", {pred(OperandType::PRED, 2, true)});
    add(func, "FADD", {operand(OperandType::REG, 4), operand(OperandType::REG, 4)});
    add(func, "EXIT", {pred(OperandType::UPRED, 3, false)});
    add(func, "EXIT", {pred(OperandType::PRED, InstrType::PT, true)});
    add(func, "EXIT", {pred(OperandType::PRED, InstrType::PT, false)});
    func.blocks.emplace_back();
    func.blocks.back().instrs = func.instrs;
    func.cfg.bbs.push_back(&func.blocks.back());
}

// The lanes of MASK that execute STEP, and leave where it is an EXIT.
uint32_t mask_of(const CUfunc_st &func, const Step &step)
{
    const Instr &instr = *func.instrs[step.instr];
    uint32_t mask = step.active & step.guard;
    if (instr.opcode == "EXIT" && !instr.operands.empty()) {
        const InstrType::operand_t &operand = instr.operands[0];
        const uint32_t holds = operand.u.pred.num == InstrType::PT ? UINT32_MAX : step.operand;
        mask &= operand.is_not ? ~holds : holds;
    }
    return mask;
}

template <typename Code, typename Run>
void init(CUfunc_st &func, const char *name, Code code, Run run)
{
    func.name = name;
    func.regs = 24;
    func.shared = 128;
    func.binary_version = 86;
    func.cfg.is_degenerate = false;
    func.run = run;
    code(func);
}

// ---- what is expected ------------------------------------------------------

FILE *expected;
std::map<CUcontext, int> launches;

int memory_operands(const Instr &instr)
{
    int count = 0;
    for (const InstrType::operand_t &o : instr.operands)
        count += o.type == OperandType::MREF;
    return count;
}

void write_step(const CUfunc_st &func, const Step &step)
{
    const Instr &instr = *func.instrs[step.instr];
    const uint32_t mask = mask_of(func, step);
    const int operands = memory_operands(instr);
    fprintf(expected, "%x %08x %s", instr.offset, mask, instr.opcode.c_str());
    for (int lane = 0; lane < 32 && operands > 0; lane++)
        if ((mask >> lane & 1) != 0)
            fprintf(expected, " %llx",
                    static_cast<unsigned long long>(step.address[operands - 1][lane]));
    putc('\n', expected);
}

void expect(CUcontext ctx, CUfunction func, dim3 grid, dim3 block)
{
    const int launch = ++launches[ctx];
    const unsigned threads = block.x * block.y * block.z;
    for (uint64_t b = 0; b < static_cast<uint64_t>(grid.x) * grid.y * grid.z; b++)
        for (unsigned w = 0; w * 32 < threads; w++)
            for (const Step &step : func->run(b, w, threads)) {
                fprintf(expected, "%p %d %llu %u ", static_cast<void *>(ctx), launch,
                        static_cast<unsigned long long>(b), w);
                write_step(*func, step);
            }
}

// ---- scenarios -------------------------------------------------------------

CUctx_st first, second;
CUfunc_st walker, stroller, leaver;
CUstream_st side;

// All lanes of a warp reach an EXIT whose guard holds in all of them, and whose
// operand in few: the others go on.
std::vector<Step> leave(uint64_t block, unsigned warp, unsigned threads)
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

void launch(CUcontext ctx, CUfunction func, dim3 grid, dim3 block, CUstream stream,
            nvbit_api_cuda_t how = API_CUDA_cuLaunchKernel)
{
    expect(ctx, func, grid, block);
    stub_launch(ctx, func, grid, block, stream, how);
}

void plain()
{
    stub_copy(&first, false, 0x7f4000000000, 4096);
    launch(&first, &walker, dim3(3, 2), dim3(48), nullptr);
    launch(&first, &stroller, dim3(2), dim3(8, 4, 2), &side,
           API_CUDA_cuLaunchCooperativeKernel);
    stub_copy(&first, true, 0x7f4000000000, 1024);
    launch(&first, &walker, dim3(2, 1, 2), dim3(32), nullptr, API_CUDA_cuLaunchKernelEx);
    launch(&first, &walker, dim3(1), dim3(1), nullptr);
}

void contexts()
{
    stub_context(&second);
    for (int i = 0; i < 2; i++) {
        launch(&first, &walker, dim3(2), dim3(40), nullptr);
        launch(&second, &stroller, dim3(3), dim3(33), nullptr);
        stub_copy(&second, false, 0x7f5000000000, 64);
    }
}

void graph()
{
    CUgraph_st made;
    launch(&first, &walker, dim3(1), dim3(32), nullptr);
    side.capture = &made;
    stub_launch(&first, &walker, dim3(2), dim3(64), &side);
    stub_launch(&first, &stroller, dim3(1), dim3(16), &side);
    side.capture = nullptr;
    stub_add_node(&first, &made, &walker, dim3(3), dim3(32));
    for (int i = 0; i < 2; i++) {
        for (const CUgraph_st::Node &node : made.nodes)
            expect(&first, node.func, node.grid, node.block);
        stub_launch_graph(&first, &made, &side);
    }
}

// Kernels that graphs get in newer ways, each for the first time.
void graph_nodes()
{
    CUgraph_st made;
    stub_add_any_node(&first, &made, &walker, dim3(2), dim3(32));
    stub_add_node(&first, &made, &walker, dim3(1), dim3(64));
    stub_set_node(&first, &made, 1, &stroller);
    for (const CUgraph_st::Node &node : made.nodes)
        expect(&first, node.func, node.grid, node.block);
    stub_launch_graph(&first, &made, &side);
}

// A grid without blocks, which the driver refuses.
void empty_grid()
{
    launch(&first, &walker, dim3(1), dim3(32), nullptr);
    stroller.refused = true;
    launches[&first]++;
    stub_launch(&first, &stroller, dim3(0), dim3(64), nullptr);
    stroller.refused = false;
    launch(&first, &walker, dim3(2), dim3(32), nullptr);
}

// What goes into comments of the list.
void facts()
{
    CUlaunchAttribute cluster = {CU_LAUNCH_ATTRIBUTE_CLUSTER_DIMENSION, {}},
                      cooperative = {CU_LAUNCH_ATTRIBUTE_COOPERATIVE, {}},
                      carveout = {CU_LAUNCH_ATTRIBUTE_PREFERRED_SHARED_MEMORY_CARVEOUT, {}};
    cluster.value.clusterDim = {2, 1, 1};
    cooperative.value.cooperative = 1;
    carveout.value.sharedMemCarveout = 50;
    stub_set(&first, 0x7f4000000000, 4096);
    expect(&first, &walker, dim3(2), dim3(32));
    stub_launch(&first, &walker, dim3(2), dim3(32), nullptr, API_CUDA_cuLaunchKernelEx,
                {cluster, cooperative, carveout});
    stub_copy_on(&first, 0x7f4000001000, 0x7f4000000000, 256);
    launch(&first, &walker, dim3(2), dim3(32), nullptr);
    stub_copy_any(&first, 0x7f4000002000, 0x7f4000001000, 64);
    stroller.cluster[0] = stroller.cluster[1] = stroller.cluster[2] = 1;
    stroller.carveout = 100;
    launch(&first, &stroller, dim3(2), dim3(32), nullptr, API_CUDA_cuLaunchCooperativeKernel);
}

// A child that ends as processes do leaves the parent's traces alone.
void fork_child()
{
    launch(&first, &walker, dim3(2), dim3(32), nullptr);
    fflush(expected);
    const pid_t child = fork();
    if (child == 0) {
        stub_launch(&first, &walker, dim3(5), dim3(32), nullptr);
        nvbit_at_term();
        exit(0);
    }
    int status = 0;
    if (child < 0 || waitpid(child, &status, 0) != child || status != 0)
        abort();
    stub_copy(&first, false, 0x7f4000000000, 4096);
    launch(&first, &stroller, dim3(3), dim3(64), nullptr);
}

// The same program once more while this one traces.
void two_processes()
{
    launch(&first, &walker, dim3(2), dim3(32), nullptr);
    const pid_t child = fork();
    if (child == 0) {
        execl("/proc/self/exe", "nvbit_app", "plain", "/dev/null",
              static_cast<char *>(nullptr));
        _exit(1);
    }
    int status = 0;
    if (child < 0 || waitpid(child, &status, 0) != child || status != 0)
        abort();
    launch(&first, &stroller, dim3(3), dim3(64), nullptr);
}

// The driver refuses the second launch.
void refused()
{
    launch(&first, &walker, dim3(1), dim3(32), nullptr);
    stroller.refused = true;
    launches[&first]++;
    stub_launch(&first, &stroller, dim3(2), dim3(64), nullptr);
    stroller.refused = false;
    launch(&first, &walker, dim3(2), dim3(32), nullptr);
}

void exits()
{
    launch(&first, &leaver, dim3(3), dim3(48), nullptr);
    launch(&first, &walker, dim3(1), dim3(32), nullptr);
    launch(&first, &leaver, dim3(2), dim3(32), nullptr);
}

// Two threads launch the same as often as they can.
void threads()
{
    const int count = 40;
    launch(&first, &walker, dim3(3), dim3(64), nullptr);
    for (int i = 0; i < 2 * count; i++)
        expect(&first, &walker, dim3(3), dim3(64));
    auto some = [] {
        for (int i = 0; i < count; i++)
            stub_launch(&first, &walker, dim3(3), dim3(64), nullptr);
    };
    std::thread other(some);
    some();
    other.join();
}

void profiler()
{
    launch(&first, &walker, dim3(1), dim3(32), nullptr);
    stub_copy(&first, false, 0x7f4000000000, 32);
    stub_profiler(&first, true);
    launch(&first, &walker, dim3(2), dim3(32), nullptr);
    stub_copy(&first, false, 0x7f4000000000, 64);
    stub_profiler(&first, false);
    launch(&first, &walker, dim3(3), dim3(32), nullptr);
}

std::vector<Step> die(uint64_t, unsigned, unsigned)
{
    const rlimit none = {0, 0};
    setrlimit(RLIMIT_CORE, &none);
    fclose(expected);
    abort();
}

void crash()
{
    plain();
    walker.run = die;
    stub_launch(&first, &walker, dim3(1), dim3(1), nullptr);
}

const struct {
    const char *name;
    void (*run)();
} scenarios[] = {{"plain", plain},      {"contexts", contexts}, {"graph", graph},
                 {"refused", refused},  {"threads", threads},   {"profiler", profiler},
                 {"crash", crash},      {"exits", exits},       {"nodes", graph_nodes},
                 {"empty", empty_grid}, {"fork", fork_child},   {"processes", two_processes},
                 {"facts", facts}};

} // namespace

int main(int argc, char **argv)
{
    expected = argc == 3 ? fopen(argv[2], "w") : nullptr;
    if (expected == nullptr)
        return 2;
    nvbit_at_init();
    init(walker, "_Z4walkPf", add_code, walk);
    init(stroller, "_Z6strollPf", add_code, walk);
    init(leaver, "_Z5leavePf", add_leaving_code, leave);
    stub_context(&first);
    for (const auto &scenario : scenarios)
        if (strcmp(scenario.name, argv[1]) == 0)
            scenario.run();
    nvbit_at_ctx_term(&first);
    if (second.ready)
        nvbit_at_ctx_term(&second);
    nvbit_at_term();
    fclose(expected);
    return 0;
}
