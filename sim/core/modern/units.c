#include "sim/core/modern/units.h"

#include <string.h>

#include "sim/core/hopper/async_op.h"
#include "sim/core/hopper/matrices.h"
#include "sim/core/modern/flow.h"
#include "sim/core/modern/scoreboard.h"

static const struct {
    const char *opcode;
    uint8_t unit, kind;
} exceptions[] = {
#define UNIT(opcode, unit, kind) {opcode, UNIT_##unit, KIND_##kind},
#include "sim/core/modern/units.def"
#undef UNIT
};

static const uint8_t units[TRACE_UNIT_COUNT] = {
    [TRACE_UNIT_ALU] = UNIT_ALU,        [TRACE_UNIT_INT] = UNIT_ALU,
    [TRACE_UNIT_FP32] = UNIT_FP32,      [TRACE_UNIT_FP16] = UNIT_HALF,
    [TRACE_UNIT_FP64] = UNIT_FP64,      [TRACE_UNIT_SFU] = UNIT_SPECIAL,
    [TRACE_UNIT_TENSOR] = UNIT_TENSOR,  [TRACE_UNIT_BRANCH] = UNIT_BRANCH,
    [TRACE_UNIT_TEXTURE] = UNIT_MEMORY, [TRACE_UNIT_UNIFORM] = UNIT_UNIFORM,
    [TRACE_UNIT_MEMORY] = UNIT_MEMORY,  [TRACE_UNIT_EXIT] = UNIT_BRANCH,
    [TRACE_UNIT_BARRIER] = UNIT_NONE,
};

/* Sets unit and kind by the opcode's first token. */
static void set_unit(struct inst *inst, const struct core_code *code)
{
    size_t length = strcspn(code->opcode, ".");
    inst->issue.unit = units[code->from->unit];
    inst->issue.kind = inst->issue.unit == UNIT_MEMORY ? KIND_MEMORY : KIND_FIXED;
    for (size_t i = 0; i < sizeof exceptions / sizeof *exceptions; i++)
        if (strlen(exceptions[i].opcode) == length &&
            memcmp(exceptions[i].opcode, code->opcode, length) == 0) {
            inst->issue.unit = exceptions[i].unit;
            inst->issue.kind = exceptions[i].kind;
        }
    if (inst->issue.unit == UNIT_HALF && strstr(code->opcode, ".MMA") != NULL)
        inst->issue.unit = UNIT_HEAVY;
    inst->issue.scope = strstr(code->opcode, ".SYS") != NULL   ? 2
                        : strstr(code->opcode, ".CTA") != NULL ? 0
                                                               : 1;
    if (strncmp(code->opcode, "CCTL.IVALL", 10) == 0)
        inst->issue.kind = KIND_INVALIDATE;
}

/* ---- times ---- */

/* Products of half the K take half the time, unless their numbers have twice the width: 1688,
 * but not 1688.F32.TF32, is half of 16816. */
static uint32_t tensor_interval(const char *opcode, const struct sim_options *options,
                                uint32_t initiation)
{
    uint32_t whole =
        options->hearth_tensor_interval ? options->hearth_tensor_interval : initiation;
    if (strstr(opcode, ".1688") != NULL && strstr(opcode, ".TF32") == NULL)
        return (whole + 1) / 2;
    return whole;
}

/* Fixed results by unit, but for some: HFMA2.MMA takes as long as a matrix product's part. */
static void set_result(struct inst *inst, const struct core_code *code)
{
    struct inst_issue *issue = &inst->issue;
    issue->result = issue->unit;
    if (code->from->unit == TRACE_UNIT_FP16 && issue->unit == UNIT_HEAVY)
        issue->result = RESULT_HALF_MATRIX;
    else if (issue->flow == FLOW_WIDE)
        issue->result = RESULT_WIDE;
    else if (strcmp(code->opcode, "VIADD") == 0 || strncmp(code->opcode, "VIADD.", 6) == 0)
        issue->result = RESULT_ADD;
    else if (issue->async == ASYNC_PRODUCT)
        issue->result = RESULT_PRODUCT;
    issue->reader = scoreboard_reader(inst);
}

