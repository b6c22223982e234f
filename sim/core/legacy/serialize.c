/* The core to and from an image, see traces/base/serialize.h. */
#include "traces/base/serialize.h"

#include "sim/core/legacy/legacy.h"
#include "sim/state/serialize_memory.h"

/* No warp is on it, and no instruction in flight has a list of accesses or is to read
 * registers: all that is left out. */
static bool is_between(const struct legacy *core)
{
    bool between = load_store_is_unused(&core->load_store);
    for (uint32_t w = 0; w < SM_MAX_WARPS; w++)
        between = between && core->warps[w].trace == NULL;
    return between;
}

/* Nothing in flight and no warp is of a launch any more: none is pointed at. */
static void forget_launches(struct legacy *core)
{
    for (uint32_t w = 0; w < SM_MAX_WARPS; w++) {
        core->warps[w].insts = NULL;
    }
    for (uint32_t i = 0; i < core->op_count; i++)
        core->ops[i].inst = NULL;
}

void legacy_serialize(struct sm *sm, struct serializer *image)
{
    static const struct serializer_member without[] = {
        SERIALIZE_WITHOUT(struct legacy, sm),
        SERIALIZE_WITHOUT(struct legacy, spec),
        SERIALIZE_WITHOUT(struct legacy, readers),
        SERIALIZE_WITHOUT(struct legacy, scheduler_states),
        SERIALIZE_WITHOUT(struct legacy, scheduler_observer),
        SERIALIZE_WITHOUT(struct legacy, load_store),
        SERIALIZE_WITHOUT(struct legacy, ops),
    };
    struct legacy *core = (struct legacy *)sm;
    if (!is_between(core))
        image->failed = true;
    forget_launches(core);
    SERIALIZE_STRUCT(image, core, without);
    serialize_bytes(image, core->scheduler_states,
                    sm->spec->schedulers * sm->spec->scheduler->state_size);
    load_store_serialize(&core->load_store, image);
    serialize_array(image, (void **)&core->ops, core->op_count, sizeof *core->ops);
    if (!is_between(core))
        image->failed = true;
}
