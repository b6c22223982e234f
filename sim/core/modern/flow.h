/* How long a warp waits after an instruction, beyond what its code says: branches, the end of
 * divergence, wide products.
 *
 * Source: the rows div2_*, div32_*, divloop_*, chain_ffma_u16 and chain_imadwide_lop3 of the
 * H100's calibration. Traces hold what each group of lanes did in the order in which it did, so
 * that a change of group is seen as a jump. */
#ifndef HEARTH_SIM_CORE_MODERN_FLOW_H
#define HEARTH_SIM_CORE_MODERN_FLOW_H

#include "sim/core/inst.h"

struct modern_spec;

/* struct inst_issue.flow */
enum modern_flow {
    FLOW_NONE,        /* the next instruction follows after the stall */
    FLOW_OTHER,       /* of the branch unit; it may leave the warp elsewhere: EXIT, BREAK */
    FLOW_DIRECT,      /* to a place that the instruction names */
    FLOW_INDIRECT,    /* to a place that a register names */
    FLOW_RECONVERGES, /* BSYNC: lanes wait for others, or go on with them */
    FLOW_WIDE,        /* IMAD.WIDE: an instruction right behind that reads the result */
};

/* An instruction that has issued, and its lanes. */
struct modern_issued {
    const struct inst *inst;
    uint32_t mask;
};

/* Sets issue.flow of INST, whose unit is set. */
void flow_describe(struct inst *inst, const char *opcode);

/* The cycles from the issue of LAST until INST, which follows in the trace with lanes MASK, may
 * issue; LAST has a flow. */
uint32_t flow_cycles(const struct modern_spec *spec, const struct modern_issued *last,
                     const struct inst *inst, uint32_t mask);

#endif
