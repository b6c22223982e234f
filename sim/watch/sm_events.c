#include "sim/watch/sm_events.h"

#include <stdlib.h>
#include <string.h>

#include "sim/core/core_model.h"
#include "sim/core/op.h"
#include "sim/packet.h"
#include "traces/base/bytes.h"

#define NO_STALL UINT8_MAX
#define NO_WARP  UINT8_MAX /* of an instruction in flight */

struct sm_events {
    struct sm_observer observer;
    struct sm *sm;
    const struct sim_hooks *hooks;
    uint64_t start;
    struct sim_event *log; /* that have ended; cycles of the simulator's clock; owned */
    size_t count, cycle;   /* of the log; the first of this cycle */
    struct sim_event stalls[SM_MAX_WARPS]; /* that go on; `reason` NO_STALL: none */
    uint8_t reasons[SM_MAX_WARPS];         /* of the last cycle */
    struct sim_event *requests;            /* that go on; owned */
    size_t request_count;
    uint8_t warps[UINT16_MAX + 1]; /* of instructions in flight, by number */
    bool failed;                   /* memory was short: an event is missing */
};

static bool is_wanted(const struct sm_events *events, uint64_t begin, uint64_t end)
{
    const struct sim_event_range *range = &events->hooks->events;
    return end - events->start > range->from && begin - events->start < range->to;
}

static void keep(struct sm_events *events, const struct sim_event *event)
{
    if (!is_wanted(events, event->begin, event->end))
        return;
    if (array_room(&events->log, events->count, sizeof *events->log))
        events->log[events->count++] = *event;
    else
        events->failed = true;
}

/* ---- issue and stalls ---- */

/* The number of INST in its launch's table. */
static uint32_t number_of(const struct inst_table *table, const struct inst *inst)
{
    uint32_t first = 0;
    for (uint32_t chunk = 0; first < table->count; chunk++, first += INST_CHUNK)
        if (inst >= table->chunks[chunk] && inst < table->chunks[chunk] + INST_CHUNK)
            return first + (uint32_t)(inst - table->chunks[chunk]);
    return 0;
}

static void stepped(struct sm_observer *observer, struct sm *sm, uint32_t warp, uint32_t block,
                    const struct inst *inst, uint32_t mask)
{
    const struct sm_block *of = &sm->blocks[block];
    const struct sim_event event = {.kind = SIM_EVENT_ISSUE,
                                    .begin = sm->now,
                                    .end = sm->now + 1,
                                    .warp = warp,
                                    .block = of->about.order,
                                    .inst = number_of(of->launch->insts, inst),
                                    .mask = mask};
    keep((struct sm_events *)observer, &event);
}

/* Which block a warp is of. */
static uint64_t block_of(const struct sm *sm, uint32_t warp)
{
    uint32_t block = 0;
    while (block + 1 < sm->spec->blocks && !(sm->blocks[block].warps >> warp & 1))
        block++;
    return sm->blocks[block].about.order;
}

static void end_stall(struct sm_events *events, uint32_t warp, uint64_t end)
{
    struct sim_event *stall = &events->stalls[warp];
    stall->end = end;
    if (stall->reason != NO_STALL && stall->end > stall->begin)
        keep(events, stall);
    stall->reason = NO_STALL;
}

/* Finds why the warps of SCHEDULER did not issue; ISSUED did, SM_MAX_WARPS: none. */
static void turn(struct sm_observer *observer, struct sm *sm, uint32_t scheduler,
                 uint32_t issued)
{
    struct sm_events *events = (struct sm_events *)observer;
    for (size_t i = events->cycle; i < events->count; i++)
        if (events->log[i].kind == SIM_EVENT_ISSUE && events->log[i].warp == issued)
            events->log[i].scheduler = (uint8_t)scheduler;
    if (sm->cpi == NULL || sm->model->stall == NULL)
        return;
    for (uint64_t rest = sm->warps_used; rest != 0; rest &= rest - 1) {
        uint32_t warp = (uint32_t)__builtin_ctzll(rest);
        uint8_t reason = sm->model->stall(sm, scheduler, warp);
        if (reason == SIM_CPI_no_warp)
            continue;
        bool could = reason == SIM_CPI_unit_busy || reason == SIM_CPI_operand_collection;
        if (could && issued != SM_MAX_WARPS)
            reason = SIM_EVENT_NOT_SELECTED;
        events->reasons[warp] = warp == issued ? NO_STALL : reason;
        events->stalls[warp].scheduler = (uint8_t)scheduler;
    }
}

static void no_turn(struct sm_observer *observer, struct sm *sm)
{
    for (uint32_t s = 0; s < sm->spec->schedulers; s++)
        turn(observer, sm, s, SM_MAX_WARPS);
}

static void passed(struct sm_observer *observer, struct sm *sm, uint64_t cycles)
{
    struct sm_events *events = (struct sm_events *)observer;
    events->cycle = events->count;
    for (uint32_t warp = 0; warp < SM_MAX_WARPS; warp++) {
        struct sim_event *stall = &events->stalls[warp];
        if (stall->reason == events->reasons[warp])
            continue;
        end_stall(events, warp, sm->now);
        stall->begin = sm->now;
        stall->block = block_of(sm, warp);
        stall->reason = events->reasons[warp];
    }
    (void)cycles;
}

