/* What the variants of PKS share. Private to sampling.
 *
 * "Principal Kernel Analysis: A Tractable Methodology to Simulate Scaled GPU Workloads"
 * (Baddouh et al., 2021). */
#ifndef HEARTH_SAMPLING_METHODS_PKS_PKS_H
#define HEARTH_SAMPLING_METHODS_PKS_PKS_H

#include "sampling/math/kmeans.h"
#include "sampling/repick.h"
#include "sampling/sampling.h"

/* Launches as points: features scaled to mean 0 and deviation 1 (of the population), then
 * their principal components. Launches with equal features are one point. */
struct pks_space {
    const struct sampling_input *input;
    size_t *rows; /* of the profile: the launches that have features, ascending */
    size_t count;
    struct distinct distinct; /* indices are places in `rows` */
    struct matrix points;     /* one row per distinct launch */
};

/* A feature of a launch, from its row. */
typedef double pks_feature(const struct profile_row *row);

/* Takes COUNT rows of the profile, listed in ROWS, which it keeps and frees. KEEP is the share
 * of the variance that the components must have. */
int pks_space_init(struct pks_space *space, const struct sampling_input *input, size_t *rows,
                   size_t count, pks_feature *const *features, size_t feature_count,
                   double keep, struct error *err);
void pks_space_finish(struct pks_space *space);

/* Clusters of a space, and the representative of each. */
struct pks_clusters {
    struct kmeans kmeans; /* of points */
    size_t *reps;         /* rows of the profile, one per cluster */
    size_t *sizes;        /* launches in each cluster */
    double error;         /* see pks_clusters_measure() */
};

/* Makes K clusters, or as many as there are points. The representative of a cluster is its
 * first launch (also for REPICK_OWN), a random launch, or the first of those nearest to its
 * centre. */
int pks_clusters_init(struct pks_clusters *clusters, const struct pks_space *space, size_t k,
                      enum repick representative, struct error *err);
void pks_clusters_finish(struct pks_clusters *clusters);
/* Sets `error`: |P - T| / T, where P is the sum of the cycles of the representatives, each
 * times the size of its cluster, and T is the sum over all launches. Needs times: see
 * pks_require_time(). */
void pks_clusters_measure(struct pks_clusters *clusters, const struct pks_space *space);
/* Checks that all launches of the space have cycles, or all have time_ns, with a sum above
 * 0. */
int pks_require_time(const struct pks_space *space, struct error *err);

/* Tries k = 1 to GREATEST and keeps the first with an error below ENOUGH; otherwise the k with
 * the least error, the smallest of equal ones. */
int pks_choose_by_error(struct pks_clusters *clusters, const struct pks_space *space,
                        size_t greatest, double enough, enum repick representative,
                        struct error *err);
/* Chooses k by how well the clusters fit: the greatest silhouette from k = 2 on, or BIC. */
int pks_choose_blind(struct pks_clusters *clusters, const struct pks_space *space,
                     size_t greatest, bool silhouette, enum repick representative,
                     struct error *err);

/* Appends a stratum for each cluster. LABELS has the cluster of each row of the profile. */
int pks_add_strata(struct sampling *selection, const struct pks_clusters *clusters,
                   const uint32_t *labels, struct error *err);
/* Fills LABELS for the rows of the space; others are not changed. */
void pks_label(uint32_t *labels, const struct pks_space *space,
               const struct pks_clusters *clusters);

/* Two-level profiling: fills LABELS for the rows that are not in the space, by kernel and
 * grid, with the classifier of --classifier. Returns how many of them have a kernel that does
 * not occur in the space, or -1. */
long pks_classify(uint32_t *labels, const struct pks_space *space, size_t clusters,
                  struct error *err);

#endif
