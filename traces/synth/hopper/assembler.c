#include "traces/synth/hopper/assembler.h"

#include <stdlib.h>
#include <string.h>

#define VERSION      90
#define OPERATIONS   512
#define FORM_AT      9
#define FORM_B       1 /* operand B is a register, */
#define FORM_NO_B    4 /* or an immediate */
#define ALWAYS       (7u << 12)
#define LOOPS        32
#define STALL_MOST   15
#define ZERO         TRACE_REG_ZERO
#define SLOTS        3
#define BRANCH_LEAST 5 /* stall of branches, and of what waits for other warps */

/* Dependence counters: those that results raise take turns; one is for sources. */
#define COUNTERS     5
#define READ_COUNTER 5
#define IN_A_ROW     8 /* instructions of one operation that share a counter */

/* What instructions hand on, beside registers. */
enum { PREDICATE = 256, UNIFORM, RESOURCES };

/* Kinds of instructions, by who waits for their results: the code, or counters. */
enum class { CLASS_ALU, CLASS_FMA, CLASS_UNIFORM, CLASS_BESIDE, CLASS_SPECIAL, CLASS_MEMORY };

struct coded_place {
    struct trace_code code;
    uint8_t stall, wait, reuse;
    uint8_t write, read; /* counters, or TRACE_NO_BARRIER */
    uint8_t slots[SLOTS];
    bool seen;
};

/* Of the warp in hand. */
struct code_progress {
    uint64_t now;             /* cycle of the next instruction, as stalled so far */
    struct coded_place *last; /* NULL: none */
    uint64_t last_cycle;
    uint32_t last_mask;
    uint64_t written[RESOURCES]; /* cycle of issue plus 1; 0: long ago */
    uint8_t writer[RESOURCES];   /* enum class */
    uint8_t pending[RESOURCES];  /* mask of counters until it is there, */
    uint8_t reading[RESOURCES];  /* and until it has been read */
};

struct assembler {
    struct coded_place *places;
    struct trace_code *code;
    uint32_t count, room;
    struct {
        uint32_t first, last;
    } loops[LOOPS];
    size_t loop_count;
    uint32_t counter, row; /* of results: the last one given, and to how many in a row */
    uint32_t row_of;       /* their operation */
    struct code_progress warp;
};

struct assembler *assembler_create(void)
{
    return calloc(1, sizeof(struct assembler));
}

void assembler_destroy(struct assembler *assembler)
{
    if (assembler == NULL)
        return;
    free(assembler->places);
    free(assembler->code);
    free(assembler);
}

void assembler_begin_warp(struct assembler *assembler)
{
    assembler->warp = (struct code_progress){.now = 1};
}

/* ---- what an opcode is ------------------------------------------------- */

static bool begins(const char *opcode, const char *with)
{
    return strncmp(opcode, with, strlen(with)) == 0;
}

static enum class class_of(const char *opcode) {
    static const struct {const char * begin; enum class class;}
classes[] = {
    {"FMNMX", CLASS_ALU},    {"FSEL", CLASS_ALU},       {"FSETP", CLASS_ALU},
    {"F2FP", CLASS_ALU},     {"FENCE", CLASS_MEMORY},   {"FMUL", CLASS_FMA},
    {"FFMA", CLASS_FMA},     {"FADD", CLASS_FMA},       {"IMAD", CLASS_FMA},
    {"MUFU", CLASS_SPECIAL}, {"S2R", CLASS_SPECIAL},    {"S2UR", CLASS_SPECIAL},
    {"SHFL", CLASS_MEMORY},  {"LD", CLASS_MEMORY},      {"ST", CLASS_MEMORY},
    {"SYNCS", CLASS_MEMORY}, {"R2UR", CLASS_UNIFORM},   {"USETMAXREG", CLASS_BESIDE},
    {"UTMA", CLASS_BESIDE},  {"UCGABAR", CLASS_BESIDE}, {"WARP", CLASS_BESIDE},
    {"HGMMA", CLASS_BESIDE}, {"BAR", CLASS_BESIDE},     {"BRA", CLASS_BESIDE},
    {"BSYNC", CLASS_BESIDE}, {"EXIT", CLASS_BESIDE},    {"U", CLASS_UNIFORM},
};
for (size_t i = 0; i < sizeof classes / sizeof *classes; i++)
    if (begins(opcode, classes[i].begin))
        return classes[i].class;
return CLASS_ALU;
}

