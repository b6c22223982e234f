/* two-phase: two-phase sampling with a ratio estimator (Cochran, "Sampling Techniques", 3rd
 * edition, sections 6.11, 12.2 and 5A.12). The first phase is the profile: it knows the time of
 * every launch, on hardware or on another card. In the second, few launches are simulated, to
 * find the ratio of simulated cycles to these times, for each kernel and grid. Error bars come
 * from what the ratios leave of the simulated cycles, not from the times: they hold whatever
 * card the times are of.
 *
 * A class is the launches of a kernel with the same grid and blocks. Each class gets launches
 * by its share of the time, at least LEAST; classes with a share of less than SMALL launches
 * are one group together, which gets at least MIXED. Their kernels have other ratios, and few
 * are drawn: of classes without a draw, the launches that are simulated anyway show how far
 * ratios are apart. The first launch of a kernel, and the first two of a class of more than
 * FEW, are always simulated, because they start cold. So are launches that are longer than what
 * one drawn launch would represent. The others, sorted by class and time, are cut into strata
 * of about equal total time, with two launches drawn from each. */
#define _GNU_SOURCE /* qsort_r */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "sampling/methods/methods.h"
#include "traces/base/random.h"

#define LEAST 4 /* launches of a group: three degrees of freedom */
#define MIXED 8 /* of the one of several classes */
#define SMALL 2 /* launches by share */
#define PAIR  2 /* launches drawn from a stratum */
#define FEW   8 /* launches of a class */
#define FIRST 2 /* launches of a class: where two buffers take turns, both start cold */

struct phases {
    const struct sampling_input *input;
    struct sampling *selection;
    struct random random;
    double total;  /* of all times */
    size_t *order; /* all rows, class by class */
    size_t *rows;  /* of a group: first those that are simulated for sure */
    size_t sure, count;
    size_t *reps; /* room for a draw */
    size_t group; /* the last number */
};

static double time_of(const struct phases *phases, size_t row)
{
    return phases->input->times[row];
}

static double sum_of(const struct phases *phases, const size_t *rows, size_t count)
{
    double sum = 0;
    for (size_t i = 0; i < count; i++)
        sum += time_of(phases, rows[i]);
    return sum;
}

/* Orders launches by kernel, grid and blocks; those that are not known are equal. */
static int compare_classes(const struct profile_row *a, const struct profile_row *b)
{
    if (a->kernel != b->kernel)
        return a->kernel < b->kernel ? -1 : 1;
    for (int i = 0; i < 3; i++)
        if (a->grid[i] != b->grid[i])
            return a->grid[i] < b->grid[i] ? -1 : 1;
    for (int i = 0; i < 3; i++)
        if (a->block[i] != b->block[i])
            return a->block[i] < b->block[i] ? -1 : 1;
    return 0;
}

/* ---- strata ------------------------------------------------------------ */

static int draw(struct phases *phases, const size_t *rows, size_t count, size_t draws,
                struct error *err)
{
    random_sample(&phases->random, count, draws, phases->reps);
    for (size_t i = 0; i < draws; i++)
        phases->reps[i] = rows[phases->reps[i]];
    if (sampling_add_stratum(phases->selection, rows, count, phases->reps, draws, 0, err) != 0)
        return -1;
    sampling_set_group(phases->selection, phases->group);
    return 0;
}

/* Cuts COUNT ROWS into strata of neighbours, of about equal time, for DRAWS draws. */
static int draw_strata(struct phases *phases, const size_t *rows, size_t count, size_t draws,
                       struct error *err)
{
    size_t strata = draws / PAIR, begin = 0, cut = 1;
    double whole = sum_of(phases, rows, count), sum = 0;
    phases->group++;
    for (size_t i = 0; i < count; i++) {
        sum += time_of(phases, rows[i]);
        if (cut == strata || sum < whole * (double)cut / (double)strata ||
            i + 1 - begin < PAIR || count - i - 1 < draws - PAIR * cut)
            continue;
        if (draw(phases, rows + begin, i + 1 - begin, PAIR, err) != 0)
            return -1;
        begin = i + 1;
        cut++;
    }
    return draw(phases, rows + begin, count - begin, draws - PAIR * (cut - 1), err);
}

