#include "sim/core/whatif.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

struct whatif *whatif_create(const struct sm_spec *spec)
{
    struct whatif *whatif = calloc(1, sizeof *whatif);
    if (whatif == NULL)
        return NULL;
    whatif->share = WHATIF_SHARE;
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
    free(whatif);
}

static struct whatif_time later(struct whatif_time a, struct whatif_time b)
{
    return (struct whatif_time){.real = a.real > b.real ? a.real : b.real,
                                .would = a.would > b.would ? a.would : b.would};
}

/* When what comes NOW would have come, as long behind FROM as it is. */
static uint64_t behind(struct whatif_time from, uint64_t now)
{
    return now > from.real ? from.would + (now - from.real) : from.would;
}

/* ---- launches, blocks, warps ---- */

/* SMs that have blocks of a launch of GRID, to an L2 slice. */
static double sms_to_a_slice(const struct sim_config *config, const uint32_t grid[3])
{
    const struct sim_options *options = &config->options;
    double sms = (double)options->gpgpu_n_clusters * options->gpgpu_n_cores_per_cluster;
    double slices = (double)options->gpgpu_n_mem * options->gpgpu_n_sub_partition_per_mchannel;
    double blocks = (double)grid[0] * grid[1] * grid[2];
    return (blocks < sms ? blocks : sms) / slices;
}

/* L2 serves a sector a slice and tick; the SMs that have blocks share them. */
static uint64_t share_of(const struct sim_config *config, const uint32_t grid[3])
{
    double share = sms_to_a_slice(config, grid) * config->core_mhz / config->l2_mhz;
    return share > 1 ? (uint64_t)(share * WHATIF_SHARE) : WHATIF_SHARE;
}

/* Core cycles that a sector of the launch takes at least to pass the crossbar in front of L2,
 * whose inputs are queues: a head that waits keeps those behind it. With b SMs that have blocks
 * to a slice, a slice gets r sectors a cycle at most, where b = r + r^2 / (2 (1 - r)) heads
 * wait for each, so that r = 1 + b - sqrt(1 + b^2): "Input Versus Output Queueing on a
 * Space-Division Packet Switch" (Karol, Hluchyj, Morgan: IEEE Transactions on Communications,
 * 1987). That is the limit for many ports; 0 for fewer than WHATIF_PORTS on either side. */
static double pass_of(const struct sim_config *config, const uint32_t grid[3])
{
    const struct sim_options *options = &config->options;
    double slices = (double)options->gpgpu_n_mem * options->gpgpu_n_sub_partition_per_mchannel;
    double b = sms_to_a_slice(config, grid), r = 1 + b - sqrt(1 + b * b);
    if (slices < WHATIF_PORTS || b * slices < WHATIF_PORTS)
        return 0;
    return config->core_mhz / config->icnt_mhz / (slices * r);
}

void whatif_begin(struct sm *sm, const struct sm_launch *launch, uint64_t start)
{
    struct whatif *whatif = sm->whatif;
    whatif->share = share_of(sm->spec->config, launch->header->grid);
    whatif->pass = pass_of(sm->spec->config, launch->header->grid);
    whatif->end = start;
    memset(whatif->issue, 0, sizeof whatif->issue);
    memset(&whatif->port, 0, sizeof whatif->port);
    memset(&whatif->l2, 0, sizeof whatif->l2);
    memset(whatif->blocks, 0, sizeof whatif->blocks);
}

void whatif_take_block(struct sm *sm, uint32_t slot, uint64_t now)
{
    struct whatif_block *block = &sm->whatif->blocks[slot];
    block->barrier = block->end = 0;
    for (uint64_t warps = sm->blocks[slot].warps; warps != 0; warps &= warps - 1) {
        struct whatif_warp *warp = &sm->whatif->warps[__builtin_ctzll(warps)];
        memset(warp, 0, sizeof *warp);
        warp->issued = (struct whatif_time){now, behind(block->left, now)};
        warp->next = now;
    }
}

void whatif_end_block(struct sm *sm, uint32_t slot)
{
    struct whatif_block *block = &sm->whatif->blocks[slot];
    if (sm->blocks[slot].timed)
        block->end = behind(block->left, sm->now);
    block->left = (struct whatif_time){sm->now, block->end};
    if (block->end > sm->whatif->end)
        sm->whatif->end = block->end;
}

