/* The load/store unit of an SM: coalescing, shared memory, L1, and the way to
 * and from the crossbar. One instruction at a time is split into accesses. */
#include "sim/core/access_rules.h"
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

static struct access_list *take_list(struct sm *sm, struct sm_op *op)
{
    op->list = (uint8_t)__builtin_ctzll(sm->free_lists);
    sm->free_lists &= sm->free_lists - 1;
    sm->lists[op->list].count = 0;
    return &sm->lists[op->list];
}

static void drop_list(struct sm *sm, struct sm_op *op)
{
    if (sm->free_lists == 0)
        sm->issue_stuck = 0;
    if (op->list < SM_LISTS)
        sm->free_lists |= 1ull << op->list;
    op->list = SM_LISTS;
}

void sm_prepare_access(struct sm *sm, struct sm_op *op, const struct trace_record *record)
{
    const struct inst *inst = op->inst;
    uint64_t room[32];
    uint32_t count;
    op->cycles = 1;
    op->space = inst->space;
    if (inst->access == TRACE_ACCESS_NONE || inst->space == TRACE_SPACE_CONSTANT)
        return;
    const uint64_t *addresses = sm->warps[op->warp].trace->addresses;
    const uint64_t *lanes = coalesce_lanes(record, addresses, room, &count);
    if (count == 0)
        return;
    op->space = (uint8_t)access_space(inst, sm->warps[op->warp].launch->header, lanes[0]);
    if (op->space == TRACE_SPACE_SHARED) {
        const struct sm_spec *spec = sm->spec;
        op->cycles =
            (uint16_t)(spec->shared_parts == 1 && !spec->shared_limited
                           ? coalesce_shared(lanes, count, spec->shared_banks)
                           : coalesce_shared_parts(lanes, record->mask, spec->shared_banks,
                                                   spec->shared_parts, spec->shared_limited));
        SHARES_ADD(sm, sm->warps[op->warp].launch->slot, shared_conflicts, op->cycles - 1u);
        return;
    }
    struct access_list *list = take_list(sm, op);
    if (op->space == TRACE_SPACE_LOCAL) {
        struct local_map map =
            coalesce_local_map(&sm->warps[op->warp].launch->local, sm->number, op->warp);
        coalesce_local(lanes, record->mask, inst->width, &map, list);
    } else if (inst->access == TRACE_ACCESS_ATOMIC) {
        coalesce_atomic(lanes, count, inst->width, list);
    } else {
        coalesce_sectors(lanes, count, inst->width, list);
    }
}

void sm_load_store_issue(struct sm *sm)
{
    uint32_t slot = sm_oldest(sm, sm->oc_ex[PIPE_MEM], sm->oc_ex_full[PIPE_MEM]);
    uint16_t index = sm->oc_ex[PIPE_MEM][slot];
    struct sm_op *op = &sm->ops[index];
    if (op->list < SM_LISTS && op->inst->access != TRACE_ACCESS_STORE)
        op->pending = (uint16_t)sm->lists[op->list].count;
    sm->moved = true;
    sm->ldst.dispatch = index;
    sm_leave_oc_ex(sm, PIPE_MEM, slot);
}

/* ---- completion ---- */

/* The last sector of a load has come. */
static void complete(struct sm *sm, uint16_t index)
{
    struct sm_op *op = &sm->ops[index];
    struct sm_warp *warp = &sm->warps[op->warp];
    const struct inst *inst = op->inst;
    sm_tell_result(sm, index, op);
    sm_release(sm, op);
    if ((inst->flags & TRACE_INST_LDGSTS) && op->mask != 0) {
        warp->copies[op->group]--;
        sm_pass_groups(warp);
        if (warp->groups_done >= warp->group_wait)
            sm->waiting_copy &= ~(1ull << op->warp);
    }
    if (!op->left)
        return;
    warp->loads--;
    sm_settle(sm, op->warp);
    sm_free_op(sm, index);
}

static void sector_came(struct sm *sm, uint16_t index)
{
    if (--sm->ops[index].pending == 0)
        complete(sm, index);
}

static void answer_atomic(struct sm *sm, uint32_t warp, uint32_t lanes)
{
    if ((sm->warps[warp].atomics -= lanes) == 0)
        sm->waiting_atomic &= ~(1ull << warp);
}

static void acknowledge_store(struct sm *sm, uint32_t warp)
{
    sm->warps[warp].stores--;
    sm_settle(sm, warp);
}

/* ---- write-back port ---- */

