#include "sim/state/serialize_sm.h"

#include "sim/core/cpi.h"
#include "sim/ideal_l2/ideal_l2.h"
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

static void lines_image(struct line_cache *lines, struct image *image)
{
    static const struct image_member without[] = {IMAGE_WITHOUT(struct line_cache, lines)};
    IMAGE_STRUCT(image, lines, without);
    image_bytes(image, lines->lines, (size_t)lines->sets * lines->ways * sizeof *lines->lines);
}

static void icache_image(struct icache *cache, struct image *image)
{
    static const struct image_member without[] = {
        IMAGE_WITHOUT(struct icache, spec),
        IMAGE_WITHOUT(struct icache, l0),
        IMAGE_WITHOUT(struct icache, l1),
    };
    IMAGE_STRUCT(image, cache, without);
    for (uint32_t i = 0; i < cache->spec->l0_count; i++)
        lines_image(&cache->l0[i], image);
    lines_image(&cache->l1, image);
}

static void cpi_image(struct cpi *cpi, struct image *image)
{
    static const struct image_member without[] = {IMAGE_WITHOUT(struct cpi, shares)};
    IMAGE_STRUCT(image, cpi, without);
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

void sm_image(struct sm *sm, struct image *image)
{
    static const struct image_member without[] = {
        IMAGE_WITHOUT(struct sm, readers),       IMAGE_WITHOUT(struct sm, icache),
        IMAGE_WITHOUT(struct sm, cpi),           IMAGE_WITHOUT(struct sm, whatif),
        IMAGE_WITHOUT(struct sm, watched),       IMAGE_WITHOUT(struct sm, ldst.fill),
        IMAGE_WITHOUT(struct sm, ldst.l1_queue), IMAGE_WITHOUT(struct sm, l1),
        IMAGE_WITHOUT(struct sm, constants),     IMAGE_WITHOUT(struct sm, replies),
        IMAGE_WITHOUT(struct sm, requests),      IMAGE_WITHOUT(struct sm, ops),
        IMAGE_WITHOUT(struct sm, lists),         IMAGE_WITHOUT(struct sm, spec),
        IMAGE_WITHOUT(struct sm, shares),        IMAGE_WITHOUT(struct sm, blocks),
        IMAGE_WITHOUT(struct sm, log),           IMAGE_WITHOUT(struct sm, log_count),
        IMAGE_WITHOUT(struct sm, log_size),
    };
    if (!is_between(sm))
        image->failed = true;
    forget_launches(sm);
    IMAGE_STRUCT(image, sm, without);
    if (sm->cpi != NULL)
        cpi_image(sm->cpi, image);
    for (uint32_t bank = 0; bank < sizeof sm->ldst.l1_queue / sizeof *sm->ldst.l1_queue; bank++)
        queue_image(&sm->ldst.l1_queue[bank], image);
    queue_image(&sm->ldst.fill, image);
    queue_image(&sm->replies, image);
    queue_image(&sm->requests, image);
    if (sm->whatif != NULL)
        whatif_image(sm->whatif, image);
    image_array(image, (void **)&sm->ops, sm->op_count, sizeof *sm->ops);
    if (sm->spec->l1_enabled)
        cache_image(&sm->l1, image);
    if (sm->icache != NULL)
        icache_image(sm->icache, image);
    if (!is_between(sm))
        image->failed = true;
}
