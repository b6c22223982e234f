#include "sim/core/modern/mio.h"

#include "sim/core/access_rules.h"
#include "sim/core/modern/core.h"
#include "sim/core/requests.h"
#include "sim/state/serialize_memory.h"
#include "traces/base/serialize.h"

/* Cycles from issue to the hand-over to the shared unit, if nothing is in the way: to the
 * beginning of address generation, from there with a shared or a global address. */
#define BEFORE_ADDRESS 3
#define SHARED_ADDRESS 6
#define GLOBAL_ADDRESS 8

/* ---- issue ---- */

static bool is_shared(const struct sm_op *op)
{
    return op->space == TRACE_SPACE_SHARED || op->inst->issue.kind != KIND_MEMORY;
}

/* Cycles that a load of PASSES takes beyond them, if more than MANY take longer than one each.
 */
static uint32_t long_cycles(uint32_t passes, uint32_t many)
{
    return passes > many ? passes / many : 0;
}

/* Lanes at one word of an atomic on shared memory take turns; other accesses share the word. */
static uint32_t shared_cycles(const struct modern *core, const struct sm_op *op,
                              const uint64_t *lanes, uint32_t count)
{
    uint32_t banks = core->sm.spec->shared_banks, most = 0;
    uint8_t used[64] = {0};
    if (op->inst->access == TRACE_ACCESS_LOAD || op->inst->access == TRACE_ACCESS_STORE) {
        uint32_t passes = op->inst->flags & TRACE_INST_LDSM
                              ? coalesce_matrices(lanes, count, op->inst->width, banks)
                              : coalesce_shared(lanes, count, banks);
        bool load = op->inst->access == TRACE_ACCESS_LOAD;
        return passes + (load ? long_cycles(passes, core->spec->mio.long_load) : 0);
    }
    for (uint32_t i = 0; i < count; i++) {
        uint32_t of_bank = ++used[(lanes[i] >> 2) & (banks - 1)];
        most = of_bank > most ? of_bank : most;
    }
    return most;
}

/* Bytes of LANES in shared memory of other blocks of the cluster. */
static uint32_t far_bytes(const struct modern *core, const struct sm_op *op,
                          const uint64_t *lanes, uint32_t count)
{
    const struct sm_block *block = &core->sm.blocks[core->warps[op->warp].block];
    uint32_t far = 0;
    if (block->cluster == NULL || op->inst->space == TRACE_SPACE_SHARED)
        return 0;
    for (uint32_t i = 0; i < count; i++)
        far += (lanes[i] - block->launch->header->shmem_base) >> CLUSTER_WINDOW_LOG2 !=
               block->cluster->rank;
    return far * op->inst->width;
}

static void prepare(struct modern *core, struct sm_op *op, const struct trace_record *record)
{
    const struct inst *inst = op->inst;
    const struct modern_warp *warp = &core->warps[op->warp];
    const struct sm_launch *launch = core_launch_of(core, warp);
    uint64_t room[32];
    uint32_t count;
    op->cycles = 1;
    op->space = inst->space;
    if (inst->issue.kind == KIND_CONSTANT && core->sm.spec->code.constants)
        op->wait = core_constant_wait(core, op, record);
    if (inst->issue.kind != KIND_MEMORY || inst->access == TRACE_ACCESS_NONE ||
        inst->space == TRACE_SPACE_CONSTANT)
        return;
    const uint64_t *lanes = requests_lanes(launch, op, warp->trace, record, room, &count);
    if (count == 0)
        return;
    if (op->space != TRACE_SPACE_SHARED) {
        requests_list(&core->sm, launch, op, record, lanes, count,
                      access_lists_take(&core->mio.lists, op));
        return;
    }
    op->cycles = (uint16_t)shared_cycles(core, op, lanes, count);
    op->wait = (uint16_t)far_bytes(core, op, lanes, count);
    SHARES_ADD(&core->sm, warp->slot, shared_conflicts, op->cycles - 1u);
}