static void set_times(struct inst *inst, const struct core_code *code)
{
    const struct sim_options *options = &code->config->options;
    const struct sim_unit_config *from = code->config->units;
    struct inst_issue *issue = &inst->issue;
    const uint32_t intervals[UNIT_COUNT] = {
        [UNIT_FP32] = 2,
        [UNIT_HEAVY] = issue->flow == FLOW_WIDE ? options->hearth_wide_interval : 2,
        [UNIT_ALU] = from[TRACE_UNIT_INT].initiation,
        [UNIT_HALF] = 2,
        [UNIT_FP64] = from[TRACE_UNIT_FP64].initiation,
        [UNIT_TENSOR] =
            tensor_interval(code->opcode, options, from[TRACE_UNIT_TENSOR].initiation),
        [UNIT_SPECIAL] = from[TRACE_UNIT_SFU].initiation,
        [UNIT_UNIFORM] = 2,
    };
    uint32_t interval = intervals[issue->unit];
    issue->interval = (uint8_t)(interval == 0          ? 1
                                : interval > UINT8_MAX ? UINT8_MAX
                                                       : interval);
    issue->latency =
        (uint16_t)(issue->unit == UNIT_SPECIAL             ? options->hearth_special_latency
                   : strncmp(code->opcode, "SHFL", 4) == 0 ? options->hearth_shuffle_latency
                                                           : options->hearth_variable_latency);
}

/* Sums of a product of a group are of 32 bits, or of 16 (.F16), four warps have 64 rows of
 * them; else the most is 16 x 8 sums in one warp, of 64 bits in DMMA. */
static uint8_t sums_of(const char *opcode)
{
    struct matrix_shape shape;
    if (matrix_shape(opcode, &shape))
        return (uint8_t)(strstr(opcode, ".F16") != NULL ? (shape.n + 3) / 4 : shape.n / 2);
    return strncmp(opcode, "DMMA", 4) == 0 ? 8 : 4;
}

/* ---- what goes on beside the warp ---- */

/* A product of a group of warps takes the tensor units in its turn, which are free for the next
 * instruction at once. */
static bool set_product(struct inst *inst, const struct core_code *code)
{
    struct matrix_shape shape;
    const struct sim_options *options = &code->config->options;
    uint32_t rate = options->hearth_wgmma_rate;
    if (rate == 0 || !matrix_shape(code->opcode, &shape))
        return false;
    bool registers =
        code->code != NULL ? async_from_registers(code->code) : inst->read_count > 1;
    inst->issue.cycles = (uint16_t)matrix_cycles(&shape, rate, registers);
    inst->issue.computes = (uint16_t)matrix_computes(&shape, rate);
    if (options->hearth_wgmma_registers && inst->dst_count != 0 &&
        memchr(inst->reads, inst->dst[0], inst->read_count) != NULL)
        inst->issue.reads_sums = sums_of(code->opcode);
    inst->issue.interval = 1;
    return true;
}

static void set_async(struct inst *inst, const struct core_code *code)
{
    const struct sim_options *options = &code->config->options;
    enum async_op op = async_op_of(code->opcode);
    if (op == ASYNC_PAUSE && options->hearth_sleep == 0)
        op = ASYNC_SLEEP;
    if (options->hearth_wait_loops && code->from->access == TRACE_ACCESS_LOAD &&
        code->from->flags & (TRACE_INST_BYPASS_L1 | TRACE_INST_STRONG_SYS)) {
        inst->issue.async = ASYNC_POLL;
        return;
    }
    if (code->from->unit == TRACE_UNIT_BARRIER && code->code != NULL &&
        options->hearth_named_barriers &&
        !async_named_barrier(code->code, &inst->issue.barrier, &inst->issue.barrier_warps)) {
        inst->issue.barrier_warps = 0;
        inst->issue.barrier_in_registers = inst->read_count != 0;
    }
    if (op == ASYNC_PRODUCT          ? !set_product(inst, code)
        : op == ASYNC_PRODUCT_WAIT   ? options->hearth_wgmma_rate == 0
        : op >= ASYNC_REGISTERS_GIVE ? !options->hearth_register_pool
        : op >= ASYNC_LAUNCH_LETS    ? options->hearth_programmatic == 0
        : op == ASYNC_PAUSE          ? false
                                     : options->hearth_mbarrier_latency == 0)
        op = ASYNC_NONE;
    inst->issue.async = (uint8_t)op;
    if (op >= ASYNC_INIT && op <= ASYNC_STORE)
        inst->form = trace_async_form(code->opcode);
    inst->issue.multicast = strstr(code->opcode, ".MULTICAST") != NULL;
    if (op >= ASYNC_INIT && op <= ASYNC_WAIT)
        inst->issue.kind = KIND_QUEUED;
    if (op == ASYNC_FENCE) {
        inst->issue.unit = UNIT_NONE;
        inst->issue.kind = KIND_FIXED; /* its counter makes a variable one of it */
        inst->issue.latency = (uint16_t)options->hearth_async_fence;
    }
}