static bool sets_predicate(const struct trace_sink_inst *inst)
{
    return begins(inst->opcode, "ISETP") || begins(inst->opcode, "FSETP") ||
           begins(inst->opcode, "SYNCS.PHASECHK") || begins(inst->opcode, "ELECT");
}

static bool reads_uniform(const struct trace_sink_inst *inst, enum class class)
{
    return class == CLASS_UNIFORM || begins(inst->opcode, "HGMMA") ||
           begins(inst->opcode, "UTMA") || begins(inst->opcode, "SYNCS");
}

static bool stores(const struct trace_sink_inst *inst)
{
    return begins(inst->opcode, "ST");
}

/* ---- code -------------------------------------------------------------- */

static void encode(struct coded_place *place, const struct trace_sink_inst *inst,
                   const struct trace_code *extra)
{
    bool two = inst->src_count > 1;
    uint32_t form = two ? FORM_B : FORM_NO_B;
    uint8_t *slots = place->slots;
    memset(slots, ZERO, SLOTS);
    for (uint32_t i = 0; i < SLOTS && i < inst->src_count; i++)
        slots[i] = inst->src[i];
    place->code = *extra;
    if (extra->low == 0)
        place->code.low = trace_code_operation(VERSION, inst->opcode) | form << FORM_AT |
                          ALWAYS | (uint64_t)slots[0] << 24 |
                          (two ? (uint64_t)slots[1] << 32 : 0);
    if (extra->high == 0)
        place->code.high = slots[2];
    place->code.low |= (uint64_t)(inst->dst_count != 0 ? inst->dst[0] : ZERO) << 16;
    place->write = place->read = TRACE_NO_BARRIER;
    place->stall = 1;
    place->seen = true;
}

static struct coded_place *place_at(struct assembler *assembler,
                                    const struct trace_sink_inst *inst,
                                    const struct trace_code *extra)
{
    uint32_t number = inst->pc / TRACE_CODE_BYTES;
    while (number >= assembler->room) {
        uint32_t room = assembler->room != 0 ? 2 * assembler->room : 1024;
        struct coded_place *grown = realloc(assembler->places, room * sizeof *grown);
        if (grown == NULL)
            return NULL;
        memset(grown + assembler->room, 0, (room - assembler->room) * sizeof *grown);
        if (assembler->warp.last != NULL) /* it moves, too */
            assembler->warp.last = grown + (assembler->warp.last - assembler->places);
        assembler->places = grown;
        assembler->room = room;
    }
    if (number >= assembler->count)
        assembler->count = number + 1;
    struct coded_place *place = &assembler->places[number];
    if (!place->seen)
        encode(place, inst, extra);
    return place;
}

/* ---- control bits ------------------------------------------------------ */

/* A compiler's distance from a result of WRITER to the instruction INST, of CLASS, which reads
 * RESOURCE. */
static uint32_t distance(enum class writer, uint32_t resource, enum class class, bool guard)
{
    if (resource == PREDICATE)
        return guard ? 13 : 5;
    if (resource == UNIFORM)
        return class == CLASS_UNIFORM ? 4 : 9;
    if (class == CLASS_SPECIAL || class == CLASS_MEMORY || class == CLASS_BESIDE)
        return 6;
    return writer == class ? 4 : 5;
}

struct code_step {
    struct coded_place *place;
    enum class class;
    bool guard;
    uint64_t from; /* cycle in which it can issue */
};

