// NVBit's instructions in the tracer's terms.
#ifndef HEARTH_TRACER_INSPECT_H
#define HEARTH_TRACER_INSPECT_H

#include <string>

#include "tracer/nvbit/compat.h"
#include "tracer/tracer.h"

struct Inspected {
    tracer_inst inst;
    std::string predicates; // inst.predicates is of it
    int operands;           // memory operands; the last one counts: the global side of LDGSTS
};

// Fills INSPECTED, but for the line; it must stay where it is while `inst` is in use.
void inspect(Inspected &inspected, Instr *instr, const char *function, uint32_t binary_version);

#endif