/* ---- machine code ---- */

/* After Volta's encoding, as Mesa's NAK writes it: bits 9 to 11 say where operands B and C
 * are. */
static void set_slots(struct inst_issue *issue, const struct trace_code *code)
{
    uint32_t form = (uint32_t)(code->low >> 9) & 7;
    uint8_t a = (uint8_t)(code->low >> 24), b = (uint8_t)(code->low >> 32),
            c = (uint8_t)code->high;
    bool low = form == 1; /* B is where an immediate, a constant or a uniform register may be */
    bool swapped = form == 2 || form == 3 || form == 7; /* that is operand C, and B is high */
    issue->slots[0] = a;
    issue->slots[1] = swapped ? c : low ? b : TRACE_REG_ZERO;
    issue->slots[2] = swapped ? TRACE_REG_ZERO : c;
}

/* Only registers that the trace names as sources are read: not each instruction has each
 * operand. */
static void keep_sources(struct inst *inst)
{
    for (uint32_t slot = 0; slot < INST_SLOTS; slot++) {
        uint8_t reg = inst->issue.slots[slot];
        if (reg == TRACE_REG_ZERO || inst->read_count == 0 ||
            memchr(inst->reads, reg, inst->read_count) == NULL)
            inst->issue.slots[slot] = TRACE_REG_ZERO;
        inst->issue.registers[slot] = inst->issue.slots[slot] != TRACE_REG_ZERO;
    }
}

/* Registers of an operand that is wider than one. */
static void set_widths(struct inst_issue *issue, const char *opcode)
{
    bool matrix = issue->unit == UNIT_TENSOR && strstr(opcode, ".16816") != NULL;
    static const uint8_t whole[INST_SLOTS] = {4, 2, 4}, half[INST_SLOTS] = {2, 1, 4};
    bool wide = issue->unit == UNIT_FP64;
    for (uint32_t slot = 0; slot < INST_SLOTS; slot++) {
        if (issue->slots[slot] == TRACE_REG_ZERO)
            continue;
        if (issue->unit == UNIT_TENSOR)
            issue->registers[slot] = matrix ? whole[slot] : half[slot];
        else if (wide || (slot == 2 && strstr(opcode, ".WIDE") != NULL))
            issue->registers[slot] = 2;
    }
}

/* Cycles until the warp's next instruction: a stall of 0 with a yield means a long one, and a
 * yield alone leaves the next cycle to others. */
#define LONG_STALL 45

static uint8_t stall_of(const struct trace_control *control)
{
    if (control->yield && control->stall == 0)
        return LONG_STALL;
    uint8_t least = control->yield ? 2 : 1;
    return control->stall < least ? least : control->stall;
}

static void set_control(struct inst_issue *issue, const struct core_code *code)
{
    struct trace_control control = trace_control_decode(*code->code, code->binary_version);
    issue->has_code = true;
    issue->stall = stall_of(&control);
    issue->wait = control.wait_mask;
    issue->write = control.write_barrier;
    issue->read = control.read_barrier;
    issue->reuse = control.reuse;
}

/* Without code: the smallest stall of such instructions in the code of an H100's programs. */
#define BRANCH_STALL 5

void units_describe(struct inst *inst, const struct core_code *code)
{
    struct inst_issue *issue = &inst->issue;
    memset(issue, 0, sizeof *issue);
    memset(issue->slots, TRACE_REG_ZERO, sizeof issue->slots);
    issue->stall = 1;
    issue->write = issue->read = TRACE_NO_BARRIER;
    set_unit(inst, code);
    flow_describe(inst, code->opcode);
    set_times(inst, code);
    if (issue->unit == UNIT_TENSOR)
        issue->sums = sums_of(code->opcode);
    set_async(inst, code);
    set_result(inst, code);
    scoreboard_describe(inst, code->opcode, code->from->dst_count);
    if (code->code != NULL) {
        set_control(issue, code);
        set_slots(issue, code->code);
    } else {
        if (issue->unit == UNIT_BRANCH)
            issue->stall = BRANCH_STALL;
        for (uint32_t i = 0; i < INST_SLOTS && i < inst->read_count; i++)
            issue->slots[i] = inst->reads[i];
    }
    keep_sources(inst);
    set_widths(issue, code->opcode);
    if (issue->kind == KIND_FIXED &&
        (issue->write != TRACE_NO_BARRIER || issue->read != TRACE_NO_BARRIER))
        issue->kind = KIND_VARIABLE;
    if (issue->kind == KIND_FIXED)
        issue->latency = scoreboard_fixed(inst);
}
