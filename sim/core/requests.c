#include "sim/core/requests.h"

#include "sim/core/access_rules.h"
#include "sim/memory/hash.h"

/* Whether ADDRESS is in the shared memory of a block of a cluster: blocks lie side by side. */
static bool in_cluster(const struct sm_launch *launch, uint64_t address)
{
    return launch->cluster > 1 && launch->header->shmem_base != 0 &&
           address - launch->header->shmem_base < (uint64_t)launch->cluster
                                                      << CLUSTER_WINDOW_LOG2;
}

const uint64_t *requests_lanes(const struct sm_launch *launch, struct sm_op *op,
                               const struct trace_warp *warp, const struct trace_record *record,
                               uint64_t room[32], uint32_t *count)
{
    const uint64_t *lanes = coalesce_lanes(record, warp->addresses, room, count);
    bool atomic =
        op->inst->access == TRACE_ACCESS_ATOMIC; /* ATOM may be at shared memory, too */
    if (*count != 0 && atomic && op->space == TRACE_SPACE_GLOBAL &&
        in_cluster(launch, lanes[0]))
        op->space = TRACE_SPACE_SHARED;
    if (*count != 0 && op->space == TRACE_SPACE_GENERIC)
        op->space = (uint8_t)(in_cluster(launch, lanes[0])
                                  ? TRACE_SPACE_SHARED
                                  : trace_resolve_space(launch->header, lanes[0]));
    return lanes;
}

void requests_list(const struct sm *sm, const struct sm_launch *launch, const struct sm_op *op,
                   const struct trace_record *record, const uint64_t *lanes, uint32_t count,
                   struct access_list *list)
{
    const struct inst *inst = op->inst;
    if (op->space == TRACE_SPACE_LOCAL) {
        struct local_map map = coalesce_local_map(&launch->local, sm->number, op->warp);
        coalesce_local(lanes, record->mask, inst->width, &map, list);
    } else if (inst->access == TRACE_ACCESS_ATOMIC) {
        coalesce_atomic(lanes, count, inst->width, list);
    } else {
        coalesce_sectors(lanes, count, inst->width, list);
        if (sm->spec->notes_lines && inst->access == TRACE_ACCESS_LOAD)
            coalesce_note_lines(list);
    }
}

void requests_send(struct sm *sm, const struct packet *packet)
{
    queue_push(&sm->requests, packet, sm->now + 1);
    if (packet_is_posted(packet)) {
        sm->posted++;
        sm_fly(sm, packet->launch, 1);
    }
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
    requests_send(sm, &packet);
    line->dirty &= (uint8_t)(line->dirty - 1);
    return line->dirty == 0;
}

const struct packet *requests_send_miss(struct sm *sm)
{
    if (sm->l1.misses.count == 0 || requests_full(sm))
        return NULL;
    struct packet *packet = &queue_head(&sm->l1.misses)->packet;
    bool last = true;
    if (packet->kind != PACKET_WRITE_BACK)
        requests_send(sm, packet);
    else
        last = send_dirty_sector(sm, packet);
    if (last)
        cache_pop_miss(&sm->l1);
    return &queue_last(&sm->requests)->packet;
}

void requests_send_code(struct sm *sm, uint64_t ready)
{
    struct queue *wanted = &sm->code->supply.requests;
    struct packet packet, *next = &queue_head(wanted)->packet;
    requests_copy_packet(sm, PACKET_CODE, next->address, SECTOR_BYTES, 0, next->launch,
                         &packet);
    queue_push(&sm->requests, &packet, ready);
    sm->code_requests++;
    next->address += SECTOR_BYTES;
    if (next->address % sm->code->spec->line == 0)
        queue_pop(wanted);
}

uint32_t requests_bank(const struct sm_spec *spec, uint64_t address)
{
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

void requests_copy_packet(const struct sm *sm, enum packet_kind kind, uint64_t address,
                          uint32_t bytes, uint16_t index, uint8_t slot, struct packet *packet)
{
    *packet = (struct packet){
        .address = address,
        .bytes = bytes,
        .op = index,
        .sm = (uint16_t)sm->number,
        .slice = slice_of(sm, address),
        .kind = kind,
        .launch = slot,
    };
}

void requests_packet(const struct sm *sm, const struct sm_op *op, uint16_t index,
                     const struct access_sector *sector, uint8_t slot, struct packet *packet)
{
    *packet = (struct packet){
        .address = sector->address,
        .bytes = sector->bytes,
        .op = index,
        .sm = (uint16_t)sm->number,
        .slice = slice_of(sm, sector->address),
        .together = sector->together & 15,
        .ahead = op->inst->ahead & 3,
        .masked = sector->masked,
        .local = op->space == TRACE_SPACE_LOCAL,
        .kind = access_kind(sm->spec, op->inst, op->space),
        .launch = slot,
    };
    if (op->inst->access == TRACE_ACCESS_ATOMIC)
        packet->lanes = (uint8_t)sector->lanes;
    else if (op->inst->access == TRACE_ACCESS_STORE)
        packet->warp = op->warp; /* of reads, this place is `merged` */
}
