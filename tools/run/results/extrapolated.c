#include "tools/run/results/extrapolated.h"

#include <math.h>
#include <stdlib.h>

#include "tools/run/prime.h"

static void take_row(const struct row *row, const struct sim_config *config,
                     struct extrapolation_launch *launch)
{
    double measured = (double)row->result.counters.warp_insts;
    double part =
        row->primed > 0 && measured > 0 ? ((double)row->primed + measured) / measured : 1;
    uint64_t blocks = (uint64_t)row->grid[0] * row->grid[1] * row->grid[2];
    *launch = (struct extrapolation_launch){
        .cycles = prime_cycles((double)(row->result.end_cycle - row->result.start_cycle), part,
                               prime_latency(config, blocks)),
        .corrected = row->corrected ? row->correction.cycles : 0,
        .gap = (double)row->result.gap_cycles,
        .part = part,
        .counters = row->result.counters,
    };
}

int extrapolated_rows_init(struct extrapolated_rows *measured, const struct rows *rows,
                           const struct sim_config *config, struct error *err)
{
    *measured = (struct extrapolated_rows){
        .rows = rows,
        .config = config,
        .measured = calloc(rows->count + 1, sizeof *measured->measured),
    };
    if (measured->measured == NULL)
        return error_no_memory(err);
    struct rows_pass pass = {.rows = rows};
    for (const struct row *row; (row = rows_next(&pass)) != NULL;)
        if (row->role == PLAN_MEASURE)
            measured->measured[measured->count++] = pass.next - 1;
    if (row_store_check(rows->store, err) == 0)
        return 0;
    extrapolated_rows_finish(measured);
    return -1;
}

void extrapolated_rows_finish(struct extrapolated_rows *measured)
{
    free(measured->measured);
    *measured = (struct extrapolated_rows){0};
}

int extrapolated_rows_get(void *data, size_t i, struct extrapolation_launch *launch,
                          struct error *err)
{
    const struct extrapolated_rows *measured = data;
    struct row row;
    if (!rows_read(measured->rows, measured->measured[i], &row))
        return row_store_check(measured->rows->store, err);
    take_row(&row, measured->config, launch);
    row_finish(&row);
    return 0;
}

/* Whether a launch may represent more than what was measured of it. */
static bool may_represent(const struct extrapolated_plan *plan)
{
    for (size_t i = 0; i < plan->plan->count; i++) {
        const struct plan_item *item = &plan->plan->items[i];
        if (item->kind == PLAN_LAUNCH && !plan->skip[i] &&
            (item->launch.step->scale != 1 || item->launch.step->prime_percent > 0))
            return true;
    }
    return false;
}

/* Extrapolates from MEASURED. */
static int extrapolate(struct extrapolated *extrapolated, struct extrapolated_rows *measured,
                       const struct extrapolated_plan *plan, struct error *err)
{
    struct extrapolation *of = &extrapolated->of;
    const struct sim_peaks peaks = sim_peaks_of(measured->config);
    const struct extrapolation_launches launches = {measured->count, extrapolated_rows_get,
                                                    measured};
    if (extrapolation_init(of, plan->plan, plan->skip, &launches, &peaks, err) != 0)
        return -1;
    of->design.whole &= !plan->part;
    extrapolated->any = of->design.scaled && measured->count > 0;
    return extrapolated->any ? extrapolation_estimate(of, err) : 0;
}

int extrapolated_init(struct extrapolated *extrapolated, const struct rows *rows,
                      const struct extrapolated_plan *plan, const struct sim_config *config,
                      struct error *err)
{
    struct extrapolated_rows measured;
    *extrapolated = (struct extrapolated){0};
    if (!may_represent(plan))
        return 0;
    if (extrapolated_rows_init(&measured, rows, config, err) != 0)
        return -1;
    int result = extrapolate(extrapolated, &measured, plan, err);
    extrapolated_rows_finish(&measured);
    return result;
}

void extrapolated_finish(struct extrapolated *extrapolated)
{
    extrapolation_finish(&extrapolated->of);
    *extrapolated = (struct extrapolated){0};
}

/* Counters as a whole number, other values with six digits. */
static const char *text_of(double number, bool counted, char text[32])
{
    snprintf(text, 32, counted && fabs(number) < 1e15 ? "%.0f" : "%.6g", number);
    return text;
}

static bool is_counted(struct row_column column)
{
    return column.kind == ROW_ADDITIVE && column.unit[0] != 's'; /* seconds */
}

/* ---- files ------------------------------------------------------------- */