static void retired(struct sm_observer *observer, struct sm *sm, uint32_t warp, uint32_t block)
{
    struct sm_events *events = (struct sm_events *)observer;
    (void)block;
    end_stall(events, warp, sm->now);
    events->reasons[warp] = NO_STALL;
}

static void block_ended(struct sm_observer *observer, struct sm *sm, uint32_t block)
{
    const struct sm_ended *about = &sm->blocks[block].about;
    const struct sim_event event = {.kind = SIM_EVENT_BLOCK,
                                    .begin = about->begin,
                                    .end = about->end + 1,
                                    .warp = block,
                                    .block = about->order};
    keep((struct sm_events *)observer, &event);
}

/* ---- requests ---- */

static void issued(struct sm_observer *observer, struct sm *sm, uint32_t number,
                   const struct sm_op *op)
{
    struct sm_events *events = (struct sm_events *)observer;
    (void)sm;
    if (number <= UINT16_MAX)
        events->warps[number] = op->warp;
}

static uint8_t kind_of(const struct packet *packet)
{
    return packet->kind == PACKET_ATOMIC  ? SIM_EVENT_ATOMIC
           : packet->kind == PACKET_WRITE ? SIM_EVENT_WRITE
                                          : SIM_EVENT_READ;
}

static void sent(struct sm_observer *observer, struct sm *sm, struct packet *packet)
{
    struct sm_events *events = (struct sm_events *)observer;
    uint8_t warp = packet->kind == PACKET_WRITE ? packet->warp : events->warps[packet->op];
    const struct sim_event event = {.kind = kind_of(packet),
                                    .begin = sm->now,
                                    .end = sm->now + 1,
                                    .warp = warp == NO_WARP ? SIM_EVENT_NO_WARP : warp,
                                    .address = packet->address};
    if (packet->kind == PACKET_WRITE_BACK)
        return;
    if (packet_is_posted(packet)) /* nobody waits for its reply */
        keep(events, &event);
    else if (array_room(&events->requests, events->request_count, sizeof *events->requests))
        events->requests[events->request_count++] = event;
    else
        events->failed = true;
}

static void came(struct sm_events *events, const struct packet *packet)
{
    for (size_t i = 0; i < events->request_count; i++) {
        struct sim_event *request = &events->requests[i];
        if (request->address != packet->address || request->kind != kind_of(packet))
            continue;
        request->end = events->sm->now + 1;
        keep(events, request);
        memmove(request, request + 1, (events->request_count - i - 1) * sizeof *request);
        events->request_count--;
        return;
    }
}

static void on_reply(struct sm_observer *observer, struct sm *sm, const struct packet *packet)
{
    (void)sm;
    came((struct sm_events *)observer, packet);
}

/* ---- the observer ---- */

struct sm_events *sm_events_create(struct engine *engine, const struct sim_hooks *hooks,
                                   uint64_t start)
{
    static const struct sm_observer_hooks wanted = {.stepped = stepped,
                                                    .turn = turn,
                                                    .no_turn = no_turn,
                                                    .passed = passed,
                                                    .retired = retired,
                                                    .block_ended = block_ended,
                                                    .issued = issued,
                                                    .sent = sent,
                                                    .filled = on_reply,
                                                    .reply = on_reply,
                                                    .stored = on_reply};
    struct sm_events *events = calloc(1, sizeof *events);
    if (events == NULL)
        return NULL;
    events->observer.hooks = &wanted;
    events->sm = engine->sms[hooks->events.sm];
    events->hooks = hooks;
    events->start = start;
    memset(events->warps, NO_WARP, sizeof events->warps);
    memset(events->reasons, NO_STALL, sizeof events->reasons);
    for (uint32_t warp = 0; warp < SM_MAX_WARPS; warp++)
        events->stalls[warp] =
            (struct sim_event){.kind = SIM_EVENT_STALL, .warp = warp, .reason = NO_STALL};
    sm_observers_add(&events->sm->observers, &events->observer);
    return events;
}

void sm_events_tell(struct sm_events *events)
{
    if (events == NULL)
        return;
    for (size_t i = 0; i < events->count; i++) {
        struct sim_event event = events->log[i];
        event.begin -= events->start;
        event.end -= events->start;
        events->hooks->sm_event(events->hooks->data, &event);
    }
    free(events->log); /* array_room() wants arrays that only grow */
    events->log = NULL;
    events->count = events->cycle = 0;
}

int sm_events_end(struct sm_events *events)
{
    if (events == NULL)
        return 0;
    for (uint32_t warp = 0; warp < SM_MAX_WARPS; warp++)
        end_stall(events, warp, events->sm->now);
    for (size_t i = 0; i < events->request_count; i++) {
        events->requests[i].end = events->sm->now;
        keep(events, &events->requests[i]);
    }
    events->request_count = 0;
    sm_events_tell(events);
    return events->failed ? -1 : 0;
}

void sm_events_destroy(struct sm_events *events)
{
    if (events == NULL)
        return;
    sm_observers_remove(&events->sm->observers, &events->observer);
    free(events->log);
    free(events->requests);
    free(events);
}
