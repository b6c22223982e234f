#include "sim/core/hopper/values.h"

#include <string.h>

#include "sim/core/hopper/steps.h"

enum operation {
    MOV = 0x002,
    R2P = 0x004,
    VOTE = 0x006,
    SEL = 0x007,
    FSETP = 0x00b,
    ISETP = 0x00c,
    IADD3 = 0x010,
    LEA = 0x011,
    LOP3 = 0x012,
    PRMT = 0x016,
    SHF = 0x019,
    PLOP3 = 0x01c,
    IMAD = 0x024,
    IMAD_WIDE = 0x025,
    IMAD_HI = 0x027,
    DSETP = 0x02a,
    ELECT = 0x02f,
    HSETP2 = 0x034,
    VIADD = 0x036,
    UNIFORM = 0x080,  /* the same operations in the uniform datapath */
    IADD3_64 = 0x017, /* only there */
    LOAD_CONSTANT = 0x039,
    CS2R = 0x005,
    R2UR = 0x0ca,
    FCHK = 0x102,
    S2R = 0x119,
    B2R = 0x11c,
    SHFL = 0x189,
    SYNCS = 0x1a7,
    ATOMG = 0x1a8,
    ATOMG_CAS = 0x1a9,
    S2UR = 0x1c3,
    USETMAXREG = 0x1c8
};

/* Those that set predicates, in bits 81 and 84. */
static bool sets_predicates(uint32_t operation)
{
    switch (operation) {
    case VOTE:
    case FSETP:
    case ISETP:
    case IADD3:
    case LEA:
    case LOP3:
    case PLOP3:
    case IMAD_WIDE:
    case IMAD_HI:
    case DSETP:
    case ELECT:
    case HSETP2:
    case FCHK:
    case B2R:
    case SHFL:
    case SYNCS:
    case ATOMG:
    case ATOMG_CAS:
        return true;
    default:
        return false;
    }
}

static void set_predicate(struct value_step *step)
{
    uint64_t high = step->code->high;
    uint32_t with_known, with = step_read_predicate(step, &with_known), value = 0;
    step_read_operands(step, false);
    uint32_t known = step->a.known & step->b.known & with_known;
    for (uint32_t lane = 0; lane < 32; lane++)
        value |= (uint32_t)lane_compare(step->a.value[lane], step->b.value[lane], high) << lane;
    uint32_t how = bits(high, 10, 2);
    value = how == 0 ? value & with : how == 1 ? value | with : value ^ with;
    if (bits(high, 8, 1)) /* the upper half of a comparison of 64 bits */
        known = 0;
    step_forget_predicates(step);
    step_write_predicate(step, bits(high, 17, 3), value, known);
}

static void select(struct value_step *step)
{
    uint32_t known, which = step_read_predicate(step, &known);
    step_read_operands(step, false);
    for (uint32_t lane = 0; lane < 32; lane++)
        if (!(which >> lane & 1))
            step->a.value[lane] = step->b.value[lane];
    step->a.known = known & ((which & step->a.known) | (~which & step->b.known));
    step_write(step, step->to, &step->a);
}

/* Of what has one result of 32 bits. */
static uint32_t of_lane(const struct value_step *step, uint32_t operation, uint32_t lane)
{
    uint32_t a = step->a.value[lane], b = step->b.value[lane], c = step->c.value[lane];
    uint64_t high = step->code->high;
    switch (operation) {
    case IADD3:
        return a + b + c;
    case VIADD:
        return a + b;
    case IMAD:
        return a * b + c;
    case LOP3:
        return lane_logic(a, b, c, bits(high, 8, 8));
    case PRMT:
        return lane_permute(a, b, c);
    case SHF:
        return lane_shift(a, b, c, high);
    case LEA:
        if (bits(high, 16, 1))
            return (uint32_t)(((uint64_t)c << 32 | a) << bits(high, 11, 5) >> 32) + b;
        return (a << bits(high, 11, 5)) + b;
    default:
        return b;
    }
}

