/* The load/store unit of an SM: coalescing, shared memory, L1, and the way to
 * and from the crossbar. One instruction at a time is split into accesses. */
#include "sim/core/access_rules.h"
#include "sim/core/legacy/legacy.h"
#include "sim/memory/hash.h"

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

static struct access_list *take_list(struct legacy *core, struct sm_op *op)
{
    op->list = (uint8_t)__builtin_ctzll(core->free_lists);
    core->free_lists &= core->free_lists - 1;
    core->lists[op->list].count = 0;
    return &core->lists[op->list];
}

static void drop_list(struct legacy *core, struct sm_op *op)
{
    if (core->free_lists == 0)
        core->issue_stuck = 0;
    if (op->list < SM_LISTS)
        core->free_lists |= 1ull << op->list;
    op->list = SM_LISTS;
}

void legacy_prepare_access(struct legacy *core, struct sm_op *op,
                           const struct trace_record *record)
{
    const struct inst *inst = op->inst;
    uint64_t room[32];
    uint32_t count;
    op->cycles = 1;
    op->space = inst->space;
    if (inst->access == TRACE_ACCESS_NONE || inst->space == TRACE_SPACE_CONSTANT)
        return;
    const uint64_t *addresses = core->warps[op->warp].trace->addresses;
    const uint64_t *lanes = coalesce_lanes(record, addresses, room, &count);
    if (count == 0)
        return;
    if (op->space == TRACE_SPACE_GENERIC)
        op->space = (uint8_t)trace_resolve_space(
            legacy_launch_of(core, &core->warps[op->warp])->header, lanes[0]);
    if (op->space == TRACE_SPACE_SHARED) {
        const struct sm_spec *spec = core->sm.spec;
        op->cycles =
            (uint16_t)(spec->shared_parts == 1 && !spec->shared_limited
                           ? coalesce_shared(lanes, count, spec->shared_banks)
                           : coalesce_shared_parts(lanes, record->mask, spec->shared_banks,
                                                   spec->shared_parts, spec->shared_limited));
        SHARES_ADD(&core->sm, core->warps[op->warp].slot, shared_conflicts, op->cycles - 1u);
        return;
    }
    struct access_list *list = take_list(core, op);
    if (op->space == TRACE_SPACE_LOCAL) {
        struct local_map map = coalesce_local_map(
            &legacy_launch_of(core, &core->warps[op->warp])->local, core->sm.number, op->warp);
        coalesce_local(lanes, record->mask, inst->width, &map, list);
    } else if (inst->access == TRACE_ACCESS_ATOMIC) {
        coalesce_atomic(lanes, count, inst->width, list);
    } else {
        coalesce_sectors(lanes, count, inst->width, list);
    }
}

void legacy_load_store_issue(struct legacy *core)
{
    uint32_t slot = legacy_oldest(core, core->oc_ex[PIPE_MEM], core->oc_ex_full[PIPE_MEM]);
    uint16_t index = core->oc_ex[PIPE_MEM][slot];
    struct sm_op *op = &core->ops[index];
    if (op->list < SM_LISTS && op->inst->access != TRACE_ACCESS_STORE)
        op->pending = (uint16_t)core->lists[op->list].count;
    core->moved = true;
    core->ldst.dispatch = index;
    legacy_leave_oc_ex(core, PIPE_MEM, slot);
}

/* ---- completion ---- */

/* The last sector of a load has come. */
static void complete(struct legacy *core, uint16_t index)
{
    struct sm_op *op = &core->ops[index];
    struct legacy_warp *warp = &core->warps[op->warp];
    const struct inst *inst = op->inst;
    sm_tell_result(&core->sm, index, op);
    legacy_release(core, op);
    if ((inst->flags & TRACE_INST_LDGSTS) && op->mask != 0) {
        warp->copies[op->group]--;
        legacy_pass_groups(warp);
        if (warp->groups_done >= warp->group_wait)
            core->waiting_copy &= ~(1ull << op->warp);
    }
    if (!op->left)
        return;
    warp->loads--;
    legacy_settle(core, op->warp);
    legacy_free_op(core, index);
}

static void sector_came(struct legacy *core, uint16_t index)
{
    if (--core->ops[index].pending == 0)
        complete(core, index);
}

static void answer_atomic(struct legacy *core, uint32_t warp, uint32_t lanes)
{
    if ((core->warps[warp].atomics -= lanes) == 0)
        core->waiting_atomic &= ~(1ull << warp);
}

static void acknowledge_store(struct legacy *core, uint32_t warp)
{
    core->warps[warp].stores--;
    legacy_settle(core, warp);
}

