#include "traces/packed/models/predict_address.h"

#include <stdlib.h>
#include <string.h>

#include "traces/packed/models/predict_lane.h"

/* Visits of a warp that are remembered for the next one. */
#define MOST_VISITS 4096
/* Addresses of one instruction are those of another times 2^shift. */
#define MOST_SHIFT 5

/* What is said of a record that was not foreseen; the first three may foretell
 * the next. */
enum form {
    STEP,     /* as far from the last visit as the warp before went */
    SHADOW,   /* as far from the record before as the last time */
    RELATION, /* follows from another instruction's, as the last time */
    MOVED,    /* a distance from what STEP foretells */
    STRIDE,   /* a new stride and such a distance */
    RELATED,  /* a new relation */
    LIST,     /* the distances from lane to lane */
};

void predict_address_finish(struct memory_inst *inst)
{
    free(inst->now.items);
    free(inst->before.items);
}

/* ---- visits ------------------------------------------------------------ */

static void begin_block(struct memory_inst *inst)
{
    memcpy(inst->starts_before, inst->starts, sizeof inst->starts);
    inst->started_before = inst->started;
    inst->started = 0;
}

/* The first visit of a warp. */
static void begin_warp(struct memory *memory, struct memory_inst *inst)
{
    inst->warp_stamp = memory->warp_stamp;
    struct predict_address now = inst->now;
    inst->now = inst->before;
    inst->before = now;
    inst->now.count = 0;
    inst->lanes_set = 0;
    inst->lanes_linear = false;
    if (inst->block_stamp == memory->block_stamp)
        return;
    inst->block_stamp = memory->block_stamp;
    begin_block(inst);
}

static uint64_t foretell_start(const struct memory *memory, const struct memory_inst *inst)
{
    uint32_t warp = memory->warp, bit = UINT32_C(1) << warp;
    bool known = inst->started_before & bit;
    if (!inst->seen)
        return memory->last_first;
    if (inst->started != 0) {
        uint32_t other = inst->last_warp;
        if (known && inst->started_before >> other & 1)
            return inst->starts[other] + inst->starts_before[warp] - inst->starts_before[other];
        return inst->starts[other] + inst->warp_distance;
    }
    return known ? inst->starts_before[warp] + inst->block_distance : inst->first;
}

/* What STEP foretells: `first` of the next visit. */
static uint64_t foretell_step(const struct memory *memory, const struct memory_inst *inst)
{
    uint32_t k = inst->now.count;
    if (k == 0)
        return foretell_start(memory, inst);
    if (k < inst->before.count)
        return inst->first + inst->before.items[k] - inst->before.items[k - 1];
    return inst->first + inst->step;
}

static bool push(struct predict_address *visits, uint64_t first)
{
    if (visits->count == visits->capacity) {
        uint32_t capacity = visits->capacity > 0 ? 2 * visits->capacity : 8;
        void *more = reallocarray(visits->items, capacity, sizeof *visits->items);
        if (more == NULL)
            return false;
        visits->items = more;
        visits->capacity = capacity;
    }
    visits->items[visits->count++] = first;
    return true;
}

static void note_start(const struct memory *memory, struct memory_inst *inst, uint64_t first)
{
    uint32_t warp = memory->warp, bit = UINT32_C(1) << warp;
    if (inst->started != 0)
        inst->warp_distance = first - inst->starts[inst->last_warp];
    else if (inst->started_before & bit)
        inst->block_distance = first - inst->starts_before[warp];
    inst->starts[warp] = first;
    inst->started |= bit;
    inst->last_warp = (uint8_t)warp;
}

/* ---- records ----------------------------------------------------------- */

/* A record on its way: what is known of it. */
struct visit {
    struct memory *memory;
    struct coder *flow;
    struct memory_inst *inst;
    struct piece *piece;
    struct piece_access *access;
    uint32_t mask;
    uint64_t step; /* what STEP foretells */
};

/* One lane has no stride: it takes the instruction's. */
static void set_single(const struct visit *visit, uint64_t address)
{
    uint64_t stride = visit->inst->stride;
    visit->access->linear = true;
    visit->access->stride = stride;
    visit->access->first = address - (uint64_t)__builtin_ctz(visit->mask) * stride;
}

static bool is_single(const struct visit *visit)
{
    return (visit->mask & (visit->mask - 1)) == 0;
}

static void set_addresses(const struct visit *visit, const uint64_t addresses[static 32])
{
    if (is_single(visit)) {
        set_single(visit, addresses[0]);
        return;
    }
    if (!piece_more_lanes(visit->piece, 32)) {
        visit->memory->failed = true;
        return;
    }
    piece_classify(visit->piece, visit->access, visit->mask, addresses);
}

static bool is_linear_at(const struct visit *visit, uint64_t first)
{
    return visit->access->linear && visit->access->stride == visit->inst->stride &&
           visit->access->first == first;
}

