/* What the parts of the GPU did in a run and the energy of it: the sums in activity.csv. */
#ifndef HEARTH_TOOLS_VIEW_ACTIVITY_VIEW_H
#define HEARTH_TOOLS_VIEW_ACTIVITY_VIEW_H

#include "tools/view/run_view.h"

#define ACTIVITY_VIEW_MOST 128 /* kinds of events */

/* A kind of events that happened in measured launches. */
struct activity_view_event {
    char component[48], name[48], unit[48];
    uint64_t count;
    double picojoules; /* of all; NaN: the energy table has none */
};

struct activity_view {
    struct activity_view_event events[ACTIVITY_VIEW_MOST]; /* of a component together */
    size_t count; /* 0: the run did not count activity */
};

/* Reads the events of RUN. Returns 0, or -1 with ERR filled. */
int activity_view_read(struct activity_view *view, const struct run_view *run,
                       struct error *err);

#endif
