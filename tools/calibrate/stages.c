#include "tools/calibrate/stages.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

/* Rules depend on earlier ones, and a little on later ones: they are worked out again until
 * none changes, at most this often. */
#define ROUNDS 5

/* ---- a rule ------------------------------------------------------------ */

/* What one rule of the stage does to the settings, which the others do not see before its end.
 */
struct stage_result {
    int code;
    struct error err;
    char value[32];
};

struct stage_work {
    int number;
    bool first; /* time that the rules are worked out */
    struct parameter *items;
    const struct trials *trials;
    struct stage_result *results; /* of each rule */
    atomic_size_t next;
    atomic_bool failed;
};

static void work_out(struct stage_work *stage, size_t number)
{
    struct parameter *parameter = &stage->items[number];
    struct stage_result *result = &stage->results[number];
    struct trials own;
    result->code = trials_copy(&own, stage->trials, &result->err);
    if (result->code == 0)
        result->code = stage->first ? parameter_find(parameter, &own, &result->err)
                                    : parameter_refine(parameter, &own, &result->err);
    if (result->code == 0)
        trials_value(&own, parameter->rule, result->value, sizeof result->value);
    else
        stage->failed = true;
    trials_finish_copy(&own);
}

/* Takes rules of the stage until there are none left. */
static void *work(void *data)
{
    struct stage_work *stage = data;
    size_t taken;
    while (!stage->failed && (taken = atomic_fetch_add(&stage->next, 1)) < calibrate_rule_count)
        if (stage->items[taken].rule->stage == stage->number)
            work_out(stage, taken);
    return NULL;
}

/* ---- a stage ----------------------------------------------------------- */

/* With fewer threads if there are not so many. */
static void run_stage(struct stage_work *stage, unsigned jobs)
{
    pthread_t threads[STAGES_JOBS];
    unsigned started = 0;
    while (started + 1 < jobs && started < STAGES_JOBS &&
           pthread_create(&threads[started], NULL, work, stage) == 0)
        started++;
    work(stage);
    for (unsigned i = 0; i < started; i++)
        pthread_join(threads[i], NULL);
}

/* Gives TRIALS the values that the stage found; *CHANGED: one is new. */
static int take_values(const struct stage_work *stage, struct trials *trials, bool *changed,
                       struct error *err)
{
    char old[32];
    for (size_t i = 0; i < calibrate_rule_count; i++)
        if (stage->results[i].code != 0) {
            error_pass(err, &stage->results[i].err);
            return stage->results[i].code;
        }
    for (size_t i = 0; i < calibrate_rule_count; i++) {
        const struct calibrate_rule *rule = stage->items[i].rule;
        if (rule->stage != stage->number || stage->items[i].end <= PARAMETER_MISSING)
            continue;
        trials_value(trials, rule, old, sizeof old);
        if (strcmp(old, stage->results[i].value) == 0)
            continue;
        *changed = true;
        trials_set(trials, rule, strtod(stage->results[i].value, NULL));
    }
    return 0;
}

static int do_stage(struct stage_work *stage, struct trials *trials, unsigned jobs,
                    bool *changed, struct error *err)
{
    memset(stage->results, 0, calibrate_rule_count * sizeof *stage->results);
    stage->next = 0;
    stage->failed = false;
    run_stage(stage, jobs);
    return take_values(stage, trials, changed, err);
}

/* ---- all of them ------------------------------------------------------- */

int stages_find(struct parameter *items, struct trials *trials, unsigned jobs,
                void (*tell)(int round, int stage), struct error *err)
{
    struct stage_work stage = {.items = items,
                               .trials = trials,
                               .results = calloc(calibrate_rule_count, sizeof *stage.results)};
    bool changed = true;
    int code = stage.results != NULL ? 0 : error_no_memory(err);
    for (size_t i = 0; i < calibrate_rule_count; i++)
        items[i] = (struct parameter){.rule = &calibrate_rules[i]};
    for (int round = 0; round < ROUNDS && changed && code == 0; round++) {
        changed = false;
        stage.first = round == 0;
        for (stage.number = 0; stage.number < CALIBRATE_STAGES && code == 0; stage.number++) {
            if (tell != NULL)
                tell(round, stage.number);
            code = do_stage(&stage, trials, jobs, &changed, err);
        }
    }
    for (size_t i = 0; i < calibrate_rule_count && code == 0; i++)
        trials_value(trials, items[i].rule, items[i].after, sizeof items[i].after);
    free(stage.results);
    return code;
}
