#include "sampling/methods/gpu_bbv.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "traces/base/random.h"

/* The generator of drand48(): four numbers from each of four seeds. */
#define MULTIPLIER UINT64_C(0x5deece66d)
#define INCREMENT  UINT64_C(0xb)
#define SEED_LOW   UINT64_C(0x330e)
#define BITS_48    ((UINT64_C(1) << 48) - 1)
#define SEEDS      4

void bbv_add_block(double vector[static BBV_NUMBERS], const struct bbv_block *block,
                   double count)
{
    struct random random;
    random_init(&random, block->pc, block->kernel << 32 ^ block->insts);
    for (unsigned d = 0; d < BBV_NUMBERS; d++)
        vector[d] += (double)(random_next(&random) >> 48) * count;
}

void bbv_add_pc(double vector[static BBV_NUMBERS], const struct bbv_block *block, double count)
{
    for (unsigned s = 0, d = 0; s < SEEDS; s++) {
        uint64_t state = (((block->pc + s) << 16) + SEED_LOW) & BITS_48;
        for (unsigned i = 0; i < BBV_NUMBERS / SEEDS; i++, d++) {
            state = (state * MULTIPLIER + INCREMENT) & BITS_48;
            vector[d] += (double)(state >> 16 & 0xffff) * count;
        }
    }
}

/* ---- types ------------------------------------------------------------- */

void bbv_types_init(struct bbv_types *types)
{
    *types = (struct bbv_types){.vectors.columns = BBV_NUMBERS};
}

void bbv_types_finish(struct bbv_types *types)
{
    matrix_finish(&types->vectors);
    free(types->warps);
    bbv_types_init(types);
}

static int grow(struct bbv_types *types)
{
    size_t room = types->vectors.rows > 0 ? 2 * types->vectors.rows : 16;
    double *values = reallocarray(types->vectors.values, room, BBV_NUMBERS * sizeof *values);
    if (values != NULL)
        types->vectors.values = values;
    double *warps = reallocarray(types->warps, room, sizeof *warps);
    if (warps != NULL)
        types->warps = warps;
    if (values == NULL || warps == NULL)
        return -1;
    types->vectors.rows = room;
    return 0;
}

double *bbv_types_add(struct bbv_types *types, double warps)
{
    if (types->count == types->vectors.rows && grow(types) != 0)
        return NULL;
    types->warps[types->count] = warps;
    double *vector = matrix_row(&types->vectors, types->count++);
    memset(vector, 0, BBV_NUMBERS * sizeof *vector);
    return vector;
}

/* ---- launches ---------------------------------------------------------- */

struct warp_share {
    double warps;
    uint32_t type;
};

static int by_share(const void *left, const void *right)
{
    const struct warp_share *a = left, *b = right;
    if (a->warps != b->warps)
        return a->warps > b->warps ? -1 : 1;
    return a->type < b->type ? -1 : 1;
}

/* Sorts types and merges those with equal vectors. */
static struct warp_share *find_shares(const struct bbv_types *types, size_t *count)
{
    struct matrix used = types->vectors;
    struct distinct distinct;
    used.rows = types->count;
    if (distinct_init(&distinct, &used) != 0)
        return NULL;
    *count = distinct.count;
    struct warp_share *shares = calloc(distinct.count, sizeof *shares);
    for (size_t i = 0; shares != NULL && i < types->count; i++) {
        shares[distinct.of[i]].type = distinct.first[distinct.of[i]];
        shares[distinct.of[i]].warps += types->warps[i];
    }
    distinct_finish(&distinct);
    if (shares != NULL)
        qsort(shares, *count, sizeof *shares, by_share);
    return shares;
}

static void add_type(struct gpu_bbv *bbv, const double *vector, double share)
{
    double squares = 0, *out = bbv->values + BBV_NUMBERS * bbv->types++;
    for (size_t d = 0; d < BBV_NUMBERS; d++)
        squares += vector[d] * vector[d];
    for (size_t d = 0; d < BBV_NUMBERS && squares > 0; d++)
        out[d] = vector[d] / sqrt(squares) * share;
}

int gpu_bbv_init(struct gpu_bbv *bbv, const struct bbv_types *types)
{
    size_t count;
    struct warp_share *shares = find_shares(types, &count);
    *bbv = (struct gpu_bbv){0};
    if (shares == NULL)
        return -1;
    bbv->values = calloc(count, BBV_NUMBERS * sizeof *bbv->values);
    for (size_t i = 0; i < count; i++)
        bbv->warps += shares[i].warps;
    for (size_t i = 0; bbv->values != NULL && i < count; i++)
        add_type(bbv, matrix_row(&types->vectors, shares[i].type),
                 shares[i].warps / bbv->warps);
    free(shares);
    return bbv->values != NULL ? 0 : -1;
}

void gpu_bbv_finish(struct gpu_bbv *bbv)
{
    free(bbv->values);
    *bbv = (struct gpu_bbv){0};
}

double gpu_bbv_distance(const struct gpu_bbv *a, const struct gpu_bbv *b, double limit)
{
    static const double nothing[BBV_NUMBERS];
    size_t types = a->types > b->types ? a->types : b->types;
    double sum = 0;
    for (size_t t = 0; t < types && sum < limit * limit; t++)
        sum +=
            square_distance(t < a->types ? a->values + t * BBV_NUMBERS : nothing,
                            t < b->types ? b->values + t * BBV_NUMBERS : nothing, BBV_NUMBERS);
    return sum < limit * limit ? sqrt(sum) : fmax(sqrt(sum), limit);
}
