/* Sieve: "Sieve: Stratified GPU-Compute Workload Sampling", section III.
 *
 * The paper does not say how its density estimation finds few strata with a coefficient of
 * variation below theta. Here the density is that of the logarithms of the counts, since theta
 * bounds a relative spread. The bandwidth is Silverman's, so the unit and the size of the
 * counts do not matter. Groups between minima that are still too wide are split again; the
 * bandwidth is halved until there is a minimum. Then, of logarithms, neighbours that are below
 * theta together are joined, from the smallest counts on. */
#include <math.h>
#include <stdlib.h>

#include "sampling/counts.h"
#include "sampling/methods/kde.h"
#include "sampling/methods/methods.h"
#include "sampling/repick.h"

/* Splitting one kernel. */
struct splitter {
    struct counts counts;
    double *places; /* of the counts on the axis of the density */
    bool logarithmic;
    size_t *scratch; /* cuts of a split */
    size_t *ends;    /* where groups end, ascending */
    size_t group_count;
    struct sieve_piece {
        size_t from, to;
    } * pieces; /* still to be checked, the smallest counts last */
    size_t piece_count;
    double theta;
};

/* Finds minima between FROM and TO; at least one. */
static long find_cuts(struct splitter *splitter, size_t from, size_t to, struct error *err)
{
    const double *x = splitter->places + from, *weight = splitter->counts.weight + from;
    double h = kde_bandwidth(x, weight, to - from);
    long cuts = 0;
    while (cuts == 0 && h > 0) {
        cuts = kde_minima(x, weight, to - from, h, splitter->scratch, err);
        h /= 2;
        /* Counts that are this far apart relative to the bandwidth have a minimum between any
         * two. */
        if (cuts == 0 && h < 1e-9 * (x[to - from - 1] - x[0]))
            break;
    }
    if (cuts != 0)
        return cuts;
    splitter->scratch[0] = (to - from) / 2;
    return 1;
}

static int split_piece(struct splitter *splitter, struct sieve_piece piece, struct error *err)
{
    long cuts = find_cuts(splitter, piece.from, piece.to, err);
    if (cuts < 0)
        return -1;
    size_t to = piece.to;
    for (long i = cuts; i-- > 0;) {
        size_t from = piece.from + splitter->scratch[i];
        splitter->pieces[splitter->piece_count++] = (struct sieve_piece){from, to};
        to = from;
    }
    splitter->pieces[splitter->piece_count++] = (struct sieve_piece){piece.from, to};
    return 0;
}

/* Cuts the counts into groups of a CoV below theta. */
static int split(struct splitter *splitter, struct error *err)
{
    const struct counts *counts = &splitter->counts;
    for (size_t i = 0; i < counts->n; i++)
        splitter->places[i] = splitter->logarithmic ? log(counts->value[i]) : counts->value[i];
    splitter->group_count = 0;
    splitter->piece_count = 0;
    /* The whole is too wide, otherwise it would be tier 2. */
    if (split_piece(splitter, (struct sieve_piece){0, counts->n}, err) != 0)
        return -1;
    while (splitter->piece_count > 0) {
        struct sieve_piece piece = splitter->pieces[--splitter->piece_count];
        if (piece.to - piece.from == 1 ||
            counts_cov(counts, piece.from, piece.to) < splitter->theta)
            splitter->ends[splitter->group_count++] = piece.to;
        else if (split_piece(splitter, piece, err) != 0)
            return -1;
    }
    return 0;
}

/* Joins each group to the one before it as long as the result fits. */
static void join(struct splitter *splitter)
{
    size_t kept = 0, from = 0;
    for (size_t i = 0; i < splitter->group_count; i++) {
        size_t end = splitter->ends[i];
        if (kept == 0 || counts_cov(&splitter->counts, from, end) >= splitter->theta) {
            from = kept > 0 ? splitter->ends[kept - 1] : 0;
            kept++;
        }
        splitter->ends[kept - 1] = end;
    }
    splitter->group_count = kept;
}

static int add_groups(struct splitter *splitter, const struct sampling_input *input,
                      struct sampling *selection, struct error *err)
{
    size_t from = 0;
    for (size_t i = 0; i < splitter->group_count; i++) {
        if (counts_add_stratum(&splitter->counts, input, selection, from, splitter->ends[i], 3,
                               err) != 0)
            return -1;
        from = splitter->ends[i];
    }
    return 0;
}

static int add_kernel(struct splitter *splitter, const struct sampling_input *input,
                      struct sampling *selection, struct error *err)
{
    const struct counts *counts = &splitter->counts;
    if (counts->n == 1) {
        size_t first = counts->rows[0]; /* tier 1: equal counts, the first launch */
        return sampling_add_stratum(selection, counts->rows, counts->total, &first, 1, 1, err);
    }
    if (counts_cov(counts, 0, counts->n) < splitter->theta)
        return counts_add_stratum(counts, input, selection, 0, counts->n, 2, err);
    if (split(splitter, err) != 0)
        return -1;
    if (splitter->logarithmic)
        join(splitter);
    return add_groups(splitter, input, selection, err);
}

static int splitter_init(struct splitter *splitter, const struct sampling_input *input,
                         struct error *err)
{
    size_t room = input->profile->count + 1;
    *splitter = (struct splitter){.theta = input->options->theta,
                                  .logarithmic = input->options->density.index == 0};
    if (counts_init(&splitter->counts, input, err) != 0)
        return -1;
    splitter->places = malloc(room * sizeof *splitter->places);
    splitter->scratch = malloc(room * sizeof *splitter->scratch);
    splitter->ends = malloc(room * sizeof *splitter->ends);
    splitter->pieces = malloc(room * sizeof *splitter->pieces);
    if (splitter->places != NULL && splitter->scratch != NULL && splitter->ends != NULL &&
        splitter->pieces != NULL)
        return 0;
    return error_no_memory(err);
}

static void splitter_finish(struct splitter *splitter)
{
    counts_finish(&splitter->counts);
    free(splitter->places);
    free(splitter->scratch);
    free(splitter->ends);
    free(splitter->pieces);
}

int sampling_sieve(const struct sampling_input *input, struct sampling *selection,
                   struct error *err)
{
    struct splitter splitter;
    int rc = splitter_init(&splitter, input, err);
    for (size_t k = 0; rc == 0 && k < input->groups; k++) {
        counts_take(&splitter.counts, input, k);
        if (splitter.counts.total > 0)
            rc = add_kernel(&splitter, input, selection, err);
    }
    if ((profile_known(input->profile) & PROFILE_BLOCK) != PROFILE_BLOCK)
        sampling_note(selection, "block sizes are not known of every launch: where one is not, "
                                 "the first launch of a stratum represents it");
    if (rc == 0)
        repick(input, selection);
    splitter_finish(&splitter);
    return rc;
}

/* Launches of a kernel with equal instruction counts can have many short blocks or few long
 * ones: matrices of other shapes. */
int sampling_sieve_grids(const struct sampling_input *input, struct sampling *selection,
                         struct error *err)
{
    return sampling_sieve(input, selection, err);
}
