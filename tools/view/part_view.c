#include "tools/view/part_view.h"

#include <stdlib.h>
#include <string.h>

#include "tools/view/results_csv.h"

#define MOST 65536 /* parts of a kind: no GPU has more */

/* Columns of parts.csv: these, then the counters. */
enum { STEP, PART, NUMBER, OWN };

struct part_columns {
    size_t own[OWN], counters[SIM_PART_COUNTERS];
};

static int find_columns(const struct results_csv *table, struct part_columns *columns,
                        struct error *err)
{
    static const char *const names[OWN] = {"step", "part", "number"};
    for (int i = 0; i < OWN; i++) {
        columns->own[i] = results_csv_find(table, names[i]);
        if (columns->own[i] == table->columns)
            return error_set(err, ERROR_TRACE, table->path, 1, 0,
                             "no column %s: not what a run writes", names[i]);
    }
    for (int i = 0; i < SIM_PART_COUNTERS; i++)
        columns->counters[i] = results_csv_find(table, sim_part_table[i].name);
    return 0;
}

/* The part NUMBER of a kind; NULL if memory is short. */
static struct sim_part *part_of(struct part_view *view, enum part_view_kind kind, size_t number)
{
    if (number >= view->counts[kind]) {
        struct sim_part *larger =
            reallocarray(view->parts[kind], number + 1, sizeof *view->parts[kind]);
        if (larger == NULL)
            return NULL;
        memset(larger + view->counts[kind], 0,
               (number + 1 - view->counts[kind]) * sizeof *larger);
        view->parts[kind] = larger;
        view->counts[kind] = number + 1;
    }
    return &view->parts[kind][number];
}

static int add_row(struct part_view *view, const struct results_csv *table,
                   const struct part_columns *columns, struct error *err)
{
    static const char *const kinds[PART_VIEW_KINDS] = {"sm", "slice", "channel"};
    const char *name = results_csv_text(table, columns->own[PART]);
    uint64_t number, count;
    int kind = 0;
    while (kind < PART_VIEW_KINDS && strcmp(name, kinds[kind]) != 0)
        kind++;
    if (results_csv_count(table, columns->own[NUMBER], &number, err) != 0)
        return -1;
    if (kind == PART_VIEW_KINDS || number >= MOST)
        return csv_file_fail(&table->csv, columns->own[PART], err,
                             "part %.60s %.20s: not what a run writes", name,
                             results_csv_text(table, columns->own[NUMBER]));
    struct sim_part *part = part_of(view, (enum part_view_kind)kind, number);
    if (part == NULL)
        return error_no_memory(err);
    for (int i = 0; i < SIM_PART_COUNTERS; i++) {
        if (results_csv_count(table, columns->counters[i], &count, err) != 0)
            return -1;
        part->counts[i] += count;
    }
    return 0;
}

static int read_rows(struct part_view *view, const struct run_view *run,
                     struct results_csv *table, struct error *err)
{
    struct part_columns columns;
    uint64_t step;
    int found = find_columns(table, &columns, err);
    while (found == 0 && (found = results_csv_next(table, err)) == 1) {
        found = results_csv_count(table, columns.own[STEP], &step, err);
        if (found == 0 && run_view_step(run, step) != NULL)
            found = add_row(view, table, &columns, err);
    }
    return found;
}

int part_view_read(struct part_view *view, const struct run_view *run, struct error *err)
{
    struct results_csv table;
    *view = (struct part_view){0};
    int found = results_csv_open(&table, run->folder, "parts.csv", true, err);
    if (found == 1)
        found = read_rows(view, run, &table, err);
    results_csv_finish(&table);
    return found;
}

void part_view_finish(struct part_view *view)
{
    for (int i = 0; i < PART_VIEW_KINDS; i++)
        free(view->parts[i]);
    *view = (struct part_view){0};
}
