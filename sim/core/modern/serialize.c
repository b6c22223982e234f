/* The core to and from an image, see traces/base/serialize.h. */
#include "traces/base/serialize.h"

#include <string.h>

#include "sim/core/modern/async/async_parts.h"
#include "sim/core/modern/core.h"
#include "sim/state/serialize_memory.h"

/* No warp is on it, and nothing is in flight: all that is left out. */
static bool is_between(const struct modern *core)
{
    bool between = mio_is_unused(&core->mio) && core->wheel_count == 0;
    between = between && core_async_held(core->async) == 0 && !core_async_moves(core->async);
    for (uint32_t w = 0; w < SM_MAX_WARPS; w++)
        between = between && core->warps[w].trace == NULL;
    return between;
}

/* No warp is of a launch any more: none is pointed at. */
static void forget_launches(struct modern *core)
{
    for (uint32_t w = 0; w < SM_MAX_WARPS; w++)
        core->warps[w].insts = NULL;
}

/* Of what goes on beside warps, tensor maps that have been fetched outlive a launch. */
static void serialize_maps(struct modern *core, struct serializer *image)
{
    bool any = core->async != NULL;
    serialize_bytes(image, &any, sizeof any);
    if (any) {
        struct async *async = async_of(core);
        serialize_bytes(image, async->maps, sizeof async->maps);
        serialize_bytes(image, &async->map_next, sizeof async->map_next);
    } else if (core->async != NULL) {
        memset(core->async->maps, 0, sizeof core->async->maps);
        core->async->map_next = 0;
    }
}

void modern_serialize(struct sm *sm, struct serializer *image)
{
    static const struct serializer_member without[] = {
        SERIALIZE_WITHOUT(struct modern, sm),
        SERIALIZE_WITHOUT(struct modern, spec),
        SERIALIZE_WITHOUT(struct modern, scheduler_states),
        SERIALIZE_WITHOUT(struct modern, scoreboard),
        SERIALIZE_WITHOUT(struct modern, async),
        SERIALIZE_WITHOUT(struct modern, mio),
        SERIALIZE_WITHOUT(struct modern, events),
        SERIALIZE_WITHOUT(struct modern, event_count),
        SERIALIZE_WITHOUT(struct modern, free_event),
        SERIALIZE_WITHOUT(struct modern, ops),
        SERIALIZE_WITHOUT(struct modern, op_count),
        SERIALIZE_WITHOUT(struct modern, free_op),
    };
    struct modern *core = (struct modern *)sm;
    if (!is_between(core))
        image->failed = true;
    forget_launches(core);
    SERIALIZE_STRUCT(image, core, without);
    serialize_bytes(image, core->scheduler_states,
                    sm->spec->schedulers * sm->spec->scheduler->state_size);
    mio_serialize(&core->mio, image);
    serialize_maps(core, image);
    if (!is_between(core))
        image->failed = true;
}
