/* pks-artifact: PKS as in its published script. 11 features, k of 1 to 19, the first with an
 * error below 5 %, the first launch of each cluster. */
#include <stdlib.h>

#include "sampling/methods/methods.h"
#include "sampling/methods/pks/pks.h"

#define GREATEST_K 19
#define ENOUGH     0.05
#define KEEP       0.9995

#define FEATURES(F)                                                                            \
    F(gld_sectors)                                                                             \
    F(gst_sectors)                                                                             \
    F(warp_insts)                                                                              \
    F(divergence)                                                                              \
    F(gld_insts)                                                                               \
    F(gst_insts)                                                                               \
    F(sld_insts)                                                                               \
    F(sst_insts)                                                                               \
    F(gld_insts_on)                                                                            \
    F(gst_insts_on)

#define FUNCTION(field)                                                                        \
    static double field(const struct profile_row *row)                                         \
    {                                                                                          \
        return (double)row->field;                                                             \
    }
FEATURES(FUNCTION)
#define NAME(field) field,
static pks_feature *const features[] = {FEATURES(NAME) profile_blocks};

int sampling_pks_artifact(const struct sampling_input *input, struct sampling *selection,
                          struct error *err)
{
    struct pks_space space;
    struct pks_clusters clusters = {0};
    size_t n = input->profile->count, *rows = malloc(n * sizeof *rows);
    uint32_t *labels = malloc(n * sizeof *labels);
    if (rows == NULL || labels == NULL) {
        free(rows);
        free(labels);
        return error_no_memory(err);
    }
    for (size_t i = 0; i < n; i++)
        rows[i] = i;
    int status = pks_space_init(&space, input, rows, n, features,
                                sizeof features / sizeof features[0], KEEP, err);
    if (status == 0)
        status = pks_choose_by_error(&clusters, &space, GREATEST_K, ENOUGH, REPICK_FIRST, err);
    if (status == 0) {
        pks_label(labels, &space, &clusters);
        status = pks_add_strata(selection, &clusters, labels, err);
        sampling_note(selection,
                      "pks-artifact: %zu clusters in %zu principal components, "
                      "chosen with an error of %.2f %%",
                      clusters.kmeans.centres.rows, space.points.columns, 100 * clusters.error);
    }
    pks_clusters_finish(&clusters);
    pks_space_finish(&space);
    free(labels);
    return status;
}
