#include "sim/ideal_l2/ideal_l2.h"

#include <stdlib.h>
#include <string.h>

#include "sim/core/op.h"
#include "sim/ideal_l2/calendar.h"
#include "sim/ideal_l2/crossing.h"
#include "sim/ideal_l2/send_times.h"
#include "sim/ideal_l2/two_times.h"

#define REGISTERS 256

/* Of a request that has passed the crossbar. */
struct way {
    int64_t late;   /* cycles by which it would have waited longer before L2 */
    uint64_t least; /* the earliest cycle in which it would have been at L2 */
};

struct warp_times {
    struct two_times issued;         /* its last instruction; before: its block's arrival */
    uint64_t next;                   /* cycle since when the next one is in its buffer */
    bool drains;                     /* the next one waits for all that is on its way */
    struct two_times passed;         /* its block's last barrier opened */
    struct two_times result, stored; /* the latest result, acknowledgement of a store */
    struct way way;                  /* of its latest store */
    struct two_times ready[REGISTERS];
};

/* An instruction in flight. */
struct op_times {
    struct two_times issued;
    struct two_times came; /* the last sector so far; real 0: none */
    struct way way;        /* of its requests past L1: the most so far of each */
};

/* A sector that L1 waits for. */
struct sector_times {
    uint64_t would; /* when it would have come; 0: as it did */
    struct way way;
};

struct block_times {
    uint64_t barrier;      /* would have been reached by all warps so far */
    uint64_t end;          /* the last warp so far would have retired */
    struct two_times left; /* its place was free before; real 0: from the beginning */
};

/* The second clock of an SM, which it observes. */
struct clock {
    struct sm_observer observer;
    uint64_t way_to_l2;   /* core cycles from sending a request to L2: to the crossbar, through
                           * it, after it, and the delay */
    uint32_t hit;         /* core cycles of a hit in L1 */
    struct op_times *ops; /* by number; owned */
    uint32_t op_count;
    struct sector_times *sectors; /* of each MSHR of L1; owned */
    struct send_times sends;      /* of packets that have not passed L2's crossbar */
    uint64_t end;                 /* of the launch: the last block so far would have ended */
    struct calendar issue[SM_MAX_SCHEDULERS], port;
    struct block_times blocks[SM_MAX_BLOCKS];
    struct warp_times warps[SM_MAX_WARPS];
};

struct ideal_l2 {
    struct crossing *crossing;
    struct clock *clocks; /* of each SM; owned */
    uint32_t sms, sms_per_cluster;
};

/* ---- launches, blocks, warps ---- */

static void launch_begun(struct sm_observer *observer, struct sm *sm)
{
    struct clock *clock = (struct clock *)observer;
    clock->end = sm->now;
    memset(clock->issue, 0, sizeof clock->issue);
    memset(&clock->port, 0, sizeof clock->port);
    memset(clock->blocks, 0, sizeof clock->blocks);
}

static void block_taken(struct sm_observer *observer, struct sm *sm, uint32_t slot)
{
    struct clock *clock = (struct clock *)observer;
    struct block_times *block = &clock->blocks[slot];
    uint64_t now = sm->blocks[slot].about.begin;
    block->barrier = block->end = 0;
    for (uint64_t warps = sm->blocks[slot].warps; warps != 0; warps &= warps - 1) {
        struct warp_times *warp = &clock->warps[__builtin_ctzll(warps)];
        memset(warp, 0, sizeof *warp);
        warp->issued = (struct two_times){now, two_times_behind(block->left, now)};
        warp->next = now;
    }
}

static void block_ended(struct sm_observer *observer, struct sm *sm, uint32_t slot)
{
    struct clock *clock = (struct clock *)observer;
    struct block_times *block = &clock->blocks[slot];
    if (sm->blocks[slot].timed)
        block->end = two_times_behind(block->left, sm->now);
    block->left = (struct two_times){sm->now, block->end};
    if (block->end > clock->end)
        clock->end = block->end;
}

