#include "tools/commands/estimate/estimate_tables.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "estimate/equations.h"
#include "tools/report/roofline.h"
#include "traces/base/files/output_folder.h"
#include "traces/base/json.h"

static const struct report_table_column launch_columns[] = {
    {"launch", "", "number; empty: a copy"},
    {"kernel", "", ""},
    {"stream", "", ""},
    {"blocks", "blocks", "of the grid"},
    {"block_threads", "threads", ""},
    {"occupancy", "warps", "that an SM holds"},
    {"latency_bound", "cycles", "of a warp"},
    {"throughput_bound", "warps/cycle", "of an SM, equation 4.4 over all units and levels"},
    {"limit", "", "what limits the launch"},
    {"equation_cycles", "cycles", "equation 4.1, lambda 1"},
    {"cycles", "cycles", "in whole blocks, with the launch's latency, lambda 1"},
    {"bound", "cycles", "lower bound of the simulation (--bounds)"},
    {"time_us", "us", "with lambda"},
    {"start_us", "us", "by streams"},
    {"intensity", "thread instructions/byte", "of memory"},
    {"roofline_percent", "%", "of what the roofline allows"},
    {"bytes", "bytes", "of a copy"},
};

static void add_copy(struct report_table *sheet, const struct estimate_row *row)
{
    report_table_text(sheet, "");
    report_table_text(sheet, row->kernel);
    for (int i = 0; i < 10; i++)
        report_table_text(sheet, "");
    report_table_number(sheet, 1e6 * row->seconds, 3);
    report_table_number(sheet, 1e6 * row->start, 3);
    report_table_text(sheet, "");
    report_table_text(sheet, "");
    report_table_number(sheet, row->bytes, 0);
}

static void add_estimate(struct report_table *sheet, const struct estimate_row *row)
{
    const struct launch_estimate *estimate = &row->estimate;
    double none = row->known ? 0 : NAN;
    report_table_number(sheet, estimate->occupancy + none, 2);
    report_table_number(sheet, estimate->latency + none, 1);
    report_table_number(sheet, estimate->largest > 0 ? 1 / estimate->largest : NAN, 6);
    report_table_text(sheet, row->known ? estimate_resource_name(estimate->limit) : "");
    report_table_number(sheet, estimate->equation + none, 1);
    report_table_number(sheet, estimate->cycles + none, 1);
    report_table_number(sheet, row->bound, 0);
    report_table_number(sheet, 1e6 * row->seconds + none, 3);
    report_table_number(sheet, 1e6 * row->start, 3);
    report_table_number(sheet, estimate->intensity > 0 ? estimate->intensity : NAN, 3);
    report_table_number(sheet, 100 * estimate->reach + none, 2);
    report_table_text(sheet, "");
}

void estimate_table_launches(struct report_table *sheet, const struct estimate_rows *rows)
{
    *sheet = (struct report_table){.name = "estimate", REPORT_TABLE_OF(launch_columns)};
    for (size_t i = 0; i < rows->count; i++) {
        const struct estimate_row *row = &rows->items[i];
        if (row->launch == 0) {
            add_copy(sheet, row);
            continue;
        }
        report_table_count(sheet, row->launch);
        report_table_text(sheet, row->kernel);
        report_table_count(sheet, row->work.stream);
        report_table_number(sheet, row->work.blocks, 0);
        report_table_number(sheet, row->work.block_threads, 0);
        add_estimate(sheet, row);
    }
}

/* ---- totals ---- */

static const struct report_table_column total_columns[] = {
    {"quantity", "", ""}, {"value", "", ""}, {"unit", "", ""}};

static void add_total(struct report_table *sheet, const char *quantity, double value,
                      int digits, const char *unit)
{
    report_table_text(sheet, quantity);
    report_table_number(sheet, value, digits);
    report_table_text(sheet, unit);
}

