#include "sim/core/hopper/steps.h"

#include <string.h>

/* ---- operands ---- */

bool values_uniform(const struct values *values, uint32_t reg, uint32_t *value)
{
    reg &= VALUES_UNIFORM - 1;
    *value = reg == VALUES_UNIFORM - 1 ? 0 : values->uniform[reg];
    return reg == VALUES_UNIFORM - 1 || (values->uniform_known >> reg & 1) != 0;
}

bool values_lane(const struct values *values, uint32_t reg, uint32_t lane, uint32_t *value)
{
    *value = reg == RZ ? 0 : values->regs[reg][lane];
    return reg == RZ || (values->known[reg] >> lane & 1) != 0;
}

void operand_fill(struct operand *operand, uint32_t value, bool known)
{
    for (uint32_t lane = 0; lane < 32; lane++)
        operand->value[lane] = value;
    operand->known = known ? ~0u : 0;
}

static void read_uniform(const struct values *values, uint32_t reg, struct operand *operand)
{
    uint32_t value;
    bool known = values_uniform(values, reg, &value);
    operand_fill(operand, value, known);
}

void step_read_register(const struct values *values, uint32_t reg, struct operand *operand)
{
    if (reg == RZ) {
        operand_fill(operand, 0, true);
        return;
    }
    memcpy(operand->value, values->regs[reg], sizeof operand->value);
    operand->known = values->known[reg];
}

/* Register number REG of the datapath of STEP. */
void step_read_number(const struct value_step *step, uint32_t reg, struct operand *operand)
{
    if (step->uniform)
        read_uniform(step->values, reg, operand);
    else
        step_read_register(step->values, reg, operand);
}

void operand_negate(struct operand *operand)
{
    for (uint32_t lane = 0; lane < 32; lane++)
        operand->value[lane] = -operand->value[lane];
}

/* Bits 9 to 11 say what stands in bits 32 to 63, and whether that is operand B or C; SIGNS:
 * operands may be negative. */
void step_read_operands(struct value_step *step, bool signs)
{
    enum { REGISTER = 1, C_IMMEDIATE, C_CONSTANT, IMMEDIATE, CONSTANT, UNIFORM, C_UNIFORM };
    const struct trace_code *code = step->code;
    uint32_t form = bits(code->low, 9, 3), word = (uint32_t)(code->low >> 32);
    bool swapped = form == C_IMMEDIATE || form == C_CONSTANT || form == C_UNIFORM;
    struct operand *low = swapped ? &step->c : &step->b, *high = swapped ? &step->b : &step->c;
    step_read_number(step, bits(code->low, 24, 8), &step->a);
    step_read_number(step, bits(code->high, 0, 8), high);
    if (form == IMMEDIATE || form == C_IMMEDIATE)
        operand_fill(low, word, true);
    else if (form == CONSTANT || form == C_CONSTANT)
        operand_fill(low, 0, false);
    else if (form == REGISTER)
        step_read_number(step, word & 255, low);
    else
        read_uniform(step->values, word & 63, low);
    if (!signs)
        return;
    if (bits(code->high, 11, 1))
        operand_negate(high);
    if (form != IMMEDIATE && form != C_IMMEDIATE && word >> 31)
        operand_negate(low);
}

/* ---- results ---- */

void values_set_uniform(struct values *values, uint32_t reg, uint32_t value, bool known)
{
    if (reg >= VALUES_UNIFORM - 1)
        return;
    values->uniform[reg] = value;
    values->uniform_known &= ~(1ull << reg);
    values->uniform_known |= (uint64_t)known << reg;
}

void step_write(struct value_step *step, uint32_t to, const struct operand *result)
{
    struct values *values = step->values;
    uint32_t lane = (uint32_t)__builtin_ctz(step->mask);
    if (step->uniform) {
        if (to >= URZ)
            return;
        values_set_uniform(values, to, result->value[lane], (result->known >> lane & 1) != 0);
        return;
    }
    if (to >= RZ) /* or the upper half of one */
        return;
    for (uint32_t rest = step->mask; rest != 0; rest &= rest - 1) {
        uint32_t at = (uint32_t)__builtin_ctz(rest);
        values->regs[to][at] = result->value[at];
    }
    values->known[to] = (values->known[to] & ~step->mask) | (result->known & step->mask);
}

void values_forget(struct values *values, uint32_t first, uint32_t count, uint32_t mask)
{
    for (uint32_t reg = first; reg < first + count && reg < RZ; reg++)
        values->known[reg] &= ~mask;
}

void step_write_predicate(struct value_step *step, uint32_t to, uint32_t value, uint32_t known)
{
    struct values *values = step->values;
    if (to == PT)
        return;
    if (step->uniform) {
        uint8_t bit = (uint8_t)(1u << to);
        uint32_t lane = (uint32_t)__builtin_ctz(step->mask);
        values->uniform_predicates &= (uint8_t)~bit;
        values->uniform_predicates_known &= (uint8_t)~bit;
        if (value >> lane & 1)
            values->uniform_predicates |= bit;
        if (known >> lane & 1)
            values->uniform_predicates_known |= bit;
        return;
    }
    values->predicates[to] = (values->predicates[to] & ~step->mask) | (value & step->mask);
    values->predicates_known[to] =
        (values->predicates_known[to] & ~step->mask) | (known & step->mask);
}

void step_forget_predicates(struct value_step *step)
{
    step_write_predicate(step, bits(step->code->high, 17, 3), 0, 0);
    step_write_predicate(step, bits(step->code->high, 20, 3), 0, 0);
}

/* The predicate that an instruction reads, at bit 87, as masks of lanes. */
uint32_t step_read_predicate(const struct value_step *step, uint32_t *known)
{
    const struct values *values = step->values;
    uint32_t number = bits(step->code->high, 23, 3), value = ~0u;
    *known = ~0u;
    if (number != PT && step->uniform) {
        value = values->uniform_predicates >> number & 1 ? ~0u : 0;
        *known = values->uniform_predicates_known >> number & 1 ? ~0u : 0;
    } else if (number != PT) {
        value = values->predicates[number];
        *known = values->predicates_known[number];
    }
    return bits(step->code->high, 26, 1) ? ~value : value;
}