void mio_issue(struct modern *core, uint16_t index, const struct trace_record *record)
{
    struct mio *unit = &core->mio;
    const struct mio_spec *spec = &core->spec->mio;
    struct sm_op *op = &core->ops[index];
    struct mio_queue *queue = &unit->queues[op->scheduler];
    prepare(core, op, record);
    uint64_t start = core->sm.now + BEFORE_ADDRESS;
    if (start < queue->address_free)
        start = queue->address_free;
    queue->address_free = start + spec->interval;
    op->age = start + (is_shared(op) ? SHARED_ADDRESS : GLOBAL_ADDRESS);
    queue->ops[(queue->head + queue->count++) % MIO_QUEUE] = index;
    unit->waiting++;
}

/* ---- the shared unit ---- */

/* The data of a store are read after its address. */
static uint32_t store_cycles(const struct inst *inst)
{
    return inst->width <= 4 ? 3 : inst->width <= 8 ? 5 : 9;
}

/* What is left of LATENCY, from issue to the result, at the hand-over: at least a cycle. */
static uint32_t rest_of(uint32_t latency)
{
    const uint32_t before = BEFORE_ADDRESS + SHARED_ADDRESS;
    return latency > before ? latency - before : 1;
}

/* An access to shared memory of other blocks of the cluster. The next one waits until this one
 * has begun to move. */
static void take_far(struct modern *core, uint16_t index)
{
    const struct sm_op *op = &core->ops[index];
    bool load = op->inst->access != TRACE_ACCESS_STORE;
    uint64_t begins, end = core_async_reach(core, op->wait, load, &begins);
    core->mio.free_at = core->sm.now + op->cycles;
    if (core->mio.free_at < begins)
        core->mio.free_at = begins;
    core_plan_result(core, op->warp, op->inst,
                     load ? end - 1 + rest_of(core->spec->async.cluster) : core->sm.now + 1);
    core_access_ended(core, op->warp);
    core_free_op(core, index);
}

/* Whether OP passes the unit for constants. */
static bool needs_constants(const struct sm_op *op)
{
    uint8_t kind = op->inst->issue.kind;
    return (kind == KIND_CONSTANT || kind == KIND_UNIFORM) && op->mask != 0;
}

/* What does not go to L1: its result comes at a time that is known. */
static void take_shared(struct modern *core, uint16_t index)
{
    struct sm_op *op = &core->ops[index];
    const struct mio_spec *spec = &core->spec->mio;
    uint32_t rest = spec->shared_rest;
    if (op->inst->issue.async >= ASYNC_INIT && op->inst->issue.async <= ASYNC_WAIT) {
        core_async_take(core, index);
        return;
    }
    if (op->inst->issue.kind == KIND_MEMORY && op->wait != 0) {
        take_far(core, index);
        return;
    }
    if (op->mask == 0)
        rest = 1;
    else if (op->inst->issue.kind == KIND_CONSTANT)
        rest = rest_of(core->spec->constant) + op->wait;
    else if (op->inst->issue.kind != KIND_MEMORY)
        rest = rest_of(op->inst->issue.latency);
    if (needs_constants(op))
        core->mio.constant_free = core->sm.now + spec->constant;
    core->mio.free_at = core->sm.now + op->cycles;
    if (op->inst->access == TRACE_ACCESS_STORE)
        rest = 1;
    core_plan_result(core, op->warp, op->inst, core->sm.now + op->cycles - 1 + rest);
    core_access_ended(core, op->warp);
    core_free_op(core, index);
}

/* Sectors of LIST in that bank of L1 which has most of them. */
static uint32_t passes_of(const struct modern *core, const struct access_list *list)
{
    uint16_t used[L1_PIPE_BANKS] = {0};
    uint32_t most = 0;
    for (uint32_t i = 0; i < list->count; i++) {
        uint32_t of_bank = ++used[requests_bank(core->sm.spec, list->sectors[i].address)];
        most = of_bank > most ? of_bank : most;
    }
    return most;
}

/* OP, a store that is handed over, takes with it what stores that wait in QUEUE write to other
 * bytes of its sectors. */
static void take_stores(struct modern *core, const struct mio_queue *queue,
                        const struct sm_op *op)
{
    struct access_lists *lists = &core->mio.lists;
    for (uint32_t i = 0; i < queue->count; i++) {
        const struct sm_op *other = &core->ops[queue->ops[(queue->head + i) % MIO_QUEUE]];
        if (other->inst->access == TRACE_ACCESS_STORE && other->list < SM_LISTS &&
            other->space == op->space &&
            core->warps[other->warp].slot == core->warps[op->warp].slot)
            coalesce_join(access_lists_of(lists, op), access_lists_of(lists, other));
    }
}

