/* Barriers in shared memory, and what waits at them. Where it is not known where the other
 * blocks of a cluster are, they do the same at about the same time: an arrival at another
 * block's barrier counts at the one of the same place in the own block, after the time that it
 * takes to get there. */
#include <string.h>

#include "sim/core/modern/async/async_parts.h"

/* ---- what lanes ask for ---- */

/* The value that lane LANE of a SYNCS brings, if it is known. */
static bool value_of(const struct async_warp *warp, const struct inst *inst, uint32_t lane,
                     uint32_t *value)
{
    *value = 0;
    if (!warp->follows || inst->code == NULL)
        return false;
    return values_lane(warp->values, (uint32_t)(inst->code->low >> 32) & 255, lane, value);
}

static struct async_request *request_of(struct modern *core, uint16_t index)
{
    struct async *async = async_of(core);
    while (index >= async->request_room)
        async->requests = async_grow(async->requests, async->request_room, &async->request_room,
                                     sizeof *async->requests);
    return &async->requests[index];
}

/* What RECORD, a SYNCS.EXCH of WARP, writes: a pair of uniform registers; 0: not known. */
static uint64_t written_value(const struct modern *core, uint32_t number,
                              const struct inst *inst, const struct trace_record *record)
{
    const struct async_warp *warp = &core->async->warps[number];
    struct trace_extras extras;
    if (trace_record_extras(record, core->warps[number].trace->addresses, &extras) &&
        extras.number_count == 2)
        return (uint64_t)extras.numbers[1] << 32 | extras.numbers[0];
    uint32_t low, high;
    if (!warp->follows || inst->code == NULL)
        return 0;
    uint32_t reg = async_value(inst->code);
    if (!values_uniform(warp->values, reg, &low) ||
        !values_uniform(warp->values, reg + 1, &high))
        return 0;
    return (uint64_t)high << 32 | low;
}

/* The trace has the phase that the first of the lanes in MASK waits for, which others with
 * barriers of their own need not share: of those, only lanes whose register is known stay. */
static void keep_known(struct async_request *request, const struct async_warp *warp,
                       const struct inst *inst, uint32_t mask)
{
    uint32_t kept = 0;
    for (uint32_t i = 0; i < request->count; i++, mask &= mask - 1) {
        uint32_t value = request->value[i];
        if (request->address[i] != request->address[0] &&
            !value_of(warp, inst, (uint32_t)__builtin_ctz(mask), &value))
            continue;
        request->address[kept] = request->address[i];
        request->value[kept++] = value;
    }
    request->count = (uint8_t)kept;
}

void core_async_enter(struct modern *core, uint16_t index, const struct trace_record *record)
{
    const struct sm_op *op = &core->ops[index];
    struct async_request *request = request_of(core, index);
    const struct async_warp *warp = &core->async->warps[op->warp];
    const struct modern_warp *from = &core->warps[op->warp];
    struct async_block *block = async_block_of(core, from->block);
    uint64_t room[32];
    uint32_t count, rest = record->mask;
    const uint64_t *lanes = coalesce_lanes(record, from->trace->addresses, room, &count);
    *request = (struct async_request){.count = (uint8_t)count,
                                      .known = true,
                                      .asks = async_asked(core, op->warp, op->inst, record)};
    if (op->inst->issue.async == ASYNC_INIT && count != 0) {
        block->rank = (uint32_t)lanes[0] >> ASYNC_RANK;
        request->written = written_value(core, op->warp, op->inst, record);
    }
    bool stores = op->inst->issue.async == ASYNC_STORE_FAR; /* its barrier is the upper half */
    for (uint32_t i = 0; i < count; i++, rest &= rest - 1) {
        uint32_t barrier = (uint32_t)(stores ? lanes[i] >> 32 : lanes[i]);
        request->address[i] = barrier & ASYNC_SHARED;
        request->rank[i] = (uint8_t)(barrier >> ASYNC_RANK);
        request->far |= (uint32_t)(request->rank[i] != (uint8_t)block->rank) << i;
        request->value[i] = stores ? op->inst->width : request->asks.phase << 31;
        if (!stores && !request->asks.is_known)
            request->known &=
                value_of(warp, op->inst, (uint32_t)__builtin_ctz(rest), &request->value[i]);
    }
    if (op->inst->issue.async == ASYNC_WAIT && request->asks.is_known)
        keep_known(request, warp, op->inst, record->mask);
}

