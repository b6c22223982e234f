#include "tools/view/activity_view.h"

#include <math.h>
#include <string.h>

#include "tools/view/results_csv.h"
#include "traces/base/number.h"

#define MOST_ENERGY 1e30 /* picojoules */

enum { STEP, COMPONENT, EVENT, UNIT, COUNT, ENERGY, COLUMNS };

static int find_columns(const struct results_csv *table, size_t columns[COLUMNS],
                        struct error *err)
{
    static const char *const names[COLUMNS] = {"step", "component", "event",
                                               "unit", "count",     "picojoules"};
    for (int i = 0; i < COLUMNS; i++) {
        columns[i] = results_csv_find(table, names[i]);
        if (columns[i] == table->columns)
            return error_set(err, ERROR_TRACE, table->path, 1, 0,
                             "no column %s: not what a run writes", names[i]);
    }
    return 0;
}

static int add_event(struct activity_view *view, const struct results_csv *table,
                     const size_t columns[COLUMNS], struct error *err)
{
    const char *energy = results_csv_text(table, columns[ENERGY]);
    struct activity_view_event *event = &view->events[view->count];
    if (view->count == ACTIVITY_VIEW_MOST)
        return csv_file_fail(&table->csv, columns[EVENT], err, "more than %d kinds of events",
                             ACTIVITY_VIEW_MOST);
    *event = (struct activity_view_event){.picojoules = NAN};
    snprintf(event->component, sizeof event->component, "%s",
             results_csv_text(table, columns[COMPONENT]));
    snprintf(event->name, sizeof event->name, "%s", results_csv_text(table, columns[EVENT]));
    snprintf(event->unit, sizeof event->unit, "%s", results_csv_text(table, columns[UNIT]));
    if (results_csv_count(table, columns[COUNT], &event->count, err) != 0)
        return -1;
    if (energy[0] != '\0' && !number_decimal(energy, 0, MOST_ENERGY, &event->picojoules))
        return csv_file_fail(&table->csv, columns[ENERGY], err,
                             "energy \"%.40s\": expected a number", energy);
    view->count++;
    return 0;
}

/* Only lines of the sum over measured launches, whose step is "all". */
static int read_rows(struct activity_view *view, struct results_csv *table, struct error *err)
{
    size_t columns[COLUMNS];
    int found = find_columns(table, columns, err);
    while (found == 0 && (found = results_csv_next(table, err)) == 1)
        found = strcmp(results_csv_text(table, columns[STEP]), "all") == 0
                    ? add_event(view, table, columns, err)
                    : 0;
    return found;
}

int activity_view_read(struct activity_view *view, const struct run_view *run,
                       struct error *err)
{
    struct results_csv table;
    view->count = 0;
    int found = results_csv_open(&table, run->folder, "activity.csv", true, err);
    if (found == 1)
        found = read_rows(view, &table, err);
    results_csv_finish(&table);
    return found;
}
