/* Where basic blocks end, by opcode and place. */
#include <string.h>

#include "traces/opcodes/opcode.h"
#include "traces/traces.h"

bool trace_inst_ends_basic_block(const struct trace_inst *inst, const char *opcode)
{
    static const char *const names[] = {
        "BRA", "BRX",  "BRXU", "JMP",   "JMX",   "JMXU",     "CALL", "CAL", "JCAL", "RET",
        "BRK", "CONT", "SYNC", "BSYNC", "BREAK", "WARPSYNC", "KILL", "BPT", "RTT",
    };
    size_t length = opcode_name_length(opcode, strlen(opcode));
    if (inst->flags & (TRACE_INST_EXIT | TRACE_INST_BARRIER))
        return true;
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (strlen(names[i]) == length && memcmp(names[i], opcode, length) == 0)
            return true;
    return false;
}

uint32_t trace_inst_bytes(uint32_t binary_version)
{
    return binary_version == 0 || binary_version >= 70 ? 16 : 8;
}

bool trace_inst_follows(uint32_t bytes, uint32_t before, uint32_t pc)
{
    uint32_t next = before + bytes;
    return pc == next || (bytes == 8 && next % 32 == 0 && pc == next + 8);
}

uint8_t trace_inst_type(const struct trace_inst *inst)
{
    return (uint8_t)(inst->unit * 8 + inst->space);
}
