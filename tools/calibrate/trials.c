#define _GNU_SOURCE /* asprintf */
#include "tools/calibrate/trials.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tools/run/run.h"

static struct trials_setting *find(const struct trials *trials, const char *option)
{
    for (size_t i = 0; i < trials->count; i++)
        if (strcmp(trials->settings[i].option, option) == 0)
            return &trials->settings[i];
    return NULL;
}

int trials_init(struct trials *trials, struct error *err)
{
    struct sim_config *config = trials_config(trials, err);
    trials->settings = calloc(calibrate_rule_count, sizeof *trials->settings);
    if (config == NULL)
        return -1;
    trials->core = strdup(config->options.hearth_core);
    for (size_t i = 0; trials->settings != NULL && i < calibrate_rule_count; i++) {
        const char *option = calibrate_rules[i].option;
        char buffer[64];
        if (find(trials, option) != NULL)
            continue;
        struct trials_setting *setting = &trials->settings[trials->count++];
        setting->option = option;
        snprintf(setting->text, sizeof setting->text, "%s=%s", option,
                 sim_config_value(config, sim_option_find(option), buffer, sizeof buffer));
    }
    sim_config_destroy(config);
    return trials->settings != NULL && trials->core != NULL ? 0 : error_no_memory(err);
}

void trials_finish(struct trials *trials)
{
    free(trials->core);
    free(trials->settings);
    *trials = (struct trials){0};
}

int trials_copy(struct trials *copy, const struct trials *from, struct error *err)
{
    *copy = *from;
    copy->settings = calloc(from->count + 1, sizeof *copy->settings);
    if (copy->settings == NULL)
        return error_no_memory(err);
    memcpy(copy->settings, from->settings, from->count * sizeof *copy->settings);
    return 0;
}

void trials_finish_copy(struct trials *copy)
{
    free(copy->settings);
}

/* Where the value of RULE is in its setting. */
static struct trials_setting *place_of(const struct trials *trials,
                                       const struct calibrate_rule *rule, size_t *begin,
                                       size_t *length)
{
    struct trials_setting *setting = find(trials, rule->option);
    const char *value = strchr(setting->text, '=') + 1;
    if (calibrate_field(value, rule->field, begin, length) != 0)
        *begin = strlen(value), *length = 0;
    *begin += (size_t)(value - setting->text);
    return setting;
}

const char *trials_value(const struct trials *trials, const struct calibrate_rule *rule,
                         char *buffer, size_t size)
{
    size_t begin, length;
    const struct trials_setting *setting = place_of(trials, rule, &begin, &length);
    snprintf(buffer, size, "%.*s", (int)length, setting->text + begin);
    return buffer;
}

void trials_set(struct trials *trials, const struct calibrate_rule *rule, double value)
{
    size_t begin, length;
    struct trials_setting *setting = place_of(trials, rule, &begin, &length);
    char text[sizeof setting->text];
    memcpy(text, setting->text, sizeof text);
    snprintf(setting->text, sizeof setting->text, "%.*s%.10g%.128s", (int)begin, text, value,
             text + begin + length);
}

/* ---- simulating -------------------------------------------------------- */

/* The launches of a rule, and what becomes of them. */
struct trial_launches {
    const struct trials *trials;
    struct results results; /* of the simulation */
    double sign, cycles;
    char *launches; /* "1,5,9" */
    struct error *err;
};

static int no_row(const struct trial_launches *selection, const char *label, size_t length)
{
    return error_set(selection->err, ERROR_TRACE, selection->trials->rows->path, 0, 0,
                     "there is no row %.*s", (int)length, label);
}

static int take_launch(void *data, const char *label, size_t length)
{
    struct trial_launches *selection = data;
    const struct calibration_row *row =
        measured_rows_find(selection->trials->rows, label, length);
    char *longer;
    if (row == NULL)
        return no_row(selection, label, length);
    if (asprintf(&longer, "%s%s%" PRIu64,
                 selection->launches != NULL ? selection->launches : "",
                 selection->launches != NULL ? "," : "", row->launch) < 0)
        return error_no_memory(selection->err);
    free(selection->launches);
    selection->launches = longer;
    return 0;
}

/* Whether TEXT, if there is one, says SIZE. */
static bool has_size(const char *text, const uint32_t size[3])
{
    char own[64];
    snprintf(own, sizeof own, "%" PRIu32 "x%" PRIu32 "x%" PRIu32, size[0], size[1], size[2]);
    return text[0] == '\0' || strcmp(text, own) == 0;
}

static int other_program(const struct trial_launches *selection, const char *label,
                         size_t length, uint64_t launch)
{
    return error_set(selection->err, ERROR_USAGE, selection->trials->rows->path, 0, 0,
                     "%.*s: launch %" PRIu64 " of %s has another grid or block: the trace is "
                     "of another version of the program; --trace names another",
                     (int)length, label, launch, selection->trials->trace_name);
}

