/* What copies of tensors and blocks move between shared memory and L2: their sectors, one after
 * the other, as fast as the engine and the SM's port take them. */
#include "sim/core/hopper/tensor_maps.h"
#include "sim/core/modern/async/async_parts.h"
#include "sim/core/requests.h"

/* Of a copy of bytes in a row; the size of a prefetch to L2 has 32 bits. */
static uint64_t most_bytes(const struct trace_async *asks)
{
    return asks->kind == TRACE_ASYNC_BLOCK_PREFETCH ? UINT32_MAX : BOX_MOST_BYTES;
}

/* Fills BOX with what ASKS of WARP moves; false: that is not known, or copies send nothing. */
static bool find_box(const struct modern *core, uint32_t number, const struct trace_async *asks,
                     struct copy_box *box)
{
    if (core->spec->async.copy_sectors == 0 || !asks->is_known)
        return false;
    if (asks->kind >= TRACE_ASYNC_BLOCK_LOAD) {
        box_row(box, asks->global, (uint64_t)asks->bytes);
        return asks->bytes > 0 && (uint64_t)asks->bytes <= most_bytes(asks);
    }
    const struct sm_launch *launch = core_launch_of(core, &core->warps[number]);
    const struct trace_tensor_map *map = tensor_maps_find(launch->maps, asks->map);
    return map != NULL && box_tensor(box, map, asks);
}

/* Copies of an SM that have not ended, at most: others move nothing, as those whose place is
 * not known. Far more than shared memory has room for. */
#define MOVING_MOST 16384

bool async_box(struct modern *core, uint32_t number, const struct trace_async *asks,
               struct copy_box *box)
{
    if (async_of(core)->moving < MOVING_MOST && find_box(core, number, asks, box))
        return true;
    SHARES_ADD(&core->sm, core->warps[number].slot, unseen_copies, 1);
    return false;
}

/* ---- life ---- */

static uint16_t new_transfer(struct async *async)
{
    uint16_t index = async->free_transfer;
    if (index != ASYNC_NOBODY) {
        async->free_transfer = async->transfers[index].next;
        return index;
    }
    async->transfers = async_grow(async->transfers, async->transfer_count,
                                  &async->transfer_room, sizeof *async->transfers);
    return (uint16_t)async->transfer_count++;
}

/* Its last byte has moved. */
static void end(struct modern *core, uint16_t index)
{
    struct async *async = core->async;
    struct async_transfer *transfer = &async->transfers[index];
    if (transfer->op != SM_NONE)
        core_free_op(core, transfer->op);
    const struct async_block *block = async->blocks[transfer->block];
    if (transfer->bytes != 0 && block != NULL && block->serial == transfer->serial)
        async_plan(core, transfer->block,
                   &(struct async_action){.cycle = core->sm.now,
                                          .what = ASYNC_LAST_BYTES,
                                          .address = transfer->barrier,
                                          .bytes = transfer->bytes});
    if (transfer->op == SM_NONE)
        sm_land(&core->sm, transfer->slot);
    transfer->next = async->free_transfer;
    async->free_transfer = index;
    async->moving--;
    if (transfer->kind != PACKET_READ_L2)
        async_store_sent(core);
}

void async_move(struct modern *core, uint32_t number, const struct copy_box *box, uint64_t from,
                enum packet_kind kind, uint32_t barrier, uint64_t bytes,
                const struct cluster_copy *copies)
{
    struct async *async = async_of(core);
    const struct modern_warp *warp = &core->warps[number];
    uint16_t index = new_transfer(async), op = SM_NONE;
    if (kind == PACKET_READ_L2) {
        op = core_new_op(core);
        core->ops[op] = (struct sm_op){.next = SM_NONE,
                                       .list = SM_LISTS,
                                       .copy = (uint16_t)(index + 1),
                                       .pending = 1}; /* until all are sent */
    }
    async->transfers[index] = (struct async_transfer){
        .box = *box,
        .from = from,
        .bytes = bytes,
        .serial = async_block_of(core, warp->block)->serial,
        .barrier = barrier,
        .next = ASYNC_NOBODY,
        .op = op,
        .block = warp->block,
        .slot = warp->slot,
        .kind = (uint8_t)kind,
    };
    if (copies != NULL)
        async->transfers[index].copies = *copies;
    if (async->send_first == ASYNC_NOBODY)
        async->send_first = index;
    else
        async->transfers[async->send_last].next = index;
    async->send_last = index;
    async->moving++;
    if (op == SM_NONE)
        sm_fly(&core->sm, warp->slot, 1);
    async->stores += kind != PACKET_READ_L2;
}