/* ---- arrivals ---- */

/* What lane LANE of REQUEST adds to ACTION. */
static void add_arrival(struct async_action *action, enum async_op op,
                        const struct async_request *request, uint32_t lane)
{
    if (op == ASYNC_STORE_FAR) {
        action->bytes += request->value[lane];
        return;
    }
    if (request->asks.is_known) {
        action->arrivals += request->asks.arrivals;
        action->bytes += request->asks.bytes > 0 ? (uint64_t)request->asks.bytes : 0;
        return;
    }
    bool bytes = op == ASYNC_ARRIVE_BYTES || op == ASYNC_BYTES;
    action->arrivals += op == ASYNC_BYTES          ? 0
                        : op == ASYNC_ARRIVE_COUNT ? request->value[lane]
                                                   : 1;
    action->bytes += bytes && request->known ? request->value[lane] : 0;
}

static void plan_arrivals(struct modern *core, uint32_t warp, enum async_op op,
                          const struct async_request *request)
{
    const struct async_spec *spec = &core->spec->async;
    uint32_t block = core->warps[warp].block;
    bool stores = op == ASYNC_STORE_FAR;
    if (op != ASYNC_ARRIVE && !request->known)
        async_unknown(core, warp);
    for (uint32_t i = 0, next; i < request->count; i = next) {
        bool far = request->far >> i & 1;
        struct async_action action = {.what = stores ? ASYNC_LAST_BYTES : ASYNC_AT_BARRIER,
                                      .address = request->address[i]};
        for (next = i; next < request->count && request->address[next] == action.address &&
                       request->rank[next] == request->rank[i];
             next++)
            add_arrival(&action, op, request, next);
        action.cycle = core->sm.now + (far ? spec->cluster : spec->barrier);
        const struct cluster_message message = {.kind =
                                                    stores ? CLUSTER_BYTES : CLUSTER_ARRIVES,
                                                .cycle = action.cycle,
                                                .address = action.address,
                                                .arrivals = action.arrivals,
                                                .bytes = action.bytes};
        if (!far || !async_send(core, block, request->rank[i], &message))
            async_plan(core, block, &action);
    }
}

void async_at_barrier(struct modern *core, const struct async_action *action)
{
    struct async_block *block = async_block_of(core, action->block);
    struct barrier *barrier = barriers_at(&block->barriers, action->address);
    if (barrier == NULL)
        return;
    if (action->bytes != 0 && block->lost && barrier->copies == 0)
        async_bring(core, action->block, barrier, action->bytes);
    if (barrier_arrive(barrier, action->arrivals, action->bytes))
        async_phase_ended(core, action->block);
}

/* ---- waits ---- */

static bool passes(struct modern *core, const struct async_wait *wait)
{
    struct async_block *block = async_block_of(core, wait->block);
    for (uint32_t i = 0; i < wait->count; i++) {
        const struct barrier *barrier = barriers_at(&block->barriers, wait->on[i].address);
        if (barrier != NULL && !barrier_passes(barrier, wait->on[i].parity))
            return false;
    }
    return true;
}

/* Whether nobody knows the end of WAIT. */
static bool is_unknown(struct modern *core, const struct async_wait *wait)
{
    struct async_block *block = async_block_of(core, wait->block);
    for (uint32_t i = 0; i < wait->count; i++) {
        const struct barrier *barrier = barriers_at(&block->barriers, wait->on[i].address);
        if (barrier == NULL || barrier->count == 0)
            return true;
    }
    return wait->count == 0;
}

