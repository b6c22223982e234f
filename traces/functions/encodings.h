/* Which opcodes the bits of an instruction may be. */
#ifndef HEARTH_TRACES_FUNCTIONS_ENCODINGS_H
#define HEARTH_TRACES_FUNCTIONS_ENCODINGS_H

#include <stdbool.h>
#include <stdint.h>

#include "traces/inst.h"

/* The first token that listings of a GPU of BINARY_VERSION (90 = sm_90) show for an instruction
 * whose low word is LOW; NULL: the table does not have it, or not that GPU. */
const char *encodings_name(uint32_t binary_version, uint64_t low);

/* Whether the dotted OPCODE may stand for that instruction. What the table does not have fits
 * everything. */
bool encodings_fit(uint32_t binary_version, uint64_t low, const char *opcode);

/* The register that an instruction whose low word is LOW writes, if it writes one. */
static inline unsigned encodings_register(uint64_t low)
{
    return low >> 16 & 255;
}

/* Whether INST of a trace may be that instruction by the first register that it writes. Of
 * branches and barriers, traces list a register that is read in its place. */
static inline bool encodings_fit_register(uint64_t low, const struct trace_inst *inst)
{
    return inst->dst_count == 0 || inst->unit == TRACE_UNIT_BRANCH ||
           inst->unit == TRACE_UNIT_BARRIER || inst->dst[0] == encodings_register(low);
}

#endif
