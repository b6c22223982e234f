#include "sim/core/legacy/load_store.h"

#include "sim/core/access_rules.h"
#include "sim/core/legacy/legacy.h"
#include "sim/core/requests.h"
#include "sim/state/serialize_memory.h"
#include "traces/base/serialize.h"

/* Clients of the unit's write-back port, served in turn. */
enum client {
    CLIENT_SHARED,
    CLIENT_TEXTURE,
    CLIENT_CONSTANT,
    CLIENT_GLOBAL,
    CLIENT_L1,
    CLIENTS
};

/* ---- at issue ---- */

static void drop_list(struct legacy *core, struct sm_op *op)
{
    struct load_store *unit = &core->load_store;
    if (!access_lists_any(&unit->lists))
        legacy_memory_freed(core);
    access_lists_drop(&unit->lists, op);
}

static uint32_t shared_cycles(const struct sm_spec *spec, const struct trace_record *record,
                              const uint64_t *lanes, uint32_t count)
{
    return spec->shared_parts == 1 && !spec->shared_limited
               ? coalesce_shared(lanes, count, spec->shared_banks)
               : coalesce_shared_parts(lanes, record->mask, spec->shared_banks,
                                       spec->shared_parts, spec->shared_limited);
}

void load_store_prepare(struct legacy *core, struct sm_op *op,
                        const struct trace_record *record)
{
    const struct inst *inst = op->inst;
    const struct legacy_warp *warp = &core->warps[op->warp];
    const struct sm_launch *launch = legacy_launch_of(core, warp);
    uint64_t room[32];
    uint32_t count;
    op->cycles = 1;
    op->space = inst->space;
    if (inst->access == TRACE_ACCESS_NONE || inst->space == TRACE_SPACE_CONSTANT)
        return;
    const uint64_t *lanes = requests_lanes(launch, op, warp->trace, record, room, &count);
    if (count == 0)
        return;
    if (op->space == TRACE_SPACE_SHARED) {
        op->cycles = (uint16_t)shared_cycles(core->sm.spec, record, lanes, count);
        SHARES_ADD(&core->sm, warp->slot, shared_conflicts, op->cycles - 1u);
        return;
    }
    requests_list(&core->sm, launch, op, record, lanes, count,
                  access_lists_take(&core->load_store.lists, op));
}

void load_store_take(struct legacy *core, uint16_t index)
{
    struct load_store *unit = &core->load_store;
    struct sm_op *op = &core->ops[index];
    const struct access_list *list = access_lists_of(&unit->lists, op);
    if (list != NULL && op->inst->access != TRACE_ACCESS_STORE &&
        !access_is_posted(core->sm.spec, op->inst))
        op->pending = (uint16_t)list->count;
    unit->dispatch = index;
}

/* ---- completion ---- */

/* The last sector of a load has come. */
static void complete(struct legacy *core, uint16_t index)
{
    struct sm_op *op = &core->ops[index];
    sm_tell_result(&core->sm, index, op);
    legacy_release(core, op);
    if ((op->inst->flags & TRACE_INST_LDGSTS) && op->mask != 0)
        legacy_memory_copied(core, op);
    if (!op->left)
        return;
    legacy_memory_loaded(core, op->warp);
    legacy_free_op(core, index);
}

static void sector_came(struct legacy *core, uint16_t index)
{
    if (--core->ops[index].pending == 0)
        complete(core, index);
}

/* ---- write-back port ---- */

/* Whether OP's data are written to its registers only when all have come. A port of one sector
 * writes each sector as it comes, as in the reference. */
static bool gathers(const struct legacy *core, const struct sm_op *op)
{
    return core->sm.spec->port_sectors > 1 && op->space != TRACE_SPACE_SHARED &&
           op->pending > 1;
}

static void finish_write_back(struct legacy *core)
{
    uint16_t index = core->load_store.write_back;
    if (index == SM_NONE)
        return;
    legacy_moved(core); /* at the latest with the next cycle's banks */
    if (!gathers(core, &core->ops[index]) && !legacy_write_banks(core, &core->ops[index]))
        return;
    core->load_store.write_back = SM_NONE;
    if (core->ops[index].space == TRACE_SPACE_SHARED) {
        sm_tell_result(&core->sm, index, &core->ops[index]);
        legacy_release(core, &core->ops[index]);
        legacy_free_op(core, index);
    } else {
        sector_came(core, index);
    }
}

static void take_shared(struct legacy *core)
{
    struct load_store *unit = &core->load_store;
    uint16_t index = unit->pipe[unit->pipe_head];
    const struct sm_op *op = &core->ops[index];
    unit->pipe_head = (unit->pipe_head + 1) & 255;
    unit->pipe_count--;
    if (unit->pipe_count != 0 && unit->pipe_ready[unit->pipe_head] <= core->sm.now)
        unit->pipe_ready[unit->pipe_head] = core->sm.now + 1;
    unit->write_back = index;
    if (op->inst->access == TRACE_ACCESS_ATOMIC && op->mask != 0)
        legacy_memory_answered(core, op->warp, (uint32_t)__builtin_popcount(op->mask));
    legacy_leave(core, op->warp);
}

