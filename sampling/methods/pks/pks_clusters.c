#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "sampling/methods/pks/pks.h"
#include "traces/base/random.h"

static uint32_t cluster_of(const struct pks_clusters *clusters, const struct pks_space *space,
                           size_t i)
{
    return clusters->kmeans.labels[space->distinct.of[i]];
}

/* ---- representatives --------------------------------------------------- */

static void take_first(struct pks_clusters *clusters, const struct pks_space *space)
{
    for (size_t i = space->count; i-- > 0;)
        clusters->reps[cluster_of(clusters, space, i)] = space->rows[i];
}

/* Each launch of a cluster has the same chance: the n-th launch replaces the current one with
 * a chance of 1 in n. */
static void take_random(struct pks_clusters *clusters, const struct pks_space *space,
                        size_t *seen)
{
    struct random random;
    random_init(&random, space->input->options->seed, 1);
    for (size_t i = 0; i < space->count; i++) {
        uint32_t c = cluster_of(clusters, space, i);
        if (random_below(&random, ++seen[c]) == 0)
            clusters->reps[c] = space->rows[i];
    }
}

static void take_nearest(struct pks_clusters *clusters, const struct pks_space *space,
                         double *nearest)
{
    const struct kmeans *kmeans = &clusters->kmeans;
    for (size_t c = 0; c < kmeans->centres.rows; c++)
        nearest[c] = INFINITY;
    for (size_t p = 0; p < space->points.rows; p++) {
        uint32_t c = kmeans->labels[p];
        double d = square_distance(matrix_row(&space->points, p),
                                   matrix_row(&kmeans->centres, c), space->points.columns);
        if (d < nearest[c]) {
            nearest[c] = d;
            clusters->reps[c] = space->rows[space->distinct.first[p]];
        }
    }
}

static int represent(struct pks_clusters *clusters, const struct pks_space *space,
                     enum repick representative)
{
    size_t k = clusters->kmeans.centres.rows;
    size_t *seen = calloc(k, sizeof *seen);
    double *nearest = calloc(k, sizeof *nearest);
    bool room = seen != NULL && nearest != NULL;
    if (room && (representative == REPICK_OWN || representative == REPICK_FIRST))
        take_first(clusters, space);
    else if (room && representative == REPICK_RANDOM)
        take_random(clusters, space, seen);
    else if (room)
        take_nearest(clusters, space, nearest);
    free(seen);
    free(nearest);
    return room ? 0 : -1;
}

/* ---- clusters ---------------------------------------------------------- */

void pks_clusters_finish(struct pks_clusters *clusters)
{
    kmeans_finish(&clusters->kmeans);
    free(clusters->reps);
    free(clusters->sizes);
    *clusters = (struct pks_clusters){0};
}

int pks_clusters_init(struct pks_clusters *clusters, const struct pks_space *space, size_t k,
                      enum repick representative, struct error *err)
{
    struct kmeans_options options = {.seed = space->input->options->seed};
    *clusters = (struct pks_clusters){.error = NAN};
    if (kmeans_init(&clusters->kmeans, &space->points, space->distinct.weight, k, &options) !=
        0)
        return error_no_memory(err);
    k = clusters->kmeans.centres.rows;
    clusters->reps = calloc(k, sizeof *clusters->reps);
    clusters->sizes = calloc(k, sizeof *clusters->sizes);
    if (clusters->reps == NULL || clusters->sizes == NULL ||
        represent(clusters, space, representative) != 0) {
        pks_clusters_finish(clusters);
        return error_no_memory(err);
    }
    for (size_t i = 0; i < space->count; i++)
        clusters->sizes[cluster_of(clusters, space, i)]++;
    return 0;
}

static enum profile_column time_column(const struct pks_space *space)
{
    uint64_t known = UINT64_MAX;
    for (size_t i = 0; i < space->count; i++)
        known &= space->input->profile->rows[space->rows[i]].known;
    if (known & PROFILE_BIT(PROFILE_CYCLES))
        return PROFILE_CYCLES;
    return known & PROFILE_BIT(PROFILE_TIME_NS) ? PROFILE_TIME_NS : PROFILE_COLUMNS;
}

static double total_time(const struct pks_space *space, enum profile_column column)
{
    double total = 0;
    for (size_t i = 0; i < space->count; i++)
        total += profile_number(&space->input->profile->rows[space->rows[i]], column);
    return total;
}

void pks_clusters_measure(struct pks_clusters *clusters, const struct pks_space *space)
{
    enum profile_column column = time_column(space);
    double total = total_time(space, column), predicted = 0;
    for (size_t c = 0; c < clusters->kmeans.centres.rows; c++)
        predicted += (double)clusters->sizes[c] *
                     profile_number(&space->input->profile->rows[clusters->reps[c]], column);
    clusters->error = fabs(predicted - total) / total;
}

int pks_require_time(const struct pks_space *space, struct error *err)
{
    const struct sampling_input *input = space->input;
    enum profile_column column = time_column(space);
    if (column == PROFILE_COLUMNS)
        return error_set(err, ERROR_USAGE, input->profile->path, 0, 0,
                         "%s chooses k by its error and needs cycles or time_ns of every "
                         "launch (--cycles takes them from a run)%s",
                         input->method,
                         strcmp(input->method, "pks") == 0
                             ? "; --k bic, silhouette or a number do without"
                             : "");
    if (!(total_time(space, column) > 0))
        return error_set(err, ERROR_TRACE, input->profile->path, 0, 0,
                         "all launches have 0 %s; %s needs more",
                         profile_column_info(column)->name, input->method);
    return 0;
}

/* ---- strata ------------------------------------------------------------ */

void pks_label(uint32_t *labels, const struct pks_space *space,
               const struct pks_clusters *clusters)
{
    for (size_t i = 0; i < space->count; i++)
        labels[space->rows[i]] = cluster_of(clusters, space, i);
}

int pks_add_strata(struct sampling *selection, const struct pks_clusters *clusters,
                   const uint32_t *labels, struct error *err)
{
    size_t n = selection->profile->count, *members = malloc(n * sizeof *members);
    if (members == NULL)
        return error_no_memory(err);
    int status = 0;
    for (size_t c = 0; c < clusters->kmeans.centres.rows && status == 0; c++) {
        size_t count = 0;
        for (size_t i = 0; i < n; i++)
            if (labels[i] == c)
                members[count++] = i;
        status = sampling_add_stratum(selection, members, count, &clusters->reps[c], 1, 0, err);
    }
    free(members);
    return status;
}
