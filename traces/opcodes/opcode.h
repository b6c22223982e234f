/* What an opcode's text says: the unit that executes it and what it does to
 * memory. */
#ifndef HEARTH_TRACES_OPCODES_OPCODE_H
#define HEARTH_TRACES_OPCODES_OPCODE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "traces/inst.h"

/* The opcodes of one generation of GPUs. */
struct opcode_table;

/* The table for a compute capability (86 = sm_86). A capability that no table
 * lists gets the nearest table, 0 the newest; *EXACT says whether it was listed. */
const struct opcode_table *opcode_table_for(uint32_t binary_version, bool *exact);
/* "Ampere" and so on. */
const char *opcode_table_name(const struct opcode_table *table);

/* Fills unit, access, space, flags and width of INST from the dotted opcode
 * at TEXT, LENGTH bytes. TRACE_WIDTH is the width in the trace: 0 if
 * there is no memory operand. */
void opcode_decode(const struct opcode_table *table, const char *text, size_t length,
                   uint64_t trace_width, struct trace_inst *inst);

/* Length of the first token of a dotted opcode: the instruction's name. */
size_t opcode_name_length(const char *text, size_t length);

#endif
