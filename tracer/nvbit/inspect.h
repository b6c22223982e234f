// NVBit's instructions in the tracer's terms.
#ifndef HEARTH_TRACER_INSPECT_H
#define HEARTH_TRACER_INSPECT_H

#include <string>
#include <vector>

#include "tracer/nvbit/compat.h"
#include "tracer/tracer.h"

// The predicate operand of an EXIT, `@!P0 EXIT P1`, or LDGSTS. Lanes leave, or copy, where the
// guard and the operand hold.
struct PredicateOperand {
    bool is_there, uniform, negated;
    int number; // of the register
};

// The index of a load of constants, c[bank][register + offset].
struct ConstantIndex {
    bool is_there, uniform;
    int number; // of the register
    uint32_t offset;
};

struct Register {
    bool uniform;
    int number;
};

struct Inspected {
    tracer_inst inst;
    std::string predicates; // inst.predicates is of it
    int operands;           // memory operands; the last one counts: the global side of LDGSTS
    PredicateOperand operand;
    ConstantIndex constant;
    std::vector<Register>
        values; // registers whose values are recorded; inst.values is how many
};

// Fills INSPECTED, but for the line; it must stay where it is while `inst` is in use.
void inspect(Inspected &inspected, Instr *instr, const char *function, uint32_t binary_version);

#endif
