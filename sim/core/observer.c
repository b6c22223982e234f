#include "sim/core/observer.h"

#include "sim/core/sm.h"

static void want(struct sm_observers *observers, enum sm_event event,
                 struct sm_observer *observer)
{
    uint32_t bit = 1u << event;
    observers->only[event] = observers->wanted & bit ? NULL : observer;
    observers->wanted |= bit;
}

static void want_all(struct sm_observers *observers, struct sm_observer *observer)
{
#define EVENT(name, ...)                                                                       \
    if (observer->hooks->name != NULL)                                                         \
        want(observers, SM_EVENT_##name, observer);
#include "sim/core/events.def"
#undef EVENT
}

void sm_observers_add(struct sm_observers *observers, struct sm_observer *observer)
{
    struct sm_observer **link = &observers->first;
    while (*link != NULL)
        link = &(*link)->next;
    *link = observer;
    observer->next = NULL;
    want_all(observers, observer);
}

void sm_observers_remove(struct sm_observers *observers, const struct sm_observer *observer)
{
    struct sm_observer *first = observers->first, *next;
    *observers = (struct sm_observers){0};
    for (; first != NULL; first = next) {
        next = first->next;
        if (first != observer)
            sm_observers_add(observers, first);
    }
}

void sm_observers_finish(struct sm_observers *observers)
{
    for (struct sm_observer *next, *o = observers->first; o != NULL; o = next) {
        next = o->next;
        if (o->hooks->destroy != NULL)
            o->hooks->destroy(o);
    }
    *observers = (struct sm_observers){0};
}

void sm_observers_serialize(const struct sm_observers *observers, struct serializer *image)
{
    for (struct sm_observer *o = observers->first; o != NULL; o = o->next)
        if (o->hooks->serialize != NULL)
            o->hooks->serialize(o, image);
}

#define LIST(...) __VA_ARGS__
#define EVENT(name, arguments, ...)                                                            \
    void sm_observers_##name(__VA_ARGS__)                                                      \
    {                                                                                          \
        for (struct sm_observer *o = sm->observers.first; o != NULL; o = o->next)              \
            if (o->hooks->name != NULL)                                                        \
                o->hooks->name(o, LIST arguments);                                             \
    }
#include "sim/core/events.def"
#undef EVENT
