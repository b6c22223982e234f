/* pks: Principal Kernel Selection. Launches are clustered by 12 features; all launches of a
 * cluster have the same weight. */
#include "sampling/methods/pks/pks.h"

#include <math.h>
#include <stdlib.h>

#include "sampling/methods/methods.h"

#define GREATEST_K 20

/* "Principal Kernel Analysis", table 2. */
#define FEATURES(F)                                                                            \
    F(gld_sectors, GLD_SECTORS)                                                                \
    F(gst_sectors, GST_SECTORS)                                                                \
    F(lld_sectors, LLD_SECTORS)                                                                \
    F(gld_insts, GLD_INSTS)                                                                    \
    F(gst_insts, GST_INSTS)                                                                    \
    F(lld_insts, LLD_INSTS)                                                                    \
    F(sld_insts, SLD_INSTS)                                                                    \
    F(sst_insts, SST_INSTS)                                                                    \
    F(gatom_insts, GATOM_INSTS)                                                                \
    F(warp_insts, WARP_INSTS)                                                                  \
    F(divergence, DIVERGENCE)

#define FUNCTION(field, column)                                                                \
    static double field(const struct profile_row *row)                                         \
    {                                                                                          \
        return (double)row->field;                                                             \
    }
FEATURES(FUNCTION)
#define NAME(field, column) field,
static pks_feature *const features[] = {FEATURES(NAME) profile_blocks};
#define COLUMN(field, column) PROFILE_BIT(PROFILE_##column) |
#define COLUMNS               (FEATURES(COLUMN) PROFILE_GRID)
#define COUNT                 (sizeof features / sizeof features[0])

/* The words of --k. */
enum { K_ERROR, K_BIC, K_SILHOUETTE, K_NUMBER };

/* ---- two levels -------------------------------------------------------- */

static bool has_features(const struct profile_row *row)
{
    return (row->known & COLUMNS) == COLUMNS;
}

/* Checks that every launch can be classified: it must have at least a grid. */
static int require_grids(const struct sampling_input *input, struct error *err)
{
    const struct profile *profile = input->profile;
    for (size_t i = 0; i < profile->count; i++) {
        double blocks = profile_blocks(&profile->rows[i]);
        if (!(blocks > 0)) /* unknown, or 0 */
            return error_set(err, ERROR_USAGE, profile->path, profile->rows[i].line, 0,
                             "launch %llu has neither the features of pks nor a grid to "
                             "classify it by",
                             (unsigned long long)profile->rows[i].launch);
    }
    return 0;
}

/* Checks that the features of ROWS belong to launches that executed instructions. */
static int require_insts(const struct profile *profile, const size_t *rows, size_t count,
                         struct error *err)
{
    for (size_t i = 0; i < count; i++) {
        const struct profile_row *row = &profile->rows[rows[i]];
        if (row->warp_insts == 0)
            return error_set(err, ERROR_TRACE, profile->path, row->line, 0,
                             "launch %llu has 0 warp instructions; pks needs more",
                             (unsigned long long)row->launch);
    }
    return 0;
}

/* The launches with features: all, unless there is a classifier. */
static size_t *detailed_rows(const struct sampling_input *input, size_t *count,
                             struct error *err)
{
    const struct profile *profile = input->profile;
    bool classified = input->options->classifier.index > 0;
    uint64_t most = input->options->detailed > 0 ? input->options->detailed : profile->count;
    *count = 0;
    if (!classified && (input->options->given & SAMPLING_BIT(SAMPLING_DETAILED))) {
        error_set(err, ERROR_USAGE, NULL, 0, 0,
                  "--detailed leaves launches without features; say with --classifier how they "
                  "find their cluster");
        return NULL;
    }
    if (!classified && profile_require(profile, COLUMNS, input->method, err) != 0)
        return NULL;
    if (classified && require_grids(input, err) != 0)
        return NULL;
    size_t *rows = malloc(profile->count * sizeof *rows);
    if (rows == NULL)
        error_no_memory(err);
    for (size_t i = 0; rows != NULL && i < profile->count; i++)
        if (!classified || (has_features(&profile->rows[i]) && *count < most))
            rows[(*count)++] = i;
    if (rows == NULL)
        return NULL;
    if (*count == 0)
        error_set(err, ERROR_USAGE, profile->path, 0, 0,
                  "no launch has the 12 features of pks, to learn from");
    if (*count > 0 && require_insts(profile, rows, *count, err) == 0)
        return rows;
    free(rows);
    return NULL;
}

/* ---- k ----------------------------------------------------------------- */

static int choose(struct pks_clusters *clusters, const struct pks_space *space,
                  struct error *err)
{
    const struct sampling_options *options = space->input->options;
    enum repick representative = (enum repick)options->representative.index;
    switch (options->k.index) {
    case K_ERROR:
        return pks_choose_by_error(clusters, space, GREATEST_K, 0, representative, err);
    case K_NUMBER:
        return pks_clusters_init(clusters, space, (size_t)options->k.number, representative,
                                 err);
    default:
        return pks_choose_blind(clusters, space, GREATEST_K, options->k.index == K_SILHOUETTE,
                                representative, err);
    }
}

static void note(struct sampling *selection, const struct pks_space *space,
                 const struct pks_clusters *clusters, long unseen)
{
    char error[64] = "", classified[128] = "";
    size_t rest = selection->profile->count - space->count;
    if (!isnan(clusters->error))
        snprintf(error, sizeof error, ", chosen with an error of %.2f %%",
                 100 * clusters->error);
    if (rest > 0)
        snprintf(
            classified, sizeof classified,
            "; %zu launches classified by kernel and grid, %ld of them of kernels that are "
            "not among the detailed ones",
            rest, unseen);
    sampling_note(selection, "pks: %zu clusters in %zu principal components%s%s",
                  clusters->kmeans.centres.rows, space->points.columns, error, classified);
}

static int add(struct sampling *selection, const struct pks_space *space,
               const struct pks_clusters *clusters, struct error *err)
{
    size_t n = selection->profile->count;
    long unseen = 0;
    uint32_t *labels = malloc(n * sizeof *labels);
    if (labels == NULL)
        return error_no_memory(err);
    pks_label(labels, space, clusters);
    if (space->count < n)
        unseen = pks_classify(labels, space, clusters->kmeans.centres.rows, err);
    int status = unseen >= 0 ? pks_add_strata(selection, clusters, labels, err) : -1;
    note(selection, space, clusters, unseen);
    free(labels);
    return status;
}

int sampling_pks(const struct sampling_input *input, struct sampling *selection,
                 struct error *err)
{
    struct pks_space space;
    struct pks_clusters clusters;
    size_t count, *rows = detailed_rows(input, &count, err);
    if (rows == NULL)
        return -1;
    int status = pks_space_init(&space, input, rows, count, features, COUNT,
                                input->options->variance, err);
    if (status == 0)
        status = choose(&clusters, &space, err);
    if (status == 0) {
        status = add(selection, &space, &clusters, err);
        pks_clusters_finish(&clusters);
    }
    pks_space_finish(&space);
    return status;
}
