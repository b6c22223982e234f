#include "sim/core/modern/scoreboard.h"

#include <string.h>

#include "sim/core/modern/units.h"

/* Cycles between the issue of an instruction of a class and that of one which reads its result.
 * Source: the tables of Mesa's NAK compiler for sm_80 (sm80_instr_latencies), which hold up to
 * sm_89; the FP64 row is that of an H100's code (DFMA after DFMA: 8). */
enum reader {
    READER_ALU,
    READER_FMA,
    READER_HALF,
    READER_FP64,
    READER_MATRIX,
    READER_MEMORY,
    READER_OTHER,
    READERS
};

static const uint8_t readers[UNIT_COUNT] = {
    [UNIT_NONE] = READER_OTHER,    [UNIT_FP32] = READER_FMA,      [UNIT_HEAVY] = READER_FMA,
    [UNIT_ALU] = READER_ALU,       [UNIT_HALF] = READER_HALF,     [UNIT_FP64] = READER_FP64,
    [UNIT_TENSOR] = READER_MATRIX, [UNIT_SPECIAL] = READER_OTHER, [UNIT_UNIFORM] = READER_OTHER,
    [UNIT_BRANCH] = READER_OTHER,  [UNIT_MEMORY] = READER_MEMORY,
};

static const uint8_t distance[UNIT_COUNT][READERS] = {
    /*                 ALU FMA half FP64 matrix memory other */
    [UNIT_NONE] = {6, 6, 6, 6, 7, 5, 4},          [UNIT_FP32] = {5, 4, 5, 6, 7, 5, 4},
    [UNIT_HEAVY] = {5, 4, 5, 6, 7, 5, 4},         [UNIT_ALU] = {4, 5, 5, 6, 7, 5, 4},
    [UNIT_HALF] = {6, 6, 6, 6, 7, 5, 4},          [UNIT_FP64] = {10, 10, 10, 8, 11, 7, 6},
    [UNIT_TENSOR] = {24, 24, 24, 24, 24, 24, 24}, [UNIT_SPECIAL] = {1, 1, 1, 1, 1, 1, 1},
    [UNIT_UNIFORM] = {6, 6, 6, 6, 9, 9, 9},       [UNIT_BRANCH] = {4, 4, 4, 4, 4, 4, 4},
    [UNIT_MEMORY] = {1, 1, 1, 1, 1, 1, 1},
};

static bool is_variable(const struct inst *inst)
{
    return inst->issue.kind != KIND_FIXED;
}

void scoreboard_begin(struct scoreboard_warp *warp)
{
    memset(warp, 0, sizeof *warp);
}

static bool writes(const struct inst *inst, uint8_t reg)
{
    return inst->dst_count != 0 && memchr(inst->dst, reg, inst->dst_count) != NULL;
}

uint64_t scoreboard_allows(const struct scoreboard_warp *warp, const struct inst *inst)
{
    uint64_t cycle = 0;
    for (uint32_t i = 0; i < inst->reg_count; i++) {
        uint8_t reg = inst->regs[i];
        const struct scoreboard_write *last = &warp->writes[reg];
        if (last->pending || (warp->readers[reg] != 0 && writes(inst, reg)))
            return SCOREBOARD_NEVER;
        uint64_t from = last->issued + distance[last->unit][readers[inst->issue.unit]];
        if (last->issued != 0 && from > cycle)
            cycle = from;
    }
    return cycle;
}

void scoreboard_issue(struct scoreboard_warp *warp, const struct inst *inst, uint64_t now)
{
    bool variable = is_variable(inst);
    for (uint32_t i = 0; i < inst->dst_count; i++)
        warp->writes[inst->dst[i]] = (struct scoreboard_write){
            .issued = now, .unit = inst->issue.unit, .pending = variable};
    for (uint32_t i = 0; variable && i < inst->read_count; i++)
        warp->readers[inst->reads[i]]++;
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
