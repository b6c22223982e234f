/* tbpoint: the inter-launch sampling of "TBPoint: Reducing Simulation Time for Large-Scale
 * GPGPU Kernels" (Huang et al., 2014), section III. Launches of a kernel are clustered by
 * complete linkage; the launch nearest to the centre of its cluster represents it. */
#include <math.h>
#include <stdlib.h>

#include "sampling/math/linkage.h"
#include "sampling/math/scale.h"
#include "sampling/methods/methods.h"
#include "sampling/repick.h"

/* Equation 2. The first three are divided by their mean; the fourth, a coefficient of
 * variation, is not scaled. */
enum { THREAD_INSTS, WARP_INSTS, MEM_REQUESTS, BLOCK_VARIATION, FEATURES };

static int read_features(struct matrix *table, const struct sampling_input *input,
                         const size_t *rows, size_t count)
{
    if (matrix_init(table, count, FEATURES) != 0)
        return -1;
    for (size_t i = 0; i < count; i++) {
        const struct profile_row *row = &input->profile->rows[rows[i]];
        double *features = matrix_row(table, i);
        features[THREAD_INSTS] = (double)row->thread_insts;
        features[WARP_INSTS] = (double)row->warp_insts;
        features[MEM_REQUESTS] = (double)row->mem_requests;
    }
    if (scale_by_mean(table, NULL) != 0)
        return -1;
    for (size_t i = 0; i < count; i++)
        matrix_row(table, i)[BLOCK_VARIATION] = input->profile->rows[rows[i]].cta_insts_cov;
    return 0;
}

/* ---- clusters ---------------------------------------------------------- */

/* Rows of a kernel, sorted by cluster: first counts, then places. */
struct sorted {
    size_t *rows;   /* places in the kernel */
    size_t *starts; /* of each cluster, and the end */
};

static int sort_rows(struct sorted *sorted, const struct linkage *linkage, size_t count)
{
    sorted->rows = malloc((count + 1) * sizeof *sorted->rows);
    sorted->starts = calloc(linkage->count + 2, sizeof *sorted->starts);
    if (sorted->rows == NULL || sorted->starts == NULL)
        return -1;
    for (size_t i = 0; i < count; i++)
        sorted->starts[linkage->labels[i] + 2]++;
    for (size_t c = 2; c < linkage->count + 2; c++)
        sorted->starts[c] += sorted->starts[c - 1];
    for (size_t i = 0; i < count; i++)
        sorted->rows[sorted->starts[linkage->labels[i] + 1]++] = i;
    return 0;
}

/* Of equally near launches, the first. Differences that are only rounding count as equal. */
static size_t nearest_to_centre(const struct matrix *table, const size_t *members, size_t count)
{
    double centre[FEATURES] = {0}, least = INFINITY;
    for (size_t i = 0; i < count; i++)
        for (size_t f = 0; f < FEATURES; f++)
            centre[f] += (matrix_row(table, members[i])[f] - centre[f]) / (double)(i + 1);
    size_t best = members[0];
    for (size_t i = 0; i < count; i++) {
        double d = sqrt(square_distance(matrix_row(table, members[i]), centre, FEATURES));
        if (d < least - 1e-12) {
            least = d;
            best = members[i];
        }
    }
    return best;
}

static int add_strata(struct sampling *selection, const struct matrix *table,
                      const struct linkage *linkage, const size_t *rows, struct error *err)
{
    struct sorted sorted = {0};
    int status = sort_rows(&sorted, linkage, table->rows);
    if (status != 0)
        error_no_memory(err);
    for (size_t c = 0; c < linkage->count && status == 0; c++) {
        size_t *members = sorted.rows + sorted.starts[c];
        size_t count = sorted.starts[c + 1] - sorted.starts[c];
        size_t rep = rows[nearest_to_centre(table, members, count)];
        for (size_t i = 0; i < count; i++)
            members[i] = rows[members[i]];
        status = sampling_add_stratum(selection, members, count, &rep, 1, 0, err);
    }
    free(sorted.rows);
    free(sorted.starts);
    return status;
}

/* ROWS are the launches of a kernel. */
static int sample_kernel(const struct sampling_input *input, struct sampling *selection,
                         const size_t *rows, size_t count, size_t *coarse, struct error *err)
{
    struct matrix table = {0};
    struct linkage linkage = {0};
    int status = -1;
    if (read_features(&table, input, rows, count) == 0 &&
        linkage_init(&linkage, &table, input->options->threshold, 0) == 0)
        status = add_strata(selection, &table, &linkage, rows, err);
    else
        error_no_memory(err);
    *coarse += linkage.coarse;
    linkage_finish(&linkage);
    matrix_finish(&table);
    return status;
}

int sampling_tbpoint(const struct sampling_input *input, struct sampling *selection,
                     struct error *err)
{
    size_t coarse = 0;
    for (size_t k = 0; k < input->profile->kernel_count; k++) {
        const size_t *rows = input->by_kernel + input->first[k];
        size_t count = input->first[k + 1] - input->first[k];
        if (count > 0 && sample_kernel(input, selection, rows, count, &coarse, err) != 0)
            return -1;
    }
    if (coarse > 0)
        sampling_note(selection,
                      "tbpoint: kernels with more than %d different launches that lie close "
                      "together were clustered coarsely: %zu of them",
                      LINKAGE_LIMIT, coarse);
    /* The representative nearest to the centre is already chosen. */
    if (input->options->representative.index != REPICK_CENTROID)
        repick(input, selection);
    return 0;
}
