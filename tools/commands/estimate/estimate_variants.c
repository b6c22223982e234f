/* What-ifs and curves: the same rows with something changed. */
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "tools/commands/estimate/estimate_tables.h"
#include "traces/base/number.h"

/* ROWS as SETTING has them, in *SECONDS; ROWS stay as they are. */
static int time_of(const struct estimate_rows *rows, const struct estimate_setting *setting,
                   double *seconds, struct error *err)
{
    struct estimate_rows copy = {.unknown = rows->unknown};
    int result = 0;
    for (size_t i = 0; i < rows->count && result == 0; i++) {
        struct estimate_row *row = estimate_rows_add(&copy, err);
        if (row == NULL)
            result = -1;
        else
            *row = rows->items[i];
    }
    if (result == 0)
        result = estimate_rows_make(&copy, setting, seconds, err);
    estimate_rows_finish(&copy);
    return result;
}

/* ---- what if ---- */

static const struct report_table_column change_columns[] = {
    {"change", "", ""}, {"time_us", "us", ""}, {"speedup", "", "over what was launched"}};

/* The latencies of another device's instructions need the trace again. The lambdas are those of
 * HERE, as the paper takes one card's for another. */
static int time_on(const struct estimate_rows *here, const struct estimate_request *request,
                   const struct estimate_device *device, const struct sim_config *config,
                   double *seconds, struct error *err)
{
    struct estimate_rows rows = {0};
    struct estimate_request plain = *request;
    const struct estimate_setting setting = {.device = device};
    plain.bounds = false;
    if (config == NULL && strcmp(request->hits, "none") != 0)
        return error_set(err, ERROR_USAGE, NULL, 0, 0,
                         "--what-if device=%s: --hits functional needs a card, not only a "
                         "device's parameters",
                         device->name);
    int result = estimate_rows_read(&rows, &plain, device, config, err);
    for (size_t i = 0; result == 0 && i < rows.count && i < here->count; i++)
        rows.items[i].lambda = here->items[i].lambda;
    if (result == 0)
        result = estimate_rows_make(&rows, &setting, seconds, err);
    estimate_rows_finish(&rows);
    return result;
}

/* On the card or device NAME. */
static int time_on_name(const struct estimate_rows *rows,
                        const struct estimate_request *request, const char *name,
                        double *seconds, struct error *err)
{
    struct estimate_device device;
    const struct sim_bundled_config *card = sim_bundled_configs;
    while (card->name != NULL && strcasecmp(card->name, name) != 0)
        card++;
    if (card->name == NULL)
        return estimate_device_open(&device, name, err) != 0
                   ? -1
                   : time_on(rows, request, &device, NULL, seconds, err);
    struct sim_config *config = sim_config_create(&name, 1, NULL, 0, NULL, NULL, err);
    if (config == NULL)
        return -1;
    estimate_device_of_config(&device, config, name);
    int result = time_on(rows, request, &device, config, seconds, err);
    sim_config_destroy(config);
    return result;
}

static int time_changed(const struct estimate_rows *rows,
                        const struct estimate_request *request,
                        const struct estimate_device *device, const char *change,
                        double *seconds, struct error *err)
{
    struct estimate_setting setting = {.device = device};
    if (strncmp(change, "device=", 7) == 0)
        return time_on_name(rows, request, change + 7, seconds, err);
    if (strncmp(change, "block=", 6) == 0 &&
        number_decimal(change + 6, 1, 1024, &setting.block))
        return time_of(rows, &setting, seconds, err);
    return error_set(err, ERROR_USAGE, NULL, 0, 0,
                     "--what-if %s: expected block=N, from 1 to 1024, or device=NAME", change);
}

int estimate_table_changes(struct report_table *sheet, const struct estimate_rows *rows,
                           const struct estimate_request *request,
                           const struct estimate_device *device, double seconds,
                           struct error *err)
{
    *sheet = (struct report_table){.name = "what-if", REPORT_TABLE_OF(change_columns)};
    for (size_t i = 0; i < request->change_count; i++) {
        double changed;
        if (time_changed(rows, request, device, request->changes[i], &changed, err) != 0)
            return -1;
        report_table_text(sheet, request->changes[i]);
        report_table_number(sheet, 1e6 * changed, 3);
        report_table_number(sheet, seconds / changed, 4);
    }
    return 0;
}

/* ---- curves ---- */

static const struct report_table_column curve_columns[] = {
    {"curve", "", ""},
    {"x", "", "occupancy in warps of an SM; factor on the blocks of each grid and on copies"},
    {"time_us", "us", ""}};

static int add_point(struct report_table *sheet, const struct estimate_rows *rows,
                     const struct estimate_setting *setting, const char *curve, double x,
                     struct error *err)
{
    double seconds;
    if (time_of(rows, setting, &seconds, err) != 0)
        return -1;
    report_table_text(sheet, curve);
    report_table_number(sheet, x, x < 1 ? 4 : 0);
    report_table_number(sheet, 1e6 * seconds, 3);
    return 0;
}

static int add_curve(struct report_table *sheet, const struct estimate_rows *rows,
                     const struct estimate_device *device, const char *curve, struct error *err)
{
    bool occupancy = strcmp(curve, "occupancy") == 0;
    if (!occupancy && strcmp(curve, "size") != 0)
        return error_set(err, ERROR_USAGE, NULL, 0, 0,
                         "--curve %s: expected occupancy or size; intensity is for --sass",
                         curve);
    for (int i = 0; i < (occupancy ? 32 : 17); i++) {
        double x = occupancy ? 2 * (i + 1) : ldexp(1, i - 8);
        struct estimate_setting setting = {.device = device};
        *(occupancy ? &setting.occupancy : &setting.size) = x;
        if (add_point(sheet, rows, &setting, curve, x, err) != 0)
            return -1;
    }
    return 0;
}

int estimate_table_curves(struct report_table *sheet, const struct estimate_rows *rows,
                          const struct estimate_request *request,
                          const struct estimate_device *device, struct error *err)
{
    *sheet = (struct report_table){.name = "curves", REPORT_TABLE_OF(curve_columns)};
    for (size_t i = 0; i < request->curve_count; i++)
        if (add_curve(sheet, rows, device, request->curves[i], err) != 0)
            return -1;
    return 0;
}
