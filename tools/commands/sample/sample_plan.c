#define _GNU_SOURCE /* asprintf, open_memstream */
#include "tools/commands/sample/sample_plan.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "tools/run/plan/digest.h"
#include "tools/run/plan/plan.h"
#include "tools/run/plan/plan_line.h"
#include "tools/run/plan/represented.h"

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

/* The sum of a column, as far as every launch knows it; the greatest number where
 * it is more. */
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

/* The lines !total and !method; to be freed. */
static int make_remarks(const struct sampling *selection,
                        const struct sampling_options *options, char *remarks[2],
                        struct error *err)
{
    for (int i = 0; i < 2; i++) {
        size_t size;
        FILE *out = open_memstream(&remarks[i], &size);
        if (out == NULL)
            return error_no_memory(err);
        if (i == 0) {
            fprintf(out, "!total launches=%zu", selection->profile->count);
            write_sum(selection->profile, PROFILE_WARP_INSTS, out);
            write_sum(selection->profile, PROFILE_THREAD_INSTS, out);
        } else {
            fputs("!method", out);
            sample_plan_write_method(selection, options, out);
            plan_line_write_pair(out, "scale",
                                 selection->method->scale == SAMPLING_SCALE_INSTS ? "insts"
                                                                                  : "launches");
            plan_line_write_pair(out, "draw",
                                 sampling_is_random(selection->method, options) ? "random"
                                                                                : "rule");
            if (selection->unit != SAMPLING_NO_INSTS)
                plan_line_write_pair(out, "insts", sampling_unit_name(selection->unit));
        }
        if (fclose(out) != 0)
            return error_no_memory(err);
    }
    return 0;
}

/* ---- its items --------------------------------------------------------- */

/* A representative, while the plan is made. */
struct chosen_launches {
    uint64_t launch;
    size_t row, stratum;
    bool found; /* in the workload */
    char *name, number[24], spread[32];
};

struct maker {
    const struct sampling *selection;
    struct represented stands;
    double *spreads; /* of the strata, where the method looked at times; else NULL */
    struct chosen_launches *chosen; /* by launch */
    struct plan plan;
};

static int compare_chosen(const void *a, const void *b)
{
    const struct chosen_launches *x = a, *y = b;
    return (x->launch > y->launch) - (x->launch < y->launch);
}

static int compare_rows(const void *a, const void *b)
{
    const struct chosen_launches *x = a, *y = b;
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
            struct chosen_launches *chosen = &maker->chosen[count++];
            chosen->row = selection->reps[selection->strata[i].first_rep + k];
            chosen->launch = selection->profile->rows[chosen->row].launch;
            chosen->stratum = i;
            snprintf(chosen->number, sizeof chosen->number, "%zu", i + 1);
            if (maker->spreads != NULL)
                snprintf(chosen->spread, sizeof chosen->spread, "%.9g", maker->spreads[i]);
        }
    qsort(maker->chosen, count, sizeof *maker->chosen, compare);
    return 0;
}

static void append_launch(struct maker *maker, struct chosen_launches *chosen, const char *name)
{
    maker->plan.items[maker->plan.count++] = (struct plan_item){
        .kind = PLAN_LAUNCH,
        .launch = {.name = name,
                   .scale = maker->selection->strata[chosen->stratum].scale,
                   .stratum = chosen->number,
                   .stands = represented_of(&maker->stands, chosen->row),
                   .spread = chosen->spread[0] != '\0' ? chosen->spread : NULL},
    };
    chosen->found = true;
}

static void append_copy(struct maker *maker, const struct trace_command *command)
{
    maker->plan.items[maker->plan.count++] = (struct plan_item){
        .kind = PLAN_COPY,
        .copy = {command->address, command->bytes, command->kind == TRACE_COPY_DTOH},
    };
}

/* The representatives under the names that the tracer gives, in the order of
 * the profile. */