static void set_linear(const struct visit *visit, uint64_t first, uint64_t stride)
{
    visit->access->linear = true;
    visit->access->first = first;
    visit->access->stride = stride;
}

static bool is_related(const struct visit *visit, struct memory_inst *target, int shift,
                       uint64_t offset)
{
    const struct piece_access *access = visit->access;
    uint64_t linear[32];
    const uint64_t *addresses = linear;
    if (!predict_lane_known(visit->memory, target, visit->mask))
        return false;
    if (access->linear)
        piece_addresses(visit->piece, access, visit->mask, linear);
    else
        addresses = visit->piece->lanes + access->at;
    return predict_lane_is_related(target, shift, offset, visit->mask, addresses);
}

/* Whether FORM, one of the first three, foretells the record. */
static bool foretells(const struct visit *visit, enum form form)
{
    const struct memory_inst *inst = visit->inst;
    const struct memory *memory = visit->memory;
    if (form == STEP)
        return is_linear_at(visit, visit->step);
    if (form == SHADOW)
        return memory->has_last && is_linear_at(visit, memory->last_first + inst->shadow);
    return inst->seen &&
           is_related(visit, &memory->insts[inst->target], inst->shift, inst->offset);
}

/* Makes the record what its instruction's relation to TARGET foretells. */
static void take_related(const struct visit *visit, struct memory_inst *target)
{
    const struct memory_inst *inst = visit->inst;
    struct piece *piece = visit->piece;
    if (!predict_lane_known(visit->memory, target, visit->mask) ||
        !piece_more_lanes(piece, 32)) {
        visit->memory->failed = true;
        return;
    }
    uint64_t *addresses = piece->lanes + piece->lane_count;
    predict_lane_relate(target, inst->shift, inst->offset, visit->mask, addresses);
    set_addresses(visit, addresses);
}

/* Makes the record what FORM, one of the first three, foretells. */
static void take(const struct visit *visit, enum form form)
{
    const struct memory_inst *inst = visit->inst;
    struct memory *memory = visit->memory;
    if (form == STEP) {
        set_linear(visit, visit->step, inst->stride);
    } else if (form == SHADOW) {
        set_linear(visit, memory->last_first + inst->shadow, inst->stride);
    } else {
        take_related(visit, &memory->insts[inst->target]);
    }
}

static uint32_t ring_back(const struct memory *memory, uint32_t back)
{
    return memory->ring[(memory->ring_at - back) % MEMORY_RING];
}

/* Looks among the last instructions for one that the addresses follow. */
static uint32_t find_relation(const struct visit *visit, int *shift)
{
    struct memory *memory = visit->memory;
    uint64_t first;
    if (visit->access->linear)
        return 0;
    first = visit->access->first;
    for (uint32_t back = 1; back <= MEMORY_RING && back <= memory->ring_count; back++) {
        struct memory_inst *target = &memory->insts[ring_back(memory, back)];
        if (!predict_lane_known(memory, target, visit->mask))
            continue;
        predict_lane_fill(target);
        uint64_t start = target->lanes[__builtin_ctz(visit->mask)];
        for (*shift = -MOST_SHIFT; *shift <= MOST_SHIFT; ++*shift)
            if (is_related(visit, target, *shift, first - predict_lane_scaled(start, *shift)))
                return back;
    }
    return 0;
}

/* Codes a relation to the instruction BACK records ago. */
static void code_relation(const struct visit *visit, uint32_t back, int shift,
                          const bool reading)
{
    struct memory *memory = visit->memory;
    struct memory_inst *inst = visit->inst;
    uint8_t both = (uint8_t)(back << 4 | (uint32_t)(shift + MOST_SHIFT));
    both = coder_byte(visit->flow, CODER_ADDRESS, both, reading);
    back = both >> 4;
    shift = (both & 15) - MOST_SHIFT;
    uint32_t number = back <= memory->ring_count ? ring_back(memory, back) : 0;
    struct memory_inst *target = &memory->insts[number];
    if (back == 0 || back > memory->ring_count || shift > MOST_SHIFT ||
        !predict_lane_known(memory, target, visit->mask)) {
        memory->failed = true;
        return;
    }
    predict_lane_fill(target);
    uint64_t start = predict_lane_scaled(target->lanes[__builtin_ctz(visit->mask)], shift);
    uint64_t offset = visit->access->first - start;
    offset =
        inst->offset + coder_signed(visit->flow, CODER_NUMBER, offset - inst->offset, reading);
    inst->target = number;
    inst->shift = (int8_t)shift;
    inst->offset = offset;
    if (reading) {
        uint64_t addresses[32];
        predict_lane_relate(target, shift, offset, visit->mask, addresses);
        set_addresses(visit, addresses);
    }
}

