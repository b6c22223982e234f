#include "sim/core/observer.h"

#include "sim/core/sm.h"

static uint32_t wanted_by(const struct sm_observer *observer)
{
    uint32_t wanted = 0;
#define EVENT(name, ...) wanted |= (uint32_t)(observer->hooks->name != NULL) << SM_EVENT_##name;
#include "sim/core/events.def"
#undef EVENT
    return wanted;
}

void sm_observers_add(struct sm_observers *observers, struct sm_observer *observer)
{
    struct sm_observer **link = &observers->first;
    while (*link != NULL)
        link = &(*link)->next;
    *link = observer;
    observer->next = NULL;
    observers->wanted |= wanted_by(observer);
}

void sm_observers_remove(struct sm_observers *observers, const struct sm_observer *observer)
{
    observers->wanted = 0;
    for (struct sm_observer **link = &observers->first; *link != NULL;) {
        if (*link == observer) {
            *link = observer->next;
        } else {
            observers->wanted |= wanted_by(*link);
            link = &(*link)->next;
        }
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
