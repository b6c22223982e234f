#include "tools/calibrate/parameters.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Rules depend on earlier ones, and a little on later ones: they are worked out again until
 * none changes, at most this often. */
#define ROUNDS 4

/* Values beside the best one that are tried where cycles rise only roughly. */
#define AROUND 3

/* ---- what was measured ------------------------------------------------- */

enum column { CLOCK, SM, COLUMNS };
static const char *const column_names[COLUMNS] = {"clock_cycles", "sm_cycles"};

/* The sum over some rows, in each of the columns; NaN where one is missing. */
struct measured_sums {
    const struct measured_rows *rows;
    double cycles[COLUMNS];
    double sign;
};

static int add_row(void *data, const char *label, size_t length)
{
    struct measured_sums *sums = data;
    const struct calibration_row *row = measured_rows_find(sums->rows, label, length);
    if (row == NULL || row->launch == 0)
        return -1;
    sums->cycles[CLOCK] += sums->sign * row->clock;
    sums->cycles[SM] += sums->sign * row->sm;
    return 0;
}

static int has_row(void *data, const char *label, size_t length)
{
    const struct calibration_row *row = measured_rows_find(data, label, length);
    return row != NULL && row->launch != 0 ? 0 : -1;
}

/* What was measured for RULE. The time within a kernel knows no start and end of the launch: it
 * is taken for differences of two launches, and where there is nothing else. */
static void take_measured(struct parameter *parameter, const struct measured_rows *rows)
{
    const struct calibrate_rule *rule = parameter->rule;
    struct measured_sums sums = {.rows = rows, .sign = 1};
    bool difference = rule->minus[0] != '\0';
    parameter->measured = NAN;
    if (calibrate_each_label(rule->before, has_row, (void *)rows) != 0 ||
        calibrate_each_label(rule->plus, add_row, &sums) != 0)
        return;
    sums.sign = -1;
    if (calibrate_each_label(rule->minus, add_row, &sums) != 0)
        return;
    enum column column = difference ? CLOCK : SM;
    if (isnan(sums.cycles[column]))
        column = difference ? SM : CLOCK;
    parameter->measured = sums.cycles[column];
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
    const struct parameter *parameter;
};

static double value_at(const struct calibrate_rule *rule, int at)
{
    return rule->scale == CALIBRATE_POWERS ? ldexp(1, at) : at;
}

/* The time within a kernel lacks what the kernel does first, which is to fill its caches: two
 * lengths cancel that only if both find them in the same state. */
static int run_trial(const struct parameter *parameter, struct trials *trials, double *cycles,
                     struct error *err)
{
    const struct calibrate_rule *rule = parameter->rule;
    bool apart = parameter->column == column_names[CLOCK] && rule->minus[0] != '\0' &&
                 rule->before[0] == '\0';
    return trials_run(trials, rule, apart, cycles, err);
}

static int cycles_at(void *data, int at, double *cycles, struct error *err)
{
    const struct fitting *fitting = data;
    const struct calibrate_rule *rule = fitting->parameter->rule;
    trials_set(fitting->trials, rule, value_at(rule, at));
    return run_trial(fitting->parameter, fitting->trials, cycles, err);
}

/* The number that stands for the value of RULE. */
static int start_of(const struct trials *trials, const struct calibrate_rule *rule)
{
    char text[32];
    double value = strtod(trials_value(trials, rule, text, sizeof text), NULL);
    double at = rule->scale == CALIBRATE_POWERS ? log2(value) : value;
    return at > rule->least ? at < rule->most ? (int)lround(at) : rule->most : rule->least;
}

static int solve(struct parameter *parameter, struct trials *trials, struct error *err)
{
    static const enum parameter_end ends[] = {[FIT_FOUND] = PARAMETER_SET,
                                              [FIT_AT_LIMIT] = PARAMETER_AT_LIMIT,
                                              [FIT_NO_EFFECT] = PARAMETER_NO_EFFECT};
    const struct calibrate_rule *rule = parameter->rule;
    struct fitting fitting = {trials, parameter};
    struct fit fit = {.cycles = cycles_at,
                      .data = &fitting,
                      .least = rule->least,
                      .most = rule->most,
                      .around = rule->scale == CALIBRATE_ROUGH ? AROUND : 0,
                      .target = parameter->measured};
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

static double miss_of(const struct parameter *parameter)
{
    return fabs(parameter->simulated - parameter->measured);
}

/* Takes the card's value back if it now fits as well: the rows cannot tell the two apart. */
static int take_back(struct parameter *parameter, struct trials *trials, bool *changed,
                     struct error *err)
{
    char now[32];
    struct parameter with = *parameter;
    trials_value(trials, parameter->rule, now, sizeof now);
    if (strcmp(now, parameter->before) == 0)
        return 0;
    trials_set(trials, parameter->rule, strtod(parameter->before, NULL));
    int code = run_trial(parameter, trials, &with.simulated, err);
    if (code == 0 && miss_of(&with) <= miss_of(parameter)) {
        *parameter = with;
        *changed = true;
    } else {
        trials_set(trials, parameter->rule, strtod(now, NULL));
    }
    return code;
}

/* Whether its value still fits; one of a rough scale only if it fits exactly. */
static bool fits(const struct parameter *parameter)
{
    double step = parameter->rule->scale == CALIBRATE_ROUGH ? 0 : parameter->step;
    return miss_of(parameter) <= step / 2;
}

/* Solves it again if it no longer fits, now that others have changed. */
static int refine(struct parameter *parameter, struct trials *trials, bool *changed,
                  struct error *err)
{
    char old[32], new[32];
    if (parameter->end != PARAMETER_SET || parameter->rule->kind != CALIBRATE_FIT)
        return 0;
    int code = run_trial(parameter, trials, &parameter->simulated, err);
    if (code == 0)
        code = take_back(parameter, trials, changed, err);
    if (code != 0 || fits(parameter))
        return code;
    trials_value(trials, parameter->rule, old, sizeof old);
    code = solve(parameter, trials, err);
    trials_value(trials, parameter->rule, new, sizeof new);
    *changed |= strcmp(old, new) != 0;
    return code;
}

/* ---- all of them ------------------------------------------------------- */

static int find_one(struct parameter *parameter, struct trials *trials, struct error *err)
{
    const struct calibrate_rule *rule = parameter->rule;
    trials_value(trials, rule, parameter->before, sizeof parameter->before);
    parameter->simulated = parameter->measured = NAN;
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

int parameters_find(struct parameter *items, struct trials *trials,
                    void (*tell)(const struct calibrate_rule *rule), struct error *err)
{
    bool changed = true;
    int code = 0;
    for (size_t i = 0; i < calibrate_rule_count && code == 0; i++) {
        items[i] = (struct parameter){.rule = &calibrate_rules[i]};
        if (tell != NULL)
            tell(&calibrate_rules[i]);
        code = find_one(&items[i], trials, err);
    }
    for (int round = 1; round < ROUNDS && changed && code == 0; round++) {
        changed = false;
        for (size_t i = 0; i < calibrate_rule_count && code == 0; i++)
            code = refine(&items[i], trials, &changed, err);
    }
    for (size_t i = 0; i < calibrate_rule_count && code == 0; i++)
        trials_value(trials, items[i].rule, items[i].after, sizeof items[i].after);
    return code;
}
