#include "tools/run/sample/sample_plan.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "tools/run/plan/digest.h"
#include "tools/run/plan/plan.h"
#include "tools/run/plan/plan_line.h"
#include "tools/run/sample/represented.h"
#include "traces/base/draft.h"

/* ---- what a plan says of itself ---------------------------------------- */

void sample_plan_write_method(const struct sampling *selection,
                              const struct sampling_options *options, FILE *out)
{
    char text[SAMPLING_VALUE_TEXT];
    plan_line_write_pair(out, "name", selection->method->name);
    for (int i = 0; i < SAMPLING_OPTIONS; i++) {
        if (!(selection->method->options & SAMPLING_BIT(i)))
            continue;
        sampling_option_get(options, (enum sampling_option_id)i, text);
        plan_line_write_pair(out, sampling_option((enum sampling_option_id)i)->name, text);
    }
    snprintf(text, sizeof text, "%" PRIu64, options->seed);
    plan_line_write_pair(out, "seed", text);
}

/* Writes the sum of a column, if it is known for every launch; at most the greatest number. */
static void write_sum(const struct profile *profile, enum profile_column column, FILE *out)
{
    uint64_t sum = 0;
    for (size_t i = 0; i < profile->count; i++) {
        const struct profile_row *row = &profile->rows[i];
        uint64_t more = column == PROFILE_WARP_INSTS ? row->warp_insts : row->thread_insts;
        sum = more < UINT64_MAX - sum ? sum + more : UINT64_MAX;
    }
    if (profile_known(profile) & PROFILE_BIT(column))
        fprintf(out, " %s=%" PRIu64, profile_column_info(column)->name, sum);
}

/* Adds the lines !total and !method. */
static int add_remarks(struct plan *plan, const struct sampling *selection,
                       const struct sampling_options *options, struct error *err)
{
    static const char *const scales[] = {[SAMPLING_SCALE_INSTS] = "insts",
                                         [SAMPLING_SCALE_LAUNCHES] = "launches",
                                         [SAMPLING_SCALE_TIMES] = "times"};
    for (int i = 0; i < 2; i++) {
        struct draft draft;
        if (!draft_begin(&draft))
            return error_no_memory(err);
        FILE *out = draft.out;
        if (i == 0) {
            fprintf(out, "!total launches=%zu", selection->profile->count);
            write_sum(selection->profile, PROFILE_WARP_INSTS, out);
            write_sum(selection->profile, PROFILE_THREAD_INSTS, out);
        } else {
            fputs("!method", out);
            sample_plan_write_method(selection, options, out);
            plan_line_write_pair(out, "scale",
                                 selection->weights != NULL ? "times"
                                                            : scales[selection->method->scale]);
            plan_line_write_pair(out, "draw",
                                 sampling_is_random(selection->method, options) ? "random"
                                                                                : "rule");
            if (selection->unit != SAMPLING_NO_INSTS)
                plan_line_write_pair(out, "insts", sampling_unit_name(selection->unit));
        }
        int rc =
            draft_end(&draft) ? plan_add_remark(plan, draft.text, err) : error_no_memory(err);
        free(draft.text);
        if (rc != 0)
            return rc;
    }
    return 0;
}

/* ---- its items --------------------------------------------------------- */

/* A representative while the plan is made. */
struct representative {
    uint64_t launch;
    size_t row, stratum;
    size_t number; /* index of selection->reps */
    bool found;    /* in the workload */
};

struct maker {
    const struct sampling *selection;
    struct represented stands;
    double *spreads; /* for each stratum, if they belong to error bars; else NULL */
    struct representative *chosen; /* sorted by launch */
    struct plan *plan;
};

static int compare_chosen(const void *a, const void *b)
{
    const struct representative *x = a, *y = b;
    return (x->launch > y->launch) - (x->launch < y->launch);
}

static int compare_rows(const void *a, const void *b)
{
    const struct representative *x = a, *y = b;
    return (x->row > y->row) - (x->row < y->row);
}

/* Lists the representatives, sorted by COMPARE. */
static int list_chosen(struct maker *maker, int (*compare)(const void *, const void *),
                       struct error *err)
{
    const struct sampling *selection = maker->selection;
    size_t count = 0;
    maker->chosen = calloc(selection->rep_count, sizeof *maker->chosen);
    if (maker->chosen == NULL)
        return error_no_memory(err);
    for (size_t i = 0; i < selection->count; i++)
        for (size_t k = 0; k < selection->strata[i].reps; k++) {
            size_t number = selection->strata[i].first_rep + k, row = selection->reps[number];
            maker->chosen[count++] =
                (struct representative){.launch = selection->profile->rows[row].launch,
                                        .row = row,
                                        .stratum = i,
                                        .number = number};
        }
    qsort(maker->chosen, count, sizeof *maker->chosen, compare);
    return 0;
}

/* Fills STEP, without its scale, for the representative CHOSEN. */
static bool keep_texts(struct maker *maker, const struct representative *chosen,
                       struct plan_step *step, struct error *err)
{
    char number[24], spread[32];
    snprintf(number, sizeof number, "%zu", chosen->stratum + 1);
    step->stratum = plan_keep(maker->plan, number, err);
    step->stands = plan_keep(maker->plan, represented_of(&maker->stands, chosen->row), err);
    if (maker->spreads != NULL) {
        snprintf(spread, sizeof spread, "%.9g", maker->spreads[chosen->stratum]);
        step->spread = plan_keep(maker->plan, spread, err);
        step->spread_number = strtod(spread, NULL);
    }
    return step->stratum != NULL && step->stands != NULL &&
           (step->spread != NULL) == (maker->spreads != NULL);
}

