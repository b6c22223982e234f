#include "sampling/methods/photon_match.h"

#include <math.h>
#include <stdlib.h>

#include "sampling/methods/gpu_bbv.h"
#include "traces/base/bytes.h"

#define WARP_THREADS 32

struct photon {
    const struct sampling_input *input;
    const struct photon_rules *rules;
    struct gpu_bbv *seen; /* of the simulated launches */
    size_t *reps;         /* their rows */
    size_t count;
    size_t *owner; /* for each row: the simulated launch that it is like */
};

static int photon_init(struct photon *photon, const struct sampling_input *input,
                       const struct photon_rules *rules)
{
    *photon = (struct photon){.input = input,
                              .rules = rules,
                              .owner = calloc(input->profile->count, sizeof *photon->owner)};
    return photon->owner != NULL ? 0 : -1;
}

static void photon_finish(struct photon *photon)
{
    for (size_t i = 0; i < photon->count; i++)
        gpu_bbv_finish(&photon->seen[i]);
    free(photon->seen);
    free(photon->reps);
    free(photon->owner);
}

/* ---- matching ---------------------------------------------------------- */

/* With fewer warps than cores, warps do not compete for resources: the numbers of warps must
 * then be equal. */
static bool may_match(const struct gpu_bbv *a, const struct gpu_bbv *b, double cores)
{
    return a->warps == b->warps || (a->warps >= cores && b->warps >= cores);
}

/* Of the launches that are near enough, the one with the closest number of warps; then the
 * nearest; then the first. `count` if there is none. */
static size_t find_match(const struct photon *photon, const struct gpu_bbv *bbv)
{
    const struct sampling_options *options = photon->input->options;
    size_t best = photon->count;
    double least = INFINITY, nearest = INFINITY;
    for (size_t i = 0; i < photon->count; i++) {
        double apart = fabs(photon->seen[i].warps - bbv->warps);
        if (apart > least || !may_match(&photon->seen[i], bbv, photon->rules->cores))
            continue;
        double d = gpu_bbv_distance(&photon->seen[i], bbv, options->distance);
        if (d < options->distance && (apart < least || d < nearest)) {
            least = apart;
            nearest = d;
            best = i;
        }
    }
    return best;
}

static int keep(struct photon *photon, const struct gpu_bbv *bbv, size_t row)
{
    if (!array_room(&photon->seen, photon->count, sizeof *photon->seen) ||
        !array_room(&photon->reps, photon->count, sizeof *photon->reps))
        return -1;
    photon->seen[photon->count] = *bbv;
    photon->reps[photon->count++] = row;
    return 0;
}

/* Adds the launch of ROW, whose warps are TYPES. */
static int take(struct photon *photon, size_t row, const struct bbv_types *types)
{
    const struct profile_row *launch = &photon->input->profile->rows[row];
    struct gpu_bbv bbv;
    if (gpu_bbv_init(&bbv, types) != 0)
        return -1;
    /* The profiler may have looked at only a sample of the warps. */
    double warps = profile_blocks(launch) * ceil(profile_block_threads(launch) / WARP_THREADS);
    if (warps > 0)
        bbv.warps = warps;
    size_t match = find_match(photon, &bbv);
    photon->owner[row] = match;
    if (match < photon->count) {
        gpu_bbv_finish(&bbv);
        return 0;
    }
    if (keep(photon, &bbv, row) == 0)
        return 0;
    gpu_bbv_finish(&bbv);
    return -1;
}

/* ---- reading ----------------------------------------------------------- */

/* The reader's position: the launch of a row of the profile. */
struct bbv_reader {
    struct photon *photon;
    struct bbv_types types;
    double *vector;     /* of the current type */
    uint64_t warp_type; /* its number */
    size_t row;
};

static int missing(const struct bbv_reader *reader, uint64_t found, struct error *err)
{
    const struct sampling_input *input = reader->photon->input;
    unsigned long long launch = input->profile->rows[reader->row].launch;
    if (found == 0)
        return error_set(err, ERROR_TRACE, input->options->bbv_name, 0, 0,
                         "there are no basic blocks of launch %llu", launch);
    return error_set(err, ERROR_TRACE, input->options->bbv_name, 0, 0,
                     "basic blocks of launch %llu where those of launch %llu should be: "
                     "launches must be those of the profile, in its order",
                     (unsigned long long)found, launch);
}

/* The current launch has been read. */
static int end_launch(struct bbv_reader *reader, struct error *err)
{
    if (take(reader->photon, reader->row, &reader->types) != 0)
        return error_no_memory(err);
    reader->types.count = 0;
    reader->row++;
    return 0;
}

