#include "sim/ideal_l2/ideal_l2.h"

#include <stdlib.h>
#include <string.h>

struct whatif *whatif_create(const struct sm_spec *spec)
{
    struct whatif *whatif = calloc(1, sizeof *whatif);
    if (whatif == NULL)
        return NULL;
    whatif->sectors = calloc(spec->config->l1d.mshr_entries + 1, sizeof *whatif->sectors);
    if (whatif->sectors == NULL) {
        whatif_destroy(whatif);
        return NULL;
    }
    return whatif;
}

void whatif_destroy(struct whatif *whatif)
{
    if (whatif == NULL)
        return;
    free(whatif->ops);
    free(whatif->sectors);
    sends_finish(&whatif->sends);
    free(whatif);
}

void whatif_image(struct whatif *whatif, struct image *image)
{
    sends_image(&whatif->sends, image);
}

/* ---- launches, blocks, warps ---- */

void whatif_begin(struct sm *sm, uint64_t start)
{
    struct whatif *whatif = sm->whatif;
    whatif->end = start;
    memset(whatif->issue, 0, sizeof whatif->issue);
    memset(&whatif->port, 0, sizeof whatif->port);
    memset(whatif->blocks, 0, sizeof whatif->blocks);
}

void whatif_take_block(struct sm *sm, uint32_t slot, uint64_t now)
{
    struct whatif_block *block = &sm->whatif->blocks[slot];
    block->barrier = block->end = 0;
    for (uint64_t warps = sm->blocks[slot].warps; warps != 0; warps &= warps - 1) {
        struct whatif_warp *warp = &sm->whatif->warps[__builtin_ctzll(warps)];
        memset(warp, 0, sizeof *warp);
        warp->issued = (struct whatif_time){now, whatif_behind(block->left, now)};
        warp->next = now;
    }
}

void whatif_end_block(struct sm *sm, uint32_t slot)
{
    struct whatif_block *block = &sm->whatif->blocks[slot];
    if (sm->blocks[slot].timed)
        block->end = whatif_behind(block->left, sm->now);
    block->left = (struct whatif_time){sm->now, block->end};
    if (block->end > sm->whatif->end)
        sm->whatif->end = block->end;
}

void whatif_retire(struct sm *sm, uint32_t number)
{
    const struct whatif_warp *warp = &sm->whatif->warps[number];
    struct whatif_block *block = &sm->whatif->blocks[sm->warps[number].block];
    struct whatif_time last =
        whatif_later(warp->issued, whatif_later(warp->result, warp->stored));
    uint64_t end = whatif_behind(last, sm->now);
    if (end > block->end)
        block->end = end;
}

/* ---- issue ---- */

void whatif_next(struct sm *sm, uint32_t number)
{
    struct whatif_warp *warp = &sm->whatif->warps[number];
    uint64_t waiting = sm->waiting_membar | sm->waiting_atomic | sm->waiting_copy;
    warp->next = sm->now;
    warp->drains = waiting >> number & 1;
}

/* Room for as many instructions as the SM has numbers for. */
static void make_room(struct whatif *whatif, uint32_t count)
{
    if (count <= whatif->op_count)
        return;
    struct whatif_op *ops = realloc(whatif->ops, count * sizeof *ops);
    if (ops == NULL)
        memory_short();
    whatif->ops = ops;
    whatif->op_count = count;
}

/* When the last of what INST waits for was there. */
static struct whatif_time opened(const struct whatif_warp *warp, const struct inst *inst)
{
    struct whatif_time open = {warp->next, whatif_behind(warp->issued, warp->next)};
    open = whatif_later(open, warp->passed);
    if (warp->drains)
        open = whatif_later(open, warp->result);
    for (uint32_t i = 0; i < inst->reg_count; i++)
        open = whatif_later(open, warp->ready[inst->regs[i]]);
    return open;
}

void whatif_issue(struct sm *sm, uint16_t index)
{
    const struct op *op = &sm->ops[index];
    struct whatif_warp *warp = &sm->whatif->warps[op->warp];
    uint64_t would = whatif_behind(opened(warp, op->inst), sm->now);
    would = calendar_take(&sm->whatif->issue[op->scheduler], would);
    warp->issued = (struct whatif_time){sm->now, would};
    make_room(sm->whatif, sm->op_count);
    sm->whatif->ops[index] = (struct whatif_op){.issued = warp->issued, .way.late = INT64_MIN};
}

/* ---- barriers ---- */

void whatif_arrive(struct sm *sm, uint32_t number)
{
    uint64_t *barrier = &sm->whatif->blocks[sm->warps[number].block].barrier;
    uint64_t would = whatif_behind(sm->whatif->warps[number].issued, sm->now);
    if (would > *barrier)
        *barrier = would;
}

void whatif_open(struct sm *sm, const struct sm_block *block)
{
    uint64_t *barrier = &sm->whatif->blocks[block - sm->blocks].barrier;
    for (uint64_t warps = block->at_barrier; warps != 0; warps &= warps - 1)
        sm->whatif->warps[__builtin_ctzll(warps)].passed =
            (struct whatif_time){sm->now, *barrier};
    *barrier = 0;
}

/* ---- sectors and results ---- */

