/* kmeans: Lloyd's algorithm on generated points: 20 rounds of assignment,
 * sums by atomics, and division. The rounds are really computed (in
 * integers), so the atomics go where the points belong. */
#include <stdlib.h>
#include <string.h>

#include "traces/synth/warp.h"

#define DIMENSIONS 8
#define CLUSTERS   8
#define ROUNDS     20
#define BLOCK      256
#define RANGE      4096 /* of a coordinate */

struct kmeans_workload {
    uint32_t points;
    int32_t *coordinates; /* [point][dimension] */
    uint8_t *member, *changed;
    int32_t centers[CLUSTERS][DIMENSIONS];
    uint64_t features, membership, means, sums, counts, delta;
};

/* Distances to all centres: the point's features stay in R16..R23, the
 * centres come from shared memory, four numbers an access. */
static void assign(struct warp *w, const void *data)
{
    const struct kmeans_workload *k = data;
    uint64_t first = warp_prologue(w);
    uint32_t changed = 0;
    OP(w, "ISETP.GT.U32.AND", NONE, 3);
    OP(w, "IMAD.SHL.U32", 9, 3, RZ);
    uint32_t saved =
        warp_predicate(w, w->index == 0 ? lanes_below(0, CLUSTERS * DIMENSIONS / 4) : 0);
    warp_pointer(w, 4, 3);
    warp_memory_row(w, LDG_128_CONST, 24, 4, k->means, 16);
    warp_memory_row(w, STS_128, 24, 9, 0, 16);
    w->mask = saved;
    warp_barrier(w);
    if (warp_bound(w, first, k->points))
        return;
    for (uint32_t d = 0; d < DIMENSIONS; d++) {
        warp_pointer(w, 4, 0);
        warp_memory_row(w, LDG_CONST, 16 + (int)d, 4,
                        k->features + 4 * ((uint64_t)d * k->points + first), 4);
    }
    OP(w, "MOV", 10, RZ);
    OP(w, "MOV", 11);
    for (uint32_t c = 0; c < CLUSTERS; c++) {
        warp_memory_row(w, LDS_128, 24, RZ, 4 * DIMENSIONS * c, 0);
        warp_memory_row(w, LDS_128, 28, RZ, 4 * DIMENSIONS * c + 16, 0);
        for (int d = 0; d < DIMENSIONS; d++) {
            OP(w, "FADD", 32 + d % 2, 16 + d, 24 + d);
            OP(w, "FFMA", 12, 32 + d % 2, 32 + d % 2, d == 0 ? RZ : 12);
        }
        OP(w, "FSETP.GEU.AND", NONE, 12, 11);
        OP(w, "FMNMX", 11, 12, 11);
        OP(w, "SEL", 10, 10, RZ);
    }
    warp_pointer(w, 4, 0);
    warp_memory_row(w, LDG, 13, 4, k->membership + 4 * first, 4);
    EACH_LANE(w, l)
    changed |= (uint32_t)k->changed[first + l] << l;
    OP(w, "ISETP.NE.AND", NONE, 13, 10);
    struct branch branch = warp_if(w, changed);
    OP(w, "IMAD.MOV.U32", 14, RZ, RZ);
    OP(w, "IMAD.MOV.U32", 15, RZ, RZ);
    warp_memory_row(w, STG, 10, 4, k->membership + 4 * first, 4);
    warp_memory_row(w, RED_ADD, 16, 14, k->delta, 0);
    warp_end_if(w, branch);
}

static void accumulate(struct warp *w, const void *data)
{
    const struct kmeans_workload *k = data;
    uint64_t first = warp_prologue(w);
    struct lanes at;
    if (warp_bound(w, first, k->points))
        return;
    warp_pointer(w, 4, 0);
    warp_memory_row(w, LDG, 10, 4, k->membership + 4 * first, 4);
    warp_pointer(w, 8, 10);
    for (uint32_t d = 0; d < DIMENSIONS; d++) {
        warp_pointer(w, 4, 0);
        warp_memory_row(w, LDG_CONST, 12, 4,
                        k->features + 4 * ((uint64_t)d * k->points + first), 4);
        EACH_LANE(w, l)
        at.at[l] = k->sums + 4ull * (k->member[first + l] * DIMENSIONS + d);
        warp_memory(w, RED_ADD_F32, 12, 8, &at);
    }
    OP(w, "MOV", 14);
    warp_pointer(w, 8, 10);
    EACH_LANE(w, l)
    at.at[l] = k->counts + 4ull * k->member[first + l];
    warp_memory(w, RED_ADD, 14, 8, &at);
}

