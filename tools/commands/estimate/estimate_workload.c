/* hearth estimate of a workload or a profile. */
#include <stdlib.h>
#include <string.h>

#include "sim/sim.h"
#include "tools/commands/estimate/estimate_tables.h"
#include "tools/run/notes.h"

#define SHEETS 6

struct workload_work {
    const struct estimate_request *request;
    struct sim_config *config;
    struct estimate_device device;
    struct estimate_rows rows;
    struct report_table sheets[SHEETS];
    size_t sheet_count;
};

static struct report_table *next_sheet(struct workload_work *work)
{
    return &work->sheets[work->sheet_count++];
}

static int open_device(struct workload_work *work, struct error *err)
{
    const struct estimate_request *request = work->request;
    if (request->device != NULL)
        return estimate_device_open(&work->device, request->device, err);
    const char *card = ESTIMATE_CARD;
    bool given = request->config_count > 0;
    const char **configs = given ? request->configs : &card;
    work->config =
        sim_config_create(configs, given ? (unsigned)request->config_count : 1, request->sets,
                          (unsigned)request->set_count, NULL, NULL, err);
    if (work->config == NULL)
        return -1;
    const char *name = configs[0], *slash = strrchr(name, '/');
    estimate_device_of_config(&work->device, work->config, slash != NULL ? slash + 1 : name);
    return sim_check(work->config, err);
}

/* Calibrates, estimates, and makes the tables. */
static int make(struct workload_work *work, struct error *err)
{
    const struct estimate_request *request = work->request;
    const struct estimate_setting setting = {.device = &work->device};
    struct report_table *launches = next_sheet(work), *totals = next_sheet(work);
    double seconds;
    if (request->copies != NULL &&
        estimate_calibrate_copies(next_sheet(work), request->copies, &work->device, err) != 0)
        return -1;
    if (estimate_rows_make(&work->rows, &setting, &seconds, err) != 0)
        return -1;
    if (request->measured != NULL &&
        (estimate_calibrate(next_sheet(work), &work->rows, request, &work->device, err) != 0 ||
         estimate_rows_make(&work->rows, &setting, &seconds, err) != 0))
        return -1;
    estimate_table_launches(launches, &work->rows);
    estimate_table_totals(totals, &work->rows, seconds);
    if (request->change_count > 0 &&
        estimate_table_changes(next_sheet(work), &work->rows, request, &work->device, seconds,
                               err) != 0)
        return -1;
    if (request->curve_count > 0 &&
        estimate_table_curves(next_sheet(work), &work->rows, request, &work->device, err) != 0)
        return -1;
    return 0;
}

static int output(struct workload_work *work, struct error *err)
{
    const struct report_table *sheets[SHEETS];
    for (size_t i = 0; i < work->sheet_count; i++)
        sheets[i] = &work->sheets[i];
    if (estimate_print(sheets, work->sheet_count, work->request->format, err) != 0)
        return -1;
    return work->request->output == NULL
               ? 0
               : estimate_write_folder(work->request->output, sheets, work->sheet_count,
                                       &work->rows, &work->device, err);
}

static void say_what_is_missing(const struct estimate_rows *rows)
{
    if (rows->unknown > 0)
        notes_say("%zu launches have no estimate: the profile says nothing of their "
                  "instructions, and no traced launch is of their kernel",
                  rows->unknown);
    if (rows->untraced > rows->unknown)
        notes_say("%zu launches are of no traced kernel: estimated from the profile alone",
                  rows->untraced - rows->unknown);
}

int estimate_workload(const struct estimate_request *request, struct error *err)
{
    struct workload_work work = {.request = request};
    int result = open_device(&work, err);
    if (result == 0)
        result = estimate_rows_read(&work.rows, request, &work.device, work.config, err);
    if (result == 0)
        result = make(&work, err);
    if (result == 0)
        result = output(&work, err);
    if (result == 0 && !request->quiet)
        say_what_is_missing(&work.rows);
    for (size_t i = 0; i < work.sheet_count; i++)
        report_table_finish(&work.sheets[i]);
    estimate_rows_finish(&work.rows);
    sim_config_destroy(work.config);
    return result;
}
