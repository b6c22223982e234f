#include "sim/ideal_l2/ideal_l2.h"

#include <stdlib.h>
#include <string.h>

struct ideal_l2 *ideal_l2_create(const struct sm_spec *spec)
{
    struct ideal_l2 *ideal_l2 = calloc(1, sizeof *ideal_l2);
    if (ideal_l2 == NULL)
        return NULL;
    ideal_l2->sectors = calloc(spec->config->l1d.mshr_entries + 1, sizeof *ideal_l2->sectors);
    if (ideal_l2->sectors == NULL) {
        ideal_l2_destroy(ideal_l2);
        return NULL;
    }
    return ideal_l2;
}

void ideal_l2_destroy(struct ideal_l2 *ideal_l2)
{
    if (ideal_l2 == NULL)
        return;
    free(ideal_l2->ops);
    free(ideal_l2->sectors);
    send_times_finish(&ideal_l2->sends);
    free(ideal_l2);
}

void ideal_l2_serialize(struct ideal_l2 *ideal_l2, struct serializer *image)
{
    send_times_serialize(&ideal_l2->sends, image);
}

/* ---- launches, blocks, warps ---- */

void ideal_l2_begin(struct sm *sm, uint64_t start)
{
    struct ideal_l2 *ideal_l2 = sm->ideal_l2;
    ideal_l2->end = start;
    memset(ideal_l2->issue, 0, sizeof ideal_l2->issue);
    memset(&ideal_l2->port, 0, sizeof ideal_l2->port);
    memset(ideal_l2->blocks, 0, sizeof ideal_l2->blocks);
}

void ideal_l2_take_block(struct sm *sm, uint32_t slot, uint64_t now)
{
    struct ideal_l2_block *block = &sm->ideal_l2->blocks[slot];
    block->barrier = block->end = 0;
    for (uint64_t warps = sm->blocks[slot].warps; warps != 0; warps &= warps - 1) {
        struct ideal_l2_warp *warp = &sm->ideal_l2->warps[__builtin_ctzll(warps)];
        memset(warp, 0, sizeof *warp);
        warp->issued = (struct two_times){now, two_times_behind(block->left, now)};
        warp->next = now;
    }
}

void ideal_l2_end_block(struct sm *sm, uint32_t slot)
{
    struct ideal_l2_block *block = &sm->ideal_l2->blocks[slot];
    if (sm->blocks[slot].timed)
        block->end = two_times_behind(block->left, sm->now);
    block->left = (struct two_times){sm->now, block->end};
    if (block->end > sm->ideal_l2->end)
        sm->ideal_l2->end = block->end;
}

void ideal_l2_retire(struct sm *sm, uint32_t number)
{
    const struct ideal_l2_warp *warp = &sm->ideal_l2->warps[number];
    struct ideal_l2_block *block = &sm->ideal_l2->blocks[sm->warps[number].block];
    struct two_times last =
        two_times_later(warp->issued, two_times_later(warp->result, warp->stored));
    uint64_t end = two_times_behind(last, sm->now);
    if (end > block->end)
        block->end = end;
}

/* ---- issue ---- */

void ideal_l2_next(struct sm *sm, uint32_t number)
{
    struct ideal_l2_warp *warp = &sm->ideal_l2->warps[number];
    uint64_t waiting = sm->waiting_membar | sm->waiting_atomic | sm->waiting_copy;
    warp->next = sm->now;
    warp->drains = waiting >> number & 1;
}

/* Room for as many instructions as the SM has numbers for. */
static void make_room(struct ideal_l2 *ideal_l2, uint32_t count)
{
    if (count <= ideal_l2->op_count)
        return;
    struct ideal_l2_op *ops = realloc(ideal_l2->ops, count * sizeof *ops);
    if (ops == NULL)
        memory_short();
    ideal_l2->ops = ops;
    ideal_l2->op_count = count;
}

/* When the last of what INST waits for was there. */
static struct two_times opened(const struct ideal_l2_warp *warp, const struct inst *inst)
{
    struct two_times open = {warp->next, two_times_behind(warp->issued, warp->next)};
    open = two_times_later(open, warp->passed);
    if (warp->drains)
        open = two_times_later(open, warp->result);
    for (uint32_t i = 0; i < inst->reg_count; i++)
        open = two_times_later(open, warp->ready[inst->regs[i]]);
    return open;
}

void ideal_l2_issue(struct sm *sm, uint16_t index)
{
    const struct sm_op *op = &sm->ops[index];
    struct ideal_l2_warp *warp = &sm->ideal_l2->warps[op->warp];
    uint64_t would = two_times_behind(opened(warp, op->inst), sm->now);
    would = calendar_take(&sm->ideal_l2->issue[op->scheduler], would);
    warp->issued = (struct two_times){sm->now, would};
    make_room(sm->ideal_l2, sm->op_count);
    sm->ideal_l2->ops[index] =
        (struct ideal_l2_op){.issued = warp->issued, .way.late = INT64_MIN};
}

/* ---- barriers ---- */

void ideal_l2_arrive(struct sm *sm, uint32_t number)
{
    uint64_t *barrier = &sm->ideal_l2->blocks[sm->warps[number].block].barrier;
    uint64_t would = two_times_behind(sm->ideal_l2->warps[number].issued, sm->now);
    if (would > *barrier)
        *barrier = would;
}

void ideal_l2_open(struct sm *sm, const struct sm_block *block)
{
    uint64_t *barrier = &sm->ideal_l2->blocks[block - sm->blocks].barrier;
    for (uint64_t warps = block->at_barrier; warps != 0; warps &= warps - 1)
        sm->ideal_l2->warps[__builtin_ctzll(warps)].passed =
            (struct two_times){sm->now, *barrier};
    *barrier = 0;
}

