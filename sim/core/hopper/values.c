#include "sim/core/hopper/values.h"

#include <string.h>

#define RZ 255u
#define PT 7u

/* ---- operands ---- */

/* A 32-bit operand in all lanes. */
struct operand {
    uint32_t value[32];
    uint32_t known; /* mask of lanes */
};

static uint32_t bits(uint64_t word, uint32_t at, uint32_t count)
{
    return (uint32_t)(word >> at) & ((1u << count) - 1);
}

static void fill(struct operand *operand, uint32_t value, bool known)
{
    for (uint32_t lane = 0; lane < 32; lane++)
        operand->value[lane] = value;
    operand->known = known ? ~0u : 0;
}

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

static void read_uniform(const struct values *values, uint32_t reg, struct operand *operand)
{
    uint32_t value;
    bool known = values_uniform(values, reg, &value);
    fill(operand, value, known);
}

static void read_register(const struct values *values, uint32_t reg, struct operand *operand)
{
    if (reg == RZ) {
        fill(operand, 0, true);
        return;
    }
    memcpy(operand->value, values->regs[reg], sizeof operand->value);
    operand->known = values->known[reg];
}

/* An instruction: what it does, its operands, and what it writes. */
struct step {
    const struct trace_code *code;
    struct values *values;
    struct operand a, b, c;
    uint32_t operation; /* low nine bits */
    uint32_t to;        /* register */
    uint32_t mask;      /* lanes */
    bool uniform;       /* of the uniform datapath */
};

/* Register number REG of the datapath of STEP. */
static void read_number(const struct step *step, uint32_t reg, struct operand *operand)
{
    if (step->uniform)
        read_uniform(step->values, reg, operand);
    else
        read_register(step->values, reg, operand);
}

static void negate(struct operand *operand)
{
    for (uint32_t lane = 0; lane < 32; lane++)
        operand->value[lane] = -operand->value[lane];
}

/* Bits 9 to 11 say what stands in bits 32 to 63, and whether that is operand B or C; SIGNS:
 * operands may be negative. */
static void read_operands(struct step *step, bool signs)
{
    enum { REGISTER = 1, C_IMMEDIATE, C_CONSTANT, IMMEDIATE, CONSTANT, UNIFORM, C_UNIFORM };
    const struct trace_code *code = step->code;
    uint32_t form = bits(code->low, 9, 3), word = (uint32_t)(code->low >> 32);
    bool swapped = form == C_IMMEDIATE || form == C_CONSTANT || form == C_UNIFORM;
    struct operand *low = swapped ? &step->c : &step->b, *high = swapped ? &step->b : &step->c;
    read_number(step, bits(code->low, 24, 8), &step->a);
    read_number(step, bits(code->high, 0, 8), high);
    if (form == IMMEDIATE || form == C_IMMEDIATE)
        fill(low, word, true);
    else if (form == CONSTANT || form == C_CONSTANT)
        fill(low, 0, false);
    else if (form == REGISTER)
        read_number(step, word & 255, low);
    else
        read_uniform(step->values, word & 63, low);
    if (!signs)
        return;
    if (bits(code->high, 11, 1))
        negate(high);
    if (form != IMMEDIATE && form != C_IMMEDIATE && word >> 31)
        negate(low);
}

/* ---- results ---- */

static void set_uniform(struct values *values, uint32_t reg, uint32_t value, bool known)
{
    if (reg >= VALUES_UNIFORM - 1)
        return;
    values->uniform[reg] = value;
    values->uniform_known &= ~(1ull << reg);
    values->uniform_known |= (uint64_t)known << reg;
}

static void write_result(struct step *step, uint32_t to, const struct operand *result)
{
    struct values *values = step->values;
    uint32_t lane = (uint32_t)__builtin_ctz(step->mask);
    if (step->uniform) {
        set_uniform(values, to & 63, result->value[lane], (result->known >> lane & 1) != 0);
        return;
    }
    if (to == RZ)
        return;
    for (uint32_t rest = step->mask; rest != 0; rest &= rest - 1) {
        uint32_t at = (uint32_t)__builtin_ctz(rest);
        values->regs[to][at] = result->value[at];
    }
    values->known[to] = (values->known[to] & ~step->mask) | (result->known & step->mask);
}

static void forget(struct values *values, uint32_t first, uint32_t count, uint32_t mask)
{
    for (uint32_t reg = first; reg < first + count && reg < RZ; reg++)
        values->known[reg] &= ~mask;
}

static void write_predicate(struct step *step, uint32_t to, uint32_t value, uint32_t known)
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

static void forget_predicates(struct step *step)
{
    write_predicate(step, bits(step->code->high, 17, 3), 0, 0);
    write_predicate(step, bits(step->code->high, 20, 3), 0, 0);
}

