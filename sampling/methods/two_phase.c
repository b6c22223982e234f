/* two-phase: two-phase sampling with a ratio estimator (Cochran, "Sampling Techniques", 3rd
 * edition, sections 5.5, 6.2, 9A.3 and 12.2). The first phase is the profile: it knows the time
 * of every launch, on hardware or on another card. In the second, few launches are simulated,
 * to find the ratio of simulated cycles to these times. Error bars come from what the ratios
 * leave of the simulated cycles, not from the times: they hold whatever card the times are of.
 *
 * A kind is the launches of a kernel with the same grid and blocks and with similar times.
 * Draws are shared out by the root of the time, the optimum where errors and costs go with it,
 * between kinds and between the launches of a kind. A kind with a share of SMALL or more is a
 * stratum of at least LEAST draws: fewer say too little of the spread, so that an interval that
 * holds would be twice as wide as the spread, or more. With two times MIXED draws or more it is
 * cut into parts, by time. All other kinds are one stratum of at least MIXED draws.
 *
 * The first launch of a kernel, and the first ones of a class (all kinds of a kernel, grid and
 * blocks) of more than FEW, are always simulated, because they start cold; so are launches that
 * are longer than what one drawn launch would represent. */
#define _GNU_SOURCE /* qsort_r */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "sampling/methods/methods.h"
#include "traces/base/random.h"

#define LEAST 6   /* launches drawn from a kind: five degrees of freedom */
#define MIXED 16  /* from all small kinds, and from each part of a kind that is cut */
#define SMALL 3   /* launches by share */
#define FEW   8   /* launches of a class */
#define FIRST 4   /* of a class: where two or four buffers take turns, all start cold */
#define APART 1.1 /* mean times of two kinds, at least */
#define LEFT  0.2 /* of the variance of times, within them; 0.25 if times are evenly spread */

/* A launch that may be drawn, and its place in line. */
struct contender {
    size_t row;
    double place;
};

struct phases {
    const struct sampling_input *input;
    struct sampling *selection;
    struct random random;
    double total;  /* roots of the times of all launches but the first ones of classes */
    size_t *order; /* all rows, class by class */
    size_t *rows;  /* those that are not first ones, by class and time */
    size_t *ends;  /* of kinds, in rows */
    size_t count, kinds;
    size_t *reps;  /* room for a draw */
    size_t *mixed; /* rows of kinds with a small share */
    size_t mixed_count;
    struct contender *line;
};

static double time_of(const struct phases *phases, size_t row)
{
    return phases->input->times[row];
}

static double root_of(const struct phases *phases, size_t row)
{
    return sqrt(time_of(phases, row));
}

