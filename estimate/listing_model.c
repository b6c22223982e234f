#include "estimate/listing_model.h"

#include <math.h>
#include <string.h>

#define WARP 32
/* Iterations after which a loop is in its rhythm, and as many that are measured then. */
#define ROUND 8

/* A moment on the critical path, and what lies on the way to it. */
struct moment {
    double cycles, memory, loops;
};

struct listing_walk {
    const struct listing_code *listing;
    const struct estimate_device *device;
    const double *trips;
    size_t trip_count;
};

struct listing_warp {
    struct moment next; /* when the next instruction may issue */
    struct moment ready[LISTING_PLACES];
};

static struct moment later(struct moment a, struct moment b)
{
    return b.cycles > a.cycles ? b : a;
}

static struct moment after(struct moment from, double cycles)
{
    from.cycles += cycles;
    return from;
}

static double trips_of(const struct listing_walk *walk, size_t loop)
{
    return walk->trips[loop < walk->trip_count ? loop : walk->trip_count - 1];
}

/* ---- one instruction ---- */

static bool is_memory(const struct listing_inst *inst)
{
    return inst->access != TRACE_ACCESS_NONE && inst->space != TRACE_SPACE_SHARED &&
           inst->space != TRACE_SPACE_CONSTANT;
}

static double latency_of(const struct estimate_device *device, const struct listing_inst *inst)
{
    if (is_memory(inst))
        return device->latency_global;
    if (inst->access != TRACE_ACCESS_NONE && inst->space == TRACE_SPACE_SHARED)
        return device->latency_shared;
    return estimate_device_latency(device, inst->unit);
}

/* INST issues; TAKEN: as a branch that is taken. */
static void issue(const struct listing_walk *walk, struct listing_warp *warp,
                  const struct listing_inst *inst, bool taken)
{
    const struct estimate_device *device = walk->device;
    struct moment now = warp->next;
    for (uint32_t i = 0; i < inst->read_count; i++)
        now = later(now, warp->ready[inst->reads[i]]);
    double latency = latency_of(device, inst);
    struct moment result = after(now, latency);
    if (is_memory(inst))
        result.memory += latency;
    for (uint32_t i = 0; i < inst->write_count; i++)
        warp->ready[inst->writes[i]] = result;
    double gap = inst->dual ? 0 : device->latency_ilp;
    if (inst->branch || inst->exit)
        gap = taken ? device->latency_branch_taken : device->latency_branch_not_taken;
    if (inst->exit && !inst->guarded)
        gap = 0;
    warp->next = after(now, gap);
}

/* ---- loops ---- */

static void walk_range(const struct listing_walk *walk, struct listing_warp *warp, size_t from,
                       size_t to, size_t inside);

/* The cycles of an iteration of LOOP when nothing outside holds it up. */
static double period(const struct listing_walk *walk, size_t loop)
{
    const struct listing_loop *of = &walk->listing->loops[loop];
    struct listing_warp warp = {0};
    double begin = 0;
    for (int i = 0; i < 2 * ROUND; i++) {
        if (i == ROUND)
            begin = warp.next.cycles;
        walk_range(walk, &warp, of->head, of->end, loop);
        issue(walk, &warp, &walk->listing->insts[of->end], true);
    }
    return (warp.next.cycles - begin) / ROUND;
}

static void issue_loop(const struct listing_walk *walk, struct listing_warp *warp, size_t loop)
{
    const struct listing_loop *of = &walk->listing->loops[loop];
    bool written[LISTING_PLACES] = {false};
    struct moment now = warp->next;
    for (size_t i = of->head; i <= of->end; i++) {
        const struct listing_inst *inst = &walk->listing->insts[i];
        for (uint32_t r = 0; r < inst->read_count; r++)
            if (!written[inst->reads[r]])
                now = later(now, warp->ready[inst->reads[r]]);
        for (uint32_t w = 0; w < inst->write_count; w++)
            written[inst->writes[w]] = true;
    }
    double cycles = trips_of(walk, loop) * period(walk, loop);
    now = after(now, cycles);
    now.loops += cycles;
    for (size_t place = 0; place < LISTING_PLACES; place++)
        if (written[place])
            warp->ready[place] = now;
    warp->next = now;
}