/* The predicate that an instruction reads, at bit 87, as masks of lanes. */
static uint32_t read_predicate(const struct step *step, uint32_t *known)
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

/* ---- arithmetic: of a lane ---- */

static uint32_t logic(uint32_t a, uint32_t b, uint32_t c, uint32_t table)
{
    uint32_t result = 0;
    for (uint32_t i = 0; i < 8; i++)
        if (table >> i & 1)
            result |= (i & 4 ? a : ~a) & (i & 2 ? b : ~b) & (i & 1 ? c : ~c);
    return result;
}

static uint32_t permute(uint32_t a, uint32_t selector, uint32_t c)
{
    uint64_t bytes = (uint64_t)c << 32 | a;
    uint32_t result = 0;
    for (uint32_t i = 0; i < 4; i++) {
        uint32_t which = selector >> (4 * i) & 15;
        uint32_t byte = (uint32_t)(bytes >> (8 * (which & 7))) & 255;
        if (which & 8)
            byte = byte & 128 ? 255 : 0;
        result |= byte << (8 * i);
    }
    return result;
}

static uint32_t shift(uint32_t a, uint32_t amount, uint32_t c, uint64_t high)
{
    enum { S64, U64, S32, U32 };
    uint32_t type = bits(high, 9, 2);
    bool right = bits(high, 12, 1), upper = bits(high, 16, 1), wide = type <= U64;
    uint32_t most = wide ? 63 : 32;
    uint64_t both = (uint64_t)c << 32 | a;
    if (amount > most)
        amount = bits(high, 11, 1) ? amount & (wide ? 63 : 31) : most;
    if (!wide && upper && right)
        return type == S32 ? (uint32_t)((int64_t)(int32_t)c >> amount)
                           : (uint32_t)((uint64_t)c >> amount);
    if (right)
        both = type == S64 ? (uint64_t)((int64_t)both >> amount) : both >> amount;
    else
        both <<= amount;
    return (uint32_t)(upper ? both >> 32 : both);
}

static bool compare(uint32_t a, uint32_t b, uint64_t high)
{
    bool with_sign = bits(high, 9, 1);
    bool less = with_sign ? (int32_t)a < (int32_t)b : a < b;
    uint32_t how = bits(high, 12, 3);
    return (less && (how & 1)) || (a == b && (how & 2)) || (!less && a != b && (how & 4));
}

/* ---- instructions ---- */

enum operation {
    MOV = 0x002,
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
    ELECT = 0x02f,
    VIADD = 0x036,
    UNIFORM = 0x080,  /* the same operations in the uniform datapath */
    IADD3_64 = 0x017, /* only there */
    LOAD_CONSTANT = 0x039,
    CS2R = 0x005,
    R2UR = 0x0ca,
    S2R = 0x119,
    SHFL = 0x189,
    SYNCS = 0x1a7,
    S2UR = 0x1c3
};

/* Those that set predicates, in bits 81 and 84. */
static bool sets_predicates(uint32_t operation)
{
    return operation == VOTE || operation == FSETP || operation == IADD3 || operation == LEA ||
           operation == LOP3 || operation == PLOP3 || operation == ELECT || operation == SHFL ||
           operation == SYNCS || operation == ISETP;
}

static void set_predicate(struct step *step)
{
    uint64_t high = step->code->high;
    uint32_t with_known, with = read_predicate(step, &with_known), value = 0;
    read_operands(step, false);
    uint32_t known = step->a.known & step->b.known & with_known;
    for (uint32_t lane = 0; lane < 32; lane++)
        value |= (uint32_t)compare(step->a.value[lane], step->b.value[lane], high) << lane;
    uint32_t how = bits(high, 10, 2);
    value = how == 0 ? value & with : how == 1 ? value | with : value ^ with;
    if (bits(high, 8, 1)) /* the upper half of a comparison of 64 bits */
        known = 0;
    forget_predicates(step);
    write_predicate(step, bits(high, 17, 3), value, known);
}

static void select(struct step *step)
{
    uint32_t known, which = read_predicate(step, &known);
    read_operands(step, false);
    for (uint32_t lane = 0; lane < 32; lane++)
        if (!(which >> lane & 1))
            step->a.value[lane] = step->b.value[lane];
    step->a.known = known & ((which & step->a.known) | (~which & step->b.known));
    write_result(step, step->to, &step->a);
}