/* Makes the launch and type of NEXT current. */
static int begin(struct bbv_reader *reader, const struct profile_bbv_row *next,
                 struct error *err)
{
    const struct profile *profile = reader->photon->input->profile;
    bool any = reader->types.count > 0;
    if (any && next->launch == profile->rows[reader->row].launch &&
        next->warp_type == reader->warp_type)
        return 0;
    if (any && next->launch != profile->rows[reader->row].launch &&
        end_launch(reader, err) != 0)
        return -1;
    if (reader->row == profile->count)
        return error_set(err, ERROR_TRACE, reader->photon->input->options->bbv_name, 0, 0,
                         "basic blocks of launch %llu after those of the last launch of the "
                         "profile",
                         (unsigned long long)next->launch);
    if (next->launch != profile->rows[reader->row].launch)
        return missing(reader, next->launch, err);
    if (reader->types.count > 0 && next->warp_type < reader->warp_type)
        return error_set(err, ERROR_TRACE, reader->photon->input->options->bbv_name, 0, 0,
                         "launch %llu: warp type %llu after %llu: the rows of a type must "
                         "be together",
                         (unsigned long long)next->launch, (unsigned long long)next->warp_type,
                         (unsigned long long)reader->warp_type);
    reader->warp_type = next->warp_type;
    reader->vector = bbv_types_add(&reader->types, (double)next->warps);
    return reader->vector != NULL ? 0 : error_no_memory(err);
}

static void add_block(struct bbv_reader *reader, const struct profile_bbv_row *row)
{
    const struct photon *photon = reader->photon;
    const struct bbv_block block = {.kernel = photon->input->profile->rows[reader->row].kernel,
                                    .pc = row->pc,
                                    .insts = row->insts};
    photon->rules->add(reader->vector, &block, (double)row->count);
}

static int read_rows(struct bbv_reader *reader, struct profile_stream *stream,
                     struct error *err)
{
    struct profile_bbv_row next;
    int status;
    while ((status = profile_bbv_next(stream, &next, err)) > 0) {
        if (begin(reader, &next, err) != 0)
            return -1;
        if (next.warps == 0)
            return error_set(err, ERROR_TRACE, reader->photon->input->options->bbv_name, 0, 0,
                             "launch %llu: warp type %llu has no warps",
                             (unsigned long long)next.launch,
                             (unsigned long long)next.warp_type);
        add_block(reader, &next);
    }
    if (status == 0 && reader->types.count > 0)
        status = end_launch(reader, err);
    if (status == 0 && reader->row < reader->photon->input->profile->count)
        status = missing(reader, 0, err);
    return status;
}

static int read_all(struct photon *photon, struct error *err)
{
    const struct sampling_options *options = photon->input->options;
    struct bbv_reader reader = {.photon = photon};
    rewind(options->bbv);
    struct profile_stream *stream = profile_bbv_open(options->bbv, options->bbv_name, err);
    if (stream == NULL)
        return -1;
    bbv_types_init(&reader.types);
    int status = read_rows(&reader, stream, err);
    bbv_types_finish(&reader.types);
    profile_stream_close(stream);
    return status;
}

/* ---- strata ------------------------------------------------------------ */

/* Sorts rows by their representative: first counts, then places. */
static int add_strata(struct sampling *selection, const struct photon *photon,
                      struct error *err)
{
    size_t n = photon->input->profile->count, *rows = malloc(n * sizeof *rows);
    size_t *starts = calloc(photon->count + 2, sizeof *starts);
    int status = rows != NULL && starts != NULL ? 0 : error_no_memory(err);
    for (size_t i = 0; status == 0 && i < n; i++)
        starts[photon->owner[i] + 2]++;
    for (size_t r = 2; status == 0 && r < photon->count + 2; r++)
        starts[r] += starts[r - 1];
    for (size_t i = 0; status == 0 && i < n; i++)
        rows[starts[photon->owner[i] + 1]++] = i;
    for (size_t r = 0; status == 0 && r < photon->count; r++)
        status = sampling_add_stratum(selection, rows + starts[r], starts[r + 1] - starts[r],
                                      &photon->reps[r], 1, 0, err);
    free(rows);
    free(starts);
    return status;
}

int photon_select(const struct sampling_input *input, const struct photon_rules *rules,
                  struct sampling *selection, struct error *err)
{
    struct photon photon;
    if (photon_init(&photon, input, rules) != 0)
        return error_no_memory(err);
    int status = read_all(&photon, err);
    if (status == 0)
        status = add_strata(selection, &photon, err);
    photon_finish(&photon);
    return status;
}