/* The first loop that begins at instruction AT, within loop INSIDE. */
static size_t loop_at(const struct listing_code *listing, size_t at, size_t inside)
{
    for (size_t i = inside == LISTING_NONE ? 0 : inside + 1; i < listing->loop_count; i++)
        if (listing->loops[i].head == at)
            return i;
    return LISTING_NONE;
}

/* Whether INST surely goes to a later one. */
static bool jumps(const struct listing_inst *inst)
{
    return inst->branch && !inst->guarded && inst->has_target && inst->target > inst->address;
}

/* Instructions FROM to TO - 1, as far as the way leads: branches that are not sure are not
 * taken. */
static void walk_range(const struct listing_walk *walk, struct listing_warp *warp, size_t from,
                       size_t to, size_t inside)
{
    const struct listing_code *listing = walk->listing;
    for (size_t i = from; i < to;) {
        const struct listing_inst *inst = &listing->insts[i];
        size_t loop = loop_at(listing, i, inside);
        if (loop != LISTING_NONE) {
            issue_loop(walk, warp, loop);
            i = listing->loops[loop].end + 1;
            continue;
        }
        bool taken = jumps(inst);
        issue(walk, warp, inst, taken);
        if (inst->exit && !inst->guarded)
            return;
        i = taken ? listing_find(listing, inst->target) : i + 1;
    }
}

/* ---- counts ---- */

/* Adds AMOUNT for an instruction that executes TRIPS times, in loops or not. */
static void add(struct listing_count *count, double amount, double trips, bool only_loop)
{
    if (only_loop)
        count->each += amount;
    else
        count->once += amount * trips;
}

static void count_inst(struct listing_model *model, const struct listing_inst *inst,
                       double trips, bool only_loop)
{
    bool other = inst->unit == TRACE_UNIT_FP64 || inst->unit == TRACE_UNIT_SFU ||
                 inst->unit == TRACE_UNIT_TENSOR || inst->unit == TRACE_UNIT_MEMORY;
    add(&model->all, 1, trips, only_loop);
    add(&model->cuda, !other, trips, only_loop);
    add(&model->pairs, inst->dual, trips, only_loop);
    add(&model->memory, is_memory(inst), trips, only_loop);
    if (is_memory(inst))
        add(&model->bytes, (double)inst->width * WARP, trips, only_loop);
    model->once_pairs += inst->dual;
}

static void count(struct listing_model *model, const struct listing_walk *walk)
{
    const struct listing_code *listing = walk->listing;
    for (size_t i = 0; i < listing->count;) {
        const struct listing_inst *inst = &listing->insts[i];
        double trips = 1;
        bool inside = false;
        for (size_t l = 0; l < listing->loop_count; l++)
            if (listing->loops[l].head <= i && i <= listing->loops[l].end) {
                trips *= trips_of(walk, l);
                inside = true;
            }
        count_inst(model, inst, trips, inside && listing->loop_count == 1);
        if (inst->exit && !inst->guarded)
            return;
        i = jumps(inst) ? listing_find(listing, inst->target) : i + 1;
    }
}

/* ---- */

void listing_model_make(struct listing_model *model, const struct listing_code *listing,
                        const struct estimate_device *device, const double *trips,
                        size_t trip_count)
{
    const struct listing_walk walk = {listing, device, trips, trip_count};
    struct listing_warp warp = {0};
    memset(model, 0, sizeof *model);
    walk_range(&walk, &warp, 0, listing->count, LISTING_NONE);
    struct listing_latency *latency = &model->latency;
    latency->memory = warp.next.memory;
    latency->block = device->latency_block;
    latency->instructions = warp.next.cycles - warp.next.memory - warp.next.loops;
    latency->bound.once = warp.next.cycles + device->latency_block;
    if (listing->loop_count == 1) {
        latency->bound.once -= warp.next.loops;
        latency->bound.each = period(&walk, 0);
    }
    count(model, &walk);
}

static struct listing_count issued(const struct listing_model *model, double once, double each)
{
    return (struct listing_count){model->all.once - once, model->all.each - each};
}

struct listing_count listing_issued(const struct listing_model *model)
{
    return issued(model, model->pairs.once, model->pairs.each);
}

struct listing_count listing_issued_text(const struct listing_model *model)
{
    return issued(model, model->once_pairs, 0);
}

struct listing_count listing_issued_listing5(const struct listing_model *model)
{
    return issued(model, 0, 0);
}