static void take_sectors(struct modern *core, uint16_t index)
{
    struct mio *unit = &core->mio;
    struct sm_op *op = &core->ops[index];
    struct access_list *list = access_lists_of(&unit->lists, op);
    if (!access_is_posted(core->sm.spec, op->inst))
        op->pending = (uint16_t)list->count;
    op->cycles = 0; /* after its sectors */
    if (op->inst->access == TRACE_ACCESS_LOAD && list->count > core->spec->mio.l1_long_load)
        op->cycles = (uint16_t)long_cycles(passes_of(core, list), core->spec->mio.l1_long_load);
    if (op->inst->access == TRACE_ACCESS_STORE && core->spec->mio.store_port) {
        if (unit->port_free < core->sm.now)
            unit->port_free = core->sm.now;
        unit->port_free += list->count + coalesce_note_masks(list);
    }
    unit->dispatch = index;
}

/* The cycle from which OP can be handed over: it has its address then, and what it needs beside
 * the shared unit is free. */
static uint64_t ready_at(const struct mio *unit, const struct sm_op *op)
{
    return needs_constants(op) && unit->constant_free > op->age ? unit->constant_free : op->age;
}

/* The sub-core whose turn it is hands over the oldest instruction of its queue, if that has its
 * address. */
static void take_next(struct modern *core)
{
    struct mio *unit = &core->mio;
    uint32_t count = core->sm.spec->schedulers;
    for (uint32_t i = 0; i < count; i++) {
        uint32_t number = (unit->next_queue + i) % count;
        struct mio_queue *queue = &unit->queues[number];
        if (queue->count == 0)
            continue;
        uint16_t index = queue->ops[queue->head];
        const struct sm_op *op = &core->ops[index];
        uint64_t ready = ready_at(unit, op);
        if (ready > core->sm.now) {
            core_wake(core, ready);
            continue;
        }
        queue->head = (queue->head + 1) % MIO_QUEUE;
        queue->count--;
        unit->waiting--;
        unit->next_queue = (number + 1) % count;
        core->moved = true;
        bool store = op->inst->access == TRACE_ACCESS_STORE;
        core_plan_read(core, op->warp, op->inst,
                       core->sm.now + (store ? store_cycles(op->inst) : 0));
        if (is_shared(op) || op->list >= SM_LISTS) {
            take_shared(core, index);
            return;
        }
        for (uint32_t q = 0; store && core->spec->mio.store_merge && q < count; q++)
            take_stores(core, &unit->queues[q], op);
        take_sectors(core, index);
        return;
    }
}

/* ---- completion: of loads by their data, of stores by the way to L1 or the crossbar ---- */

static void result_came(struct modern *core, uint16_t index)
{
    struct sm_op *op = &core->ops[index];
    sm_tell_result(&core->sm, index, op);
    core_data_came(core, op->warp, op->inst);
    if (op->inst->flags & TRACE_INST_LDGSTS)
        core_copied(core, op);
}

static void complete(struct modern *core, uint16_t index)
{
    struct sm_op *op = &core->ops[index];
    if (op->inst != NULL) {
        result_came(core, index);
        core_loaded(core, op->warp);
    }
    core_free_op(core, index);
}

static void sector_came(struct modern *core, uint16_t index)
{
    if (--core->ops[index].pending == 0)
        complete(core, index);
}

/* The same past L1. */
static void reply_came(struct modern *core, uint16_t index)
{
    if (core->ops[index].copy != 0)
        core_async_came(core, index);
    else
        sector_came(core, index);
}

/* Hands out what has come to L1. */
static void take_l1(struct modern *core)
{
    for (uint32_t i = 0; i < core->sm.spec->l1_banks; i++) {
        if (!mshr_has_ready(&core->sm.l1.mshr))
            return;
        uint32_t mshr = core->sm.l1.mshr.ready_first;
        struct packet packet = cache_take_ready(&core->sm.l1);
        core->moved = true;
        if (packet_is_write(&packet)) {
            core_stored(core, &packet);
            continue;
        }
        sm_tell_sector(&core->sm, packet.op, mshr);
        sector_came(core, packet.op);
    }
}