static void read_resource(struct code_progress *warp, struct code_step *step, uint32_t resource)
{
    step->place->wait |= warp->pending[resource];
    if (warp->written[resource] == 0)
        return;
    uint64_t from = warp->written[resource] - 1 +
                    distance(warp->writer[resource], resource, step->class, step->guard);
    if (from > step->from)
        step->from = from;
}

/* Registers that INST writes from its destination on. */
static uint32_t width_of(const struct trace_sink_inst *inst)
{
    bool pair = begins(inst->opcode, "CS2R") || begins(inst->opcode, "IMAD.WIDE");
    return inst->width > 4 ? inst->width / 4u : pair ? 2 : 1;
}

static void read_all(struct code_progress *warp, const struct trace_sink_inst *inst,
                     struct code_step *step)
{
    bool product =
        begins(inst->opcode, "HGMMA"); /* whose operands are waited for by barriers */
    for (uint32_t i = 0; i < inst->src_count && !product; i++) {
        uint32_t width = stores(inst) && i == 1 ? width_of(inst) : 1;
        for (uint32_t r = 0; r < width && inst->src[i] != ZERO; r++)
            read_resource(warp, step, (inst->src[i] + r) & 255);
    }
    for (uint32_t r = 0; inst->dst_count != 0 && r < width_of(inst); r++) {
        uint32_t resource = (inst->dst[0] + r) & 255;
        step->place->wait |= warp->reading[resource] | warp->pending[resource];
    }
    if (step->guard || begins(inst->opcode, "SEL") || begins(inst->opcode, "FSEL"))
        read_resource(warp, step, PREDICATE);
    if (reads_uniform(inst, step->class))
        read_resource(warp, step, UNIFORM);
}

/* What waiting for the counters of MASK settles. */
static void settle(struct code_progress *warp, uint8_t mask)
{
    for (uint32_t i = 0; mask != 0 && i < RESOURCES; i++) {
        warp->pending[i] &= (uint8_t)~mask;
        warp->reading[i] &= (uint8_t)~mask;
    }
}

static void take_counter(struct assembler *assembler, struct coded_place *place)
{
    uint32_t operation = (uint32_t)place->code.low % OPERATIONS;
    if (operation != assembler->row_of || ++assembler->row == IN_A_ROW) {
        assembler->row = 0;
        assembler->row_of = operation;
        assembler->counter = (assembler->counter + 1) % COUNTERS;
    }
    place->write = (uint8_t)assembler->counter;
}

static void note_written(struct code_progress *warp, const struct code_step *step,
                         uint32_t resource)
{
    bool variable = step->class >= CLASS_SPECIAL;
    warp->written[resource] = variable ? 0 : warp->now + 1;
    warp->writer[resource] = (uint8_t)step->class;
    warp->pending[resource] = variable ? (uint8_t)(1u << step->place->write) : 0;
}

static void write_all(struct assembler *assembler, const struct trace_sink_inst *inst,
                      const struct code_step *step)
{
    struct code_progress *warp = &assembler->warp;
    bool uniform = step->class == CLASS_UNIFORM || begins(inst->opcode, "S2UR");
    bool any = inst->dst_count != 0 || sets_predicate(inst) || uniform ||
               begins(inst->opcode, "FENCE");
    if (step->class >= CLASS_SPECIAL && any && step->place->write == TRACE_NO_BARRIER)
        take_counter(assembler, step->place);
    if (begins(inst->opcode, "HGMMA"))
        return;
    for (uint32_t r = 0; inst->dst_count != 0 && r < width_of(inst); r++)
        if (inst->dst[0] != ZERO)
            note_written(warp, step, (inst->dst[0] + r) & 255);
    if (sets_predicate(inst))
        note_written(warp, step, PREDICATE);
    if (uniform)
        note_written(warp, step, UNIFORM);
    if (!stores(inst))
        return;
    step->place->read = READ_COUNTER;
    for (uint32_t r = 0; inst->src_count > 1 && r < width_of(inst); r++)
        warp->reading[(inst->src[1] + r) & 255] |= 1u << READ_COUNTER;
}

