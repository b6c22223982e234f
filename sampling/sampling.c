#include "sampling/sampling.h"

#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "sampling/input.h"
#include "sampling/repick.h"

void sampling_destroy(struct sampling *selection)
{
    if (selection == NULL)
        return;
    free(selection->weights);
    free(selection->sizes);
    free(selection->strata);
    free(selection->members);
    free(selection->reps);
    free(selection->note);
    free(selection);
}

/* Makes room for COUNT more elements of SIZE after the USED ones of ITEMS. */
static bool reserve(void **items, size_t *capacity, size_t used, size_t count, size_t size)
{
    size_t room = *capacity > 0 ? *capacity : 64;
    while (room - used < count)
        room *= 2;
    if (room == *capacity)
        return true;
    void *larger = realloc(*items, room * size);
    if (larger == NULL)
        return false;
    *items = larger;
    *capacity = room;
    return true;
}

static int compare_rows(const void *a, const void *b)
{
    size_t x = *(const size_t *)a, y = *(const size_t *)b;
    return (x > y) - (x < y);
}

/* Appends COUNT ROWS to the USED ones of TO, sorted. */
static void append_rows(size_t *to, size_t *used, const size_t *rows, size_t count)
{
    size_t *at = to + *used, i = 1;
    memcpy(at, rows, count * sizeof *rows);
    while (i < count && at[i - 1] <= at[i])
        i++;
    if (i < count)
        qsort(at, count, sizeof *at, compare_rows);
    *used += count;
}

int sampling_add_stratum(struct sampling *selection, const size_t *rows, size_t count,
                         const size_t *reps, size_t rep_count, unsigned tier, struct error *err)
{
    if (!reserve((void **)&selection->strata, &selection->capacity, selection->count, 1,
                 sizeof *selection->strata) ||
        !reserve((void **)&selection->members, &selection->member_capacity,
                 selection->member_count, count, sizeof *rows) ||
        !reserve((void **)&selection->reps, &selection->rep_capacity, selection->rep_count,
                 rep_count, sizeof *reps))
        return error_no_memory(err);
    selection->strata[selection->count++] =
        (struct sampling_stratum){.first = selection->member_count,
                                  .count = count,
                                  .first_rep = selection->rep_count,
                                  .reps = rep_count,
                                  .tier = tier};
    append_rows(selection->members, &selection->member_count, rows, count);
    append_rows(selection->reps, &selection->rep_count, reps, rep_count);
    return 0;
}

void sampling_note(struct sampling *selection, const char *format, ...)
{
    char text[512];
    if (selection->note != NULL)
        return;
    va_list args;
    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    selection->note = strdup(text); /* if memory is short there is no note */
}

static void scale_stratum(struct sampling *selection, const struct sampling_stratum *stratum,
                          const double *times)
{
    const size_t *members = selection->members + stratum->first;
    size_t first = stratum->first_rep, last = first + stratum->reps;
    double all = 0, predicted = 0, roots = 0;
    bool whole = stratum->reps == stratum->count;
    for (size_t k = 0; k < stratum->count; k++) {
        all += times[members[k]];
        roots += sqrt(times[members[k]]);
    }
    for (size_t i = first; i < last; i++) {
        double time = times[selection->reps[i]];
        selection->sizes[i] = time;
        selection->weights[i] = roots / ((double)stratum->reps * sqrt(time));
        predicted += selection->weights[i] * time;
    }
    for (size_t i = first; i < last; i++)
        selection->weights[i] = whole ? 1 : selection->weights[i] * all / predicted;
}

static int scale_by_times(struct sampling *selection, const double *times, struct error *err)
{
    selection->weights = calloc(selection->rep_count + 1, sizeof *selection->weights);
    selection->sizes = calloc(selection->rep_count + 1, sizeof *selection->sizes);
    if (selection->weights == NULL || selection->sizes == NULL)
        return error_no_memory(err);
    for (size_t s = 0; s < selection->count; s++)
        scale_stratum(selection, &selection->strata[s], times);
    return 0;
}