/* Of what has one result of 32 bits. */
static uint32_t of_lane(const struct step *step, uint32_t operation, uint32_t lane)
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
        return logic(a, b, c, bits(high, 8, 8));
    case PRMT:
        return permute(a, b, c);
    case SHF:
        return shift(a, b, c, high);
    case LEA:
        if (bits(high, 16, 1))
            return (uint32_t)(((uint64_t)c << 32 | a) << bits(high, 11, 5) >> 32) + b;
        return (a << bits(high, 11, 5)) + b;
    default:
        return b;
    }
}

/* Those that one predicate more or a carry goes into are not known. */
static bool has_carry(const struct step *step, uint32_t operation)
{
    return (operation == IADD3 || operation == IMAD || operation == LEA) &&
           bits(step->code->high, 10, 1);
}

static void compute(struct step *step, uint32_t operation)
{
    struct operand result;
    bool three = operation != MOV && operation != VIADD;
    bool third = three && (operation != LEA || bits(step->code->high, 16, 1));
    read_operands(step, operation == IADD3 || operation == IMAD);
    if ((operation == IADD3 || operation == LEA) && bits(step->code->high, 8, 1))
        negate(&step->a);
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
        forget_predicates(step);
    if (operation == LOP3 && bits(step->code->high, 23, 4) == 15)
        write_predicate(step, bits(step->code->high, 17, 3), truth, result.known);
    write_result(step, step->to, &result);
}

static void multiply_wide(struct step *step)
{
    struct operand low, high, upper;
    read_operands(step, false);
    bool with_sign = bits(step->code->high, 9, 1);
    uint32_t above = bits(step->code->high, 0, 8);
    read_number(step, above == RZ || (step->uniform && (above & 63) == 63) ? above : above + 1,
                &upper);
    low.known = high.known = step->a.known & step->b.known & step->c.known & upper.known;
    for (uint32_t lane = 0; lane < 32; lane++) {
        uint32_t a = step->a.value[lane], b = step->b.value[lane];
        uint64_t product =
            with_sign ? (uint64_t)((int64_t)(int32_t)a * (int32_t)b) : (uint64_t)a * b;
        product += (uint64_t)upper.value[lane] << 32 | step->c.value[lane];
        low.value[lane] = (uint32_t)product;
        high.value[lane] = (uint32_t)(product >> 32);
    }
    write_result(step, step->to, &low);
    write_result(step, step->to + 1, &high);
}

/* A special register in all lanes. */
static void read_special(const struct values *values, uint32_t number, struct operand *result)
{
    enum { LANE = 0, THREAD = 0x21, INDEX = 0x25, RANK = 0x88 };
    const uint32_t *block = values->block;
    fill(result, 0, number == RANK);
    if (number >= INDEX && number < INDEX + 3)
        fill(result, values->index[number - INDEX], true);
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
static void to_uniform(struct step *step)
{
    struct operand from;
    read_register(step->values, bits(step->code->low, 24, 8), &from);
    forget_predicates(step);
    step->uniform = true;
    write_result(step, step->to, &from);
}

/* SHFL.IDX of a constant lane. */
static bool shuffle(struct step *step)
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
    read_register(step->values, bits(step->code->low, 24, 8), &from);
    bool known = from.known >> lane & 1;
    fill(&from, from.value[lane], known);
    write_result(step, step->to, &from);
    return true;
}

/* The operations that both datapaths have. False: none of them. */
static bool execute_common(struct step *step, uint32_t operation)
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

static void execute_uniform(struct step *step)
{
    uint32_t operation = step->operation - UNIFORM;
    step->uniform = true;
    if (execute_common(step, operation))
        return;
    bool pair = operation == IADD3_64 ||
                (operation == LOAD_CONSTANT && bits(step->code->high, 9, 3) == 5);
    if (sets_predicates(operation))
        forget_predicates(step);
    set_uniform(step->values, step->to & 63, 0, false);
    if (pair)
        set_uniform(step->values, (step->to & 63) + 1, 0, false);
}

/* What only the lanes have. False: it is not known. */
static bool execute_lanes(struct step *step)
{
    struct operand result;
    switch (step->operation) {
    case S2R:
    case S2UR:
        read_special(step->values, bits(step->code->high, 8, 8), &result);
        step->uniform = step->operation == S2UR;
        write_result(step, step->to, &result);
        return true;
    case CS2R:
        fill(&result, 0, bits(step->code->high, 8, 8) == RZ);
        write_result(step, step->to, &result);
        if (bits(step->code->high, 16, 1))
            write_result(step, step->to + 1, &result);
        return true;
    case R2UR:
        to_uniform(step);
        return true;
    case SHFL:
        forget_predicates(step);
        return shuffle(step);
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
        forget(values, first, count, mask);
        return;
    }
    struct step step = {.code = code,
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
        forget_predicates(&step);
    forget(values, first, count, mask);
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
