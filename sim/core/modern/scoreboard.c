#include "sim/core/modern/scoreboard.h"

#include <string.h>

#include "sim/core/hopper/async_op.h"
#include "sim/core/modern/units.h"

/* Cycles between the issue of an instruction of a class and that of one which reads its result.
 * Source: the smallest stalls between such pairs in the machine code of an H100's programs and
 * calibration kernels; where these have no pair, the tables of Mesa's NAK compiler for sm_80
 * (sm80_instr_latencies). tests/sim/control_bits.py compares such code with them. */
enum reader {
    READER_ALU,
    READER_FMA,
    READER_HALF,
    READER_FP64,
    READER_MATRIX,
    READER_MEMORY,
    READER_SPECIAL,
    READER_ADD,         /* VIADD */
    READER_HALF_MATRIX, /* HFMA2.MMA */
    READER_OTHER,
    READERS
};

static const uint8_t readers[UNIT_COUNT] = {
    [UNIT_NONE] = READER_OTHER,    [UNIT_FP32] = READER_FMA,
    [UNIT_HEAVY] = READER_FMA,     [UNIT_ALU] = READER_ALU,
    [UNIT_HALF] = READER_HALF,     [UNIT_FP64] = READER_FP64,
    [UNIT_TENSOR] = READER_MATRIX, [UNIT_SPECIAL] = READER_SPECIAL,
    [UNIT_UNIFORM] = READER_OTHER, [UNIT_BRANCH] = READER_OTHER,
    [UNIT_MEMORY] = READER_MEMORY,
};

static const uint8_t distance[RESULT_COUNT][READERS] = {
    /*                 ALU FMA half FP64 matrix memory special VIADD HFMA2.MMA other */
    [UNIT_NONE] = {6, 6, 6, 6, 7, 5, 4, 5, 6, 4},
    [UNIT_FP32] = {5, 4, 5, 6, 7, 5, 4, 4, 7, 4},
    [UNIT_HEAVY] = {5, 4, 5, 6, 7, 5, 4, 4, 7, 4},
    [UNIT_ALU] = {4, 5, 5, 6, 7, 5, 4, 4, 7, 4},
    [UNIT_HALF] = {5, 5, 4, 6, 7, 5, 4, 5, 6, 4},
    [UNIT_FP64] = {10, 10, 10, 8, 11, 7, 7, 10, 11, 6},
    [UNIT_TENSOR] = {24, 24, 24, 24, 24, 24, 24, 24, 24, 24},
    [UNIT_SPECIAL] = {1, 1, 1, 1, 1, 1, 1, 1, 1, 1},
    [UNIT_UNIFORM] = {6, 6, 6, 6, 9, 9, 9, 6, 6, 9},
    [UNIT_BRANCH] = {4, 4, 4, 4, 4, 4, 4, 4, 4, 4},
    [UNIT_MEMORY] = {1, 1, 1, 1, 1, 1, 1, 1, 1, 1},
    [RESULT_HALF_MATRIX] = {10, 10, 10, 10, 11, 16, 16, 10, 8, 10},
    [RESULT_WIDE] = {3, 4, 5, 6, 7, 5, 4, 4, 7, 4},
    [RESULT_ADD] = {4, 4, 5, 6, 7, 5, 4, 4, 7, 4},
    [RESULT_PRODUCT] = {1, 1, 1, 1, 1, 1, 1, 1, 1, 1},
};

/* The same of predicates, as a source and as a guard, and from a uniform instruction to the
 * next. */
#define PREDICATE_TO_SOURCE 4
#define PREDICATE_TO_GUARD  13
#define UNIFORM_TO_UNIFORM  4
/* And what code leaves more between a wide product and the next instruction in a chain, if that
 * is of the ALU (chain_imadwide_lop3). */
#define WIDE_TO_NEXT 2

/* ---- predicates ---- */

enum use { SETS = 1, READS = 2, GUARDED = 4 };

static const struct {
    const char *opcode;
    uint8_t use;
} uses[] = {
    {"PLOP3", SETS | READS}, {"R2P", SETS},      {"SEL", READS},     {"FSEL", READS},
    {"P2R", READS},          {"VOTE", GUARDED},  {"VOTEU", GUARDED}, {"BRA", GUARDED},
    {"EXIT", GUARDED},       {"BREAK", GUARDED},
};