static void finish_write_back(struct sm *sm)
{
    uint16_t index = sm->ldst.write_back;
    if (index == SM_NONE)
        return;
    sm->moved = true; /* at the latest with the next cycle's banks */
    if (!sm_write_banks(sm, &sm->ops[index]))
        return;
    sm->ldst.write_back = SM_NONE;
    if (sm->ops[index].space == TRACE_SPACE_SHARED) {
        sm_tell_result(sm, index, &sm->ops[index]);
        sm_release(sm, &sm->ops[index]);
        sm_free_op(sm, index);
    } else {
        sector_came(sm, index);
    }
}

static bool take_shared(struct sm *sm)
{
    struct ldst *ldst = &sm->ldst;
    if (ldst->pipe_count == 0 || ldst->pipe_ready[ldst->pipe_head] > sm->now)
        return false;
    uint16_t index = ldst->pipe[ldst->pipe_head];
    const struct sm_op *op = &sm->ops[index];
    ldst->pipe_head = (ldst->pipe_head + 1) & 255;
    ldst->pipe_count--;
    if (ldst->pipe_count != 0 && ldst->pipe_ready[ldst->pipe_head] <= sm->now)
        ldst->pipe_ready[ldst->pipe_head] = sm->now + 1;
    ldst->write_back = index;
    if (op->inst->access == TRACE_ACCESS_ATOMIC && op->mask != 0)
        answer_atomic(sm, op->warp, (uint32_t)__builtin_popcount(op->mask));
    sm_leave(sm, op->warp);
    return true;
}

static bool take_global(struct sm *sm)
{
    struct ldst *ldst = &sm->ldst;
    if (!ldst->has_global)
        return false;
    ldst->has_global = false;
    ldst->write_back = ldst->global.op;
    sm_tell_reply(sm, &ldst->global);
    if (ldst->global.kind == PACKET_ATOMIC)
        answer_atomic(sm, sm->ops[ldst->write_back].warp, ldst->global.lanes);
    return true;
}

static bool take_l1(struct sm *sm)
{
    if (!mshr_has_ready(&sm->l1.mshr))
        return false;
    uint32_t mshr = sm->l1.mshr.ready_first;
    struct packet packet = cache_take_ready(&sm->l1);
    if (!packet_is_write(&packet)) {
        sm->ldst.write_back = packet.op;
        sm_tell_sector(sm, packet.op, mshr);
    } else {
        acknowledge_store(sm, packet.warp);
    }
    return true;
}

static void choose_write_back(struct sm *sm)
{
    struct ldst *ldst = &sm->ldst;
    if (ldst->pipe_count == 0 && !ldst->has_global && !mshr_has_ready(&sm->l1.mshr))
        return;
    for (uint32_t i = 0; i < CLIENTS && ldst->write_back == SM_NONE; i++) {
        uint32_t client = (ldst->next_client + i) % CLIENTS;
        bool served = (client == CLIENT_SHARED && take_shared(sm)) ||
                      (client == CLIENT_GLOBAL && take_global(sm)) ||
                      (client == CLIENT_L1 && take_l1(sm));
        if (served) {
            sm->moved = true;
            ldst->next_client = (uint8_t)((client + 1) % CLIENTS);
            return;
        }
    }
}

/* ---- replies ---- */

static void take_reply(struct sm *sm)
{
    struct ldst *ldst = &sm->ldst;
    if (ldst->fill.count == 0)
        return;
    const struct packet *packet = &queue_head(&ldst->fill)->packet;
    if (packet_is_write(packet)) {
        sm_tell_stored(sm, packet);
        acknowledge_store(sm, packet->warp);
    } else if (packet->kind != PACKET_READ) {
        if (ldst->has_global)
            return;
        ldst->global = *packet;
        ldst->has_global = true;
    } else {
        if (sm->l1.fill_free > sm->now) {
            sm_wake(sm, sm->l1.fill_free);
            return;
        }
        sm_tell_filled(sm, packet);
        cache_fill(&sm->l1, packet, sm->now);
    }
    queue_pop(&ldst->fill);
    sm->moved = true;
}

/* ---- requests ---- */

static bool crossbar_full(const struct sm *sm)
{
    return sm->requests.count + sm->requests_ahead >= sm->spec->request_limit;
}

static void send(struct sm *sm, const struct packet *packet)
{
    queue_push(&sm->requests, packet, sm->now + 1);
    sm->moved = true;
    sm_tell_sent(sm, &queue_last(&sm->requests)->packet);
}

