/* Blocks of a cluster: its barrier, and what they send to each other. Where the block scheduler
 * has told a block where the others are, they exchange messages (sim/core/hopper/cluster.h).
 * Else blocks of a cluster are taken to do the same at the same time: what one sends to another
 * one, it gets from that itself. */
#include "sim/core/modern/async/async_parts.h"

const struct cluster *async_cluster_of(const struct modern *core, uint32_t block)
{
    return core->sm.blocks[block].cluster;
}

bool async_send(struct modern *core, uint32_t number, uint32_t rank,
                const struct cluster_message *message)
{
    const struct sm_block *block = &core->sm.blocks[number];
    const struct cluster *cluster = block->cluster;
    if (cluster == NULL || rank >= cluster->count)
        return false;
    struct cluster_message sent = *message;
    sent.to = cluster->members[rank];
    sent.launch = block->launch->number;
    sent.rank = cluster->rank;
    sm_send_message(&core->sm, &sent);
    return true;
}

/* A message of KIND to all blocks of the cluster of block NUMBER, itself included. */
static void send_all(struct modern *core, uint32_t number, enum cluster_message_kind kind)
{
    const struct cluster_message message = {
        .kind = kind, .cycle = core->sm.now + core->spec->async.cluster_barrier};
    for (uint32_t r = 0; r < core->sm.blocks[number].cluster->count; r++)
        async_send(core, number, r, &message);
}

/* ---- the barrier of the cluster ---- */

void async_cluster_arrive(struct modern *core, uint32_t warp)
{
    uint32_t number = core->warps[warp].block;
    struct async_block *block = async_block_of(core, number);
    core->async->warps[warp].cluster++;
    block->cluster_arrived++;
    core_async_cluster_check(core, number);
}

void core_async_cluster_check(struct modern *core, uint32_t number)
{
    struct async_block *block = core->async != NULL ? core->async->blocks[number] : NULL;
    if (block == NULL || block->cluster_arrived == 0 ||
        block->cluster_arrived < core->sm.blocks[number].running)
        return;
    block->cluster_arrived = 0;
    if (async_cluster_of(core, number) != NULL)
        send_all(core, number, CLUSTER_MEETS);
    else
        async_plan(
            core, number,
            &(struct async_action){.cycle = core->sm.now + core->spec->async.cluster_barrier,
                                   .what = ASYNC_CLUSTER_OPENS});
}

void async_cluster_wait(struct modern *core, uint32_t warp)
{
    const struct async_block *block = async_block_of(core, core->warps[warp].block);
    if (block->cluster_open < core->async->warps[warp].cluster)
        core->async->waiting_cluster |= 1ull << warp;
}

void async_cluster_opens(struct modern *core, uint32_t number)
{
    struct async_block *block = async_block_of(core, number);
    uint64_t rest = core->async->waiting_cluster & core->sm.blocks[number].warps;
    block->cluster_open++;
    for (; rest != 0; rest &= rest - 1) {
        uint32_t warp = (uint32_t)__builtin_ctzll(rest);
        if (core->async->warps[warp].cluster > block->cluster_open)
            continue;
        core->async->waiting_cluster &= ~(1ull << warp);
        core_place(core, warp);
    }
}

/* Whether all blocks of the cluster of block NUMBER have come to its next barrier, or ended. */
static bool all_met(const struct modern *core, uint32_t number, const struct async_block *block)
{
    const struct cluster *cluster = async_cluster_of(core, number);
    for (uint32_t r = 0; r < cluster->count; r++)
        if (block->met[r] <= block->cluster_open)
            return false;
    return true;
}

void async_meet(struct modern *core, const struct async_action *action)
{
    struct async_block *block = async_block_of(core, action->block);
    uint32_t *met = &block->met[action->place];
    if (action->what == ASYNC_CLUSTER_LEAVES)
        *met = UINT32_MAX;
    else
        ++*met;
    while (all_met(core, action->block, block)) /* its own arrivals are counted, too */
        async_cluster_opens(core, action->block);
}

void async_leave_cluster(struct modern *core, uint32_t number)
{
    if (async_cluster_of(core, number) != NULL)
        send_all(core, number, CLUSTER_LEAVES);
}

/* ---- messages ---- */

void core_async_hear(struct sm *sm, const struct cluster_message *message)
{
    static const uint8_t what[] = {[CLUSTER_ARRIVES] = ASYNC_AT_BARRIER,
                                   [CLUSTER_BYTES] = ASYNC_LAST_BYTES,
                                   [CLUSTER_MEETS] = ASYNC_CLUSTER_MEETS,
                                   [CLUSTER_LEAVES] = ASYNC_CLUSTER_LEAVES};
    async_plan((struct modern *)sm, message->to.block,
               &(struct async_action){.cycle = message->cycle,
                                      .what = what[message->kind],
                                      .address = message->address,
                                      .arrivals = message->arrivals,
                                      .place = message->rank,
                                      .bytes = message->bytes});
}

const struct cluster_copy *core_async_copies(const struct sm *sm, uint16_t op)
{
    const struct modern *core = (const struct modern *)sm;
    if (op >= core->op_count || core->ops[op].copy == 0)
        return NULL;
    const struct cluster_copy *copies = &core->async->transfers[core->ops[op].copy - 1].copies;
    return copies->receivers != 0 ? copies : NULL;
}

void core_async_shared(struct modern *core, const struct packet *packet)
{
    const struct cluster_member to = {.order = packet->address >> 32,
                                      .block = (uint8_t)(packet->address >> 24)};
    const struct sm_block *block = sm_member(&core->sm, &to);
    if (block == NULL || block->launch->slot != packet->launch)
        return;
    uint32_t address = (uint32_t)packet->address & ASYNC_SHARED;
    uint64_t bytes = (uint64_t)__builtin_popcount(packet->bytes);
    struct barrier *barrier = barriers_at(&async_block_of(core, to.block)->barriers, address);
    if (barrier == NULL)
        return;
    if (barrier->left != 0 || barrier->come + bytes < barrier->expected)
        barrier_bytes(barrier, bytes);
    else /* the phase ends, as late as with a copy of its own */
        async_plan(core, to.block,
                   &(struct async_action){.cycle = core->sm.now,
                                          .what = ASYNC_LAST_BYTES,
                                          .address = address,
                                          .bytes = bytes});
}
