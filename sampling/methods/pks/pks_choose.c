/* Chooses the number of clusters. */
#include <math.h>

#include "sampling/math/score.h"
#include "sampling/methods/pks/pks.h"

/* The silhouette is computed from at most this many points. */
#define SILHOUETTE_ROWS 2000
/* At most this many values of k are tried. */
#define MOST 64

/* Replaces CLUSTERS by CANDIDATE. */
static void replace(struct pks_clusters *clusters, struct pks_clusters *candidate)
{
    pks_clusters_finish(clusters);
    *clusters = *candidate;
    *candidate = (struct pks_clusters){0};
}

static size_t limit(const struct pks_space *space, size_t greatest)
{
    if (greatest > MOST)
        greatest = MOST;
    return greatest < space->points.rows ? greatest : space->points.rows;
}

int pks_choose_by_error(struct pks_clusters *clusters, const struct pks_space *space,
                        size_t greatest, double enough, enum repick representative,
                        struct error *err)
{
    *clusters = (struct pks_clusters){.error = INFINITY};
    if (pks_require_time(space, err) != 0)
        return -1;
    for (size_t k = 1; k <= limit(space, greatest) && !(clusters->error < enough); k++) {
        struct pks_clusters candidate;
        if (pks_clusters_init(&candidate, space, k, representative, err) != 0) {
            pks_clusters_finish(clusters);
            return -1;
        }
        pks_clusters_measure(&candidate, space);
        if (candidate.error < clusters->error)
            replace(clusters, &candidate);
        pks_clusters_finish(&candidate);
    }
    return 0;
}

static double silhouette_of(const struct pks_clusters *clusters, const struct pks_space *space)
{
    double score = score_silhouette(&space->points, space->distinct.weight,
                                    clusters->kmeans.labels, clusters->kmeans.centres.rows,
                                    SILHOUETTE_ROWS, space->input->options->seed);
    return isnan(score) ? -1 : score; /* a single cluster has no score */
}

static size_t first_greatest(const double *scores, size_t count)
{
    size_t best = 0;
    for (size_t i = 1; i < count; i++)
        if (scores[i] > scores[best])
            best = i;
    return best;
}

int pks_choose_blind(struct pks_clusters *clusters, const struct pks_space *space,
                     size_t greatest, bool silhouette, enum repick representative,
                     struct error *err)
{
    double scores[MOST];
    size_t count = limit(space, greatest);
    for (size_t k = 1; k <= count; k++) {
        if (pks_clusters_init(clusters, space, k, representative, err) != 0)
            return -1;
        scores[k - 1] =
            silhouette ? silhouette_of(clusters, space)
                       : score_bic(&clusters->kmeans, &space->points, space->distinct.weight);
        pks_clusters_finish(clusters);
    }
    size_t chosen =
        silhouette ? first_greatest(scores, count) : score_choose_bic(scores, count);
    return pks_clusters_init(clusters, space, chosen + 1, representative, err);
}
