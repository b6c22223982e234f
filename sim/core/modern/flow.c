/* Where a warp's instructions do not simply follow each other: branches, reconvergence, and
 * results that come later than the code waits for. */
#include "sim/core/modern/flow.h"

#include <string.h>

#include "sim/core/modern/core.h"

static const struct {
    const char *opcode;
    uint8_t flow;
} flows[] = {
    {"BRA", FLOW_DIRECT},    {"JMP", FLOW_DIRECT},    {"CALL", FLOW_DIRECT},
    {"BRX", FLOW_INDIRECT},  {"BRXU", FLOW_INDIRECT}, {"JMX", FLOW_INDIRECT},
    {"JMXU", FLOW_INDIRECT}, {"RET", FLOW_INDIRECT},  {"BSYNC", FLOW_RECONVERGES},
};

void flow_describe(struct inst *inst, const char *opcode)
{
    size_t length = strcspn(opcode, ".");
    inst->issue.flow = inst->issue.unit == UNIT_BRANCH ? FLOW_OTHER : FLOW_NONE;
    for (size_t i = 0; i < sizeof flows / sizeof *flows; i++)
        if (strlen(flows[i].opcode) == length && memcmp(flows[i].opcode, opcode, length) == 0)
            inst->issue.flow = flows[i].flow;
    if (inst->issue.unit == UNIT_HEAVY && strstr(opcode, ".WIDE") != NULL)
        inst->issue.flow = FLOW_WIDE;
}

/* Whether INST reads what LAST writes. */
static bool reads_result(const struct inst *inst, const struct inst *last)
{
    for (uint32_t i = 0; i < last->dst_count; i++)
        for (uint32_t width = 0; width < 2; width++)
            if (inst->read_count != 0 &&
                memchr(inst->reads, last->dst[i] + (int)width, inst->read_count) != NULL)
                return true;
    return false;
}

uint32_t flow_cycles(const struct modern_spec *spec, const struct modern_issued *last,
                     const struct inst *inst, uint32_t mask)
{
    const struct inst *from = last->inst;
    bool moves = inst->pc != from->pc + TRACE_CODE_BYTES;
    uint32_t stall = from->issue.stall, cycles = 0;
    switch (from->issue.flow) {
    case FLOW_WIDE:
        return stall + (reads_result(inst, from) ? spec->wide : 0);
    case FLOW_RECONVERGES:
        cycles = spec->reconvergence;
        break;
    case FLOW_INDIRECT:
        cycles = spec->indirect;
        if ((mask & last->mask) != last->mask)
            cycles += spec->indirect_parts;
        break;
    case FLOW_DIRECT: /* some lanes may take it while the others go on */
        cycles = moves || last->mask != 0 ? spec->branch : 0;
        break;
    default:
        cycles = moves ? spec->branch : 0;
    }
    return cycles > stall ? cycles : stall;
}
