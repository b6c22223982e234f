#include "tools/calibrate/parameters.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Values beside the best one that are tried where cycles rise only roughly. */
#define AROUND 3

/* ---- what was measured ------------------------------------------------- */

enum column { CLOCK, SM, COLUMNS };
static const char *const column_names[COLUMNS] = {"clock_cycles", "sm_cycles"};

/* The sum over some rows, in each of the columns; NaN where one is missing. */
struct measured_sums {
    const struct measured_rows *rows;
    struct calibration_cycles cycles[COLUMNS];
    double sign;
};

static void add_cycles(struct calibration_cycles *sum, const struct calibration_cycles *cycles,
                       double sign)
{
    sum->mean += sign * cycles->mean;
    sum->least += sign * (sign > 0 ? cycles->least : cycles->most);
    sum->most += sign * (sign > 0 ? cycles->most : cycles->least);
}

static int add_row(void *data, const char *label, size_t length)
{
    struct measured_sums *sums = data;
    const struct calibration_row *row = measured_rows_find(sums->rows, label, length);
    if (row == NULL || row->launch == 0)
        return -1;
    add_cycles(&sums->cycles[CLOCK], &row->clock, sums->sign);
    add_cycles(&sums->cycles[SM], &row->sm, sums->sign);
    return 0;
}

static int has_row(void *data, const char *label, size_t length)
{
    const struct calibration_row *row = measured_rows_find(data, label, length);
    return row != NULL && row->launch != 0 ? 0 : -1;
}

/* What was measured for RULE, in its column or else in the other one. */
static void take_measured(struct parameter *parameter, const struct measured_rows *rows)
{
    const struct calibrate_rule *rule = parameter->rule;
    struct measured_sums sums = {.rows = rows, .sign = 1};
    parameter->measured = NAN;
    if (calibrate_each_label(rule->before, has_row, (void *)rows) != 0 ||
        calibrate_each_label(rule->plus, add_row, &sums) != 0)
        return;
    sums.sign = -1;
    if (calibrate_each_label(rule->minus, add_row, &sums) != 0)
        return;
    enum column column = rule->column == CALIBRATE_CLOCK ? CLOCK : SM;
    if (isnan(sums.cycles[column].mean))
        column = column == CLOCK ? SM : CLOCK;
    parameter->measured = sums.cycles[column].mean;
    parameter->least = sums.cycles[column].least;
    parameter->most = sums.cycles[column].most;
    parameter->column = isnan(parameter->measured) ? NULL : column_names[column];
}

/* ---- rules without simulation ------------------------------------------ */

/* GB/s of all channels as MHz of the command clock. */
static double dram_mhz(const struct sim_options *options, double bandwidth)
{
    double bytes = (double)options->gpgpu_n_mem * options->gpgpu_n_mem_per_ctrlr *
                   options->gpgpu_dram_buswidth * options->dram_data_command_freq_ratio;
    return bandwidth * 1e3 / bytes;
}

static int set_property(struct parameter *parameter, struct trials *trials, struct error *err)
{
    const struct calibrate_rule *rule = parameter->rule;
    const struct calibration_row *row =
        measured_rows_find(trials->rows, rule->plus, strlen(rule->plus));
    if (row == NULL || !(row->work > 0))
        return 0;
    struct sim_config *config = trials_config(trials, err);
    if (config == NULL)
        return -1;
    double value = rule->unit == CALIBRATE_DRAM ? dram_mhz(&config->options, row->work)
                   : rule->unit == CALIBRATE_SMS
                       ? row->work / config->options.gpgpu_n_cores_per_cluster
                       : row->work;
    sim_config_destroy(config);
    trials_set(trials, rule, value);
    parameter->end = PARAMETER_SET;
    return 0;
}

static int set_span(struct parameter *parameter, struct trials *trials, struct error *err)
{
    double span;
    if (measured_rows_span(trials->rows, &span, err) != 0)
        return -1;
    if (isnan(span) || span < 0)
        return 0;
    trials_set(trials, parameter->rule, round(span));
    parameter->column = "gpc_cycles";
    parameter->measured = span;
    parameter->end = PARAMETER_SET;
    return 0;
}

/* ---- fits -------------------------------------------------------------- */

struct fitting {
    struct trials *trials;
    const struct calibrate_rule *rule;
};

#define SECTOR 32

static double value_at(const struct calibrate_rule *rule, int at)
{
    return rule->scale == CALIBRATE_POWERS    ? ldexp(1, at)
           : rule->scale == CALIBRATE_SECTORS ? SECTOR * at
                                              : at;
}

static int cycles_at(void *data, int at, double *cycles, struct error *err)
{
    const struct fitting *fitting = data;
    trials_set(fitting->trials, fitting->rule, value_at(fitting->rule, at));
    return trials_run(fitting->trials, fitting->rule, cycles, err);
}

