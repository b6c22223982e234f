/* What the tables hold of an opcode. */
#ifndef HEARTH_TRACES_OPCODES_OPCODE_TABLE_H
#define HEARTH_TRACES_OPCODES_OPCODE_TABLE_H

#include "traces/opcodes/opcode.h"

struct opcode {
    const char *name;
    uint16_t flags; /* enum trace_inst_flag */
    uint8_t unit, access, space;
};

/* Looks NAME, the first token of an instruction's text, up in TABLE and those
 * that it extends. NULL when none of them has it. */
const struct opcode *opcode_find(const struct opcode_table *table, const char *name,
                                 size_t length);

/* The same by rules for an opcode that no table has: by its first letters
 * and by whether it has a memory operand. Never NULL. */
const struct opcode *opcode_guess(const char *name, size_t length, bool memory_operand);

#endif