/* When the answer in PACKET to what FROM began, or to something before it, would have come: as
 * it did, but for what L2 waited for DRAM and by how much it would have waited longer in front
 * of L2, on its WAY. What it waited for others behind a slice that waited for DRAM counts once.
 */
static uint64_t answered(const struct sm *sm, struct whatif_time from,
                         const struct packet *packet, const struct whatif_way *way)
{
    int64_t waited = (int64_t)packet->waited + packet->held;
    uint64_t all = whatif_behind(from, sm->now);
    uint64_t least = way->least < all ? way->least : all;
    int64_t would = (int64_t)all - waited + way->late;
    return would > (int64_t)least ? (uint64_t)would : least;
}

static void come(struct sm *sm, uint16_t index, uint64_t would)
{
    struct whatif_op *op = &sm->whatif->ops[index];
    op->came = whatif_later(op->came, (struct whatif_time){sm->now, would});
}

/* What made the SM send PACKET. A write's instruction may be gone; what L1 fetches for a write
 * is taken for what stands at its number now. */
static struct whatif_time cause(const struct sm *sm, const struct packet *packet)
{
    const struct whatif *whatif = sm->whatif;
    if (packet->kind == PACKET_WRITE_BACK)
        return (struct whatif_time){sm->now, sm->now};
    return packet->kind == PACKET_WRITE ? whatif->warps[packet->warp].issued
                                        : whatif->ops[packet->op].issued;
}

/* A cycle to the crossbar, one through it and one behind it, then the delay. */
static uint64_t way_to_l2(const struct sm *sm)
{
    return 2 + sm->spec->config->options.gpgpu_l2_rop_latency;
}

void whatif_send(struct sm *sm)
{
    struct packet *packet = &queue_last(&sm->requests)->packet;
    packet->held = (uint16_t)(sm->now + way_to_l2(sm));
    uint64_t would = whatif_behind(cause(sm, packet), sm->now);
    sends_push(&sm->whatif->sends, (struct whatif_time){sm->now, would});
}

static void most(struct whatif_way *way, const struct whatif_way *other)
{
    way->late = other->late > way->late ? other->late : way->late;
    way->least = other->least > way->least ? other->least : way->least;
}

void whatif_cross(struct sm *sm, struct crossing *crossing, uint32_t input,
                  const struct packet *packet)
{
    struct whatif *whatif = sm->whatif;
    struct whatif_time sent = sends_pop(&whatif->sends);
    struct crossing_waits waits =
        crossing_pass(crossing, input, packet->slice, sent.real, sent.would);
    const struct whatif_way way = {
        .late = (int64_t)waits.would - (int64_t)waits.real,
        .least = sent.would + waits.would + way_to_l2(sm),
    };
    if (packet->kind == PACKET_READ)
        whatif->sectors[packet->mshr].way = way;
    else if (packet->kind == PACKET_WRITE)
        whatif->warps[packet->warp].way = way;
    else if (packet->kind != PACKET_WRITE_BACK)
        most(&whatif->ops[packet->op].way, &way);
}

void whatif_fill(struct sm *sm, const struct packet *packet)
{
    struct whatif_sector *sector = &sm->whatif->sectors[packet->mshr];
    bool same = packet->waited + packet->held == 0 && sector->way.late == 0;
    struct whatif_time from = sm->whatif->ops[packet->op].issued;
    sector->would = same ? 0 : answered(sm, from, packet, &sector->way);
}

/* What is there before OP asks for it, a hit, needs no turn at the port. */
void whatif_sector(struct sm *sm, uint16_t index, uint32_t mshr)
{
    const struct whatif_time *issued = &sm->whatif->ops[index].issued;
    uint64_t would = sm->whatif->sectors[mshr].would;
    uint64_t hit = issued->would + sm->spec->l1_latency;
    if (would == 0)
        would = whatif_behind(*issued, sm->now) - 1;
    come(sm, index, would < hit ? hit : calendar_take(&sm->whatif->port, would + 1));
}

void whatif_reply(struct sm *sm, const struct packet *packet)
{
    const struct whatif_op *op = &sm->whatif->ops[packet->op];
    come(sm, packet->op, answered(sm, op->issued, packet, &op->way));
}

void whatif_hit(struct sm *sm, uint16_t index)
{
    come(sm, index, whatif_behind(sm->whatif->ops[index].issued, sm->now));
}

void whatif_result(struct sm *sm, uint16_t index)
{
    const struct op *op = &sm->ops[index];
    const struct whatif_op *times = &sm->whatif->ops[index];
    struct whatif_warp *warp = &sm->whatif->warps[op->warp];
    struct whatif_time from = times->came.real != 0 ? times->came : times->issued;
    struct whatif_time time = {sm->now, whatif_behind(from, sm->now)};
    for (uint32_t i = 0; i < op->inst->dst_count; i++)
        warp->ready[op->inst->dst[i]] = time;
    warp->result = whatif_later(warp->result, time);
}

void whatif_stored(struct sm *sm, const struct packet *packet)
{
    struct whatif_warp *warp = &sm->whatif->warps[packet->warp];
    uint64_t would = answered(sm, warp->issued, packet, &warp->way);
    warp->stored = whatif_later(warp->stored, (struct whatif_time){sm->now, would});
}