static void write_one(const struct extrapolated *extrapolated, size_t index, struct json *json)
{
    char text[32];
    struct row_column column = extrapolation_column(index);
    struct sampling_estimate estimate = extrapolation_value(&extrapolated->of, index);
    json_open_line(json, column.name, '{');
    json_raw(json, "value", text_of(estimate.value, is_counted(column), text));
    json_raw(json, "error",
             isnan(estimate.error) ? "null" : text_of(estimate.error, false, text));
    json_text(json, "kind", row_kind_name(column.kind));
    json_text(json, "unit", column.unit);
    json_close(json, '}');
}

void extrapolated_write_json(const struct extrapolated *extrapolated, struct json *json)
{
    const struct sample_design *design = &extrapolated->of.design;
    const char *why = extrapolation_no_bar(&extrapolated->of);
    char text[32];
    if (!extrapolated->any)
        return;
    json_open(json, "extrapolated", '{');
    json_count(json, "launches", (uint64_t)(design->launches + 0.5));
    json_count(json, "measured", design->count);
    json_count(json, "strata", design->of.count);
    json_raw(json, "confidence", text_of(design->of.confidence, false, text));
    json_text(json, "no_error_bar", why != NULL ? why : "");
    json_open(json, "statistics", '{');
    for (size_t i = 0; i < extrapolation_count(); i++)
        if (extrapolation_has(&extrapolated->of, i))
            write_one(extrapolated, i, json);
    json_close(json, '}');
    json_close(json, '}');
}

static void write_lines(const struct extrapolated *extrapolated, size_t index, FILE *out)
{
    char text[32];
    struct row_column column = extrapolation_column(index);
    struct sampling_estimate estimate = extrapolation_value(&extrapolated->of, index);
    fprintf(out, "extrapolated.%s %s # %s", column.name,
            text_of(estimate.value, is_counted(column), text), column.description);
    fprintf(out, column.unit[0] != '\0' ? " (%s)\n" : "%s\n", column.unit);
    if (!isnan(estimate.error))
        fprintf(out, "extrapolated.%s.error %s\n", column.name,
                text_of(estimate.error, false, text));
}

void extrapolated_write_text(const struct extrapolated *extrapolated, FILE *out)
{
    const char *why = extrapolation_no_bar(&extrapolated->of);
    if (!extrapolated->any)
        return;
    fprintf(out,
            "# To the application, from %zu measured launches of %.0f; .error is half the ",
            extrapolated->of.design.count, extrapolated->of.design.launches);
    fprintf(out, "%g %% interval of the draw%s%s:\n",
            100 * extrapolated->of.design.of.confidence,
            why != NULL ? "; not of all, as there are: " : "", why != NULL ? why : "");
    for (size_t i = 0; i < extrapolation_count(); i++)
        if (extrapolation_has(&extrapolated->of, i))
            write_lines(extrapolated, i, out);
}

/* ---- the table --------------------------------------------------------- */

static const struct shown {
    const char *name, *label, *unit;
    double factor;
} shown[] = {
    {"cycles", "cycles", "", 1},
    {"cycles_corrected", "corrected", " cycles", 1},
    {"seconds", "time", " ms", 1e3},
    {"warp_insts", "warp insts", "", 1},
    {"ipc", "thread IPC", "", 1},
    {"l2_read_hit_rate", "L2 read hits", " %", 100},
    {"l2_read_misses", "L2 read misses", " sectors", 1},
    {"dram_bytes", "DRAM", " MB", 1e-6},
};

static void print_line(const struct shown *line, size_t index,
                       struct sampling_estimate estimate, FILE *out)
{
    char value[32], error[32];
    bool counted = is_counted(extrapolation_column(index)) && line->factor == 1;
    fprintf(out, "  %-14s %s", line->label,
            text_of(line->factor * estimate.value, counted, value));
    if (!isnan(estimate.error))
        fprintf(out, " +- %s", text_of(line->factor * estimate.error, counted, error));
    fprintf(out, "%s\n", line->unit);
}

void extrapolated_print(const struct extrapolated *extrapolated, FILE *out)
{
    const struct sample_design *design = &extrapolated->of.design;
    const char *why = extrapolation_no_bar(&extrapolated->of);
    if (!extrapolated->any)
        return;
    fprintf(out, "extrapolated to %.0f launches", design->launches);
    if (why == NULL)
        fprintf(out, ", with %g %% intervals of the draw:\n", 100 * design->of.confidence);
    else
        fprintf(out, " (some or all have no error bar: %s):\n", why);
    for (size_t i = 0; i < sizeof shown / sizeof shown[0]; i++) {
        size_t index = extrapolation_find(shown[i].name);
        if (extrapolation_has(&extrapolated->of, index))
            print_line(&shown[i], index, extrapolation_value(&extrapolated->of, index), out);
    }
}