static void retired(struct sm_observer *observer, struct sm *sm, uint32_t number, uint32_t slot)
{
    struct clock *clock = (struct clock *)observer;
    const struct warp_times *warp = &clock->warps[number];
    struct block_times *block = &clock->blocks[slot];
    struct two_times last =
        two_times_later(warp->issued, two_times_later(warp->result, warp->stored));
    uint64_t end = two_times_behind(last, sm->now);
    if (end > block->end)
        block->end = end;
}

/* ---- issue ---- */

static void next(struct sm_observer *observer, struct sm *sm, uint32_t number, bool drains)
{
    struct clock *clock = (struct clock *)observer;
    struct warp_times *warp = &clock->warps[number];
    warp->next = sm->now;
    warp->drains = drains;
}

/* The times of the instruction that now has NUMBER. */
static struct op_times *times_of(struct clock *clock, uint32_t number)
{
    if (number >= clock->op_count) {
        uint32_t count = number < 128 ? 256 : 2 * number;
        struct op_times *ops = realloc(clock->ops, count * sizeof *ops);
        if (ops == NULL)
            memory_short();
        clock->ops = ops;
        clock->op_count = count;
    }
    return &clock->ops[number];
}

/* When the last of what INST waits for was there. */
static struct two_times open_since(const struct warp_times *warp, const struct inst *inst)
{
    struct two_times open = {warp->next, two_times_behind(warp->issued, warp->next)};
    open = two_times_later(open, warp->passed);
    if (warp->drains)
        open = two_times_later(open, warp->result);
    for (uint32_t i = 0; i < inst->reg_count; i++)
        open = two_times_later(open, warp->ready[inst->regs[i]]);
    return open;
}

static void issued(struct sm_observer *observer, struct sm *sm, uint32_t number,
                   const struct sm_op *op)
{
    struct clock *clock = (struct clock *)observer;
    struct warp_times *warp = &clock->warps[op->warp];
    uint64_t would = two_times_behind(open_since(warp, op->inst), sm->now);
    would = calendar_take(&clock->issue[op->scheduler], would);
    warp->issued = (struct two_times){sm->now, would};
    *times_of(clock, number) = (struct op_times){.issued = warp->issued, .way.late = INT64_MIN};
}

/* ---- barriers ---- */

static void arrived(struct sm_observer *observer, struct sm *sm, uint32_t number, uint32_t slot)
{
    struct clock *clock = (struct clock *)observer;
    uint64_t *barrier = &clock->blocks[slot].barrier;
    uint64_t would = two_times_behind(clock->warps[number].issued, sm->now);
    if (would > *barrier)
        *barrier = would;
}

static void opened(struct sm_observer *observer, struct sm *sm, uint32_t slot, uint64_t warps)
{
    struct clock *clock = (struct clock *)observer;
    uint64_t *barrier = &clock->blocks[slot].barrier;
    for (; warps != 0; warps &= warps - 1)
        clock->warps[__builtin_ctzll(warps)].passed = (struct two_times){sm->now, *barrier};
    *barrier = 0;
}

/* ---- sectors and results ---- */

/* When the reply PACKET to a request that was caused at FROM, or before it, would have arrived:
 * as late after FROM as it did, less the cycles that L2 waited for DRAM and those for which the
 * slice held the request back, plus the longer wait before L2 (WAY), but not before the request
 * would have been at L2. L2 never holds back the crossbars that WAY is from, so that a wait for
 * a slice counts once. */
static uint64_t answered(const struct sm *sm, struct two_times from,
                         const struct packet *packet, const struct way *way)
{
    int64_t waited = (int64_t)packet->waited + packet->held;
    uint64_t all = two_times_behind(from, sm->now);
    uint64_t least = way->least < all ? way->least : all;
    int64_t would = (int64_t)all - waited + way->late;
    return would > (int64_t)least ? (uint64_t)would : least;
}

static void come(struct clock *clock, const struct sm *sm, uint32_t number, uint64_t would)
{
    struct op_times *op = &clock->ops[number];
    op->came = two_times_later(op->came, (struct two_times){sm->now, would});
}