/* Adds a stratum of which all launches are simulated. */
static int add_all(struct phases *phases, const size_t *rows, size_t count, struct error *err)
{
    return count == 0
               ? 0
               : sampling_add_stratum(phases->selection, rows, count, rows, count, 0, err);
}

/* Of a group; MIXED: of several classes. */
static size_t least_draws(bool mixed)
{
    return mixed ? MIXED : LEAST;
}

/* Moves the longest of COUNT ROWS to their end, the others keep their order. Returns its time.
 */
static double move_longest(const struct phases *phases, size_t *rows, size_t count)
{
    size_t longest = 0;
    for (size_t i = 1; i < count; i++)
        if (time_of(phases, rows[i]) > time_of(phases, rows[longest]))
            longest = i;
    size_t row = rows[longest];
    memmove(rows + longest, rows + longest + 1, (count - longest - 1) * sizeof *rows);
    rows[count - 1] = row;
    return time_of(phases, row);
}

/* Of the launches that are simulated for sure: fills phases->reps with those of classes with a
 * draw, or without one, among the representatives FIRST to LAST - 1. Returns their number. */
static size_t take_sure(struct phases *phases, size_t first, size_t last, bool with)
{
    const struct profile_row *rows = phases->input->profile->rows;
    const size_t *drawn = phases->selection->reps;
    size_t count = 0;
    for (size_t i = 0; i < phases->sure; i++) {
        bool has = false;
        for (size_t d = first; d < last; d++)
            has |= compare_classes(&rows[phases->rows[i]], &rows[drawn[d]]) == 0;
        if (has == with)
            phases->reps[count++] = phases->rows[i];
    }
    return count;
}

/* After the draws of a group of several classes, whose representatives begin with FIRST: adds
 * the launches that are simulated for sure. Those of classes without a draw belong to the
 * group. */
static int add_sure(struct phases *phases, size_t first, struct error *err)
{
    size_t last = phases->selection->rep_count;
    size_t others = take_sure(phases, first, last, false);
    if (add_all(phases, phases->reps, others, err) != 0)
        return -1;
    if (others > 0)
        sampling_set_group(phases->selection, phases->group);
    return add_all(phases, phases->reps, take_sure(phases, first, last, true), err);
}

/* Adds the group in phases->rows, for which there are DRAWS launches besides those in front.
 * MIXED: it is of several classes. */
static int add_group(struct phases *phases, size_t draws, bool mixed, struct error *err)
{
    size_t *rest = phases->rows + phases->sure, count = phases->count - phases->sure;
    double left = sum_of(phases, rest, count);
    size_t longest = 0;
    while (draws > least_draws(mixed) && count > draws) {
        double time = move_longest(phases, rest, count);
        if (time * (double)draws < left)
            break;
        left -= time;
        count--;
        longest++;
        draws--;
    }
    if (count <= draws)
        return add_all(phases, phases->rows, phases->count, err);
    if (!mixed && add_all(phases, phases->rows, phases->sure, err) != 0)
        return -1;
    if (add_all(phases, rest + count, longest, err) != 0)
        return -1;
    size_t first = phases->selection->rep_count;
    if (draw_strata(phases, rest, count, draws, err) != 0)
        return -1;
    return mixed ? add_sure(phases, first, err) : 0;
}

/* ---- groups ------------------------------------------------------------ */

static size_t draws_for(const struct phases *phases, double time, bool mixed)
{
    double draws = round((double)phases->input->options->budget * time / phases->total);
    return draws > (double)least_draws(mixed) ? (size_t)draws : least_draws(mixed);
}

