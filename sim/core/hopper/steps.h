/* How instructions read and write the values of registers (values.h). */
#ifndef HEARTH_SIM_CORE_HOPPER_STEPS_H
#define HEARTH_SIM_CORE_HOPPER_STEPS_H

#include "sim/core/hopper/lane_ops.h"
#include "sim/core/hopper/values.h"

#define RZ  255u /* the register that is zero */
#define URZ 63u  /* the uniform one */
#define PT  7u   /* the predicate that is true */

/* A 32-bit operand in all lanes. */
struct operand {
    uint32_t value[32];
    uint32_t known; /* mask of lanes */
};

/* An instruction: what it does, its operands, and what it writes. */
struct value_step {
    const struct trace_code *code;
    struct values *values;
    struct operand a, b, c;
    uint32_t operation; /* low nine bits */
    uint32_t to;        /* register */
    uint32_t mask;      /* lanes */
    bool uniform;       /* of the uniform datapath */
};

void operand_fill(struct operand *operand, uint32_t value, bool known);
void operand_negate(struct operand *operand);

/* Register REG of the lanes; register number REG of the datapath of STEP. */
void step_read_register(const struct values *values, uint32_t reg, struct operand *operand);
void step_read_number(const struct value_step *step, uint32_t reg, struct operand *operand);
/* All three operands; SIGNS: they may be negative. */
void step_read_operands(struct value_step *step, bool signs);
/* The predicate that STEP reads, and whether it is known, as masks of lanes. */
uint32_t step_read_predicate(const struct value_step *step, uint32_t *known);

/* RESULT goes to register TO of STEP's datapath. */
void step_write(struct value_step *step, uint32_t to, const struct operand *result);
/* VALUE, as far as KNOWN, goes to predicate TO. */
void step_write_predicate(struct value_step *step, uint32_t to, uint32_t value, uint32_t known);
/* The predicates that STEP names as results are not known. */
void step_forget_predicates(struct value_step *step);

void values_set_uniform(struct values *values, uint32_t reg, uint32_t value, bool known);
/* COUNT registers from FIRST on are not known in the lanes MASK. */
void values_forget(struct values *values, uint32_t first, uint32_t count, uint32_t mask);

#endif