static int set_scales(struct sampling *selection, const struct sampling_input *input,
                      struct error *err)
{
    for (size_t i = 0; i < selection->count; i++) {
        struct sampling_stratum *stratum = &selection->strata[i];
        double chosen = 0;
        for (size_t k = 0; input->insts != NULL && k < stratum->count; k++)
            stratum->insts += input->insts[selection->members[stratum->first + k]];
        for (size_t k = 0; input->insts != NULL && k < stratum->reps; k++)
            chosen += input->insts[selection->reps[stratum->first_rep + k]];
        selection->insts += stratum->insts;
        stratum->scale = (double)stratum->count / (double)stratum->reps;
        if (selection->method->scale == SAMPLING_SCALE_INSTS)
            stratum->scale = stratum->insts / chosen;
    }
    return selection->method->scale == SAMPLING_SCALE_TIMES
               ? scale_by_times(selection, input->times, err)
               : 0;
}

static struct sampling *create(const struct profile *profile,
                               const struct sampling_method *method, struct error *err)
{
    struct sampling *selection = calloc(1, sizeof *selection);
    if (selection == NULL) {
        error_no_memory(err);
        return NULL;
    }
    selection->profile = profile;
    selection->method = method;
    return selection;
}

/* Whether each stratum needs several launches, drawn at random. */
static bool is_redrawn(const struct sampling_options *options)
{
    return options->draws > 1 && options->representative.index == REPICK_RANDOM;
}

int sampling_check_options(const struct sampling_method *method,
                           const struct sampling_options *options, struct error *err)
{
    uint64_t foreign = options->given & ~method->options;
    for (int i = 0; i < SAMPLING_OPTIONS; i++)
        if (foreign & SAMPLING_BIT(i))
            return error_set(err, ERROR_USAGE, NULL, 0, 0, "--%s is no option of %s",
                             sampling_option((enum sampling_option_id)i)->name, method->name);
    if (options->draws == 1 || !(method->options & SAMPLING_BIT(SAMPLING_DRAWS)) ||
        sampling_is_random(method, options))
        return 0;
    return error_set(
        err, ERROR_USAGE, NULL, 0, 0,
        "--draws %llu: %s chooses one launch of a stratum by a rule; more are drawn "
        "with --representative random",
        (unsigned long long)options->draws, method->name);
}

bool sampling_is_random(const struct sampling_method *method,
                        const struct sampling_options *options)
{
    return method->random || ((method->options & SAMPLING_BIT(SAMPLING_REPRESENTATIVE)) &&
                              options->representative.index == REPICK_RANDOM);
}

struct sampling *sampling_select(const struct profile *profile,
                                 const struct sampling_method *method,
                                 const struct sampling_options *options, struct error *err)
{
    struct sampling_tables tables = {0};
    struct sampling_input input;
    struct sampling *selection = NULL;
    if (sampling_input_init(&input, &tables, profile, method, options, err) != 0)
        goto out;
    selection = create(profile, method, err);
    if (selection == NULL)
        goto out;
    selection->unit = input.unit;
    if (method->select(&input, selection, err) != 0 ||
        (is_redrawn(options) && redraw(&input, selection, err) != 0) ||
        set_scales(selection, &input, err) != 0) {
        sampling_destroy(selection);
        selection = NULL;
    }
out:
    sampling_tables_finish(&tables);
    return selection;
}

void sampling_owners(const struct sampling *selection, size_t *owners)
{
    for (size_t i = 0; i < selection->count; i++) {
        const struct sampling_stratum *stratum = &selection->strata[i];
        const size_t *rows = selection->members + stratum->first;
        const size_t *reps = selection->reps + stratum->first_rep;
        for (size_t k = 0, rep = 0; k < stratum->count; k++) {
            while (rep + 1 < stratum->reps && reps[rep + 1] <= rows[k])
                rep++;
            owners[rows[k]] = reps[rep];
        }
    }
}

double sampling_predict(const struct sampling *selection, const double *cycles)
{
    double total = 0;
    for (size_t i = 0; i < selection->count; i++) {
        const struct sampling_stratum *stratum = &selection->strata[i];
        for (size_t k = 0; k < stratum->reps; k++)
            total += sampling_scale_of(selection, stratum, stratum->first_rep + k) *
                     cycles[selection->reps[stratum->first_rep + k]];
    }
    return total;
}
