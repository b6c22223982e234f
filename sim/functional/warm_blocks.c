#include "sim/functional/warm_blocks.h"

#include <stdlib.h>

#include "sim/core/access_rules.h"
#include "sim/core/coalesce.h"
#include "sim/functional/cache_functional.h"
#include "sim/functional/l2_functional.h"

/* A block on its way through its accesses. */
struct warm_walk {
    struct warm_blocks *warm;
    const struct warm_launch *launch;
    uint16_t sm;
    struct error *err;
};

static int append(const struct warm_walk *walk, const struct access_list *list, uint8_t kind,
                  uint8_t ahead)
{
    struct warm_blocks *warm = walk->warm;
    if (warm->count + list->count > warm->size) {
        size_t size = 2 * warm->size + COALESCE_MAX;
        struct warm_sector *more = reallocarray(warm->sectors, size, sizeof *more);
        if (more == NULL)
            return error_no_memory(walk->err);
        warm->sectors = more;
        warm->size = size;
    }
    for (uint32_t i = list->count; i-- > 0;)
        warm->sectors[warm->count++] = (struct warm_sector){
            .address = list->sectors[i].address,
            .bytes = list->sectors[i].bytes,
            .sm = walk->sm,
            .kind = kind,
            .ahead = ahead,
        };
    return 0;
}

/* Appends what RECORD accesses of global memory. */
static int take(const struct warm_walk *walk, const struct inst *inst,
                const struct trace_record *record, const uint64_t *addresses)
{
    struct access_list list;
    uint64_t room[32];
    uint32_t count;
    enum trace_space space = inst->space;
    if (record->mode == TRACE_ADDRESS_NONE || record->mask == 0)
        return 0;
    if (space == TRACE_SPACE_GENERIC)
        space = trace_resolve_space(walk->launch->header, addresses[record->address]);
    if (space == TRACE_SPACE_SHARED || space == TRACE_SPACE_LOCAL)
        return 0;
    const uint64_t *lanes = coalesce_lanes(record, addresses, room, &count);
    if (inst->access == TRACE_ACCESS_ATOMIC)
        coalesce_atomic(lanes, count, inst->width, &list);
    else
        coalesce_sectors(lanes, count, inst->width, &list);
    return append(walk, &list,
                  (uint8_t)access_kind(&walk->launch->engine->spec.sm, inst, space),
                  inst->ahead);
}

/* The next memory instruction of WARP. Returns 1, 0 at the warp's end, or -1. */
static int take_next(const struct warm_walk *walk, struct trace_warp *warp)
{
    for (;; warp->at++) {
        if (warp->at == warp->end) {
            int more = warp->total != 0 ? trace_warp_fill(warp, walk->err) : 0;
            if (more <= 0)
                return more;
        }
        const struct inst *inst = inst_table_get(walk->launch->insts, warp->at->inst);
        if (!inst->accesses)
            continue;
        if (take(walk, inst, warp->at, warp->addresses) != 0)
            return -1;
        warp->at++;
        return 1;
    }
}

int warm_blocks_add(struct warm_blocks *warm, const struct warm_launch *launch,
                    struct trace_block *block, uint32_t number, struct error *err)
{
    const struct warm_walk walk = {warm, launch, (uint16_t)number, err};
    for (bool any = true; any;) {
        any = false;
        for (uint32_t w = 0; w < block->warp_count; w++) {
            int more = take_next(&walk, &block->warps[w]);
            if (more < 0)
                return -1;
            any |= more > 0;
        }
    }
    return 0;
}

/* The access that a refused request waits for may be another one now. */
static void wake(struct slice *slice)
{
    for (int want = 0; want < CACHE_WANTS; want++)
        slice->cache.changes[want]++;
    slice->refused.stands = false;
    slice->stuck = false;
}

void warm_blocks_settle(struct warm_blocks *warm, struct engine *engine)
{
    uint64_t now = 0;
    if (warm->count == 0 || engine->spec.slice.disabled)
        return;
    for (uint32_t s = 0; s < engine->spec.slices; s++)
        if (engine_slice(engine, s)->tick >= now)
            now = engine_slice(engine, s)->tick + 1;
    for (size_t i = 0; i < warm->count; i++, now += L2_FUNCTIONAL_STEP) {
        const struct warm_sector *sector = &warm->sectors[i];
        const struct packet packet = {.address = sector->address,
                                      .bytes = sector->bytes,
                                      .sm = sector->sm,
                                      .kind = sector->kind,
                                      .ahead = sector->ahead & 3};
        l2_functional_access(engine, NULL, &packet, now, NULL);
    }
    for (uint32_t s = 0; s < engine->spec.slices; s++) {
        struct slice *slice = engine_slice(engine, s);
        cache_functional_settle(&slice->cache.tags, slice->tick);
        wake(slice);
    }
    warm->count = 0;
}

void warm_blocks_finish(struct warm_blocks *warm)
{
    free(warm->sectors);
    *warm = (struct warm_blocks){0};
}