/* Those that one predicate more or a carry goes into are not known. */
static bool has_carry(const struct value_step *step, uint32_t operation)
{
    return (operation == IADD3 || operation == IMAD || operation == IMAD_WIDE ||
            operation == LEA) &&
           bits(step->code->high, 10, 1);
}

static void compute(struct value_step *step, uint32_t operation)
{
    struct operand result;
    bool three = operation != MOV && operation != VIADD;
    bool third = three && (operation != LEA || bits(step->code->high, 16, 1));
    step_read_operands(step, operation == IADD3 || operation == IMAD);
    if ((operation == IADD3 || operation == LEA) && bits(step->code->high, 8, 1))
        operand_negate(&step->a);
    result.known = step->b.known & (operation == MOV ? ~0u : step->a.known) &
                   (third ? step->c.known : ~0u);
    if (has_carry(step, operation))
        result.known = 0;
    uint32_t truth = 0;
    for (uint32_t lane = 0; lane < 32; lane++) {
        result.value[lane] = of_lane(step, operation, lane);
        truth |= (uint32_t)(result.value[lane] != 0) << lane;
    }
    if (sets_predicates(operation))
        step_forget_predicates(step);
    if (operation == LOP3 && bits(step->code->high, 23, 4) == 15)
        step_write_predicate(step, bits(step->code->high, 17, 3), truth, result.known);
    step_write(step, step->to, &result);
}

static void multiply_wide(struct value_step *step)
{
    struct operand low, high, upper;
    step_read_operands(step, false);
    bool with_sign = bits(step->code->high, 9, 1);
    uint32_t above = bits(step->code->high, 0, 8);
    step_read_number(
        step, above == RZ || (step->uniform && (above & 63) == 63) ? above : above + 1, &upper);
    low.known = high.known = step->a.known & step->b.known & step->c.known & upper.known;
    if (has_carry(step, IMAD_WIDE))
        low.known = high.known = 0;
    step_forget_predicates(step); /* its carry */
    for (uint32_t lane = 0; lane < 32; lane++) {
        uint32_t a = step->a.value[lane], b = step->b.value[lane];
        uint64_t product =
            with_sign ? (uint64_t)((int64_t)(int32_t)a * (int32_t)b) : (uint64_t)a * b;
        product += (uint64_t)upper.value[lane] << 32 | step->c.value[lane];
        low.value[lane] = (uint32_t)product;
        high.value[lane] = (uint32_t)(product >> 32);
    }
    step_write(step, step->to, &low);
    step_write(step, step->to + 1, &high);
}

/* A special register in all lanes. */
static void read_special(const struct values *values, uint32_t number, struct operand *result)
{
    enum { LANE = 0, THREAD = 0x21, INDEX = 0x25, RANK = 0x88 };
    const uint32_t *block = values->block;
    operand_fill(result, 0, number == RANK);
    if (number >= INDEX && number < INDEX + 3)
        operand_fill(result, values->index[number - INDEX], true);
    for (uint32_t lane = 0; lane < 32; lane++) {
        uint32_t thread = values->first + lane;
        const uint32_t place[3] = {thread % block[0], thread / block[0] % block[1],
                                   thread / block[0] / block[1]};
        if (number == LANE)
            result->value[lane] = lane;
        else if (number >= THREAD && number < THREAD + 3)
            result->value[lane] = place[number - THREAD];
    }
    if (number == LANE || (number >= THREAD && number < THREAD + 3))
        result->known = ~0u;
}

/* From lanes to the uniform datapath: the first lane's value. */
static void to_uniform(struct value_step *step)
{
    struct operand from;
    step_read_register(step->values, bits(step->code->low, 24, 8), &from);
    step_forget_predicates(step);
    step->uniform = true;
    step_write(step, step->to, &from);
}