void scoreboard_describe(struct inst *inst, const char *opcode, uint32_t destinations)
{
    size_t length = strcspn(opcode, ".");
    uint32_t unit = inst->issue.unit;
    inst->issue.predicate = 0;
    for (size_t i = 0; i < sizeof uses / sizeof *uses; i++)
        if (strlen(uses[i].opcode) == length && memcmp(uses[i].opcode, opcode, length) == 0)
            inst->issue.predicate = uses[i].use;
    if (destinations == 0 && (unit == UNIT_ALU || unit == UNIT_FP32 || unit == UNIT_HEAVY ||
                              unit == UNIT_HALF || unit == UNIT_FP64))
        inst->issue.predicate |= SETS;
}

/* The cycle from which the predicates of INST, of lanes MASK, can be read. */
static uint64_t predicates_allow(const struct scoreboard_warp *warp, const struct inst *inst,
                                 uint32_t mask)
{
    bool guarded = (inst->issue.predicate & GUARDED) ||
                   (mask != warp->mask && inst->pc == warp->pc + TRACE_CODE_BYTES);
    if (warp->predicate == 0)
        return 0;
    if (guarded)
        return warp->predicate + PREDICATE_TO_GUARD;
    return inst->issue.predicate & READS ? warp->predicate + PREDICATE_TO_SOURCE : 0;
}

/* ---- registers ---- */

static bool is_variable(const struct inst *inst)
{
    return inst->issue.kind != KIND_FIXED;
}

uint8_t scoreboard_reader(const struct inst *inst)
{
    const struct inst_issue *issue = &inst->issue;
    if (issue->result == RESULT_HALF_MATRIX)
        return READER_HALF_MATRIX;
    if (issue->result == RESULT_ADD)
        return READER_ADD;
    bool barrier = issue->async >= ASYNC_INIT && issue->async <= ASYNC_WAIT;
    return barrier ? READER_OTHER : readers[issue->unit];
}

uint16_t scoreboard_fixed(const struct inst *inst)
{
    return distance[inst->issue.result][inst->issue.reader];
}

void scoreboard_begin(struct scoreboard_warp *warp)
{
    memset(warp, 0, sizeof *warp);
}

static bool writes(const struct inst *inst, uint8_t reg)
{
    return inst->dst_count != 0 && memchr(inst->dst, reg, inst->dst_count) != NULL;
}

/* The first cycle in which INST may read what was written last. */
static uint64_t result_allows(const struct scoreboard_warp *warp, const struct inst *inst,
                              const struct scoreboard_write *write)
{
    uint64_t from = write->issued + distance[write->result][inst->issue.reader];
    if (write->result != RESULT_WIDE || warp->last != write->issued)
        return from;
    return from + warp->late + (inst->issue.reader == READER_ALU ? WIDE_TO_NEXT : 0);
}

uint64_t scoreboard_allows(const struct scoreboard_warp *warp, const struct inst *inst,
                           uint32_t mask)
{
    uint64_t cycle = predicates_allow(warp, inst, mask);
    if (inst->issue.unit == UNIT_UNIFORM && warp->uniform != 0 &&
        warp->uniform + UNIFORM_TO_UNIFORM > cycle)
        cycle = warp->uniform + UNIFORM_TO_UNIFORM;
    for (uint32_t i = 0; i < inst->reg_count; i++) {
        uint8_t reg = inst->regs[i];
        const struct scoreboard_write *last = &warp->writes[reg];
        if (last->pending || (warp->readers[reg] != 0 && writes(inst, reg)))
            return SCOREBOARD_NEVER;
        uint64_t from = result_allows(warp, inst, last);
        if (last->issued != 0 && from > cycle)
            cycle = from;
    }
    return cycle;
}

void scoreboard_issue(struct scoreboard_warp *warp, const struct inst *inst, uint32_t mask,
                      uint64_t now, uint32_t late)
{
    bool variable = is_variable(inst);
    for (uint32_t i = 0; i < inst->dst_count; i++)
        warp->writes[inst->dst[i]] = (struct scoreboard_write){
            .issued = now, .result = inst->issue.result & 127, .pending = variable};
    for (uint32_t i = 0; variable && i < inst->read_count; i++)
        warp->readers[inst->reads[i]]++;
    if (inst->issue.predicate & SETS)
        warp->predicate = now;
    if (inst->issue.unit == UNIT_UNIFORM)
        warp->uniform = now;
    warp->pc = inst->pc;
    warp->last = now;
    warp->late = late;
    warp->mask = mask;
}

void scoreboard_read(struct scoreboard_warp *warp, const struct inst *inst)
{
    for (uint32_t i = 0; i < inst->read_count; i++)
        warp->readers[inst->reads[i]]--;
}

void scoreboard_written(struct scoreboard_warp *warp, const struct inst *inst)
{
    for (uint32_t i = 0; i < inst->dst_count; i++)
        warp->writes[inst->dst[i]] = (struct scoreboard_write){0};
}
