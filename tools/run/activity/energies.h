/* Energy of an event: what an energy table says of each event of activity.csv
 * (tools/run/activity/events.def). A table is a CSV with the columns `event`, `picojoules` and
 * `source`; events that it does not name have no energy. */
#ifndef HEARTH_TOOLS_RUN_ACTIVITY_ENERGIES_H
#define HEARTH_TOOLS_RUN_ACTIVITY_ENERGIES_H

#include "traces/base/error.h"

enum activity_event {
#define EVENT(component, name, unit, count) ACTIVITY_##name,
#include "tools/run/activity/events.def"
#undef EVENT
    ACTIVITY_EVENTS
};

extern const char *const activity_event_names[ACTIVITY_EVENTS];

/* Picojoules an event; NaN: unknown. */
struct energies {
    double picojoules[ACTIVITY_EVENTS];
};

/* The bundled table, of published figures. They are of several processes and not validated for
 * any card: for comparisons of configurations, not for watts. */
extern const char energies_published_text[];
/* Reads the bundled table. Returns 0, or -1 with ERR filled: memory is short. */
int energies_published(struct energies *energies, struct error *err);

/* Reads the table at PATH. Returns 0, or -1 with ERR filled: file, line and column of what is
 * wrong. */
int energies_read(struct energies *energies, const char *path, struct error *err);

#endif