void async_check(struct modern *core, uint32_t number)
{
    struct async_wait *wait = &core->async->waits[number];
    if (wait->inst == NULL || core->sm.now < wait->from || !passes(core, wait))
        return;
    if (is_unknown(core, wait))
        async_unknown(core, wait->warp);
    core_plan_result(core, wait->warp, wait->inst, core->sm.now + core->spec->async.answer);
    core_access_ended(core, wait->warp);
    wait->inst = NULL;
    struct async *async = core->async;
    while (async->wait_count != 0 && async->waits[async->wait_count - 1].inst == NULL)
        async->wait_count--;
}

void async_phase_ended(struct modern *core, uint32_t block)
{
    for (uint32_t i = 0; i < core->async->wait_count; i++)
        if (core->async->waits[i].inst != NULL && core->async->waits[i].block == block)
            async_check(core, i);
}

static uint32_t new_wait(struct async *async)
{
    for (uint32_t i = 0; i < async->wait_count; i++)
        if (async->waits[i].inst == NULL)
            return i;
    async->waits =
        async_grow(async->waits, async->wait_count, &async->wait_room, sizeof *async->waits);
    return async->wait_count++;
}

/* Each barrier and phase that lanes of REQUEST look at once; none where they are not known. */
static void take_places(struct async_wait *wait, const struct async_request *request)
{
    wait->count = 0;
    for (uint32_t i = 0; i < request->count && request->known; i++) {
        struct async_place place = {request->address[i], request->value[i] >> 31};
        uint32_t k = 0;
        while (k < wait->count && memcmp(&wait->on[k], &place, sizeof place) != 0)
            k++;
        if (k == wait->count)
            wait->on[wait->count++] = place;
    }
}

static void begin_wait(struct modern *core, const struct sm_op *op,
                       const struct async_request *request)
{
    struct async *async = core->async;
    uint32_t number = new_wait(async);
    struct async_wait *wait = &async->waits[number];
    struct async_warp *warp = &async->warps[op->warp];
    *wait = (struct async_wait){.inst = op->inst,
                                .warp = op->warp,
                                .block = core->warps[op->warp].block,
                                .from = core->sm.now + core->spec->async.barrier};
    take_places(wait, request);
    warp->passed_count = wait->count;
    memcpy(warp->passed, wait->on, sizeof warp->passed);
    if (!request->known) { /* a loop is known by its barrier alone */
        warp->passed_count = 1;
        warp->passed[0] = (struct async_place){request->address[0], 0};
    }
    async_plan(core, wait->block,
               &(struct async_action){
                   .cycle = wait->from, .what = ASYNC_CHECK, .wait = (uint16_t)number});
}

void core_async_take(struct modern *core, uint16_t index)
{
    const struct sm_op *op = &core->ops[index];
    const struct async_request *request = &core->async->requests[index];
    const struct async_spec *spec = &core->spec->async;
    uint32_t block = core->warps[op->warp].block;
    enum async_op what = op->inst->issue.async;
    core->mio.free_at = core->sm.now + 1;
    if (what == ASYNC_WAIT && request->count != 0) {
        begin_wait(core, op, request); /* the access ends with it */
        core_free_op(core, index);
        return;
    }
    if (what == ASYNC_INIT && request->count != 0) {
        struct barrier *barrier =
            barriers_at(&async_block_of(core, block)->barriers, request->address[0]);
        if (barrier != NULL)
            barrier_init(barrier, request->written);
    } else if (request->count != 0) {
        plan_arrivals(core, op->warp, what, request);
    }
    core_plan_result(core, op->warp, op->inst, core->sm.now + spec->barrier);
    core_access_ended(core, op->warp);
    core_free_op(core, index);
}