static int append_names(struct maker *maker, struct error *err)
{
    if (list_chosen(maker, compare_rows, err) != 0)
        return -1;
    for (size_t i = 0; i < maker->selection->rep_count; i++) {
        struct chosen_launches *chosen = &maker->chosen[i];
        if (asprintf(&chosen->name, "kernel-%" PRIu64 ".traceg", chosen->launch) < 0) {
            chosen->name = NULL;
            return error_no_memory(err);
        }
        append_launch(maker, chosen, chosen->name);
    }
    return 0;
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

/* The copies and the representatives of the workload, in its order. */
static int append_workload(struct maker *maker, const struct sample_source *source,
                           struct error *err)
{
    const struct trace_workload *workload = source->workload;
    size_t position = 0;
    if (list_chosen(maker, compare_chosen, err) != 0)
        return -1;
    for (size_t i = 0; i < workload->count; i++) {
        const struct trace_command *command = &workload->commands[i];
        if (command->kind == TRACE_COPY_HTOD || command->kind == TRACE_COPY_DTOH)
            append_copy(maker, command);
        if (command->kind != TRACE_KERNEL)
            continue;
        struct chosen_launches key = {
            .launch = launches_number(&source->launches, command->text, ++position)};
        struct chosen_launches *chosen = bsearch(
            &key, maker->chosen, maker->selection->rep_count, sizeof key, compare_chosen);
        if (chosen != NULL && !chosen->found)
            append_launch(maker, chosen, command->text);
    }
    return check_found(maker, workload->path, err);
}

static int append_items(struct maker *maker, const struct sample_source *source,
                        struct error *err)
{
    size_t lines = source->workload != NULL ? source->workload->count : 0;
    maker->plan.items = calloc(lines + maker->selection->rep_count, sizeof *maker->plan.items);
    if (maker->plan.items == NULL)
        return error_no_memory(err);
    return source->workload != NULL ? append_workload(maker, source, err)
                                    : append_names(maker, err);
}

/* What a launch drawn alone from its stratum is not like: known where times were looked at. */
static int find_spreads(struct maker *maker, struct error *err)
{
    if (!(maker->selection->method->needs & SAMPLING_NEED_TIME))
        return 0;
    maker->spreads = calloc(maker->selection->count, sizeof *maker->spreads);
    if (maker->spreads == NULL)
        return error_no_memory(err);
    sampling_spreads(maker->selection, maker->spreads);
    return 0;
}

static void finish(struct maker *maker)
{
    for (size_t i = 0; maker->chosen != NULL && i < maker->selection->rep_count; i++)
        free(maker->chosen[i].name);
    free(maker->chosen);
    free(maker->spreads);
    free(maker->plan.items);
    free(maker->plan.workload);
    represented_finish(&maker->stands);
}

int sample_plan_write(const struct sampling *selection, const struct sampling_options *options,
                      const struct sample_source *source, FILE *out, struct error *err)
{
    char digest[DIGEST_TEXT], *remarks[2] = {NULL, NULL};
    struct maker maker = {.selection = selection};
    const struct trace_workload *workload = source->workload;
    int rc = represented_init(&maker.stands, selection, err);
    if (rc == 0)
        rc = find_spreads(&maker, err);
    if (rc == 0 && workload != NULL)
        rc = digest_workload(workload, digest, err);
    if (rc == 0 && workload != NULL &&
        (maker.plan.workload = realpath(workload->path, NULL)) == NULL)
        rc = error_no_memory(err);
    if (rc == 0)
        rc = append_items(&maker, source, err);
    if (rc == 0)
        rc = make_remarks(selection, options, remarks, err);
    if (rc == 0) {
        maker.plan.remarks = remarks;
        maker.plan.remark_count = 2;
        plan_write(&maker.plan, NULL, workload != NULL ? digest : NULL, out);
    }
    finish(&maker);
    free(remarks[0]);
    free(remarks[1]);
    return rc;
}

enum { TRACED = 1, WARMS = 2 };

/* Marks the representatives, and the WARM->count launches in front of each. */
static void mark(const struct sampling *selection, const struct sample_warm *warm,
                 uint8_t *marks)
{
    for (size_t i = 0; i < selection->rep_count; i++) {
        size_t rep = selection->reps[i];
        size_t first = warm->count < rep ? rep - (size_t)warm->count : 0;
        marks[rep] |= TRACED;
        for (size_t row = first; row < rep; row++)
            marks[row] |= warm->memory ? WARMS : TRACED;
    }
}

/* Writes the launches of the rows marked with exactly MARK, if any, behind WORD. */
static bool write_marked(const struct profile *profile, const uint8_t *marks, uint8_t mark,
                         const char *word, FILE *out)
{
    size_t count = 0;
    uint64_t *numbers = malloc(profile->count * sizeof *numbers);
    if (numbers == NULL)
        return false;
    for (size_t row = 0; row < profile->count; row++)
        if (marks[row] == mark)
            numbers[count++] = profile->rows[row].launch;
    if (count > 0) {
        fputs(word, out);
        represented_write(numbers, count, ' ', out);
        putc('\n', out);
    }
    free(numbers);
    return true;
}

int sample_plan_write_list(const struct sampling *selection, const struct sample_warm *warm,
                           FILE *out, struct error *err)
{
    const struct profile *profile = selection->profile;
    uint8_t *marks = calloc(profile->count, 1);
    if (marks == NULL)
        return error_no_memory(err);
    mark(selection, warm, marks);
    for (size_t row = 0; row < profile->count; row++)
        if (marks[row] & TRACED) /* what is measured warms as well */
            marks[row] = TRACED;
    bool done = write_marked(profile, marks, TRACED, "", out) &&
                write_marked(profile, marks, WARMS, "memory ", out);
    free(marks);
    return done ? 0 : error_no_memory(err);
}
