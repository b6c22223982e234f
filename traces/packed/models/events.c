#include "traces/packed/models/events.h"

static struct event foretell(const struct events *events)
{
    const struct event *last = &events->last;
    if (last->kind == EVENT_END)
        return (struct event){.kind = EVENT_BLOCK, .value = events->block + 1};
    uint64_t warp = last->kind == EVENT_BLOCK ? 0 : last->value + 1;
    if (warp < events->warps)
        return (struct event){.kind = EVENT_WARP, .value = warp};
    return (struct event){.kind = EVENT_END};
}

static void note(struct events *events, const struct event *event)
{
    struct event last = *event;
    if (event->kind == EVENT_BLOCK)
        events->block = event->value;
    if (event->kind == EVENT_MORE)
        last.value = events->last.value;
    events->last = last;
}

void events_write(struct events *events, struct coder *flow, const struct event *event)
{
    struct event expected = foretell(events);
    bool hit = event->kind == expected.kind &&
               (event->kind == EVENT_END || event->value == expected.value);
    if (!coder_hit(flow, CODER_EVENT_HITS, hit, false)) {
        coder_byte(flow, CODER_EVENT, (uint8_t)event->kind, false);
        if (event->kind <= EVENT_LONG)
            coder_number(flow, CODER_EVENT, event->value, false);
        if (event->kind == EVENT_LONG)
            coder_number(flow, CODER_EVENT, event->total, false);
    }
    note(events, event);
}

void events_read(struct events *events, struct coder *flow, struct event *event)
{
    *event = foretell(events);
    if (!coder_hit(flow, CODER_EVENT_HITS, false, true)) {
        event->kind = (enum event_kind)coder_byte(flow, CODER_EVENT, 0, true);
        event->value = event->total = 0;
        if (event->kind <= EVENT_LONG)
            event->value = coder_number(flow, CODER_EVENT, 0, true);
        if (event->kind == EVENT_LONG)
            event->total = coder_number(flow, CODER_EVENT, 0, true);
    }
    note(events, event);
}