static uint16_t slice_of(const struct sm *sm, uint64_t address)
{
    uint32_t set;
    return (uint16_t)address_table_of(sm->spec->places, address, &set);
}

/* The next dirty sector of the line that L1 has evicted: all that moves are sectors. Returns
 * whether it was the last. */
static bool send_dirty_sector(struct sm *sm, struct packet *line)
{
    struct packet packet = *line;
    packet.bytes = sm->l1.tags.spec.sector_bytes;
    packet.address += (uint64_t)__builtin_ctz(packet.dirty) * packet.bytes;
    packet.slice = slice_of(sm, packet.address);
    send(sm, &packet);
    line->dirty &= (uint8_t)(line->dirty - 1);
    return line->dirty == 0;
}

static void send_l1_miss(struct sm *sm)
{
    if (sm->l1.misses.count == 0 || crossbar_full(sm))
        return;
    struct packet *packet = &queue_head(&sm->l1.misses)->packet;
    if (packet->kind != PACKET_WRITE_BACK)
        send(sm, packet);
    else if (!send_dirty_sector(sm, packet))
        return;
    cache_pop_miss(&sm->l1);
}

/* Makes the packet of a list's next sector. */
static void make_packet(const struct sm *sm, uint16_t index, const struct access_sector *sector,
                        struct packet *packet)
{
    const struct sm_op *op = &sm->ops[index];
    *packet = (struct packet){
        .address = sector->address,
        .bytes = sector->bytes,
        .op = index,
        .sm = (uint16_t)sm->number,
        .slice = slice_of(sm, sector->address),
        .warp = op->warp,
        .local = op->space == TRACE_SPACE_LOCAL,
        .launch = (uint8_t)sm->warps[op->warp].launch->slot,
    };
    packet->kind = access_kind(sm->spec, op->inst, op->space);
    if (packet->kind == PACKET_ATOMIC)
        packet->lanes = (uint8_t)sector->lanes;
}

static void send_past_l1(struct sm *sm, uint16_t index, struct access_list *list)
{
    if (crossbar_full(sm))
        return;
    struct packet packet;
    make_packet(sm, index, &list->sectors[--list->count], &packet);
    send(sm, &packet);
    if (packet.kind == PACKET_WRITE)
        sm->warps[packet.warp].stores++;
    SHARES_ADD(sm, packet.launch, atomics, packet.kind == PACKET_ATOMIC);
}

