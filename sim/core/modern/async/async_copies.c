/* Copies of tensors and blocks to and from shared memory (TMA). An engine takes a copy every
 * few cycles. Where the trace says what it moves, its sectors go to L2 and come from there
 * (async_transfers.c). Else its first bytes come after the time of a read from L2, bytes come
 * at the rate at which an SM reads L2, and how many a copy brings follows from what its barrier
 * expects. */
#include "sim/core/modern/async/async_parts.h"

/* The tensor map at ADDRESS, which a copy asks for now: the SM has it later if it has not used
 * it lately. */
static struct async_map *map_at(struct modern *core, uint64_t address)
{
    struct async *async = core->async;
    for (uint32_t i = 0; i < ASYNC_MAPS; i++)
        if (async->maps[i].address == address)
            return &async->maps[i];
    struct async_map *map = &async->maps[async->map_next++ % ASYNC_MAPS];
    *map = (struct async_map){.address = address,
                              .there = core->sm.now + core->spec->async.copy_map};
    return map;
}

/* A copy by MAP goes to PLACE. */
static void note_place(struct async_map *map, uint32_t place)
{
    uint32_t stride = place > map->place ? place - map->place : map->place - place;
    if (map->place != 0 && stride != 0 && (map->stride == 0 || stride < map->stride))
        map->stride = stride;
    map->place = place;
}

/* Blocks that get the copy, by the mask that the code names. */
static uint32_t receivers_of(const struct async_warp *warp, const struct inst *inst,
                             const struct trace_async *asks)
{
    uint32_t mask = asks->blocks;
    if (asks->is_known)
        return mask != 0 ? (uint32_t)__builtin_popcount(mask) : 1;
    if (!inst->issue.multicast || !warp->follows ||
        !values_uniform(warp->values, async_receivers(inst->code), &mask) || mask >> 16 == 0)
        return 1;
    return (uint32_t)__builtin_popcount(mask >> 16); /* below: offsets in a filter */
}

/* Where the copy goes, and its barrier, in shared memory; false: not known. */
static bool places_of(const struct async_warp *warp, const struct inst *inst,
                      const struct trace_async *asks, uint32_t *place, uint32_t *barrier)
{
    *place = asks->shared & ASYNC_SHARED;
    *barrier = asks->barrier & ASYNC_SHARED;
    if (asks->is_known)
        return true;
    if (!warp->follows || inst->code == NULL ||
        !values_uniform(warp->values, async_value(inst->code) + 1, barrier))
        return false;
    if (!values_uniform(warp->values, async_value(inst->code), place))
        *place = 0;
    *place &= ASYNC_SHARED;
    *barrier &= ASYNC_SHARED;
    return true;
}

/* When the engine takes a copy that can start in cycle FROM; copies take turns. */
static uint64_t take_turn(struct modern *core, uint64_t from)
{
    struct async *async = core->async;
    uint64_t start = async->copy_free > from ? async->copy_free : from;
    async->copy_free = start + core->spec->async.copy_interval;
    return start;
}

/* The tensor map that RECORD, of INST, names. */
static struct async_map *map_of(struct modern *core, const struct inst *inst,
                                const struct trace_record *record, uint32_t number)
{
    uint64_t address = inst->pc;
    coalesce_first(record, core->warps[number].trace->addresses, &address);
    return map_at(core, address);
}

/* A copy whose place in global memory is not known: its time is. */
static void load_unseen(struct modern *core, uint32_t number, const struct inst *inst,
                        const struct trace_async *asks, struct async_map *map, uint64_t start)
{
    struct async *async = async_of(core);
    const struct async_warp *warp = &async->warps[number];
    struct async_block *block = async_block_of(core, core->warps[number].block);
    struct async_action action = {.what = ASYNC_FIRST_BYTES};
    struct barrier *barrier = NULL;
    if (places_of(warp, inst, asks, &action.place, &action.address))
        barrier = barriers_at(&block->barriers, action.address);
    if (barrier == NULL) {
        block->lost = true;
        async_unknown(core, number);
        return;
    }
    note_place(map, action.place);
    barrier_copy(barrier, action.place);
    action.map = (uint32_t)(map - async->maps);
    action.cycle = start + core->spec->async.copy_latency;
    action.receivers = receivers_of(warp, inst, asks);
    async_plan(core, core->warps[number].block, &action);
}

/* When a copy starts whose MAP, if it has one, must be there. */
static uint64_t start_of(struct modern *core, const struct async_map *map)
{
    return take_turn(core,
                     map != NULL && map->there > core->sm.now ? map->there : core->sm.now);
}