/* ---- sectors and results ---- */

/* When the answer in PACKET to what FROM began, or to something before it, would have come: as
 * it did, but for what L2 waited for DRAM and by how much it would have waited longer in front
 * of L2, on its WAY. What it waited for others behind a slice that waited for DRAM counts once.
 */
static uint64_t answered(const struct sm *sm, struct two_times from,
                         const struct packet *packet, const struct ideal_l2_way *way)
{
    int64_t waited = (int64_t)packet->waited + packet->held;
    uint64_t all = two_times_behind(from, sm->now);
    uint64_t least = way->least < all ? way->least : all;
    int64_t would = (int64_t)all - waited + way->late;
    return would > (int64_t)least ? (uint64_t)would : least;
}

static void come(struct sm *sm, uint16_t index, uint64_t would)
{
    struct ideal_l2_op *op = &sm->ideal_l2->ops[index];
    op->came = two_times_later(op->came, (struct two_times){sm->now, would});
}

/* What made the SM send PACKET. A write's instruction may be gone; what L1 fetches for a write
 * is taken for what stands at its number now. */
static struct two_times cause(const struct sm *sm, const struct packet *packet)
{
    const struct ideal_l2 *ideal_l2 = sm->ideal_l2;
    if (packet->kind == PACKET_WRITE_BACK)
        return (struct two_times){sm->now, sm->now};
    return packet->kind == PACKET_WRITE ? ideal_l2->warps[packet->warp].issued
                                        : ideal_l2->ops[packet->op].issued;
}

/* A cycle to the crossbar, one through it and one behind it, then the delay. */
static uint64_t way_to_l2(const struct sm *sm)
{
    return 2 + sm->spec->config->options.gpgpu_l2_rop_latency;
}

void ideal_l2_send(struct sm *sm)
{
    struct packet *packet = &queue_last(&sm->requests)->packet;
    packet->held = (uint16_t)(sm->now + way_to_l2(sm));
    uint64_t would = two_times_behind(cause(sm, packet), sm->now);
    send_times_push(&sm->ideal_l2->sends, (struct two_times){sm->now, would});
}

static void most(struct ideal_l2_way *way, const struct ideal_l2_way *other)
{
    way->late = other->late > way->late ? other->late : way->late;
    way->least = other->least > way->least ? other->least : way->least;
}

void ideal_l2_cross(struct sm *sm, struct crossing *crossing, uint32_t input,
                    const struct packet *packet)
{
    struct ideal_l2 *ideal_l2 = sm->ideal_l2;
    struct two_times sent = send_times_pop(&ideal_l2->sends);
    struct crossing_waits waits =
        crossing_pass(crossing, input, packet->slice, sent.real, sent.would);
    const struct ideal_l2_way way = {
        .late = (int64_t)waits.would - (int64_t)waits.real,
        .least = sent.would + waits.would + way_to_l2(sm),
    };
    if (packet->kind == PACKET_READ)
        ideal_l2->sectors[packet->mshr].way = way;
    else if (packet->kind == PACKET_WRITE)
        ideal_l2->warps[packet->warp].way = way;
    else if (packet->kind != PACKET_WRITE_BACK)
        most(&ideal_l2->ops[packet->op].way, &way);
}

void ideal_l2_fill(struct sm *sm, const struct packet *packet)
{
    struct ideal_l2_sector *sector = &sm->ideal_l2->sectors[packet->mshr];
    bool same = packet->waited + packet->held == 0 && sector->way.late == 0;
    struct two_times from = sm->ideal_l2->ops[packet->op].issued;
    sector->would = same ? 0 : answered(sm, from, packet, &sector->way);
}

/* What is there before OP asks for it, a hit, needs no turn at the port. */
void ideal_l2_sector(struct sm *sm, uint16_t index, uint32_t mshr)
{
    const struct two_times *issued = &sm->ideal_l2->ops[index].issued;
    uint64_t would = sm->ideal_l2->sectors[mshr].would;
    uint64_t hit = issued->would + sm->spec->l1_latency;
    if (would == 0)
        would = two_times_behind(*issued, sm->now) - 1;
    come(sm, index, would < hit ? hit : calendar_take(&sm->ideal_l2->port, would + 1));
}

void ideal_l2_reply(struct sm *sm, const struct packet *packet)
{
    const struct ideal_l2_op *op = &sm->ideal_l2->ops[packet->op];
    come(sm, packet->op, answered(sm, op->issued, packet, &op->way));
}

void ideal_l2_hit(struct sm *sm, uint16_t index)
{
    come(sm, index, two_times_behind(sm->ideal_l2->ops[index].issued, sm->now));
}

void ideal_l2_result(struct sm *sm, uint16_t index)
{
    const struct sm_op *op = &sm->ops[index];
    const struct ideal_l2_op *times = &sm->ideal_l2->ops[index];
    struct ideal_l2_warp *warp = &sm->ideal_l2->warps[op->warp];
    struct two_times from = times->came.real != 0 ? times->came : times->issued;
    struct two_times time = {sm->now, two_times_behind(from, sm->now)};
    for (uint32_t i = 0; i < op->inst->dst_count; i++)
        warp->ready[op->inst->dst[i]] = time;
    warp->result = two_times_later(warp->result, time);
}

void ideal_l2_stored(struct sm *sm, const struct packet *packet)
{
    struct ideal_l2_warp *warp = &sm->ideal_l2->warps[packet->warp];
    uint64_t would = answered(sm, warp->issued, packet, &warp->way);
    warp->stored = two_times_later(warp->stored, (struct two_times){sm->now, would});
}