static int add_cycles(void *data, const char *label, size_t length)
{
    struct trial_launches *selection = data;
    const struct calibration_row *row =
        measured_rows_find(selection->trials->rows, label, length);
    struct rows_pass pass = {.rows = &selection->results.rows};
    const struct row *own;
    while ((own = rows_next(&pass)) != NULL && own->launch != row->launch)
        continue;
    if (own != NULL) {
        bool same = has_size(row->grid, own->grid) && has_size(row->block, own->block);
        selection->cycles +=
            selection->sign * (double)(own->result.end_cycle - own->result.start_cycle);
        rows_leave(&pass);
        return same ? 0 : other_program(selection, label, length, row->launch);
    }
    if (row_store_check(selection->results.store, selection->err) != 0)
        return -1;
    return error_set(selection->err, ERROR_TRACE, selection->trials->trace_name, 0, 0,
                     "there is no launch %" PRIu64 " (%.*s)", row->launch, (int)length, label);
}

static int add_all(struct trial_launches *selection, const struct calibrate_rule *rule)
{
    selection->sign = 1;
    if (calibrate_each_label(rule->plus, add_cycles, selection) != 0)
        return -1;
    selection->sign = -1;
    return calibrate_each_label(rule->minus, add_cycles, selection);
}

/* The settings as --set takes them, then MORE of them; to be freed. */
static const char **sets_of(const struct trials *trials, const char *const *more, size_t count)
{
    const char **sets = calloc(trials->count + count + 1, sizeof *sets);
    for (size_t i = 0; sets != NULL && i < trials->count; i++)
        sets[i] = trials->settings[i].text;
    for (size_t i = 0; sets != NULL && i < count; i++)
        sets[trials->count + i] = more[i];
    return sets;
}

/* Launches without latency and, unless RULE's have them, without page walks or copies. Those of
 * a row find the places of their parameters in L2, as other launches came before them. */
static size_t state_of(const struct calibrate_rule *rule, const char *sets[5])
{
    size_t count = 0;
    sets[count++] = "gpgpu_kernel_launch_latency=0";
    if (rule->state != CALIBRATE_FIRST) {
        sets[count++] = "hearth_page_walk=0";
        sets[count++] = "hearth_param_slots=0";
    }
    if (rule->state == CALIBRATE_LATER) {
        sets[count++] = "gpgpu_perf_sim_memcpy=0";
        sets[count++] = "hearth_device_copies=0";
    }
    return count;
}

static int simulate(struct trials *trials, const char *const *sets, size_t count,
                    const char *launches, struct results *results, struct error *err)
{
    const struct run_request request = {.target = trials->trace,
                                        .configs = &trials->card,
                                        .config_count = 1,
                                        .sets = sets,
                                        .set_count = count,
                                        .launches = launches,
                                        .threads = 1,
                                        .catch_signals = true};
    return run_execute(&request, NULL, results, err);
}

/* What tells a trial from others: the settings, the launches, and which of them are counted. */
static char *key_of(const char *const *sets, size_t count, const char *launches,
                    const struct calibrate_rule *rule)
{
    char *key = NULL;
    size_t size;
    FILE *text = open_memstream(&key, &size);
    if (text == NULL)
        return NULL;
    for (size_t i = 0; i < count; i++)
        fprintf(text, "%s\n", sets[i]);
    fprintf(text, "%s\n%s\n%s", launches, rule->plus, rule->minus);
    return fclose(text) == 0 ? key : (free(key), NULL);
}

/* Simulates SELECTION's launches, and adds RULE's cycles. */
static int look(struct trials *trials, const struct calibrate_rule *rule,
                const char *const *sets, size_t count, struct trial_launches *selection)
{
    char *key = key_of(sets, count, selection->launches, rule);
    int code = 0;
    if (key == NULL)
        return error_no_memory(selection->err);
    if (!trial_memory_find(trials->memory, key, &selection->cycles)) {
        code = simulate(trials, sets, count, selection->launches, &selection->results,
                        selection->err);
        if (code == 0)
            code = add_all(selection, rule);
        if (code == 0 && !trial_memory_add(trials->memory, key, selection->cycles))
            code = error_no_memory(selection->err);
    }
    free(key);
    return code;
}

int trials_run(struct trials *trials, const struct calibrate_rule *rule, double *cycles,
               struct error *err)
{
    struct trial_launches selection = {.trials = trials, .err = err};
    const char *state[5];
    size_t count = state_of(rule, state);
    const char **sets = sets_of(trials, state, count);
    int code = 0;
    if (sets == NULL)
        code = error_no_memory(err);
    else if (calibrate_each_label(rule->before, take_launch, &selection) != 0 ||
             calibrate_each_label(rule->plus, take_launch, &selection) != 0 ||
             calibrate_each_label(rule->minus, take_launch, &selection) != 0)
        code = -1;
    else
        code = look(trials, rule, sets, trials->count + count, &selection);
    *cycles = selection.cycles;
    results_finish(&selection.results);
    free(selection.launches);
    free(sets);
    return code;
}

struct sim_config *trials_config(const struct trials *trials, struct error *err)
{
    const char **sets = sets_of(trials, NULL, 0);
    const struct run_request request = {
        .configs = &trials->card, .config_count = 1, .sets = sets, .set_count = trials->count};
    if (sets == NULL) {
        error_no_memory(err);
        return NULL;
    }
    struct sim_config *config = run_config(&request, NULL, err);
    free(sets);
    return config;
}