/* The number that stands for the value of RULE. */
static int start_of(const struct trials *trials, const struct calibrate_rule *rule)
{
    char text[32];
    double value = strtod(trials_value(trials, rule, text, sizeof text), NULL);
    double at = rule->scale == CALIBRATE_POWERS    ? log2(value)
                : rule->scale == CALIBRATE_SECTORS ? value / SECTOR
                                                   : value;
    return at > rule->least ? at < rule->most ? (int)lround(at) : rule->most : rule->least;
}

static int solve(struct parameter *parameter, struct trials *trials, struct error *err)
{
    static const enum parameter_end ends[] = {[FIT_FOUND] = PARAMETER_SET,
                                              [FIT_AT_LIMIT] = PARAMETER_AT_LIMIT,
                                              [FIT_NO_EFFECT] = PARAMETER_NO_EFFECT};
    const struct calibrate_rule *rule = parameter->rule;
    struct fitting fitting = {trials, rule};
    struct fit fit = {.cycles = cycles_at,
                      .data = &fitting,
                      .least = rule->least,
                      .most = rule->most,
                      .around = rule->scale == CALIBRATE_ROUGH ? AROUND : 0,
                      .target = parameter->measured,
                      .low = parameter->least,
                      .high = parameter->most};
    int at;
    enum fit_end end;
    int code = fit_solve(&fit, start_of(trials, rule), &at, &parameter->simulated,
                         &parameter->step, &end, err);
    if (code != 0)
        return code;
    parameter->end = ends[end];
    if (end == FIT_NO_EFFECT) /* also a value that was out of range stays */
        trials_set(trials, rule, strtod(parameter->before, NULL));
    else
        trials_set(trials, rule, value_at(rule, at));
    return 0;
}

/* No more than what two runs on the card differ by is no miss. */
static double miss_of(const struct parameter *parameter)
{
    bool between =
        parameter->simulated >= parameter->least && parameter->simulated <= parameter->most;
    return between ? 0 : fabs(parameter->simulated - parameter->measured);
}

/* Takes the card's value back if it now fits as well: the rows cannot tell the two apart. */
static int take_back(struct parameter *parameter, struct trials *trials, struct error *err)
{
    char now[32];
    struct parameter with = *parameter;
    trials_value(trials, parameter->rule, now, sizeof now);
    if (strcmp(now, parameter->before) == 0 || strcmp(now, parameter->compared) == 0)
        return 0;
    trials_set(trials, parameter->rule, strtod(parameter->before, NULL));
    int code = trials_run(trials, parameter->rule, &with.simulated, err);
    if (code == 0 && miss_of(&with) <= miss_of(parameter)) {
        *parameter = with;
        return 0;
    }
    memcpy(parameter->compared, now, sizeof now);
    trials_set(trials, parameter->rule, strtod(now, NULL));
    return code;
}

/* Whether its value still fits; one of a rough scale only if it fits exactly. */
static bool fits(const struct parameter *parameter)
{
    double step = parameter->rule->scale == CALIBRATE_ROUGH ? 0 : parameter->step;
    return miss_of(parameter) <= step / 2;
}

int parameter_refine(struct parameter *parameter, struct trials *trials, struct error *err)
{
    if ((parameter->end != PARAMETER_SET && parameter->end != PARAMETER_AT_LIMIT) ||
        parameter->rule->kind != CALIBRATE_FIT)
        return 0;
    int code = trials_run(trials, parameter->rule, &parameter->simulated, err);
    if (code == 0)
        code = take_back(parameter, trials, err);
    if (code != 0 || fits(parameter))
        return code;
    return solve(parameter, trials, err);
}

/* ---- for the first time ------------------------------------------------ */

int parameter_find(struct parameter *parameter, struct trials *trials, struct error *err)
{
    const struct calibrate_rule *rule = parameter->rule;
    trials_value(trials, rule, parameter->before, sizeof parameter->before);
    parameter->simulated = parameter->measured = NAN;
    parameter->end = PARAMETER_OTHER_CORE;
    if (!calibrate_applies(rule, trials->core))
        return 0;
    parameter->end = PARAMETER_MISSING;
    if (parameter->before[0] == '\0')
        return error_set(err, ERROR_USAGE, trials->card, 0, 0, "-%s has no field %d",
                         rule->option, rule->field + 1);
    if (rule->kind == CALIBRATE_PROPERTY)
        return set_property(parameter, trials, err);
    if (rule->kind == CALIBRATE_SPAN)
        return set_span(parameter, trials, err);
    take_measured(parameter, trials->rows);
    return isnan(parameter->measured) ? 0 : solve(parameter, trials, err);
}