/* ---- requests ---- */

static void release(struct modern *core, uint16_t op)
{
    if (--core->ops[op].pending == 0)
        end(core, (uint16_t)(core->ops[op].copy - 1));
}

/* What lies outside of the tensor comes to the other blocks, too, which only count it. */
static void send_rest(struct modern *core, const struct async_transfer *transfer)
{
    const struct cluster_copy *copies = &transfer->copies;
    struct cluster_message message = {.kind = CLUSTER_BYTES,
                                      .cycle = core->sm.now + core->spec->async.cluster,
                                      .launch = copies->launch,
                                      .rank = copies->cluster.rank,
                                      .address = copies->barrier,
                                      .bytes = transfer->box.bytes - transfer->asked};
    for (uint32_t rest = copies->receivers; rest != 0; rest &= rest - 1) {
        message.to = copies->cluster.members[__builtin_ctz(rest)];
        sm_send_message(&core->sm, &message);
    }
}

/* All requests of the first transfer have been sent. */
static void leave(struct modern *core)
{
    struct async *async = core->async;
    if (async->transfers[async->send_first].asked !=
        async->transfers[async->send_first].box.bytes)
        send_rest(core, &async->transfers[async->send_first]);
    uint16_t index = async->send_first, op = async->transfers[index].op;
    async->send_first = async->transfers[index].next;
    if (op != SM_NONE)
        release(core, op);
    else
        end(core, index);
}

/* The next sector of TRANSFER; false: there are no more. */
static bool send_sector(struct modern *core, struct async_transfer *transfer)
{
    struct packet packet;
    uint64_t sector;
    uint32_t bytes;
    if (!box_next(&transfer->box, &sector, &bytes))
        return false;
    bool read = transfer->op != SM_NONE;
    requests_copy_packet(&core->sm, transfer->kind, sector, bytes,
                         read ? transfer->op : PACKET_POSTED, transfer->slot, &packet);
    if (transfer->kind == PACKET_ATOMIC) {
        packet.lanes = (uint8_t)(__builtin_popcount(bytes) / 4);
        SHARES_ADD(&core->sm, packet.launch, atomics, 1);
    }
    requests_send(&core->sm, &packet);
    if (read) {
        core->ops[transfer->op].pending++;
        core->async->asked++;
        transfer->asked += (uint32_t)__builtin_popcount(bytes);
    }
    return true;
}

/* The sectors that the first transfer moves in a cycle. */
static uint32_t rate_of(const struct modern *core)
{
    const struct async *async = core->async;
    const struct async_spec *spec = &core->spec->async;
    bool stores = async->send_first != ASYNC_NOBODY &&
                  async->transfers[async->send_first].kind != PACKET_READ_L2;
    uint32_t rate =
        stores && spec->store_sectors != 0 ? spec->store_sectors : spec->copy_sectors;
    return rate < core->sm.spec->port_sectors ? rate : core->sm.spec->port_sectors;
}

void core_async_send(struct modern *core)
{
    struct async *async = core->async;
    uint32_t left = rate_of(core);
    while (async->send_first != ASYNC_NOBODY) {
        struct async_transfer *transfer = &async->transfers[async->send_first];
        if (transfer->from > core->sm.now) {
            core_wake(core, transfer->from);
            return;
        }
        if (left == 0 || requests_full(&core->sm) ||
            async->asked >= core->spec->async.copy_flight)
            return;
        core->moved = true;
        if (send_sector(core, transfer))
            left--;
        else
            leave(core);
    }
}

void core_async_came(struct modern *core, uint16_t index)
{
    core->async->asked--;
    release(core, index);
}
