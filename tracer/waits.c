#include "tracer/waits.h"

#include <string.h>

#include "traces/traces.h"

enum wait_kind {
    WAIT_NOTHING, /* neither waits nor does what others see */
    WAIT_ASKS,
    WAIT_WORKS,
};

/* Whether the first token of the dotted OPCODE is NAME. */
static bool is_named(const char *opcode, const char *name)
{
    size_t length = strlen(name);
    return strncmp(opcode, name, length) == 0 &&
           (opcode[length] == '.' || opcode[length] == '\0');
}

static enum wait_kind kind_of(const struct tracer_inst *inst)
{
    const char *opcode = inst->opcode;
    struct trace_inst meaning = {0};
    if (is_named(opcode, "SYNCS"))
        return strstr(opcode, ".PHASECHK") != NULL ? WAIT_ASKS : WAIT_WORKS;
    if (is_named(opcode, "CCTL")) /* after loads that acquire */
        return WAIT_NOTHING;
    trace_inst_decode(&meaning, inst->binary_version, opcode, inst->memory);
    if (inst->memory)
        return meaning.access == TRACE_ACCESS_LOAD && strstr(opcode, ".STRONG") != NULL
                   ? WAIT_ASKS
                   : WAIT_WORKS;
    if (meaning.flags & TRACE_INST_EXIT || meaning.unit == TRACE_UNIT_BARRIER ||
        is_named(opcode, "CALL") || is_named(opcode, "RET"))
        return WAIT_WORKS;
    return WAIT_NOTHING;
}

bool waits_add(struct waits *waits, const struct tracer_inst *inst, uint32_t *first)
{
    bool asks = false;
    if (waits->count > 0 && inst->pc <= waits->pc[(waits->count - 1) % WAITS_MOST])
        waits->count = 0;
    uint32_t at = waits->count++;
    waits->pc[at % WAITS_MOST] = inst->pc;
    waits->kind[at % WAITS_MOST] = (uint8_t)kind_of(inst);
    if (!is_named(inst->opcode, "BRA") || inst->imm > inst->pc)
        return false;
    for (uint32_t n = 0; n < WAITS_MOST && n <= at; n++) {
        uint32_t i = (at - n) % WAITS_MOST;
        if (waits->pc[i] < inst->imm || waits->kind[i] == WAIT_WORKS)
            return false;
        asks |= waits->kind[i] == WAIT_ASKS;
        if (waits->pc[i] == inst->imm) {
            *first = waits->pc[i];
            return asks;
        }
    }
    return false;
}
