/* What the forms of PKS share. Private to sampling.
 *
 * "Principal Kernel Analysis: A Tractable Methodology to Simulate Scaled GPU
 * Workloads" (Baddouh et al., 2021). */
#ifndef HEARTH_SAMPLING_METHODS_PKS_H
#define HEARTH_SAMPLING_METHODS_PKS_H

#include "sampling/math/kmeans.h"
#include "sampling/repick.h"
#include "sampling/sampling.h"

/* Launches as points: features scaled to mean 0 and deviation 1 (of the
 * population), then their principal components. Launches with equal features
 * are one point. */
struct pks_space {
    const struct sampling_input *input;
    size_t *rows; /* of the profile: the launches that have features, ascending */
    size_t count;
    struct distinct distinct; /* `of` goes by place in `rows` */
    struct matrix points;     /* a row a distinct launch */
};

/* A feature of a launch, from its row. */
typedef double pks_feature(const struct profile_row *row);

/* Takes COUNT rows of the profile, from the array ROWS, which it keeps and
 * frees. KEEP is the share of the variance that the components have. */
int pks_space_init(struct pks_space *space, const struct sampling_input *input, size_t *rows,
                   size_t count, pks_feature *const *features, size_t feature_count,
                   double keep, struct error *err);
void pks_space_finish(struct pks_space *space);

/* Clusters of a space, and the launch that stands for each. */
struct pks_clusters {
    struct kmeans kmeans; /* of points */
    size_t *reps;         /* rows of the profile, one a cluster */
    size_t *sizes;        /* launches in each cluster */
    double error;         /* see pks_clusters_measure() */
};

/* K clusters, or as many as there are points. The representative is the first
 * launch of a cluster, for REPICK_OWN too, one at random, or the first of those nearest to
 * its centre. */
int pks_clusters_init(struct pks_clusters *clusters, const struct pks_space *space, size_t k,
                      enum repick representative, struct error *err);
void pks_clusters_finish(struct pks_clusters *clusters);
/* Sets `error`: |P - T| / T, P being the sum of the cycles of representatives,
 * each times the size of its cluster, T the sum of all. Needs time: see
 * pks_require_time(). */
void pks_clusters_measure(struct pks_clusters *clusters, const struct pks_space *space);
/* That the launches of the space have cycles, or all of them time_ns, and more than 0
 * together. */
int pks_require_time(const struct pks_space *space, struct error *err);

/* Tries k = 1 to GREATEST and keeps the first with an error below ENOUGH, or
 * else the one with the least error, the smaller k of equal ones. */
int pks_choose_by_error(struct pks_clusters *clusters, const struct pks_space *space,
                        size_t greatest, double enough, enum repick representative,
                        struct error *err);
/* The same by how well clusters fit: by silhouette, the greatest from k = 2
 * on; or by BIC. */
int pks_choose_blind(struct pks_clusters *clusters, const struct pks_space *space,
                     size_t greatest, bool silhouette, enum repick representative,
                     struct error *err);

/* Appends a stratum a cluster. LABELS is the cluster of each row of the
 * profile. */
int pks_add_strata(struct sampling *selection, const struct pks_clusters *clusters,
                   const uint32_t *labels, struct error *err);
/* Fills LABELS at the rows of the space; others stay as they are. */
void pks_label(uint32_t *labels, const struct pks_space *space,
               const struct pks_clusters *clusters);

/* Two-level profiling: fills LABELS of the rows that are not in the space, by
 * kernel and grid, with the classifier of --classifier. Returns how many of
 * them are of kernels that no launch of the space is of, or -1. */
long pks_classify(uint32_t *labels, const struct pks_space *space, size_t clusters,
                  struct error *err);

#endif