static void divide(struct warp *w, const void *data)
{
    const struct kmeans_workload *k = data;
    struct lanes at;
    warp_prologue(w);
    warp_pointer(w, 4, 0);
    warp_memory_row(w, LDG, 10, 4, k->sums + 4ull * w->first, 4);
    OP(w, "SHF.R.U32.HI", 2, RZ, 0);
    warp_pointer(w, 8, 2);
    EACH_LANE(w, l)
    at.at[l] = k->counts + 4 * ((w->first + l) / DIMENSIONS);
    warp_memory(w, LDG, 11, 8, &at);
    OP(w, "I2F", 11, 11);
    OP(w, "MUFU.RCP", 12, 11);
    OP(w, "FMUL", 10, 10, 12);
    warp_memory_row(w, STG, RZ, 4, k->sums + 4ull * w->first, 4);
    warp_pointer(w, 8, 0);
    warp_memory_row(w, STG, 10, 8, k->means + 4ull * w->first, 4);
}

static uint8_t nearest(const struct kmeans_workload *k, const int32_t *point)
{
    uint64_t best = UINT64_MAX;
    uint8_t found = 0;
    for (uint8_t c = 0; c < CLUSTERS; c++) {
        uint64_t sum = 0;
        for (int d = 0; d < DIMENSIONS; d++) {
            int64_t difference = point[d] - k->centers[c][d];
            sum += (uint64_t)(difference * difference);
        }
        if (sum < best) {
            best = sum;
            found = c;
        }
    }
    return found;
}

/* What assign() finds. */
static void compute_members(struct kmeans_workload *k)
{
    for (uint32_t p = 0; p < k->points; p++) {
        uint8_t member = nearest(k, &k->coordinates[(size_t)p * DIMENSIONS]);
        k->changed[p] = member != k->member[p];
        k->member[p] = member;
    }
}

static void compute_centers(struct kmeans_workload *k)
{
    int64_t sums[CLUSTERS][DIMENSIONS] = {{0}}, counts[CLUSTERS] = {0};
    for (uint32_t p = 0; p < k->points; p++) {
        counts[k->member[p]]++;
        for (int d = 0; d < DIMENSIONS; d++)
            sums[k->member[p]][d] += k->coordinates[(size_t)p * DIMENSIONS + (size_t)d];
    }
    for (int c = 0; c < CLUSTERS; c++)
        for (int d = 0; d < DIMENSIONS && counts[c] > 0; d++)
            k->centers[c][d] = (int32_t)(sums[c][d] / counts[c]);
}

/* Points around true centres, wide enough to overlap. */
static void draw_points(struct synth *synth, struct kmeans_workload *k)
{
    int32_t true_centers[CLUSTERS][DIMENSIONS];
    for (int c = 0; c < CLUSTERS; c++)
        for (int d = 0; d < DIMENSIONS; d++)
            true_centers[c][d] = (int32_t)random_below(synth_random(synth), RANGE);
    for (uint32_t p = 0; p < k->points; p++) {
        uint64_t c = random_below(synth_random(synth), CLUSTERS);
        for (int d = 0; d < DIMENSIONS; d++) {
            uint64_t bits = synth_random(synth);
            k->coordinates[(size_t)p * DIMENSIONS + (size_t)d] =
                true_centers[c][d] + (int32_t)((bits & 2047) + (bits >> 11 & 2047)) - 2047;
        }
    }
    for (int c = 0; c < CLUSTERS; c++)
        memcpy(k->centers[c], &k->coordinates[(size_t)c * DIMENSIONS], sizeof k->centers[c]);
}

static void rounds(struct synth *synth, struct kmeans_workload *k)
{
    uint32_t blocks = div_up(k->points, BLOCK);
    for (int i = 0; i < ROUNDS && !synth->failed; i++) {
        compute_members(k);
        synth_copy(synth, k->delta, 4);
        LAUNCH(synth, "_Z12kmeansAssignPKfS0_PiS1_i", {blocks}, {BLOCK}, 36,
               4 * CLUSTERS * DIMENSIONS, assign, k);
        LAUNCH(synth, "_Z10kmeansSumsPKfPKiPfPii", {blocks}, {BLOCK}, 18, 0, accumulate, k);
        LAUNCH(synth, "_Z11kmeansMeansPfS_Pii", {1}, {CLUSTERS * DIMENSIONS}, 14, 0, divide, k);
        compute_centers(k);
    }
}

void synth_kmeans(struct synth *synth)
{
    struct kmeans_workload k = {.points = synth_scaled(synth, 40000, 100)};
    k.coordinates = synth_host(synth, (uint64_t)k.points * DIMENSIONS, sizeof *k.coordinates);
    k.member = synth_host(synth, k.points, 1);
    k.changed = synth_host(synth, k.points, 1);
    k.features = synth_upload(synth, 4ull * DIMENSIONS * k.points);
    k.membership = synth_upload(synth, 4ull * k.points);
    k.means = synth_upload(synth, 4 * CLUSTERS * DIMENSIONS);
    k.sums = synth_upload(synth, 4 * CLUSTERS * DIMENSIONS);
    k.counts = synth_upload(synth, 4 * CLUSTERS);
    k.delta = synth_alloc(synth, 4);
    if (!synth->failed) {
        draw_points(synth, &k);
        rounds(synth, &k);
    }
    free(k.coordinates);
    free(k.member);
    free(k.changed);
}