static void take_global(struct legacy *core)
{
    struct load_store *unit = &core->load_store;
    unit->has_global = false;
    unit->write_back = unit->global.op;
    sm_tell_reply(&core->sm, &unit->global);
    if (unit->global.kind == PACKET_ATOMIC)
        legacy_memory_answered(core, core->ops[unit->write_back].warp, unit->global.lanes);
}

static void take_l1(struct legacy *core)
{
    uint32_t mshr = core->sm.l1.mshr.ready_first;
    struct packet packet = cache_take_ready(&core->sm.l1);
    if (!packet_is_write(&packet)) {
        core->load_store.write_back = packet.op;
        sm_tell_sector(&core->sm, packet.op, mshr);
    } else {
        legacy_memory_stored(core, packet.warp);
    }
}

/* The mask of clients that have something to write. */
static uint32_t ready_clients(const struct legacy *core)
{
    const struct load_store *unit = &core->load_store;
    bool shared = unit->pipe_count != 0 && unit->pipe_ready[unit->pipe_head] <= core->sm.now;
    return (uint32_t)shared << CLIENT_SHARED | (uint32_t)unit->has_global << CLIENT_GLOBAL |
           (uint32_t)mshr_has_ready(&core->sm.l1.mshr) << CLIENT_L1;
}

static void choose_write_back(struct legacy *core)
{
    struct load_store *unit = &core->load_store;
    uint32_t ready = ready_clients(core), turn = ready & (~0u << unit->next_client);
    if (ready == 0)
        return;
    uint32_t client = (uint32_t)__builtin_ctz(turn != 0 ? turn : ready);
    if (client == CLIENT_SHARED)
        take_shared(core);
    else if (client == CLIENT_GLOBAL)
        take_global(core);
    else
        take_l1(core);
    legacy_moved(core);
    unit->next_client = (uint8_t)(client + 1 < CLIENTS ? client + 1 : 0);
}

/* ---- replies ---- */

static void take_reply(struct legacy *core)
{
    struct load_store *unit = &core->load_store;
    struct queue *taken = &core->sm.taken;
    if (taken->count == 0)
        return;
    const struct packet *packet = &queue_head(taken)->packet;
    if (packet_is_write(packet)) {
        sm_tell_stored(&core->sm, packet);
        legacy_memory_stored(core, packet->warp);
    } else if (packet->kind != PACKET_READ) {
        if (unit->has_global)
            return;
        unit->global = *packet;
        unit->has_global = true;
    } else if (!sm_fill_l1(&core->sm, packet)) {
        legacy_wake(core, core->sm.l1.fill_free);
        return;
    }
    queue_pop(taken);
    legacy_moved(core);
}

/* ---- requests ---- */

/* PACKET has been sent. The warp does not wait for the answer to a posted store. */
static void note_sent(struct legacy *core, const struct packet *packet)
{
    legacy_moved(core);
    if (packet->kind == PACKET_WRITE && packet_is_posted(packet))
        legacy_memory_stored(core, packet->warp);
}

static void send_l1_miss(struct legacy *core)
{
    const struct packet *sent = requests_send_miss(&core->sm);
    if (sent != NULL)
        note_sent(core, sent);
}

static void send_past_l1(struct legacy *core, uint16_t index, struct access_list *list)
{
    const struct sm_op *op = &core->ops[index];
    const struct sm_spec *spec = core->sm.spec;
    bool reduction = access_is_posted(spec, op->inst);
    bool store = op->inst->access == TRACE_ACCESS_STORE;
    bool posted = store ? spec->posts_stores : reduction;
    for (uint32_t i = 0; i < spec->port_sectors && list->count != 0; i++) {
        if (reduction ? requests_full_for_posted(&core->sm) : requests_full(&core->sm))
            return;
        struct packet packet;
        requests_packet(&core->sm, op, posted ? PACKET_POSTED : index,
                        &list->sectors[--list->count], core->warps[op->warp].slot, &packet);
        if (store)
            legacy_memory_stores(core, packet.warp, 1);
        requests_send(&core->sm, &packet);
        note_sent(core, &packet);
        SHARES_ADD(&core->sm, packet.launch, atomics, packet.kind == PACKET_ATOMIC);
    }
}

static void send_to_l1(struct legacy *core, uint16_t index, struct access_list *list)
{
    const struct sm_op *op = &core->ops[index];
    bool store = op->inst->access == TRACE_ACCESS_STORE;
    bool posted = store && core->sm.spec->posts_stores;
    uint32_t sent =
        l1_pipe_enter(&core->load_store.l1, &core->sm, list, op, posted ? PACKET_POSTED : index,
                      core->warps[op->warp].slot, core->sm.now + core->sm.spec->l1_latency);
    if (sent == 0)
        return;
    legacy_moved(core);
    if (store)
        legacy_memory_stores(core, op->warp, sent);
}

