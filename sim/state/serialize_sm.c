#include "sim/state/serialize_sm.h"

#include "sim/core/sm.h"
#include "sim/state/serialize_memory.h"

/* No block is on it, and no instruction in flight has a list of accesses or is to read
 * registers: all that is left out. */
static bool is_between(const struct sm *sm)
{
    bool between = sm->blocks_used == 0 && sm->free_lists == ~0ull;
    for (uint32_t w = 0; w < SM_MAX_WARPS; w++)
        between = between && sm->warps[w].trace == NULL;
    return between;
}

static void lines_serialize(struct line_cache *lines, struct serializer *image)
{
    static const struct serializer_member without[] = {
        SERIALIZE_WITHOUT(struct line_cache, lines)};
    SERIALIZE_STRUCT(image, lines, without);
    serialize_bytes(image, lines->lines,
                    (size_t)lines->sets * lines->ways * sizeof *lines->lines);
}

static void icache_serialize(struct icache *cache, struct serializer *image)
{
    static const struct serializer_member without[] = {
        SERIALIZE_WITHOUT(struct icache, spec),
        SERIALIZE_WITHOUT(struct icache, l0),
        SERIALIZE_WITHOUT(struct icache, l1),
        SERIALIZE_WITHOUT(struct icache, shares),
    };
    SERIALIZE_STRUCT(image, cache, without);
    for (uint32_t i = 0; i < cache->spec->l0_count; i++)
        lines_serialize(&cache->l0[i], image);
    lines_serialize(&cache->l1, image);
}

/* Nothing in flight and no warp is of a launch any more: none is pointed at. */
static void forget_launches(struct sm *sm)
{
    for (uint32_t w = 0; w < SM_MAX_WARPS; w++) {
        sm->warps[w].insts = NULL;
        sm->warps[w].launch = NULL;
    }
    for (uint32_t i = 0; i < sm->op_count; i++)
        sm->ops[i].inst = NULL;
}

void sm_serialize(struct sm *sm, struct serializer *image)
{
    static const struct serializer_member without[] = {

        SERIALIZE_WITHOUT(struct sm, readers),
        SERIALIZE_WITHOUT(struct sm, icache),
        SERIALIZE_WITHOUT(struct sm, cpi),
        SERIALIZE_WITHOUT(struct sm, observers),
        SERIALIZE_WITHOUT(struct sm, scheduler_states),
        SERIALIZE_WITHOUT(struct sm, ldst.fill),
        SERIALIZE_WITHOUT(struct sm, ldst.l1_queue),
        SERIALIZE_WITHOUT(struct sm, l1),
        SERIALIZE_WITHOUT(struct sm, constants),
        SERIALIZE_WITHOUT(struct sm, replies),
        SERIALIZE_WITHOUT(struct sm, requests),
        SERIALIZE_WITHOUT(struct sm, ops),
        SERIALIZE_WITHOUT(struct sm, lists),
        SERIALIZE_WITHOUT(struct sm, spec),
        SERIALIZE_WITHOUT(struct sm, shares),
        SERIALIZE_WITHOUT(struct sm, blocks),

    };
    if (!is_between(sm))
        image->failed = true;
    forget_launches(sm);
    SERIALIZE_STRUCT(image, sm, without);
    serialize_bytes(image, sm->scheduler_states,
                    sm->spec->schedulers * sm->spec->scheduler->state_size);
    for (uint32_t bank = 0; bank < sizeof sm->ldst.l1_queue / sizeof *sm->ldst.l1_queue; bank++)
        queue_serialize(&sm->ldst.l1_queue[bank], image);
    queue_serialize(&sm->ldst.fill, image);
    queue_serialize(&sm->replies, image);
    queue_serialize(&sm->requests, image);
    sm_observers_serialize(&sm->observers, image);
    serialize_array(image, (void **)&sm->ops, sm->op_count, sizeof *sm->ops);
    if (sm->spec->l1_enabled)
        cache_serialize(&sm->l1, image);
    if (sm->icache != NULL)
        icache_serialize(sm->icache, image);
    if (!is_between(sm))
        image->failed = true;
}
