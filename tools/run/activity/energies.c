#define _GNU_SOURCE /* fmemopen */

#include "tools/run/activity/energies.h"

#include <errno.h>
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "traces/base/csv/csv_file.h"
#include "traces/base/number.h"
#include "traces/base/spelling.h"

const char *const activity_event_names[ACTIVITY_EVENTS] = {
#define EVENT(component, name, unit, count) #name,
#include "tools/run/activity/events.def"
#undef EVENT
};

/* Where the columns are; SIZE_MAX: not seen. */
struct energy_columns {
    size_t event, picojoules;
};

static int read_head(struct csv_file *csv, struct energy_columns *columns, struct error *err)
{
    *columns = (struct energy_columns){SIZE_MAX, SIZE_MAX};
    int more = csv_file_next(csv, err);
    for (size_t i = 0; more > 0 && i < csv->count; i++) {
        if (strcmp(csv_file_field(csv, i), "event") == 0)
            columns->event = i;
        if (strcmp(csv_file_field(csv, i), "picojoules") == 0)
            columns->picojoules = i;
    }
    if (more < 0)
        return -1;
    if (columns->event == SIZE_MAX || columns->picojoules == SIZE_MAX)
        return error_set(err, ERROR_TRACE, csv->name, 1, 0,
                         "an energy table has the columns event and picojoules");
    return 0;
}

static int find_event(const struct csv_file *csv, size_t field, struct error *err)
{
    const char *name = csv_file_field(csv, field);
    struct spelling_guess guess = spelling_guess(name);
    char hint[SPELLING_HINT];
    for (int i = 0; i < ACTIVITY_EVENTS; i++) {
        if (strcmp(activity_event_names[i], name) == 0)
            return i;
        spelling_consider(&guess, activity_event_names[i]);
    }
    return csv_file_fail(csv, field, err, "activity.csv has no event '%s'%s", name,
                         spelling_hint(&guess, "", hint));
}

static int read_row(struct energies *energies, const struct csv_file *csv,
                    const struct energy_columns *columns, struct error *err)
{
    if (columns->event >= csv->count || columns->picojoules >= csv->count)
        return csv_file_fail(csv, 0, err, "the line has no event or no picojoules");
    int event = find_event(csv, columns->event, err);
    if (event < 0)
        return -1;
    if (!isnan(energies->picojoules[event]))
        return csv_file_fail(csv, columns->event, err, "%s may stand once in a table",
                             activity_event_names[event]);
    if (!number_decimal(csv_file_field(csv, columns->picojoules), 0, 1e15,
                        &energies->picojoules[event]))
        return csv_file_fail(csv, columns->picojoules, err,
                             "expected picojoules, a number from 0 to 1e15");
    return 0;
}

static int read_table(struct energies *energies, FILE *in, const char *name, struct error *err)
{
    struct csv_file csv;
    struct energy_columns columns;
    for (int i = 0; i < ACTIVITY_EVENTS; i++)
        energies->picojoules[i] = NAN;
    if (csv_file_init(&csv, in, name, err) != 0)
        return -1;
    int more = read_head(&csv, &columns, err) == 0 ? 1 : -1;
    while (more > 0 && (more = csv_file_next(&csv, err)) > 0)
        if (read_row(energies, &csv, &columns, err) != 0)
            more = -1;
    csv_file_finish(&csv);
    return more;
}

static int read_and_close(struct energies *energies, FILE *in, const char *name,
                          struct error *err)
{
    if (in == NULL)
        return error_set(err, ERROR_TRACE, name, 0, 0, "%s", strerror(errno));
    int result = read_table(energies, in, name, err);
    fclose(in);
    return result;
}

int energies_published(struct energies *energies, struct error *err)
{
    return read_and_close(
        energies,
        fmemopen((void *)energies_published_text, strlen(energies_published_text), "r"),
        "the bundled energy table", err);
}

int energies_read(struct energies *energies, const char *path, struct error *err)
{
    return read_and_close(energies, fopen(path, "r"), path, err);
}