static void end_access(struct legacy *core, const struct l1_access *access)
{
    const struct packet *packet = access->packet;
    const struct cache_result *result = &access->result;
    legacy_moved(core);
    if (packet->kind == PACKET_READ && result->hit) {
        sm_tell_hit(&core->sm, packet->op);
        sector_came(core, packet->op);
    } else if (packet->kind == PACKET_WRITE && !result->sent && !result->fetching)
        legacy_memory_stored(core, packet->warp);
    else if (result->sent && result->fetching)
        legacy_memory_stores(core, packet->warp, 1); /* both are awaited */
}

static void advance_l1(struct legacy *core)
{
    struct l1_pipe *pipe = &core->load_store.l1;
    struct l1_access access;
    for (uint32_t banks = l1_pipe_begin(pipe); banks != 0; banks &= banks - 1)
        if (l1_pipe_access(pipe, &core->sm, (uint32_t)__builtin_ctz(banks), &access))
            end_access(core, &access);
}

/* ---- the instruction in the unit ---- */

static void enter_shared_pipe(struct legacy *core, uint16_t index)
{
    struct load_store *unit = &core->load_store;
    if (unit->pipe_count >= core->sm.spec->shared_latency)
        return; /* its first instruction waits for write-back, which moves */
    uint32_t at = (unit->pipe_head + unit->pipe_count++) & 255;
    unit->pipe[at] = index;
    unit->pipe_ready[at] = core->sm.now + core->sm.spec->shared_latency;
    core->ops[index].left = true;
    unit->dispatch = SM_NONE;
    legacy_moved(core);
}

/* Everything of it has been sent. */
static void leave(struct legacy *core, uint16_t index)
{
    struct sm_op *op = &core->ops[index];
    const struct inst *inst = op->inst;
    bool load = inst->access == TRACE_ACCESS_LOAD || inst->access == TRACE_ACCESS_ATOMIC;
    if (load && op->space == TRACE_SPACE_SHARED) {
        enter_shared_pipe(core, index);
        return;
    }
    drop_list(core, op);
    op->left = true;
    core->load_store.dispatch = SM_NONE;
    legacy_moved(core);
    legacy_memory_loads(core, op->warp);
    if (op->pending == 0)
        complete(core, index);
}

static void advance_dispatch(struct legacy *core)
{
    uint16_t index = core->load_store.dispatch;
    if (index == SM_NONE)
        return;
    struct sm_op *op = &core->ops[index];
    struct access_list *list = access_lists_of(&core->load_store.lists, op);
    if (op->space == TRACE_SPACE_SHARED && op->mask != 0) {
        if (op->cycles > 0 && --op->cycles > 0) {
            legacy_moved(core);
            return;
        }
    } else if (list != NULL && list->count != 0) {
        if (access_bypasses_l1(core->sm.spec, op->inst, op->space))
            send_past_l1(core, index, list);
        else
            send_to_l1(core, index, list);
        if (list->count != 0)
            return;
    }
    leave(core, index);
}

void load_store_cycle(struct legacy *core)
{
    for (uint32_t i = 0; i < core->sm.spec->port_sectors; i++) {
        finish_write_back(core);
        if (core->load_store.write_back == SM_NONE)
            choose_write_back(core);
        take_reply(core);
        send_l1_miss(core);
    }
    advance_l1(core);
    advance_dispatch(core);
}

uint64_t load_store_next(const struct legacy *core)
{
    const struct load_store *unit = &core->load_store;
    uint64_t next = l1_pipe_next(&unit->l1, core->sm.now);
    if (unit->pipe_count != 0 && unit->pipe_ready[unit->pipe_head] < next)
        next = unit->pipe_ready[unit->pipe_head];
    return next;
}

void load_store_skip(struct legacy *core, uint64_t cycles)
{
    l1_pipe_skip(&core->load_store.l1, &core->sm, cycles);
}

/* ---- life ---- */

bool load_store_init(struct load_store *unit)
{
    unit->dispatch = unit->write_back = SM_NONE;
    return access_lists_init(&unit->lists);
}

void load_store_finish(struct load_store *unit)
{
    access_lists_finish(&unit->lists);
    l1_pipe_finish(&unit->l1);
}

void load_store_reset(struct load_store *unit)
{
    unit->next_client = 0;
}

void load_store_serialize(struct load_store *unit, struct serializer *image)
{
    static const struct serializer_member without[] = {
        SERIALIZE_WITHOUT(struct load_store, l1),
        SERIALIZE_WITHOUT(struct load_store, lists),
    };
    SERIALIZE_STRUCT(image, unit, without);
    l1_pipe_serialize(&unit->l1, image);
}