/* ---- write-back port ---- */

static void finish_write_back(struct legacy *core)
{
    uint16_t index = core->ldst.write_back;
    if (index == SM_NONE)
        return;
    core->moved = true; /* at the latest with the next cycle's banks */
    if (!legacy_write_banks(core, &core->ops[index]))
        return;
    core->ldst.write_back = SM_NONE;
    if (core->ops[index].space == TRACE_SPACE_SHARED) {
        sm_tell_result(&core->sm, index, &core->ops[index]);
        legacy_release(core, &core->ops[index]);
        legacy_free_op(core, index);
    } else {
        sector_came(core, index);
    }
}

static bool take_shared(struct legacy *core)
{
    struct ldst *ldst = &core->ldst;
    if (ldst->pipe_count == 0 || ldst->pipe_ready[ldst->pipe_head] > core->sm.now)
        return false;
    uint16_t index = ldst->pipe[ldst->pipe_head];
    const struct sm_op *op = &core->ops[index];
    ldst->pipe_head = (ldst->pipe_head + 1) & 255;
    ldst->pipe_count--;
    if (ldst->pipe_count != 0 && ldst->pipe_ready[ldst->pipe_head] <= core->sm.now)
        ldst->pipe_ready[ldst->pipe_head] = core->sm.now + 1;
    ldst->write_back = index;
    if (op->inst->access == TRACE_ACCESS_ATOMIC && op->mask != 0)
        answer_atomic(core, op->warp, (uint32_t)__builtin_popcount(op->mask));
    legacy_leave(core, op->warp);
    return true;
}

static bool take_global(struct legacy *core)
{
    struct ldst *ldst = &core->ldst;
    if (!ldst->has_global)
        return false;
    ldst->has_global = false;
    ldst->write_back = ldst->global.op;
    sm_tell_reply(&core->sm, &ldst->global);
    if (ldst->global.kind == PACKET_ATOMIC)
        answer_atomic(core, core->ops[ldst->write_back].warp, ldst->global.lanes);
    return true;
}

static bool take_l1(struct legacy *core)
{
    if (!mshr_has_ready(&core->sm.l1.mshr))
        return false;
    uint32_t mshr = core->sm.l1.mshr.ready_first;
    struct packet packet = cache_take_ready(&core->sm.l1);
    if (!packet_is_write(&packet)) {
        core->ldst.write_back = packet.op;
        sm_tell_sector(&core->sm, packet.op, mshr);
    } else {
        acknowledge_store(core, packet.warp);
    }
    return true;
}

static void choose_write_back(struct legacy *core)
{
    struct ldst *ldst = &core->ldst;
    if (ldst->pipe_count == 0 && !ldst->has_global && !mshr_has_ready(&core->sm.l1.mshr))
        return;
    for (uint32_t i = 0; i < CLIENTS && ldst->write_back == SM_NONE; i++) {
        uint32_t client = (ldst->next_client + i) % CLIENTS;
        bool served = (client == CLIENT_SHARED && take_shared(core)) ||
                      (client == CLIENT_GLOBAL && take_global(core)) ||
                      (client == CLIENT_L1 && take_l1(core));
        if (served) {
            core->moved = true;
            ldst->next_client = (uint8_t)((client + 1) % CLIENTS);
            return;
        }
    }
}

/* ---- replies ---- */

static void take_reply(struct legacy *core)
{
    struct ldst *ldst = &core->ldst;
    if (ldst->fill.count == 0)
        return;
    const struct packet *packet = &queue_head(&ldst->fill)->packet;
    if (packet_is_write(packet)) {
        sm_tell_stored(&core->sm, packet);
        acknowledge_store(core, packet->warp);
    } else if (packet->kind != PACKET_READ) {
        if (ldst->has_global)
            return;
        ldst->global = *packet;
        ldst->has_global = true;
    } else {
        if (core->sm.l1.fill_free > core->sm.now) {
            legacy_wake(core, core->sm.l1.fill_free);
            return;
        }
        if (cache_is_last_piece(&core->sm.l1, packet)) {
            sm_tell_filled(&core->sm, packet);
            cache_fill(&core->sm.l1, packet, core->sm.now);
        }
    }
    queue_pop(&ldst->fill);
    core->moved = true;
}

/* ---- requests ---- */

static bool crossbar_full(const struct legacy *core)
{
    return core->sm.requests.count + core->sm.requests_ahead >= core->sm.spec->request_limit;
}

static void send(struct legacy *core, const struct packet *packet)
{
    queue_push(&core->sm.requests, packet, core->sm.now + 1);
    core->moved = true;
    sm_tell_sent(&core->sm, &queue_last(&core->sm.requests)->packet);
}