void whatif_retire(struct sm *sm, uint32_t number)
{
    const struct whatif_warp *warp = &sm->whatif->warps[number];
    struct whatif_block *block = &sm->whatif->blocks[sm->warps[number].block];
    struct whatif_time last = later(warp->issued, later(warp->result, warp->stored));
    uint64_t end = behind(last, sm->now);
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
    struct whatif_time open = {warp->next, behind(warp->issued, warp->next)};
    open = later(open, warp->passed);
    if (warp->drains)
        open = later(open, warp->result);
    for (uint32_t i = 0; i < inst->reg_count; i++)
        open = later(open, warp->ready[inst->regs[i]]);
    return open;
}

void whatif_issue(struct sm *sm, uint16_t index)
{
    const struct op *op = &sm->ops[index];
    struct whatif_warp *warp = &sm->whatif->warps[op->warp];
    uint64_t would = behind(opened(warp, op->inst), sm->now);
    would = calendar_take(&sm->whatif->issue[op->scheduler], would);
    warp->issued = (struct whatif_time){sm->now, would};
    make_room(sm->whatif, sm->op_count);
    sm->whatif->ops[index] = (struct whatif_op){.issued = warp->issued};
}

/* ---- barriers ---- */

void whatif_arrive(struct sm *sm, uint32_t number)
{
    uint64_t *barrier = &sm->whatif->blocks[sm->warps[number].block].barrier;
    uint64_t would = behind(sm->whatif->warps[number].issued, sm->now);
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

/* L2 serves the SM's sector in cycle WOULD, or later if others are in front of it. */
static uint64_t take_share(struct whatif *whatif, uint64_t would)
{
    uint64_t slot = would * WHATIF_SHARE / whatif->share;
    uint64_t turn = calendar_take(&whatif->l2, slot) * whatif->share / WHATIF_SHARE;
    return turn > would ? turn : would;
}

/* When the answer in PACKET to what FROM began, or to something before it, would have come: as
 * it did, where L2 did not wait for DRAM. */
static uint64_t answered(struct sm *sm, struct whatif_time from, const struct packet *packet)
{
    uint64_t waited = (uint64_t)packet->waited + packet->held;
    uint64_t would = behind(from, sm->now);
    uint64_t turn = take_share(sm->whatif, would > waited ? would - waited : 0);
    return waited != 0 ? turn : would;
}

static void come(struct sm *sm, uint16_t index, uint64_t would)
{
    struct whatif_op *op = &sm->whatif->ops[index];
    op->came = later(op->came, (struct whatif_time){sm->now, would});
}

/* A cycle to the crossbar, one through it and one behind it, then the delay. */
void whatif_send(struct sm *sm)
{
    uint64_t delay = sm->spec->config->options.gpgpu_l2_rop_latency;
    queue_last(&sm->requests)->packet.held = (uint16_t)(sm->now + 2 + delay);
}

void whatif_fill(struct sm *sm, const struct packet *packet)
{
    const struct whatif_op *op = &sm->whatif->ops[packet->op];
    uint64_t would = answered(sm, op->issued, packet);
    sm->whatif->sectors[packet->mshr] = packet->waited + packet->held != 0 ? would : 0;
}

/* What is there before OP asks for it, a hit, needs no turn at the port. */
void whatif_sector(struct sm *sm, uint16_t index, uint32_t mshr)
{
    const struct whatif_time *issued = &sm->whatif->ops[index].issued;
    uint64_t would = sm->whatif->sectors[mshr], hit = issued->would + sm->spec->l1_latency;
    if (would == 0)
        would = behind(*issued, sm->now) - 1;
    come(sm, index, would < hit ? hit : calendar_take(&sm->whatif->port, would + 1));
}

void whatif_reply(struct sm *sm, const struct packet *packet)
{
    uint16_t index = packet->op;
    come(sm, index, answered(sm, sm->whatif->ops[index].issued, packet));
}

void whatif_hit(struct sm *sm, uint16_t index)
{
    come(sm, index, behind(sm->whatif->ops[index].issued, sm->now));
}

void whatif_result(struct sm *sm, uint16_t index)
{
    const struct op *op = &sm->ops[index];
    const struct whatif_op *times = &sm->whatif->ops[index];
    struct whatif_warp *warp = &sm->whatif->warps[op->warp];
    struct whatif_time from = times->came.real != 0 ? times->came : times->issued;
    struct whatif_time time = {sm->now, behind(from, sm->now)};
    for (uint32_t i = 0; i < op->inst->dst_count; i++)
        warp->ready[op->inst->dst[i]] = time;
    warp->result = later(warp->result, time);
}

void whatif_stored(struct sm *sm, const struct packet *packet)
{
    struct whatif_warp *warp = &sm->whatif->warps[packet->warp];
    uint64_t would = answered(sm, warp->issued, packet);
    warp->stored = later(warp->stored, (struct whatif_time){sm->now, would});
}