/* Sets the scale, and what error bars need: times or estimates to which counters have a ratio,
 * which each stratum has for itself. */
static void set_scale(const struct sampling *selection, const struct representative *chosen,
                      struct plan_step *step)
{
    const struct sampling_stratum *stratum = &selection->strata[chosen->stratum];
    step->scale = sampling_scale_of(selection, stratum, chosen->number);
    if (selection->weights == NULL)
        return;
    step->group = chosen->stratum + 1;
    step->size = selection->sizes[chosen->number];
}

static int add_launch(struct maker *maker, struct representative *chosen, const char *name,
                      struct error *err)
{
    struct plan_step *step = plan_add_step(maker->plan, NULL, err);
    struct plan_item *item = step != NULL ? plan_add(maker->plan, PLAN_LAUNCH, 0, err) : NULL;
    if (item == NULL)
        return -1;
    chosen->found = true;
    set_scale(maker->selection, chosen, step);
    item->launch = (struct plan_launch){plan_keep(maker->plan, name, err), .step = step};
    return item->launch.name != NULL && keep_texts(maker, chosen, step, err) ? 0 : -1;
}

/* Adds the representatives under the names that the tracer gives, in the order of the
 * profile. */
static int add_names(struct maker *maker, struct error *err)
{
    int rc = list_chosen(maker, compare_rows, err);
    for (size_t i = 0; i < maker->selection->rep_count && rc == 0; i++) {
        char name[64];
        snprintf(name, sizeof name, "kernel-%" PRIu64 ".traceg", maker->chosen[i].launch);
        rc = add_launch(maker, &maker->chosen[i], name, err);
    }
    return rc;
}

static int check_found(const struct maker *maker, const char *path, struct error *err)
{
    for (size_t i = 0; i < maker->selection->rep_count; i++)
        if (!maker->chosen[i].found)
            return error_set(err, ERROR_USAGE, path, 0, 0,
                             "the workload has no launch %" PRIu64 ", which %s chose from %s",
                             maker->chosen[i].launch, maker->selection->method->name,
                             maker->selection->profile->path);
    return 0;
}

/* Adds the copies and the representatives of the workload, in its order. */
static int add_workload(struct maker *maker, const struct sample_source *source,
                        struct error *err)
{
    const struct trace_workload *workload = source->workload;
    size_t position = 0;
    int rc = list_chosen(maker, compare_chosen, err);
    for (size_t i = 0; i < workload->count && rc == 0; i++) {
        const struct trace_command *command = &workload->commands[i];
        if (trace_command_writes(command) || command->kind == TRACE_COPY_DTOH)
            rc = plan_add_copy(maker->plan, command, 0, err);
        if (command->kind != TRACE_KERNEL)
            continue;
        struct representative key = {
            .launch = launches_number(&source->launches, command->text, ++position)};
        struct representative *chosen = bsearch(
            &key, maker->chosen, maker->selection->rep_count, sizeof key, compare_chosen);
        if (chosen != NULL && !chosen->found)
            rc = add_launch(maker, chosen, command->text, err);
    }
    return rc == 0 ? check_found(maker, workload->path, err) : rc;
}

static int find_spreads(struct maker *maker, const struct sampling_options *options,
                        struct error *err)
{
    if (!sampling_has_spreads(maker->selection, options))
        return 0;
    maker->spreads = calloc(maker->selection->count, sizeof *maker->spreads);
    if (maker->spreads == NULL)
        return error_no_memory(err);
    sampling_spreads(maker->selection, maker->spreads);
    return 0;
}

/* The workload's path and digest. */
static int name_workload(struct plan *plan, const struct trace_workload *workload,
                         struct error *err)
{
    char digest[DIGEST_TEXT];
    if (digest_workload(workload, digest, err) != 0)
        return -1;
    plan->names = workload;
    plan->workload = trace_absolute_path(workload->path);
    if (plan->workload == NULL)
        return error_undecoded(err, workload->path, 0, 0, "no plan can name it: %s",
                               strerror(errno));
    plan->digest = strdup(digest);
    return plan->digest != NULL ? 0 : error_no_memory(err);
}

struct plan *sample_plan_make(const struct sampling *selection,
                              const struct sampling_options *options,
                              const struct sample_source *source, const char *path,
                              struct error *err)
{
    struct maker maker = {.selection = selection, .plan = plan_create(path, true, err)};
    const struct trace_workload *workload = source->workload;
    int rc = maker.plan != NULL ? represented_init(&maker.stands, selection, err) : -1;
    if (rc == 0)
        rc = find_spreads(&maker, options, err);
    if (rc == 0 && workload != NULL)
        rc = name_workload(maker.plan, workload, err);
    if (rc == 0)
        rc = workload != NULL ? add_workload(&maker, source, err) : add_names(&maker, err);
    if (rc == 0)
        rc = add_remarks(maker.plan, selection, options, err);
    free(maker.chosen);
    free(maker.spreads);
    represented_finish(&maker.stands);
    if (rc == 0)
        return maker.plan;
    plan_destroy(maker.plan);
    return NULL;
}