static uint16_t slice_of(const struct legacy *core, uint64_t address)
{
    uint32_t set;
    return (uint16_t)address_table_of(core->sm.spec->places, address, &set);
}

/* The next dirty sector of the line that L1 has evicted: all that moves are sectors. Returns
 * whether it was the last. */
static bool send_dirty_sector(struct legacy *core, struct packet *line)
{
    struct packet packet = *line;
    packet.bytes = core->sm.l1.tags.spec.sector_bytes;
    packet.address += (uint64_t)__builtin_ctz(packet.dirty) * packet.bytes;
    packet.slice = slice_of(core, packet.address);
    send(core, &packet);
    line->dirty &= (uint8_t)(line->dirty - 1);
    return line->dirty == 0;
}

static void send_l1_miss(struct legacy *core)
{
    if (core->sm.l1.misses.count == 0 || crossbar_full(core))
        return;
    struct packet *packet = &queue_head(&core->sm.l1.misses)->packet;
    if (packet->kind != PACKET_WRITE_BACK)
        send(core, packet);
    else if (!send_dirty_sector(core, packet))
        return;
    cache_pop_miss(&core->sm.l1);
}

/* Makes the packet of a list's next sector. */
static void make_packet(const struct legacy *core, uint16_t index,
                        const struct access_sector *sector, struct packet *packet)
{
    const struct sm_op *op = &core->ops[index];
    *packet = (struct packet){
        .address = sector->address,
        .bytes = sector->bytes,
        .op = index,
        .sm = (uint16_t)core->sm.number,
        .slice = slice_of(core, sector->address),
        .warp = op->warp,
        .local = op->space == TRACE_SPACE_LOCAL,
        .kind = access_kind(core->sm.spec, op->inst, op->space),
        .launch = core->warps[op->warp].slot,
    };
    if (op->inst->access == TRACE_ACCESS_ATOMIC)
        packet->lanes = (uint8_t)sector->lanes;
}

static void send_past_l1(struct legacy *core, uint16_t index, struct access_list *list)
{
    if (crossbar_full(core))
        return;
    struct packet packet;
    make_packet(core, index, &list->sectors[--list->count], &packet);
    send(core, &packet);
    if (packet.kind == PACKET_WRITE)
        core->warps[packet.warp].stores++;
    SHARES_ADD(&core->sm, packet.launch, atomics, packet.kind == PACKET_ATOMIC);
}

static uint32_t l1_bank(const struct legacy *core, uint64_t address)
{
    const struct sm_spec *spec = core->sm.spec;
    uint32_t index = (uint32_t)(address >> spec->l1_interleave_log2) & (spec->l1_banks - 1);
    uint64_t high = address >> spec->l1_interleave_log2 >> __builtin_ctz(spec->l1_banks);
    switch (spec->l1_bank_hash) {
    case 1:
        return hash_xor(high, index, spec->l1_banks);
    case 2:
        return spec->l1_banks > 1 ? hash_ipoly(high, index, spec->l1_banks) : 0;
    default:
        return index;
    }
}

/* Up to one access a bank enters L1's pipeline, in the order of the list. */
static void send_to_l1(struct legacy *core, uint16_t index, struct access_list *list)
{
    uint32_t entered = 0;
    for (uint32_t i = 0; i < core->sm.spec->l1_banks && list->count != 0; i++) {
        const struct access_sector *sector = &list->sectors[list->count - 1];
        uint32_t bank = l1_bank(core, sector->address);
        struct queue *queue = &core->ldst.l1_queue[bank];
        if ((entered >> bank & 1) || queue->count >= core->sm.spec->l1_latency)
            return;
        entered |= 1u << bank;
        struct packet *packet = queue_add(queue, core->sm.now + core->sm.spec->l1_latency);
        make_packet(core, index, sector, packet);
        core->ldst.l1_banks |= 1u << bank;
        tags_prefetch(&core->sm.l1.tags, packet->address);
        mshr_prefetch(&core->sm.l1.mshr, packet->address);
        if (packet->kind == PACKET_WRITE)
            core->warps[packet->warp].stores++;
        list->count--;
        core->moved = true;
    }
}

/* Counts the cycle in which L1 refuses the head of a bank's pipeline. */
static void wait_for_l1(struct legacy *core, uint32_t bank)
{
    uint32_t kind = core->ldst.l1_refused[bank].kind;
    core->ldst.l1_waiting += 1ull << (8 * kind);
    cache_wait(&core->sm.l1, kind, 1);
}