/* SHFL.IDX of a constant lane. */
static bool shuffle(struct value_step *step)
{
    enum { B_REGISTER = 2, IMMEDIATES = 7 };
    struct operand from;
    uint32_t form = bits(step->code->low, 9, 3), lane = bits(step->code->low, 53, 5);
    if (bits(step->code->low, 58, 2) != 0)
        return false;
    if (form == B_REGISTER && bits(step->code->low, 32, 8) == RZ)
        lane = 0;
    else if (form != IMMEDIATES)
        return false;
    step_read_register(step->values, bits(step->code->low, 24, 8), &from);
    bool known = from.known >> lane & 1;
    operand_fill(&from, from.value[lane], known);
    step_write(step, step->to, &from);
    return true;
}

/* The operations that both datapaths have. False: none of them. */
static bool execute_common(struct value_step *step, uint32_t operation)
{
    switch (operation) {
    case MOV:
    case IADD3:
    case LEA:
    case LOP3:
    case PRMT:
    case SHF:
    case IMAD:
    case VIADD:
        compute(step, operation);
        return true;
    case SEL:
        select(step);
        return true;
    case ISETP:
        set_predicate(step);
        return true;
    case IMAD_WIDE:
        multiply_wide(step);
        return true;
    default:
        return false;
    }
}

static void execute_uniform(struct value_step *step)
{
    uint32_t operation = step->operation - UNIFORM;
    step->uniform = true;
    if (execute_common(step, operation))
        return;
    bool pair = operation == IADD3_64 ||
                (operation == LOAD_CONSTANT && bits(step->code->high, 9, 3) == 5);
    if (sets_predicates(operation))
        step_forget_predicates(step);
    values_set_uniform(step->values, step->to & 63, 0, false);
    if (pair)
        values_set_uniform(step->values, (step->to & 63) + 1, 0, false);
}

/* What only the lanes have. False: it is not known. */
static bool execute_lanes(struct value_step *step)
{
    struct operand result;
    switch (step->operation) {
    case S2R:
    case S2UR:
        read_special(step->values, bits(step->code->high, 8, 8), &result);
        step->uniform = step->operation == S2UR;
        step_write(step, step->to, &result);
        return true;
    case CS2R:
        operand_fill(&result, 0, bits(step->code->high, 8, 8) == RZ);
        step_write(step, step->to, &result);
        if (bits(step->code->high, 16, 1))
            step_write(step, step->to + 1, &result);
        return true;
    case R2UR:
        to_uniform(step);
        return true;
    case SHFL:
        step_forget_predicates(step);
        return shuffle(step);
    case R2P: /* any of them, by a mask */
        for (uint32_t to = 0; to < PT; to++)
            step_write_predicate(step, to, 0, 0);
        return true;
    case ELECT: /* which lane it is follows from the lanes of what comes after it */
        step_write_predicate(step, bits(step->code->high, 17, 3), 0, 0);
        values_set_uniform(step->values, step->to & 63, 0, false);
        return true;
    case USETMAXREG:
        step->uniform = true;
        step_forget_predicates(step);
        return true;
    default:
        return execute_common(step, step->operation);
    }
}

void values_execute(struct values *values, const struct trace_code *code, uint32_t mask,
                    uint32_t first, uint32_t count)
{
    if (mask == 0)
        return;
    if (code == NULL) {
        values_forget(values, first, count, mask);
        return;
    }
    struct value_step step = {.code = code,
                              .values = values,
                              .operation = (uint32_t)code->low & 0x1ff,
                              .to = bits(code->low, 16, 8),
                              .mask = mask};
    if ((step.operation & ~0x3fu) == UNIFORM) {
        execute_uniform(&step);
        return;
    }
    if (execute_lanes(&step))
        return;
    if (sets_predicates(step.operation) && step.operation != SHFL)
        step_forget_predicates(&step);
    values_forget(values, first, count, mask);
}

void values_begin(struct values *values, const struct trace_header *header,
                  const uint32_t index[3], uint32_t warp)
{
    memset(values->known, 0, sizeof values->known);
    memset(values->predicates_known, 0, sizeof values->predicates_known);
    values->uniform_known = 0;
    values->uniform_predicates_known = 0;
    memcpy(values->index, index, sizeof values->index);
    memcpy(values->block, header->block, sizeof values->block);
    values->first = warp * 32;
}