static void code_list(const struct visit *visit, const bool reading)
{
    uint64_t addresses[32];
    int n = __builtin_popcount(visit->mask);
    uint8_t form = 0;
    if (!reading) {
        piece_addresses(visit->piece, visit->access, visit->mask, addresses);
        form = predict_lane_list_form(addresses, n);
    }
    addresses[0] =
        visit->step + coder_signed(visit->flow, CODER_NUMBER,
                                   reading ? 0 : addresses[0] - visit->step, reading);
    form = coder_byte(visit->flow, CODER_ADDRESS, form, reading);
    int bytes = form >> 4, shift = form & 15;
    if (bytes > 8) {
        visit->memory->failed = true;
        bytes = 8;
    }
    for (int i = 1; i < n; i++) {
        uint64_t value = 0, read = 0;
        if (!reading)
            value = zigzag((uint64_t)((int64_t)(addresses[i] - addresses[i - 1]) >> shift));
        for (int b = 0; b < bytes; b++)
            read |= (uint64_t)coder_byte(visit->flow, CODER_LIST + (enum coder_stream)b,
                                         (uint8_t)(value >> 8 * b), reading)
                    << 8 * b;
        if (reading)
            addresses[i] = addresses[i - 1] + (unzigzag(read) << shift);
    }
    if (reading)
        set_addresses(visit, addresses);
}

static enum form choose(const struct visit *visit, uint32_t *back, int *shift)
{
    for (enum form form = STEP; form <= RELATION; form++)
        if (foretells(visit, form))
            return form;
    if (visit->access->linear)
        return visit->access->stride == visit->inst->stride ? MOVED : STRIDE;
    *back = find_relation(visit, shift);
    return *back > 0 ? RELATED : LIST;
}

static void code_miss(const struct visit *visit, const bool reading)
{
    struct memory_inst *inst = visit->inst;
    struct coder *flow = visit->flow;
    struct piece_access *access = visit->access;
    uint32_t back = 0;
    int shift = 0;
    enum form form = reading ? STEP : choose(visit, &back, &shift);
    form = (enum form)coder_byte(flow, CODER_ADDRESS, (uint8_t)form, reading);
    if (form <= RELATION) {
        inst->form = (uint8_t)form;
        if (reading)
            take(visit, form);
    } else if (form <= STRIDE) {
        uint64_t stride = inst->stride;
        if (form == STRIDE)
            stride += coder_signed(flow, CODER_NUMBER, access->stride - stride, reading);
        uint64_t distance =
            coder_signed(flow, CODER_NUMBER, access->first - visit->step, reading);
        set_linear(visit, visit->step + distance, stride);
        inst->form = STEP;
    } else if (form == RELATED) {
        code_relation(visit, back, shift, reading);
        inst->form = RELATION;
    } else {
        if (form != LIST)
            visit->memory->failed = true;
        code_list(visit, reading);
    }
}

/* Remembers the record. */
static void note(const struct visit *visit, uint32_t number)
{
    struct memory *memory = visit->memory;
    struct memory_inst *inst = visit->inst;
    uint64_t first = visit->access->first;
    if (inst->now.count == 0)
        note_start(memory, inst, first);
    else
        inst->step = first - inst->first;
    if (inst->now.count < MOST_VISITS && !push(&inst->now, first))
        memory->failed = true;
    if (memory->has_last)
        inst->shadow = first - memory->last_first;
    inst->first = first;
    if (visit->access->linear)
        inst->stride = visit->access->stride;
    inst->seen = true;
    predict_lane_note(inst, visit->mask, visit->piece, visit->access);
    memory->last_first = first;
    memory->has_last = true;
    memory->ring[memory->ring_at++ % MEMORY_RING] = number;
    memory->ring_count += memory->ring_count < MEMORY_RING;
}

static inline __attribute__((always_inline)) void
code(struct memory *memory, struct coder *flow, uint32_t number, uint32_t mask,
     struct piece *piece, struct piece_access *access, const bool reading)
{
    struct memory_inst *inst = &memory->insts[number];
    if (inst->warp_stamp != memory->warp_stamp)
        begin_warp(memory, inst);
    const struct visit visit = {
        memory, flow, inst, piece, access, mask, foretell_step(memory, inst)};
    if (!reading && is_single(&visit)) {
        uint64_t addresses[32];
        piece_addresses(piece, access, mask, addresses);
        set_single(&visit, addresses[0]);
    }
    bool hit = !reading && foretells(&visit, inst->form);
    if (coder_hit(flow, CODER_ADDRESS_HITS, hit, reading)) {
        if (reading)
            take(&visit, inst->form);
    } else {
        code_miss(&visit, reading);
    }
    if (!memory->failed)
        note(&visit, number);
}

void predict_address_write(struct memory *memory, struct coder *flow, uint32_t inst,
                           uint32_t mask, struct piece *piece, struct piece_access *access)
{
    code(memory, flow, inst, mask, piece, access, false);
}

void predict_address_read(struct memory *memory, struct coder *flow, uint32_t inst,
                          uint32_t mask, struct piece *piece, struct piece_access *access)
{
    code(memory, flow, inst, mask, piece, access, true);
}