/* Takes the oldest reply, if it is for a copy or *LEFT others can come in this cycle. */
static bool take_reply(struct modern *core, uint32_t *left)
{
    const struct packet *packet = &queue_head(&core->sm.taken)->packet;
    bool copy = packet_is_shared(packet) ||
                (packet->kind == PACKET_READ_L2 && core->ops[packet->op].copy != 0);
    if (!copy && *left == 0)
        return false;
    *left -= !copy;
    if (packet_is_write(packet)) {
        sm_tell_stored(&core->sm, packet);
        core_stored(core, packet);
    } else if (packet->kind != PACKET_READ) {
        if (packet_is_shared(packet)) {
            core_async_shared(core, packet);
        } else {
            sm_tell_reply(&core->sm, packet);
            reply_came(core, packet->op);
        }
    } else if (!sm_fill_l1(&core->sm, packet)) {
        core_wake(core, core->sm.l1.fill_free);
        return false;
    }
    queue_pop(&core->sm.taken);
    core->moved = true;
    return true;
}

/* ---- requests ---- */

static void send_past_l1(struct modern *core, uint16_t index, struct access_list *list)
{
    const struct sm_op *op = &core->ops[index];
    bool posted = access_is_posted(core->sm.spec, op->inst);
    for (uint32_t i = 0; i < core->spec->mio.port && list->count != 0; i++) {
        if (posted ? requests_full_for_posted(&core->sm) : requests_full(&core->sm))
            return;
        struct packet packet;
        requests_packet(&core->sm, op, posted ? PACKET_POSTED : index,
                        &list->sectors[--list->count], core->warps[op->warp].slot, &packet);
        requests_send(&core->sm, &packet);
        core->moved = true;
        if (packet.kind == PACKET_WRITE) {
            core_store(core, op->warp, 1);
            core->ops[index].pending--; /* leave() follows the last one */
        }
        SHARES_ADD(&core->sm, packet.launch, atomics, packet.kind == PACKET_ATOMIC);
    }
}

static void send_to_l1(struct modern *core, uint16_t index, struct access_list *list)
{
    const struct sm_op *op = &core->ops[index];
    uint32_t sent =
        l1_pipe_enter(&core->mio.l1, &core->sm, list, op, index, core->warps[op->warp].slot,
                      core->sm.now + core->spec->mio.l1_lookup);
    if (sent == 0)
        return;
    core->moved = true;
    if (op->inst->access == TRACE_ACCESS_STORE)
        core_store(core, op->warp, sent);
}

/* All sectors of the instruction have been sent. */
static void leave(struct modern *core, uint16_t index)
{
    struct sm_op *op = &core->ops[index];
    access_lists_drop(&core->mio.lists, op);
    core->mio.dispatch = SM_NONE;
    uint64_t sent = core->sm.now;
    if (op->inst->access == TRACE_ACCESS_STORE &&
        core->mio.port_free > sent + core->spec->mio.store_buffer)
        sent = core->mio.port_free - core->spec->mio.store_buffer;
    core->mio.free_at = sent + 1 + op->cycles;
    core->moved = true;
    if (op->inst->access == TRACE_ACCESS_STORE) {
        result_came(core, index);
        op->inst = NULL; /* its launch may end, and be freed, before L1 has taken it */
    } else {
        core->warps[op->warp].loads++;
    }
    core_access_ended(core, op->warp);
    if (op->pending == 0)
        complete(core, index);
}

static void advance_dispatch(struct modern *core)
{
    struct mio *unit = &core->mio;
    if (unit->dispatch == SM_NONE) {
        if (unit->waiting == 0)
            return;
        if (unit->free_at <= core->sm.now)
            take_next(core);
        else
            core_wake(core, unit->free_at);
    }
    uint16_t index = unit->dispatch;
    if (index == SM_NONE)
        return;
    const struct sm_op *op = &core->ops[index];
    struct access_list *list = access_lists_of(&unit->lists, op);
    if (op->inst->access == TRACE_ACCESS_STORE &&
        core->store_count >= core->spec->mio.stores_max)
        return; /* an acknowledgement moves it on */
    if (access_bypasses_l1(core->sm.spec, op->inst, op->space))
        send_past_l1(core, index, list);
    else
        send_to_l1(core, index, list);
    if (list->count == 0)
        leave(core, index);
}

