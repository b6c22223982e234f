#include <stdlib.h>

#include "sampling/math/pca.h"
#include "sampling/math/scale.h"
#include "sampling/methods/pks/pks.h"

static int read_features(struct matrix *table, const struct pks_space *space,
                         pks_feature *const *features, size_t count)
{
    if (matrix_init(table, space->count, count) != 0)
        return -1;
    for (size_t i = 0; i < space->count; i++)
        for (size_t f = 0; f < count; f++)
            matrix_row(table, i)[f] = features[f](&space->input->profile->rows[space->rows[i]]);
    return 0;
}

/* From the features of distinct launches to points. */
static int project(struct pks_space *space, struct matrix *table, double keep)
{
    struct pca pca;
    const double *weights = space->distinct.weight;
    if (scale_standard(table, weights, DEVIATION_POPULATION) != 0 ||
        pca_init(&pca, table, weights, keep) != 0)
        return -1;
    int status = pca_project(&pca, table, &space->points);
    pca_finish(&pca);
    return status;
}

int pks_space_init(struct pks_space *space, const struct sampling_input *input, size_t *rows,
                   size_t count, pks_feature *const *features, size_t feature_count,
                   double keep, struct error *err)
{
    struct matrix all = {0}, few = {0};
    *space = (struct pks_space){.input = input, .rows = rows, .count = count};
    int status = -1;
    if (read_features(&all, space, features, feature_count) == 0 &&
        distinct_init(&space->distinct, &all) == 0 &&
        distinct_rows(&space->distinct, &all, &few) == 0)
        status = project(space, &few, keep);
    matrix_finish(&all);
    matrix_finish(&few);
    return status == 0 ? 0 : error_no_memory(err);
}

void pks_space_finish(struct pks_space *space)
{
    free(space->rows);
    distinct_finish(&space->distinct);
    matrix_finish(&space->points);
    *space = (struct pks_space){0};
}
