/* The function units of a sub-core, and which instruction uses which. */
#ifndef HEARTH_SIM_CORE_MODERN_UNITS_H
#define HEARTH_SIM_CORE_MODERN_UNITS_H

#include "sim/core/core_model.h"
#include "sim/core/inst.h"

enum modern_unit {
    UNIT_NONE,  /* done when it has issued: NOP */
    UNIT_FP32,  /* either half of the FP32 pipe */
    UNIT_HEAVY, /* the half that multiplies integers, too */
    UNIT_ALU,
    UNIT_HALF, /* packed half precision */
    UNIT_FP64,
    UNIT_TENSOR,
    UNIT_SPECIAL, /* transcendental functions, conversions, bit counts */
    UNIT_UNIFORM,
    UNIT_BRANCH,
    UNIT_MEMORY, /* the queue to the load/store unit */
    UNIT_COUNT
};

/* struct inst_issue.result: the unit, or one of these. */
enum modern_result {
    RESULT_HALF_MATRIX = UNIT_COUNT, /* HFMA2.MMA */
    RESULT_WIDE,                     /* IMAD.WIDE */
    RESULT_ADD,                      /* VIADD */
    RESULT_PRODUCT, /* of a group of warps: its readers wait for it by themselves */
    RESULT_COUNT
};

/* What an instruction does beyond its unit: enum modern_kind of struct inst_issue. */
enum modern_kind {
    KIND_FIXED,    /* its result is there after a time that the compiler knows */
    KIND_VARIABLE, /* a dependence counter says when it is there */
    KIND_QUEUED,   /* the same, through the queue to the load/store unit, without memory */
    KIND_UNIFORM,  /* the same, through the unit for constants: S2UR */
    KIND_CONSTANT, /* LDC, through that unit, too */
    KIND_MEMORY,
    KIND_INVALIDATE, /* CCTL.IVALL: L1 forgets its lines */
};

/* struct core_model.describe */
void units_describe(struct inst *inst, const struct core_code *code);

#endif