/* ---- L1 ---- */

static void end_access(struct modern *core, const struct l1_access *access)
{
    const struct packet *packet = access->packet;
    const struct cache_result *result = &access->result;
    core->moved = true;
    if (packet->kind == PACKET_READ && result->hit)
        sm_tell_hit(&core->sm, packet->op);
    if (packet->kind == PACKET_WRITE && !result->sent && !result->fetching)
        core_stored(core, packet);
    else if (result->sent && result->fetching)
        core_store(core, packet->warp, 1); /* both are awaited */
    if (packet->kind == PACKET_READ && result->hit && core->spec->mio.l1_hit != 0)
        queue_push(&core->mio.hits, packet, core->sm.now + core->spec->mio.l1_hit);
    else if (packet->kind == PACKET_WRITE || result->hit)
        sector_came(core, packet->op); /* a store has left its warp */
}

/* Hands out the data of hits. */
static void take_hits(struct modern *core)
{
    struct queue *hits = &core->mio.hits;
    for (; queue_ready(hits, core->sm.now); queue_pop(hits)) {
        core->moved = true;
        sector_came(core, queue_head(hits)->packet.op);
    }
}

static void advance_l1(struct modern *core)
{
    struct l1_pipe *pipe = &core->mio.l1;
    struct l1_access access;
    for (uint32_t banks = l1_pipe_begin(pipe); banks != 0; banks &= banks - 1)
        if (l1_pipe_access(pipe, &core->sm, (uint32_t)__builtin_ctz(banks), &access))
            end_access(core, &access);
}

/* ---- time ---- */

void mio_cycle(struct modern *core)
{
    uint32_t left = core->spec->mio.port;
    take_l1(core);
    for (uint32_t i = 0; i < core->sm.spec->port_sectors; i++) {
        if (core->sm.taken.count == 0 || !take_reply(core, &left))
            break;
    }
    for (uint32_t i = 0; i < core->spec->mio.port; i++) {
        if (requests_send_miss(&core->sm) == NULL)
            break;
        core->moved = true;
    }
    for (uint32_t i = 0; i < core->sm.spec->port_sectors && requests_code_due(&core->sm); i++) {
        requests_send_code(&core->sm, core->sm.now + 1);
        core->moved = true;
    }
    take_hits(core);
    advance_l1(core);
    advance_dispatch(core);
    if (core->async != NULL)
        core_async_send(core);
}

uint64_t mio_next(const struct modern *core)
{
    return sm_earlier(l1_pipe_next(&core->mio.l1, core->sm.now), queue_next(&core->mio.hits));
}

void mio_skip(struct modern *core, uint64_t cycles)
{
    l1_pipe_skip(&core->mio.l1, &core->sm, cycles);
}

/* ---- life ---- */

bool mio_init(struct mio *unit)
{
    unit->dispatch = SM_NONE;
    return access_lists_init(&unit->lists);
}

void mio_finish(struct mio *unit)
{
    access_lists_finish(&unit->lists);
    l1_pipe_finish(&unit->l1);
    queue_finish(&unit->hits);
}

void mio_reset(struct mio *unit)
{
    unit->next_queue = 0;
    unit->port_free = unit->free_at = unit->constant_free = 0;
    for (uint32_t s = 0; s < SM_MAX_SCHEDULERS; s++)
        unit->queues[s].address_free = 0;
}

void mio_serialize(struct mio *unit, struct serializer *image)
{
    static const struct serializer_member without[] = {
        SERIALIZE_WITHOUT(struct mio, l1),
        SERIALIZE_WITHOUT(struct mio, hits),
        SERIALIZE_WITHOUT(struct mio, lists),
    };
    SERIALIZE_STRUCT(image, unit, without);
    l1_pipe_serialize(&unit->l1, image);
    queue_serialize(&unit->hits, image);
}