/* What made the SM send PACKET. A write's instruction may be gone; what L1 fetches for a write
 * is taken for what stands at its number now, and a reduction for something that nothing made.
 */
static struct two_times cause(const struct clock *clock, const struct sm *sm,
                              const struct packet *packet)
{
    if (packet->kind == PACKET_WRITE_BACK || packet_is_posted(packet))
        return (struct two_times){sm->now, sm->now};
    return packet->kind == PACKET_WRITE ? clock->warps[packet->warp].issued
                                        : clock->ops[packet->op].issued;
}

static void sent(struct sm_observer *observer, struct sm *sm, struct packet *packet)
{
    struct clock *clock = (struct clock *)observer;
    packet->held = (uint16_t)(sm->now + clock->way_to_l2);
    uint64_t would = two_times_behind(cause(clock, sm, packet), sm->now);
    send_times_push(&clock->sends, (struct two_times){sm->now, would});
}

static void most(struct way *way, const struct way *other)
{
    way->late = other->late > way->late ? other->late : way->late;
    way->least = other->least > way->least ? other->least : way->least;
}

void ideal_l2_cross(struct ideal_l2 *ideal_l2, const struct packet *packet)
{
    struct clock *clock = &ideal_l2->clocks[packet->sm];
    struct two_times left = send_times_pop(&clock->sends);
    struct crossing_waits waits =
        crossing_pass(ideal_l2->crossing, packet->sm / ideal_l2->sms_per_cluster, packet->slice,
                      left.real, left.would);
    const struct way way = {
        .late = (int64_t)waits.would - (int64_t)waits.real,
        .least = left.would + waits.would + clock->way_to_l2,
    };
    if (packet->kind == PACKET_READ)
        clock->sectors[packet->mshr].way = way;
    else if (packet->kind == PACKET_WRITE)
        clock->warps[packet->warp].way = way;
    else if (packet->kind != PACKET_WRITE_BACK && !packet_is_posted(packet))
        most(&clock->ops[packet->op].way, &way);
}

static void filled(struct sm_observer *observer, struct sm *sm, const struct packet *packet)
{
    struct clock *clock = (struct clock *)observer;
    struct sector_times *times = &clock->sectors[packet->mshr];
    bool same = packet->waited + packet->held == 0 && times->way.late == 0;
    struct two_times from = clock->ops[packet->op].issued;
    times->would = same ? 0 : answered(sm, from, packet, &times->way);
}

/* What is there before OP asks for it, a hit, needs no turn at the port. */
static void sector(struct sm_observer *observer, struct sm *sm, uint32_t number, uint32_t mshr)
{
    struct clock *clock = (struct clock *)observer;
    const struct two_times *begun = &clock->ops[number].issued;
    uint64_t would = clock->sectors[mshr].would;
    uint64_t earliest = begun->would + clock->hit;
    if (would == 0)
        would = two_times_behind(*begun, sm->now) - 1;
    come(clock, sm, number,
         would < earliest ? earliest : calendar_take(&clock->port, would + 1));
}

static void reply(struct sm_observer *observer, struct sm *sm, const struct packet *packet)
{
    struct clock *clock = (struct clock *)observer;
    const struct op_times *op = &clock->ops[packet->op];
    come(clock, sm, packet->op, answered(sm, op->issued, packet, &op->way));
}

static void hit(struct sm_observer *observer, struct sm *sm, uint32_t number)
{
    struct clock *clock = (struct clock *)observer;
    come(clock, sm, number, two_times_behind(clock->ops[number].issued, sm->now));
}

static void result(struct sm_observer *observer, struct sm *sm, uint32_t number,
                   const struct sm_op *op)
{
    struct clock *clock = (struct clock *)observer;
    const struct op_times *times = &clock->ops[number];
    struct warp_times *warp = &clock->warps[op->warp];
    struct two_times from = times->came.real != 0 ? times->came : times->issued;
    struct two_times time = {sm->now, two_times_behind(from, sm->now)};
    for (uint32_t i = 0; i < op->inst->dst_count; i++)
        warp->ready[op->inst->dst[i]] = time;
    warp->result = two_times_later(warp->result, time);
}

