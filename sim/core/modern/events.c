/* Events at a time that is known: a wheel of lists. */
#include <stdlib.h>

#include "sim/core/modern/core.h"

enum modern_what { EVENT_READ, EVENT_RESULT, EVENT_GO_ON, EVENT_MEMBAR, EVENT_OPEN };

bool core_make_events(struct modern *core)
{
    uint32_t count = core->event_count ? 2 * core->event_count : 256;
    if (count > SM_NONE)
        count = SM_NONE;
    struct modern_event *events = realloc(core->events, count * sizeof *events);
    if (events == NULL || count == core->event_count)
        return false;
    for (uint32_t i = core->event_count; i < count; i++)
        events[i].next = (uint16_t)(i + 1 < count ? i + 1 : SM_NONE);
    core->free_event = (uint16_t)core->event_count;
    core->events = events;
    core->event_count = count;
    return true;
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
    core->warps[warp].events++;
    plan(core, &(struct modern_event){
                   .cycle = cycle, .inst = inst, .warp = (uint8_t)warp, .what = EVENT_RESULT});
}

void core_plan_go_on(struct modern *core, uint32_t warp, uint64_t cycle)
{
    core->warps[warp].events++;
    plan(core,
         &(struct modern_event){.cycle = cycle, .warp = (uint8_t)warp, .what = EVENT_GO_ON});
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
        core_written(core, event->warp, event->inst);
    else if (event->what == EVENT_MEMBAR)
        core_end_membar(core, event->warp);
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
    if (core->wheel_count == 0)
        return UINT64_MAX;
    uint32_t start = (uint32_t)core->sm.now & (MODERN_WHEEL - 1);
    uint64_t bits = core->wheel_bits[start / 64] & (~0ull << (start % 64));
    for (uint32_t i = 0; i <= MODERN_WHEEL / 64; i++) {
        uint32_t word = (start / 64 + i) % (MODERN_WHEEL / 64);
        if (i != 0)
            bits = core->wheel_bits[word];
        if (bits != 0)
            return core->sm.now +
                   ((word * 64 + (uint32_t)__builtin_ctzll(bits) - start) & (MODERN_WHEEL - 1));
    }
    return UINT64_MAX;
}