void estimate_table_totals(struct report_table *sheet, const struct estimate_rows *rows,
                           double seconds)
{
    double launches = 0, kernels = 0, copies = 0;
    for (size_t i = 0; i < rows->count; i++) {
        const struct estimate_row *row = &rows->items[i];
        launches += row->launch != 0;
        *(row->launch != 0 ? &kernels : &copies) += row->seconds;
    }
    *sheet = (struct report_table){.name = "totals", REPORT_TABLE_OF(total_columns)};
    add_total(sheet, "launches", launches, 0, "");
    add_total(sheet, "copies", (double)rows->count - launches, 0, "");
    add_total(sheet, "launches without an estimate", (double)rows->unknown, 0, "");
    add_total(sheet, "kernels, one after the other", 1e6 * kernels, 3, "us");
    add_total(sheet, "copies, one after the other", 1e6 * copies, 3, "us");
    add_total(sheet, "application, by streams", 1e6 * seconds, 3, "us");
}

/* ---- the folder ---- */

static int write_roofline(struct output_folder *folder, const struct estimate_rows *rows,
                          const struct estimate_device *device, struct error *err)
{
    struct roofline_point *points = calloc(rows->count + 1, sizeof *points);
    FILE *out = points != NULL ? output_folder_open(folder, "roofline.svg", err) : NULL;
    if (out == NULL) {
        free(points);
        return points == NULL ? error_no_memory(err) : -1;
    }
    struct roofline chart = {.title = device->name,
                             .x_label = "thread instructions for a byte of memory",
                             .y_label = "thread instructions a second",
                             .peak = estimate_roofline(device, 0),
                             .points = points};
    chart.roofs[0].name = "memory";
    chart.roofs[0].slope =
        equation_memory_bandwidth(device) * device->sms * device->sm_clock * 1e6;
    for (size_t i = 0; i < rows->count; i++) {
        const struct estimate_row *row = &rows->items[i];
        if (row->launch != 0 && row->known && row->seconds > 0)
            points[chart.count++] =
                (struct roofline_point){.x = row->estimate.intensity,
                                        .y = row->work.thread_insts / row->seconds,
                                        .label = row->kernel};
    }
    roofline_write(&chart, SVG_FILE, out);
    free(points);
    return output_folder_close(folder, out, err);
}

static int write_sheets(struct output_folder *folder, const struct report_table *const *sheets,
                        size_t count, struct error *err)
{
    static const char *const names[] = {"estimate.csv", "totals.csv", "what-if.csv",
                                        "curves.csv",   "lambda.csv", "copies.csv"};
    struct json json;
    for (size_t i = 0; i < count; i++) {
        const char *name = names[0];
        for (size_t n = 0; n < sizeof names / sizeof *names; n++)
            if (strncmp(names[n], sheets[i]->name, strlen(sheets[i]->name)) == 0)
                name = names[n];
        FILE *out = output_folder_open(folder, name, err);
        if (out == NULL)
            return -1;
        report_table_write_csv(sheets[i], out);
        if (output_folder_close(folder, out, err) != 0)
            return -1;
    }
    FILE *out = output_folder_open(folder, "estimate.json", err);
    if (out == NULL)
        return -1;
    json_init(&json, out);
    json_open(&json, NULL, '{');
    for (size_t i = 0; i < count; i++)
        report_table_write_json(sheets[i], &json);
    json_close(&json, '}');
    return output_folder_close(folder, out, err);
}

int estimate_write_folder(const char *path, const struct report_table *const *sheets,
                          size_t count, const struct estimate_rows *rows,
                          const struct estimate_device *device, struct error *err)
{
    static const char *const stale[] = {"what-if.csv", "curves.csv", "lambda.csv", "copies.csv",
                                        NULL};
    struct output_folder folder = {0};
    int result = output_folder_init(&folder, path, NULL, err);
    if (result == 0)
        result = write_roofline(&folder, rows, device, err);
    if (result == 0)
        result = write_sheets(&folder, sheets, count, err);
    if (result == 0)
        result = output_folder_commit(&folder, "estimate.json", stale, err);
    output_folder_finish(&folder);
    return result;
}