static void stored(struct sm_observer *observer, struct sm *sm, const struct packet *packet)
{
    struct clock *clock = (struct clock *)observer;
    struct warp_times *warp = &clock->warps[packet->warp];
    uint64_t would = answered(sm, warp->issued, packet, &warp->way);
    warp->stored = two_times_later(warp->stored, (struct two_times){sm->now, would});
}

/* ---- all SMs ---- */

static void serialize(struct sm_observer *observer, struct serializer *image)
{
    send_times_serialize(&((struct clock *)observer)->sends, image);
}

static bool clock_init(struct clock *clock, const struct spec *spec, struct sm *sm)
{
    static const struct sm_observer_hooks hooks = {
        .launch_begun = launch_begun,
        .block_taken = block_taken,
        .block_ended = block_ended,
        .retired = retired,
        .next = next,
        .issued = issued,
        .arrived = arrived,
        .opened = opened,
        .sent = sent,
        .filled = filled,
        .sector = sector,
        .reply = reply,
        .hit = hit,
        .result = result,
        .stored = stored,
        .serialize = serialize,
    };
    clock->observer.hooks = &hooks;
    clock->way_to_l2 = 2 + spec->config->options.gpgpu_l2_rop_latency;
    clock->hit = spec->sm.l1_latency;
    clock->sectors = calloc(spec->config->l1d.mshr_entries + 1, sizeof *clock->sectors);
    sm_observers_add(&sm->observers, &clock->observer);
    return clock->sectors != NULL;
}

/* The crossbar runs at the core's clock; a slice takes a packet in a tick of L2's. */
struct ideal_l2 *ideal_l2_create(const struct spec *spec, struct sm *const *sms)
{
    double period = spec->config->core_mhz / spec->config->l2_mhz;
    struct ideal_l2 *ideal_l2 = calloc(1, sizeof *ideal_l2);
    if (ideal_l2 == NULL)
        return NULL;
    ideal_l2->sms_per_cluster = spec->sms_per_cluster;
    ideal_l2->crossing = crossing_create(spec->clusters, spec->slices, period);
    ideal_l2->clocks = calloc(spec->sms, sizeof *ideal_l2->clocks);
    bool made = ideal_l2->crossing != NULL && ideal_l2->clocks != NULL;
    for (; made && ideal_l2->sms < spec->sms; ideal_l2->sms++)
        made = clock_init(&ideal_l2->clocks[ideal_l2->sms], spec, sms[ideal_l2->sms]);
    if (made)
        return ideal_l2;
    for (uint32_t s = 0; s < ideal_l2->sms; s++)
        sm_observers_remove(&sms[s]->observers, &ideal_l2->clocks[s].observer);
    ideal_l2_destroy(ideal_l2);
    return NULL;
}

void ideal_l2_destroy(struct ideal_l2 *ideal_l2)
{
    if (ideal_l2 == NULL)
        return;
    for (uint32_t s = 0; s < ideal_l2->sms; s++) {
        free(ideal_l2->clocks[s].ops);
        free(ideal_l2->clocks[s].sectors);
        send_times_finish(&ideal_l2->clocks[s].sends);
    }
    free(ideal_l2->clocks);
    crossing_destroy(ideal_l2->crossing);
    free(ideal_l2);
}

void ideal_l2_begin(struct ideal_l2 *ideal_l2)
{
    crossing_begin(ideal_l2->crossing);
}

uint64_t ideal_l2_end(const struct ideal_l2 *ideal_l2)
{
    uint64_t end = 0;
    for (uint32_t s = 0; s < ideal_l2->sms; s++)
        if (ideal_l2->clocks[s].end > end)
            end = ideal_l2->clocks[s].end;
    return end;
}
