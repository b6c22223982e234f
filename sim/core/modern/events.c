/* Events at a time that is known: a wheel of lists. */
#include "sim/core/modern/core.h"
#include "sim/core/pool.h"
#include "sim/core/wheel.h"

enum modern_what {
    EVENT_READ,
    EVENT_RESULT,
    EVENT_WRITTEN,
    EVENT_GO_ON,
    EVENT_FETCH,
    EVENT_MEMBAR,
    EVENT_OPEN
};

bool core_make_events(struct modern *core)
{
    void *events = core->events;
    bool grown = pool_grow(&events, &core->event_count, &core->free_event, sizeof *core->events,
                           offsetof(struct modern_event, next));
    core->events = events;
    return grown;
}

static void enter(struct modern *core, uint16_t index)
{
    uint64_t cycle = core->events[index].cycle;
    if (cycle >= core->sm.now + MODERN_WHEEL)
        cycle = core->sm.now + MODERN_WHEEL - 1; /* it comes round again */
    uint32_t slot = (uint32_t)cycle & (MODERN_WHEEL - 1);
    core->events[index].next = core->wheel[slot];
    core->wheel[slot] = index;
    core->wheel_bits[slot / 64] |= 1ull << (slot % 64);
    core->wheel_count++;
}

static void plan(struct modern *core, const struct modern_event *event)
{
    if (core->free_event == SM_NONE && !core_make_events(core))
        memory_short();
    uint16_t index = core->free_event;
    core->free_event = core->events[index].next;
    core->events[index] = *event;
    enter(core, index);
}

void core_plan_read(struct modern *core, uint32_t warp, const struct inst *inst, uint64_t cycle)
{
    if (inst->issue.read == TRACE_NO_BARRIER && inst->issue.has_code)
        return;
    if (cycle <= core->sm.now) {
        core_was_read(core, warp, inst);
        return;
    }
    core->warps[warp].events++;
    plan(core, &(struct modern_event){
                   .cycle = cycle, .inst = inst, .warp = (uint8_t)warp, .what = EVENT_READ});
}

void core_plan_result(struct modern *core, uint32_t warp, const struct inst *inst,
                      uint64_t cycle)
{
    if (inst->issue.write == TRACE_NO_BARRIER && inst->issue.has_code)
        return; /* nothing can wait for it, not even the end of the warp */
    core->warps[warp].events++;
    plan(core, &(struct modern_event){
                   .cycle = cycle, .inst = inst, .warp = (uint8_t)warp, .what = EVENT_RESULT});
}

void core_plan_written(struct modern *core, uint32_t warp, const struct inst *inst,
                       uint64_t cycle)
{
    core->warps[warp].events++;
    plan(core, &(struct modern_event){
                   .cycle = cycle, .inst = inst, .warp = (uint8_t)warp, .what = EVENT_WRITTEN});
}

void core_plan_go_on(struct modern *core, uint32_t warp, uint64_t cycle)
{
    core->warps[warp].events++;
    plan(core,
         &(struct modern_event){.cycle = cycle, .warp = (uint8_t)warp, .what = EVENT_GO_ON});
}

void core_plan_fetch(struct modern *core, uint32_t warp, uint64_t cycle)
{
    core->warps[warp].events++;
    plan(core,
         &(struct modern_event){.cycle = cycle, .warp = (uint8_t)warp, .what = EVENT_FETCH});
}

void core_plan_membar(struct modern *core, uint32_t warp, uint64_t cycle)
{
    core->warps[warp].events++;
    plan(core,
         &(struct modern_event){.cycle = cycle, .warp = (uint8_t)warp, .what = EVENT_MEMBAR});
}

/* Its warps stay until then, as for all events. */
void core_plan_open(struct modern *core, uint32_t block, uint64_t warps, uint64_t cycle)
{
    for (uint64_t rest = warps; rest != 0; rest &= rest - 1)
        core->warps[__builtin_ctzll(rest)].events++;
    plan(core, &(struct modern_event){
                   .cycle = cycle, .warps = warps, .warp = (uint8_t)block, .what = EVENT_OPEN});
}

static void open_barrier(struct modern *core, const struct modern_event *event)
{
    core_open_barrier(core, event->warp, event->warps);
    for (uint64_t rest = event->warps; rest != 0; rest &= rest - 1) {
        uint32_t warp = (uint32_t)__builtin_ctzll(rest);
        core->warps[warp].events--;
        core_settle(core, warp);
    }
}

static void handle(struct modern *core, const struct modern_event *event)
{
    if (event->what == EVENT_OPEN) {
        open_barrier(core, event);
        return;
    }
    core->warps[event->warp].events--;
    if (event->what == EVENT_READ)
        core_was_read(core, event->warp, event->inst);
    else if (event->what == EVENT_RESULT)
        core_data_came(core, event->warp, event->inst);
    else if (event->what == EVENT_WRITTEN)
        core_written(core, event->warp, event->inst);
    else if (event->what == EVENT_MEMBAR)
        core_end_membar(core, event->warp);
    else if (event->what == EVENT_FETCH)
        core_fetch_first(core, event->warp);
    else
        core_place(core, event->warp);
    core_settle(core, event->warp);
}

void core_handle_events(struct modern *core)
{
    uint32_t slot = (uint32_t)core->sm.now & (MODERN_WHEEL - 1);
    uint16_t index = core->wheel[slot];
    if (index == SM_NONE)
        return;
    core->moved = true;
    core->wheel[slot] = SM_NONE;
    core->wheel_bits[slot / 64] &= ~(1ull << (slot % 64));
    while (index != SM_NONE) {
        struct modern_event event = core->events[index];
        core->wheel_count--;
        if (event.cycle > core->sm.now) {
            enter(core, index);
        } else {
            core->events[index].next = core->free_event;
            core->free_event = index;
            handle(core, &event);
        }
        index = event.next;
    }
}

uint64_t core_next_event(const struct modern *core)
{
    return core->wheel_count != 0
               ? wheel_next(core->wheel_bits, MODERN_WHEEL / 64, core->sm.now)
               : UINT64_MAX;
}