/* The place before is stalled so that this one issues at FROM, as far as a stall goes; operands
 * that stay in their slots are kept. */
static void stall_last(struct code_progress *warp, const struct code_step *step)
{
    if (warp->last == NULL)
        return;
    uint64_t stall = step->from > warp->last_cycle ? step->from - warp->last_cycle : 1;
    if (stall > STALL_MOST)
        stall = STALL_MOST;
    if (stall > warp->last->stall)
        warp->last->stall = (uint8_t)stall;
    warp->now = warp->last_cycle + warp->last->stall;
    if (step->place == warp->last + 1)
        for (uint32_t i = 0; i < SLOTS; i++)
            if (step->place->slots[i] != ZERO && step->place->slots[i] == warp->last->slots[i])
                warp->last->reuse |= (uint8_t)(1u << i);
}

static uint8_t least_stall(const struct trace_sink_inst *inst, const struct code_step *step)
{
    if (begins(inst->opcode, "BRA") || begins(inst->opcode, "BSYNC") ||
        begins(inst->opcode, "BAR") || begins(inst->opcode, "EXIT"))
        return BRANCH_LEAST;
    return step->class >= CLASS_SPECIAL || step->class == CLASS_BESIDE ? 2 : 1;
}

int assembler_take(struct assembler *assembler, const struct trace_sink_inst *inst, bool silent,
                   const struct trace_code *extra)
{
    struct code_progress *warp = &assembler->warp;
    struct code_step step = {.place = place_at(assembler, inst, extra),
                             .class = class_of(inst->opcode)};
    if (step.place == NULL)
        return -1;
    if (silent)
        return 0;
    step.guard =
        begins(inst->opcode, "BRA") ||
        (warp->last != NULL && step.place == warp->last + 1 && inst->mask != warp->last_mask);
    read_all(warp, inst, &step);
    stall_last(warp, &step);
    settle(warp, step.place->wait);
    write_all(assembler, inst, &step);
    uint8_t least = least_stall(inst, &step);
    if (step.place->stall < least)
        step.place->stall = least;
    warp->last = step.place;
    warp->last_cycle = warp->now;
    warp->last_mask = inst->mask;
    warp->now += step.place->stall;
    return 0;
}

/* ---- results ----------------------------------------------------------- */

void assembler_note_loop(struct assembler *assembler, uint32_t first, uint32_t last)
{
    for (size_t i = 0; i < assembler->loop_count; i++)
        if (assembler->loops[i].first == first)
            return;
    if (assembler->loop_count == LOOPS)
        return;
    assembler->loops[assembler->loop_count].first = first;
    assembler->loops[assembler->loop_count++].last = last;
}

bool assembler_loop(const struct assembler *assembler, size_t i, uint32_t *first,
                    uint32_t *last)
{
    if (i >= assembler->loop_count)
        return false;
    *first = assembler->loops[i].first;
    *last = assembler->loops[i].last;
    return true;
}

static uint64_t control_bits(const struct coded_place *place)
{
    return (uint64_t)place->stall | 1u << 4 | (uint64_t)place->write << 5 |
           (uint64_t)place->read << 8 | (uint64_t)place->wait << 11 |
           (uint64_t)place->reuse << 17;
}

struct trace_code *assembler_code(struct assembler *assembler, uint32_t *count)
{
    free(assembler->code);
    assembler->code = calloc(assembler->count + 1, sizeof *assembler->code);
    *count = assembler->count;
    for (uint32_t i = 0; assembler->code != NULL && i < assembler->count; i++) {
        assembler->code[i] = assembler->places[i].code;
        assembler->code[i].high |= control_bits(&assembler->places[i]) << 41;
    }
    return assembler->code;
}
