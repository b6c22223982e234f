#include "tools/run/corrections.h"

#include <stdlib.h>

#include "tools/run/prepass.h"

/* The measured launches, which are those of the rows. */
struct measured_row {
    size_t *positions;
    struct correction_reuse *reuse;
    size_t count;
};

const struct correction_kind *corrections_of(const struct plan *plan)
{
    struct warmup warmup;
    struct error ignored = {0};
    return plan->warm != NULL && warmup_parse(&warmup, plan->warm, &ignored) == 0
               ? warmup.correction
               : NULL;
}

/* Why ITEM cannot be in a corrected run; NULL if it can. FOLLOWS: it follows another launch in
 * its segment. */
static const char *reason_against(const struct input *input, const struct plan_item *item,
                                  bool follows)
{
    const struct plan_launch *launch = &item->launch;
    if (item->kind == PLAN_RESTORE)
        return "a correction applies to launches that start cold, not after !restore";
    if (item->kind != PLAN_LAUNCH)
        return NULL;
    if (launch->role != PLAN_MEASURE)
        return "a correction applies to launches that start cold, not after warm-up launches";
    if (launch->step->prime_percent > 0)
        return "prime=: a correction applies to launches that are measured from start to end";
    if (launches_find(&input->launches, launch->name) == NULL)
        return "the launch is not in the list of the workload, so its reuse is unknown";
    return follows ? "a correction applies to launches that start cold, not after another one: "
                     "each "
                     "needs a !segment before it"
                   : NULL;
}

/* Finds the first item that cannot be in a corrected run. */
static int check_items(const struct input *input, struct error *err)
{
    const struct plan *plan = input->plan;
    bool follows = false;
    for (size_t i = 0; i < plan->count; i++) {
        const struct plan_item *item = &plan->items[i];
        if (input->skip[i])
            continue;
        const char *reason = reason_against(input, item, follows);
        if (reason != NULL)
            return error_set(err, ERROR_USAGE, plan->path, item->line, 0, "%s: %s",
                             item->kind == PLAN_LAUNCH ? item->launch.name : item->text,
                             reason);
        follows = item->kind == PLAN_LAUNCH || (follows && item->kind != PLAN_SEGMENT);
    }
    return 0;
}

int corrections_check(const struct input *input, const char *overlap, struct error *err)
{
    const struct correction_kind *kind = corrections_of(input->plan);
    if (kind == NULL)
        return 0;
    if (overlap != NULL)
        return error_set(
            err, ERROR_USAGE, NULL, 0, 0,
            "correction:%s applies to launches that run alone, not to launches that overlap "
            "(%s)",
            kind->policy.name, overlap);
    return check_items(input, err);
}

/* Rows are those of the plan's launches, in its order. */
static void list(struct measured_row *measured, const struct input *input,
                 const struct rows *rows)
{
    const struct plan *plan = input->plan;
    for (size_t i = 0; i < plan->count && measured->count < rows->count; i++) {
        const struct plan_item *item = &plan->items[i];
        if (item->kind != PLAN_LAUNCH || input->skip[i])
            continue;
        const struct launch_header *known = launches_find(&input->launches, item->launch.name);
        measured->positions[measured->count++] = launches_position(&input->launches, known);
    }
}

static void correct(struct row *row, const struct correction_reuse *reuse,
                    const struct correction_kind *kind, const struct sim_config *config)
{
    struct correction_input input = {
        .reuse = *reuse,
        .cycles = row->result.end_cycle - row->result.start_cycle,
        .channel_bytes = row->result.channel_bytes,
        .busiest_channel_bytes = row->result.busiest_channel_bytes,
    };
    correction_configure(&input, config);
    kind->make(&input, &row->correction);
    row->corrected = true;
}

/* Reads from the traces what the measured launches reuse. */
static int read_reuse(const struct measured_row *measured, const struct input *input,
                      const struct sim_config *config, struct progress_hook progress,
                      struct error *err)
{
    struct prepass pass;
    int result = prepass_init(&pass, "corrections", progress, &input->launches,
                              measured->positions, measured->count, err);
    const struct warmup_task task = {
        .measured = measured->positions, .count = measured->count, .watch = &pass.watch};
    if (result == 0)
        result = correction_read(input_workload(input), config, &task, measured->reuse, err);
    prepass_finish(&pass);
    return result;
}

static int correct_all(const struct measured_row *measured, const struct correction_kind *kind,
                       const struct sim_config *config, struct rows *rows, struct error *err)
{
    int result = 0;
    for (size_t i = 0; result == 0 && i < measured->count; i++) {
        struct row row;
        if (!rows_read(rows, i, &row))
            return row_store_check(rows->store, err);
        correct(&row, &measured->reuse[i], kind, config);
        result = rows_replace(rows, i, &row, err);
        row_finish(&row);
    }
    return result;
}

int corrections_apply(const struct correction_kind *kind, const struct input *input,
                      const struct sim_config *config, struct progress_hook progress,
                      struct rows *rows, struct error *err)
{
    struct measured_row measured = {
        .positions = calloc(rows->count + 1, sizeof *measured.positions),
        .reuse = calloc(rows->count + 1, sizeof *measured.reuse),
    };
    int result = -1;
    if (!measured.positions || !measured.reuse) {
        error_no_memory(err);
    } else {
        list(&measured, input, rows);
        result = read_reuse(&measured, input, config, progress, err);
    }
    if (result == 0)
        result = correct_all(&measured, kind, config, rows, err);
    free(measured.positions);
    free(measured.reuse);
    return result;
}
