/* Observers of an SM receive the events in events.def and must not influence them. CPI stacks
 * and the log of ended blocks are observers. An event that no observer wants costs the SM only
 * the test of a bit. */
#ifndef HEARTH_SIM_CORE_OBSERVER_H
#define HEARTH_SIM_CORE_OBSERVER_H

#include <stdbool.h>
#include <stdint.h>

struct inst;
struct packet;
struct serializer;
struct sm;
struct sm_op;
struct sm_observer;

enum sm_event {
#define EVENT(name, ...) SM_EVENT_##name,
#include "sim/core/events.def"
#undef EVENT
    SM_EVENTS
};

/* One for each event; NULL: not wanted. */
struct sm_observer_hooks {
#define EVENT(name, arguments, ...) void (*name)(struct sm_observer * observer, __VA_ARGS__);
#include "sim/core/events.def"
#undef EVENT
    /* Between launches: saves or loads what is to go on; NULL: nothing. */
    void (*serialize)(struct sm_observer *observer, struct serializer *image);
    /* With the SM; NULL: it belongs to someone else, and may go before the SM does if it is
     * removed. */
    void (*destroy)(struct sm_observer *observer);
};

/* The first member of an observer. */
struct sm_observer {
    const struct sm_observer_hooks *hooks;
    struct sm_observer *next; /* the SM's */
};

/* Of an SM. A zeroed one: none. */
struct sm_observers {
    struct sm_observer *first;
    uint32_t wanted; /* events: bits of enum sm_event */
    struct sm_observer
        *only[SM_EVENTS]; /* that wants the event; NULL: none, or there are several */
};

/* OBSERVER gets all events from now on, each after the observers added earlier. */
void sm_observers_add(struct sm_observers *observers, struct sm_observer *observer);
/* Accepts one that was never added. */
void sm_observers_remove(struct sm_observers *observers, const struct sm_observer *observer);
void sm_observers_finish(struct sm_observers *observers);
void sm_observers_serialize(const struct sm_observers *observers, struct serializer *image);

/* For several observers; out of the way of what runs without. */
#define EVENT(name, arguments, ...)                                                            \
    __attribute__((noinline, cold)) void sm_observers_##name(__VA_ARGS__);
#include "sim/core/events.def"
#undef EVENT

#endif