static uint32_t l1_bank(const struct sm *sm, uint64_t address)
{
    const struct sm_spec *spec = sm->spec;
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
static void send_to_l1(struct sm *sm, uint16_t index, struct access_list *list)
{
    uint32_t entered = 0;
    for (uint32_t i = 0; i < sm->spec->l1_banks && list->count != 0; i++) {
        const struct access_sector *sector = &list->sectors[list->count - 1];
        uint32_t bank = l1_bank(sm, sector->address);
        struct queue *queue = &sm->ldst.l1_queue[bank];
        if ((entered >> bank & 1) || queue->count >= sm->spec->l1_latency)
            return;
        entered |= 1u << bank;
        struct packet *packet = queue_add(queue, sm->now + sm->spec->l1_latency);
        make_packet(sm, index, sector, packet);
        sm->ldst.l1_banks |= 1u << bank;
        tags_prefetch(&sm->l1.tags, packet->address);
        mshr_prefetch(&sm->l1.mshr, packet->address);
        if (packet->kind == PACKET_WRITE)
            sm->warps[packet->warp].stores++;
        list->count--;
        sm->moved = true;
    }
}

/* Counts the cycle in which L1 refuses the head of a bank's pipeline. */
static void wait_for_l1(struct sm *sm, uint32_t bank)
{
    uint32_t kind = sm->ldst.l1_refused[bank].kind;
    sm->ldst.l1_waiting += 1ull << (8 * kind);
    cache_wait(&sm->l1, kind, 1);
}

/* The access at the end of a bank's pipeline. */
static void access_l1(struct sm *sm, uint32_t bank)
{
    struct ldst *ldst = &sm->ldst;
    struct packet packet = queue_head(&ldst->l1_queue[bank])->packet;
    const struct tags *tags = &sm->l1.tags;
    uint32_t set = tags_set(tags, tags_line_address(tags, packet.address));
    struct cache_result result = cache_access(&sm->l1, &packet, set, sm->now);
    if (!result.accepted) {
        cache_note_refusal(&sm->l1, &ldst->l1_refused[bank], &packet, &result);
        ldst->l1_waiting += 1ull << (8 * ldst->l1_refused[bank].kind);
        return;
    }
    ldst->l1_refused[bank].stands = false;
    if (!result.hit)
        tags_expect_miss(tags, set);
    queue_pop(&ldst->l1_queue[bank]);
    if (ldst->l1_queue[bank].count == 0)
        ldst->l1_banks &= ~(1u << bank);
    sm->moved = true;
    if (packet.kind == PACKET_READ && result.hit) {
        sm_tell_hit(sm, packet.op);
        sector_came(sm, packet.op);
    } else if (packet.kind == PACKET_WRITE && !result.sent && !result.fetching)
        acknowledge_store(sm, packet.warp);
    else if (result.sent && result.fetching)
        sm->warps[packet.warp].stores++; /* both are awaited */
}

/* An access that L1 refused waits until what it lacks may be there; a fail is counted for
 * each cycle. */
static void advance_l1(struct sm *sm)
{
    struct ldst *ldst = &sm->ldst;
    ldst->l1_waiting = 0;
    for (uint32_t banks = ldst->l1_banks; banks != 0; banks &= banks - 1) {
        uint32_t bank = (uint32_t)__builtin_ctz(banks);
        const struct queue_entry *head = queue_head(&ldst->l1_queue[bank]);
        if (cache_still_refuses(&sm->l1, &ldst->l1_refused[bank], &head->packet))
            wait_for_l1(sm, bank);
        else if (head->ready <= sm->now)
            access_l1(sm, bank);
    }
}

/* ---- the instruction in the unit ---- */

static void enter_shared_pipe(struct sm *sm, uint16_t index)
{
    struct ldst *ldst = &sm->ldst;
    if (ldst->pipe_count >= sm->spec->shared_latency)
        return; /* its first instruction waits for write-back, which moves */
    uint32_t at = (ldst->pipe_head + ldst->pipe_count++) & 255;
    ldst->pipe[at] = index;
    ldst->pipe_ready[at] = sm->now + sm->spec->shared_latency;
    sm->ops[index].left = true;
    ldst->dispatch = SM_NONE;
    sm->moved = true;
}

/* Everything of it has been sent. */
static void leave(struct sm *sm, uint16_t index)
{
    struct sm_op *op = &sm->ops[index];
    const struct inst *inst = op->inst;
    bool load = inst->access == TRACE_ACCESS_LOAD || inst->access == TRACE_ACCESS_ATOMIC;
    if (load && op->space == TRACE_SPACE_SHARED) {
        enter_shared_pipe(sm, index);
        return;
    }
    drop_list(sm, op);
    op->left = true;
    sm->ldst.dispatch = SM_NONE;
    sm->moved = true;
    sm->warps[op->warp].loads++; /* the warp does not end meanwhile */
    sm_leave(sm, op->warp);
    if (op->pending == 0)
        complete(sm, index);
}

static void advance_dispatch(struct sm *sm)
{
    uint16_t index = sm->ldst.dispatch;
    if (index == SM_NONE)
        return;
    struct sm_op *op = &sm->ops[index];
    if (op->space == TRACE_SPACE_SHARED && op->mask != 0) {
        if (op->cycles > 0 && --op->cycles > 0) {
            sm->moved = true;
            return;
        }
    } else if (op->list < SM_LISTS && sm->lists[op->list].count != 0) {
        struct access_list *list = &sm->lists[op->list];
        if (access_bypasses_l1(sm->spec, op->inst, op->space))
            send_past_l1(sm, index, list);
        else
            send_to_l1(sm, index, list);
        if (list->count != 0)
            return;
    }
    leave(sm, index);
}

void sm_load_store(struct sm *sm)
{
    finish_write_back(sm);
    if (sm->ldst.write_back == SM_NONE)
        choose_write_back(sm);
    take_reply(sm);
    send_l1_miss(sm);
    advance_l1(sm);
    advance_dispatch(sm);
}

uint64_t sm_load_store_next(const struct sm *sm)
{
    const struct ldst *ldst = &sm->ldst;
    uint64_t next = UINT64_MAX;
    if (ldst->pipe_count != 0)
        next = ldst->pipe_ready[ldst->pipe_head];
    for (uint32_t banks = ldst->l1_banks; banks != 0; banks &= banks - 1) {
        uint64_t ready = queue_head(&ldst->l1_queue[__builtin_ctz(banks)])->ready;
        if (ready >= sm->now && ready < next)
            next = ready;
    }
    return next;
}