/* The blocks of the cluster that get what ASKS of WARP brings; false: it is for its own block
 * only, or they are not known. */
static bool copies_of(const struct modern *core, uint32_t number,
                      const struct trace_async *asks, struct cluster_copy *copies)
{
    uint32_t block = core->warps[number].block;
    const struct cluster *cluster = async_cluster_of(core, block);
    if (cluster == NULL || asks->blocks == 0)
        return false;
    *copies = (struct cluster_copy){.cluster = *cluster,
                                    .launch = core->sm.blocks[block].launch->number,
                                    .barrier = asks->barrier & ASYNC_SHARED};
    copies->receivers = (uint16_t)(asks->blocks & ((1u << cluster->count) - 1));
    copies->receivers &= (uint16_t) ~(1u << cluster->rank);
    return true;
}

void async_load(struct modern *core, uint32_t number, const struct inst *inst,
                const struct trace_record *record)
{
    const struct async_spec *spec = &core->spec->async;
    const struct async_warp *warp = &async_of(core)->warps[number];
    const struct trace_async asks = async_asked(core, number, inst, record);
    struct async_map *map = map_of(core, inst, record, number);
    struct copy_box box;
    if (!async_box(core, number, &asks, &box)) {
        load_unseen(core, number, inst, &asks, map, start_of(core, map));
        return;
    }
    uint64_t start = start_of(core, box.tensor ? map : NULL);
    uint64_t bytes = box.bytes * receivers_of(warp, inst, &asks);
    struct cluster_copy copies;
    bool known = copies_of(core, number, &asks, &copies);
    if (known)
        bytes = asks.blocks >> copies.cluster.rank & 1 ? box.bytes : 0;
    async_move(core, number, &box, start + spec->copy_start, PACKET_READ_L2,
               asks.barrier & ASYNC_SHARED, bytes, known ? &copies : NULL);
}

void async_prefetch(struct modern *core, uint32_t number, const struct inst *inst,
                    const struct trace_record *record)
{
    const struct trace_async asks = async_asked(core, number, inst, record);
    struct async_map *map =
        asks.kind == TRACE_ASYNC_TENSOR_PREFETCH ? map_of(core, inst, record, number) : NULL;
    struct copy_box box;
    if (async_box(core, number, &asks, &box))
        async_move(core, number, &box, start_of(core, map) + core->spec->async.copy_start,
                   PACKET_READ_L2, 0, 0, NULL);
}

/* Where the other block is not known: what this one sends to it, it gets from that itself. */
void async_share(struct modern *core, uint32_t number, const struct inst *inst,
                 const struct trace_record *record)
{
    struct async *async = async_of(core);
    const struct async_spec *spec = &core->spec->async;
    const struct trace_async asks = async_asked(core, number, inst, record);
    if (!asks.is_known || asks.bytes <= 0)
        return;
    uint64_t first = take_turn(core, core->sm.now) + spec->cluster;
    uint64_t start = async->share_free > first ? async->share_free : first;
    async->share_free =
        start + ((uint64_t)asks.bytes + spec->cluster_bytes - 1) / spec->cluster_bytes;
    const struct cluster_message message = {.kind = CLUSTER_BYTES,
                                            .cycle = async->share_free,
                                            .address = asks.barrier & ASYNC_SHARED,
                                            .bytes = (uint64_t)asks.bytes};
    if (async_send(core, core->warps[number].block, asks.barrier >> ASYNC_RANK, &message))
        return;
    async_plan(core, core->warps[number].block,
               &(struct async_action){.cycle = async->share_free,
                                      .what = ASYNC_LAST_BYTES,
                                      .address = asks.barrier & ASYNC_SHARED,
                                      .bytes = (uint64_t)asks.bytes});
}

uint64_t core_async_reach(struct modern *core, uint32_t bytes, bool loads, uint64_t *begins)
{
    struct async *async = async_of(core);
    uint64_t *free = loads ? &async->reach_free : &async->share_free;
    *begins = *free > core->sm.now ? *free : core->sm.now;
    *free = *begins +
            (bytes + core->spec->async.cluster_bytes - 1) / core->spec->async.cluster_bytes;
    return *free;
}