static int compare_rows(const void *a, const void *b, void *data)
{
    const struct profile_row *rows = data;
    size_t x = *(const size_t *)a, y = *(const size_t *)b;
    int order = compare_classes(&rows[x], &rows[y]);
    return order != 0 ? order : (x > y) - (x < y);
}

static int compare_times(const void *a, const void *b, void *data)
{
    const double *times = data;
    size_t x = *(const size_t *)a, y = *(const size_t *)b;
    if (times[x] != times[y])
        return times[x] < times[y] ? -1 : 1;
    return (x > y) - (x < y);
}

/* The end of the class that begins at place FROM of the order. */
static size_t end_of_class(const struct phases *phases, size_t from)
{
    const struct profile *profile = phases->input->profile;
    size_t to = from + 1;
    while (to < profile->count && compare_classes(&profile->rows[phases->order[from]],
                                                  &profile->rows[phases->order[to]]) == 0)
        to++;
    return to;
}

/* How many of the COUNT launches of a class, ROWS, are simulated because they come first. */
static size_t first_ones(const struct phases *phases, const size_t *rows, size_t count)
{
    const struct sampling_input *input = phases->input;
    uint32_t kernel = input->profile->rows[rows[0]].kernel;
    if (count > FEW)
        return FIRST;
    return rows[0] == input->by_kernel[input->first[kernel]] ? 1 : 0;
}

/* Adds the COUNT launches of a class, ROWS, to the group: the first ones in front, the others
 * sorted by time. */
static void take_class(struct phases *phases, const size_t *rows, size_t count)
{
    size_t first = first_ones(phases, rows, count), *to = phases->rows + phases->sure;
    memmove(to + first, to, (phases->count - phases->sure) * sizeof *to);
    memcpy(to, rows, first * sizeof *to);
    phases->sure += first;
    phases->count += first;
    to = phases->rows + phases->count;
    memcpy(to, rows + first, (count - first) * sizeof *rows);
    qsort_r(to, count - first, sizeof *rows, compare_times, (void *)phases->input->times);
    phases->count += count - first;
}

/* Adds what has been taken as a group. */
static int end_group(struct phases *phases, bool mixed, struct error *err)
{
    size_t draws = draws_for(phases, sum_of(phases, phases->rows, phases->count), mixed);
    int result = phases->count > 0 ? add_group(phases, draws, mixed, err) : 0;
    phases->sure = phases->count = 0;
    return result;
}

/* Adds the classes whose share is SMALL, as one group, or all others, each as its own. */
static int add_classes(struct phases *phases, bool small, struct error *err)
{
    double least = SMALL * phases->total / (double)phases->input->options->budget;
    for (size_t from = 0, to; from < phases->input->profile->count; from = to) {
        const size_t *rows = phases->order + from;
        to = end_of_class(phases, from);
        if ((sum_of(phases, rows, to - from) < least) != small)
            continue;
        take_class(phases, rows, to - from);
        if (!small && end_group(phases, false, err) != 0)
            return -1;
    }
    return end_group(phases, true, err);
}

int sampling_two_phase(const struct sampling_input *input, struct sampling *selection,
                       struct error *err)
{
    size_t count = input->profile->count;
    struct phases phases = {.input = input,
                            .selection = selection,
                            .order = malloc((count + 1) * sizeof *phases.order),
                            .rows = malloc((count + 1) * sizeof *phases.rows),
                            .reps = malloc((count + 1) * sizeof *phases.reps)};
    bool ready = phases.order != NULL && phases.rows != NULL && phases.reps != NULL;
    for (size_t i = 0; ready && i < count; i++) {
        phases.total += input->times[i];
        phases.order[i] = i;
    }
    if (ready)
        qsort_r(phases.order, count, sizeof *phases.order, compare_rows, input->profile->rows);
    random_init(&phases.random, input->options->seed, 0);
    int result = ready ? add_classes(&phases, false, err) : error_no_memory(err);
    if (result == 0)
        result = add_classes(&phases, true, err);
    free(phases.order);
    free(phases.rows);
    free(phases.reps);
    return result;
}