/* The access at the end of a bank's pipeline. */
static void access_l1(struct legacy *core, uint32_t bank)
{
    struct ldst *ldst = &core->ldst;
    struct packet packet = queue_head(&ldst->l1_queue[bank])->packet;
    const struct tags *tags = &core->sm.l1.tags;
    uint32_t set = tags_set(tags, tags_line_address(tags, packet.address));
    struct cache_result result = cache_access(&core->sm.l1, &packet, set, core->sm.now);
    if (!result.accepted) {
        cache_note_refusal(&core->sm.l1, &ldst->l1_refused[bank], &packet, &result);
        ldst->l1_waiting += 1ull << (8 * ldst->l1_refused[bank].kind);
        return;
    }
    ldst->l1_refused[bank].stands = false;
    if (!result.hit)
        tags_expect_miss(tags, set);
    queue_pop(&ldst->l1_queue[bank]);
    if (ldst->l1_queue[bank].count == 0)
        ldst->l1_banks &= ~(1u << bank);
    core->moved = true;
    if (packet.kind == PACKET_READ && result.hit) {
        sm_tell_hit(&core->sm, packet.op);
        sector_came(core, packet.op);
    } else if (packet.kind == PACKET_WRITE && !result.sent && !result.fetching)
        acknowledge_store(core, packet.warp);
    else if (result.sent && result.fetching)
        core->warps[packet.warp].stores++; /* both are awaited */
}

/* An access that L1 refused waits until what it lacks may be there; a fail is counted for
 * each cycle. */
static void advance_l1(struct legacy *core)
{
    struct ldst *ldst = &core->ldst;
    ldst->l1_waiting = 0;
    for (uint32_t banks = ldst->l1_banks; banks != 0; banks &= banks - 1) {
        uint32_t bank = (uint32_t)__builtin_ctz(banks);
        const struct queue_entry *head = queue_head(&ldst->l1_queue[bank]);
        if (cache_still_refuses(&core->sm.l1, &ldst->l1_refused[bank], &head->packet))
            wait_for_l1(core, bank);
        else if (head->ready <= core->sm.now)
            access_l1(core, bank);
    }
}

/* ---- the instruction in the unit ---- */

static void enter_shared_pipe(struct legacy *core, uint16_t index)
{
    struct ldst *ldst = &core->ldst;
    if (ldst->pipe_count >= core->sm.spec->shared_latency)
        return; /* its first instruction waits for write-back, which moves */
    uint32_t at = (ldst->pipe_head + ldst->pipe_count++) & 255;
    ldst->pipe[at] = index;
    ldst->pipe_ready[at] = core->sm.now + core->sm.spec->shared_latency;
    core->ops[index].left = true;
    ldst->dispatch = SM_NONE;
    core->moved = true;
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
    core->ldst.dispatch = SM_NONE;
    core->moved = true;
    core->warps[op->warp].loads++; /* the warp does not end meanwhile */
    legacy_leave(core, op->warp);
    if (op->pending == 0)
        complete(core, index);
}

static void advance_dispatch(struct legacy *core)
{
    uint16_t index = core->ldst.dispatch;
    if (index == SM_NONE)
        return;
    struct sm_op *op = &core->ops[index];
    if (op->space == TRACE_SPACE_SHARED && op->mask != 0) {
        if (op->cycles > 0 && --op->cycles > 0) {
            core->moved = true;
            return;
        }
    } else if (op->list < SM_LISTS && core->lists[op->list].count != 0) {
        struct access_list *list = &core->lists[op->list];
        if (access_bypasses_l1(core->sm.spec, op->inst, op->space))
            send_past_l1(core, index, list);
        else
            send_to_l1(core, index, list);
        if (list->count != 0)
            return;
    }
    leave(core, index);
}

void legacy_load_store(struct legacy *core)
{
    finish_write_back(core);
    if (core->ldst.write_back == SM_NONE)
        choose_write_back(core);
    take_reply(core);
    send_l1_miss(core);
    advance_l1(core);
    advance_dispatch(core);
}

uint64_t legacy_load_store_next(const struct legacy *core)
{
    const struct ldst *ldst = &core->ldst;
    uint64_t next = UINT64_MAX;
    if (ldst->pipe_count != 0)
        next = ldst->pipe_ready[ldst->pipe_head];
    for (uint32_t banks = ldst->l1_banks; banks != 0; banks &= banks - 1) {
        uint64_t ready = queue_head(&ldst->l1_queue[__builtin_ctz(banks)])->ready;
        if (ready >= core->sm.now && ready < next)
            next = ready;
    }
    return next;
}