/* BYTES begin to come now, of as many as RECEIVERS blocks ask for together. */
static void stream(struct modern *core, uint32_t block, struct barrier *barrier, uint64_t bytes,
                   uint32_t receivers, uint64_t from)
{
    struct async *async = core->async;
    uint64_t start = async->path_free > from ? async->path_free : from;
    uint32_t rate = core->spec->async.copy_bytes * receivers;
    if (rate > SM_SHARED_BYTES)
        rate = SM_SHARED_BYTES;
    async->path_free = start + (bytes + rate - 1) / rate;
    async_plan(core, block,
               &(struct async_action){.cycle = async->path_free,
                                      .what = ASYNC_LAST_BYTES,
                                      .address = barrier->address,
                                      .bytes = bytes});
}

void async_bring(struct modern *core, uint32_t block, struct barrier *barrier, uint64_t bytes)
{
    barrier->taken += bytes;
    stream(core, block, barrier, bytes, 1, core->sm.now + core->spec->async.copy_latency);
}

void async_first_bytes(struct modern *core, const struct async_action *action)
{
    struct async_block *block = async_block_of(core, action->block);
    struct barrier *barrier = barriers_at(&block->barriers, action->address);
    uint64_t bytes =
        barrier_first_bytes(barrier, action->place, core->async->maps[action->map].stride);
    stream(core, action->block, barrier, bytes, action->receivers, core->sm.now);
}

void async_last_bytes(struct modern *core, const struct async_action *action)
{
    struct async_block *block = async_block_of(core, action->block);
    struct barrier *barrier = barriers_at(&block->barriers, action->address);
    barrier->taken -= action->bytes < barrier->taken ? action->bytes : barrier->taken;
    if (barrier_bytes(barrier, action->bytes))
        async_phase_ended(core, action->block);
}

/* WARP ends a group of stores, which is open until all that have begun are sent. */
static void open_group(struct modern *core, uint32_t warp)
{
    struct async *async = core->async;
    if (async->sent == async->stores)
        return;
    async->groups = async_grow(async->groups, async->group_count, &async->group_room,
                               sizeof *async->groups);
    async->groups[async->group_count++] =
        (struct async_group){.stores = async->stores, .warp = (uint8_t)warp};
    async->warps[warp].groups++;
}

void core_async_wait_stored(struct modern *core, uint32_t warp, uint32_t open)
{
    struct async *async = core->async;
    if (async == NULL || async->warps[warp].groups <= open)
        return;
    async->warps[warp].open = open;
    async->waiting_stores |= 1ull << warp;
}

void async_store_sent(struct modern *core)
{
    struct async *async = core->async;
    uint32_t kept = 0, count = async->group_count;
    async->sent++;
    for (uint32_t i = 0; i < count; i++) {
        struct async_group group = async->groups[i];
        struct async_warp *warp = &async->warps[group.warp];
        if (group.stores > async->sent) {
            async->groups[kept++] = group;
            continue;
        }
        warp->groups--;
        if ((async->waiting_stores >> group.warp & 1) && warp->groups <= warp->open)
            async_go_on(core, group.warp, core->sm.now + VARIABLE_READ);
    }
    async->group_count = kept;
}

/* A store of WARP: returns the cycle in which it has read shared memory. */
static uint64_t store(struct modern *core, uint32_t number, const struct inst *inst,
                      const struct trace_record *record)
{
    const struct async_spec *spec = &core->spec->async;
    const struct trace_async asks = async_asked(core, number, inst, record);
    uint64_t start = take_turn(core, core->sm.now), cycles = spec->copy_store;
    bool reduces =
        asks.kind == TRACE_ASYNC_TENSOR_REDUCE || asks.kind == TRACE_ASYNC_BLOCK_REDUCE;
    struct copy_box box;
    if (async_box(core, number, &asks, &box)) {
        uint32_t rate = spec->copy_sectors * SECTOR_BYTES;
        cycles += (box.bytes + rate - 1) / rate;
        async_move(core, number, &box, start + spec->copy_store,
                   reduces ? PACKET_ATOMIC : PACKET_WRITE, 0, 0, NULL);
    }
    return start + cycles;
}

void core_async_store(struct modern *core, uint32_t warp, const struct inst *inst,
                      const struct trace_record *record)
{
    struct async *async = async_of(core);
    uint64_t now = core->sm.now;
    if (inst->issue.async == ASYNC_STORE) {
        uint64_t read = store(core, warp, inst, record);
        if (async->stored < read)
            async->stored = read;
    }
    if (core->spec->async.store_sectors != 0 && inst->issue.async == ASYNC_FLUSH)
        open_group(core, warp);
    bool reads = core->spec->async.store_sectors == 0 && async->stored > now + VARIABLE_READ;
    core_plan_read(core, warp, inst, reads ? async->stored : now + VARIABLE_READ);
    core_plan_result(core, warp, inst, now + inst->issue.latency);
}
