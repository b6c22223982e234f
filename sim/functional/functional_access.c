/* From an instruction of a functional launch to accesses of cache lines. */
#include "sim/core/access_rules.h"
#include "sim/core/coalesce.h"
#include "sim/functional/functional.h"

/* If the lanes access adjacent places, upwards or downwards, or all the same place, sets the
 * range of bytes, *FROM to *END - 1, so that no list of lanes is needed. Returns false
 * otherwise. */
static bool find_range(const struct trace_record *record, const uint64_t *addresses,
                       uint32_t width, uint64_t *from, uint64_t *end)
{
    const uint64_t *words = addresses + record->address;
    if (record->mode != TRACE_ADDRESS_STRIDE)
        return false;
    uint64_t others = (uint64_t)__builtin_popcount(record->mask) - 1;
    bool down = words[1] == -(uint64_t)width;
    *from = down ? words[0] - others * width : words[0];
    *end = width + (down ? words[0] : words[0] + others * words[1]);
    return down || words[1] == width || words[1] == 0;
}

/* The space that RECORD accesses; TRACE_SPACE_NONE if it touches no cache. */
static enum trace_space space_of(const struct functional *launch, const struct inst *inst,
                                 const struct trace_record *record, const uint64_t *addresses)
{
    enum trace_space space = inst->space;
    if (record->mode == TRACE_ADDRESS_NONE || record->mask == 0)
        return TRACE_SPACE_NONE;
    if (space == TRACE_SPACE_GENERIC)
        space = trace_resolve_space(launch->header, addresses[record->address]);
    return space == TRACE_SPACE_SHARED ? TRACE_SPACE_NONE : space;
}

/* Accesses of local memory, atomics, and any other that has no faster way. Returns the number
 * of sectors. */
static uint32_t access_list(struct functional *launch, const struct functional_sm *sm,
                            uint32_t number, const struct access_queue_access *access,
                            const struct inst *inst, const struct trace_record *record)
{
    struct access_list *list = &launch->list;
    uint64_t room[32];
    uint32_t count;
    const uint64_t *lanes = coalesce_lanes(record, sm->warps[number]->addresses, room, &count);
    if (access->local) {
        struct local_map map = coalesce_local_map(&launch->local, sm->number, number);
        coalesce_local(lanes, record->mask, inst->width, &map, list);
    } else if (access->kind == PACKET_ATOMIC) {
        coalesce_atomic(lanes, count, inst->width, list);
    } else {
        coalesce_sectors(lanes, count, inst->width, list);
    }
    access_queue_add(&launch->queue, access, list);
    return list->count;
}

/* Accesses of global memory whose lanes are not adjacent. */
static uint32_t access_lanes(struct functional *launch, const struct functional_sm *sm,
                             uint32_t number, const struct access_queue_access *access,
                             const struct inst *inst, const struct trace_record *record)
{
    struct access_queue *queue = &launch->queue;
    struct coalesce_window window;
    uint64_t room[32], order[32];
    uint32_t count, width = inst->width;
    if (queue->compacts == NULL)
        return access_list(launch, sm, number, access, inst, record);
    const uint64_t *lanes =
        coalesce_wide_lanes(record, sm->warps[number]->addresses, room, &count, &width);
    if (coalesce_window(lanes, count, width, access->kind == PACKET_WRITE, &window)) {
        access_queue_add_window(queue, access, &window);
        return (uint32_t)__builtin_popcountll(window.used);
    }
    lanes = coalesce_order(lanes, count, width, order);
    if (lanes != NULL)
        return access_queue_add_lanes(queue, access, lanes, count, width);
    return access_list(launch, sm, number, access, inst, record);
}

/* Accesses of global memory. */
static uint32_t access_global(struct functional *launch, const struct functional_sm *sm,
                              uint32_t number, const struct access_queue_access *access,
                              const struct inst *inst, const struct trace_record *record)
{
    uint64_t from, end;
    if (!find_range(record, sm->warps[number]->addresses, inst->width, &from, &end))
        return access_lanes(launch, sm, number, access, inst, record);
    access_queue_add_range(&launch->queue, access, from, end);
    return (uint32_t)((end - 1) / SECTOR_BYTES - from / SECTOR_BYTES) + 1;
}

/* The last sector goes first, as in a timed launch. */
uint32_t functional_access(struct functional *launch, const struct functional_sm *sm,
                           uint32_t number, const struct inst *inst,
                           const struct trace_record *record)
{
    const struct sm_spec *spec = &launch->sim->engine.spec.sm;
    enum trace_space space = space_of(launch, inst, record, sm->warps[number]->addresses);
    if (space == TRACE_SPACE_NONE)
        return 0;
    bool atomic = inst->access == TRACE_ACCESS_ATOMIC, local = space == TRACE_SPACE_LOCAL;
    const struct access_queue_access access = {
        .sm = sm->number,
        .past_l1 = access_bypasses_l1(spec, inst, space),
        .kind = (uint8_t)access_kind(spec, inst, space),
        .local = local,
        .ahead = inst->ahead,
    };
    return (local || atomic ? access_list : access_global)(launch, sm, number, &access, inst,
                                                           record);
}