static double roots_of(const struct phases *phases, const size_t *rows, size_t count)
{
    double sum = 0;
    for (size_t i = 0; i < count; i++)
        sum += root_of(phases, rows[i]);
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

/* Adds a stratum of which all launches are simulated. */
static int add_all(struct phases *phases, const size_t *rows, size_t count, struct error *err)
{
    return count == 0
               ? 0
               : sampling_add_stratum(phases->selection, rows, count, rows, count, 0, err);
}

static int compare_contenders(const void *a, const void *b)
{
    const struct contender *x = a, *y = b;
    if (x->place != y->place)
        return x->place < y->place ? -1 : 1;
    return (x->row > y->row) - (x->row < y->row);
}

/* Adds a stratum of COUNT ROWS, of which DRAWS are drawn with probabilities that go with the
 * roots of their times, all below 1: Pareto sampling (B. Rosen, "On sampling with probability
 * proportional to size", 1997). */
static int draw(struct phases *phases, const size_t *rows, size_t count, size_t draws,
                struct error *err)
{
    double whole = roots_of(phases, rows, count);
    for (size_t i = 0; i < count; i++) {
        double chance = (double)draws * root_of(phases, rows[i]) / whole;
        double number = random_real(&phases->random);
        phases->line[i] =
            (struct contender){rows[i], number / (1 - number) * (1 - chance) / chance};
    }
    qsort(phases->line, count, sizeof *phases->line, compare_contenders);
    for (size_t i = 0; i < draws; i++)
        phases->reps[i] = phases->line[i].row;
    return sampling_add_stratum(phases->selection, rows, count, phases->reps, draws, 0, err);
}

/* Adds strata of COUNT ROWS, sorted by time: the longest ones, which DRAWS draws would take for
 * sure, each of them one draw less, down to LEAST; and the others. */
static int add_rows(struct phases *phases, const size_t *rows, size_t count, size_t draws,
                    size_t least, struct error *err)
{
    double sum = roots_of(phases, rows, count);
    size_t left = count;
    while (left > draws && root_of(phases, rows[left - 1]) * (double)draws >= sum) {
        sum -= root_of(phases, rows[--left]);
        draws -= draws > least;
    }
    if (left <= draws)
        return add_all(phases, rows, count, err);
    return add_all(phases, rows + left, count - left, err) != 0
               ? -1
               : draw(phases, rows, left, draws, err);
}

/* Cuts COUNT ROWS of a kind into parts of about equal sums of roots, for DRAWS draws. */
static int add_parts(struct phases *phases, const size_t *rows, size_t count, size_t draws,
                     struct error *err)
{
    size_t parts = draws / MIXED > 1 ? draws / MIXED : 1, each = draws / parts;
    size_t begin = 0, cut = 1;
    double whole = roots_of(phases, rows, count), sum = 0;
    for (size_t i = 0; i < count && cut < parts; i++) {
        sum += root_of(phases, rows[i]);
        if (sum < whole * (double)cut / (double)parts || i + 1 - begin < each ||
            count - i - 1 < draws - each * cut)
            continue;
        if (add_rows(phases, rows + begin, i + 1 - begin, each, LEAST, err) != 0)
            return -1;
        begin = i + 1;
        cut++;
    }
    return add_rows(phases, rows + begin, count - begin, draws - each * (cut - 1), LEAST, err);
}

/* The draws that the root of the time allots. */
static double share_of(const struct phases *phases, const size_t *rows, size_t count)
{
    return (double)phases->input->options->budget * roots_of(phases, rows, count) /
           phases->total;
}

static size_t draws_for(double share, size_t least)
{
    return round(share) > (double)least ? (size_t)round(share) : least;
}

/* Adds the kind of COUNT ROWS, sorted by time, or keeps it for the others. */
static int add_kind(struct phases *phases, const size_t *rows, size_t count, struct error *err)
{
    double share = share_of(phases, rows, count);
    if (share >= SMALL)
        return add_parts(phases, rows, count, draws_for(share, LEAST), err);
    memcpy(phases->mixed + phases->mixed_count, rows, count * sizeof *rows);
    phases->mixed_count += count;
    return 0;
}

static int compare_times(const void *a, const void *b, void *data)
{
    const double *times = data;
    size_t x = *(const size_t *)a, y = *(const size_t *)b;
    if (times[x] != times[y])
        return times[x] < times[y] ? -1 : 1;
    return (x > y) - (x < y);
}

/* Adds the kinds with a small share. */
static int add_mixed(struct phases *phases, struct error *err)
{
    size_t *rows = phases->mixed, count = phases->mixed_count;
    size_t draws = draws_for(share_of(phases, rows, count), MIXED);
    qsort_r(rows, count, sizeof *rows, compare_times, (void *)phases->input->times);
    return add_rows(phases, rows, count, draws, MIXED, err);
}

/* ---- kinds ------------------------------------------------------------- */

/* Where the times of COUNT ROWS, sorted by them, fall into two kinds; 0: nowhere. */
static size_t find_cut(const struct phases *phases, const size_t *rows, size_t count)
{
    double sum = 0, below = 0, most = 0;
    size_t best = 0;
    if (time_of(phases, rows[count - 1]) < APART * time_of(phases, rows[0]))
        return 0;
    for (size_t i = 0; i < count; i++)
        sum += time_of(phases, rows[i]);
    double mean = sum / (double)count, all = 0, apart = 0;
    for (size_t i = 0; i < count; i++)
        all += pow(time_of(phases, rows[i]) - mean, 2);
    for (size_t i = 1; i < count; i++) {
        below += time_of(phases, rows[i - 1]);
        double low = below / (double)i, high = (sum - below) / (double)(count - i);
        double between =
            (double)i * pow(low - mean, 2) + (double)(count - i) * pow(high - mean, 2);
        if (between <= most)
            continue;
        most = between;
        best = i;
        apart = high / low;
    }
    return all - most <= LEFT * all && apart >= APART ? best : 0;
}

/* Cuts the rows FROM to TO - 1 of a class into kinds. */
static void find_kinds(struct phases *phases, size_t from, size_t to)
{
    size_t cut = from < to ? find_cut(phases, phases->rows + from, to - from) : 0;
    if (cut > 0) {
        find_kinds(phases, from, from + cut);
        find_kinds(phases, from + cut, to);
    } else if (from < to) {
        phases->ends[phases->kinds++] = to;
    }
}

static int compare_rows(const void *a, const void *b, void *data)
{
    const struct profile_row *rows = data;
    size_t x = *(const size_t *)a, y = *(const size_t *)b;
    int order = compare_classes(&rows[x], &rows[y]);
    return order != 0 ? order : (x > y) - (x < y);
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

/* Adds the first launches of all classes, and finds the kinds of the others. */
static int add_classes(struct phases *phases, struct error *err)
{
    for (size_t from = 0, to; from < phases->input->profile->count; from = to) {
        const size_t *rows = phases->order + from;
        to = end_of_class(phases, from);
        size_t first = first_ones(phases, rows, to - from), rest = to - from - first;
        size_t *others = phases->rows + phases->count;
        if (add_all(phases, rows, first, err) != 0)
            return -1;
        memcpy(others, rows + first, rest * sizeof *rows);
        qsort_r(others, rest, sizeof *others, compare_times, (void *)phases->input->times);
        phases->total += roots_of(phases, others, rest);
        phases->count += rest;
        find_kinds(phases, phases->count - rest, phases->count);
    }
    return 0;
}

static int add_kinds(struct phases *phases, struct error *err)
{
    for (size_t k = 0, from = 0; k < phases->kinds; from = phases->ends[k++])
        if (add_kind(phases, phases->rows + from, phases->ends[k] - from, err) != 0)
            return -1;
    return phases->mixed_count > 0 ? add_mixed(phases, err) : 0;
}

static int select_launches(struct phases *phases, size_t count, struct error *err)
{
    phases->rows = phases->order + count + 1;
    phases->ends = phases->rows + count + 1;
    phases->reps = phases->ends + count + 1;
    phases->mixed = phases->reps + count + 1;
    for (size_t i = 0; i < count; i++)
        phases->order[i] = i;
    qsort_r(phases->order, count, sizeof *phases->order, compare_rows,
            phases->input->profile->rows);
    random_init(&phases->random, phases->input->options->seed, 0);
    return add_classes(phases, err) != 0 ? -1 : add_kinds(phases, err);
}

int sampling_two_phase(const struct sampling_input *input, struct sampling *selection,
                       struct error *err)
{
    size_t count = input->profile->count;
    struct phases phases = {.input = input,
                            .selection = selection,
                            .order = malloc(5 * (count + 1) * sizeof *phases.order),
                            .line = malloc((count + 1) * sizeof *phases.line)};
    int result = phases.order != NULL && phases.line != NULL ? 0 : error_no_memory(err);
    if (result == 0)
        result = select_launches(&phases, count, err);
    free(phases.order);
    free(phases.line);
    return result;
}
