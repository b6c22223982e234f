/* Attention, forwards, after FlashAttention-3 for sm_90: a warp copies tiles of queries, keys
 * and values by TMA; two or three groups of four warps have 64 rows of queries each. A group
 * begins the products of the next tile's scores and of this one's values together, and finds
 * weights from scores while both are under way; named barriers let the groups take turns at
 * that, so that one's products run beside the other's exponentials. Blocks stay and take tile
 * after tile: the next one goes to whoever has had least to do, the longest ones first. */
#include <stdlib.h>
#include <string.h>

#include "traces/synth/hopper/warp_group.h"

#define STAGES    2
#define ROW_BYTES (2 * SWIZZLED)
#define TILES     1024 /* where they begin in shared memory, behind the barriers */

/* Offsets of tensor maps in the parameters. */
enum { MAP_Q = 0x240, MAP_K = 0x300, MAP_V = 0x380, MAP_O = 0x4c0 };
/* Registers: bytes, parity, numbers of named barriers, counters; per thread and row of two the
 * largest score, the sum and the factor; scores. */
enum { BYTES = 4, PARITY = 5, FLIP = 6, BARRIER = 7, THREADS = 8, TILE = 9, KEYS = 10 };
enum { PLACE = 11, LARGEST = 12, SUM = 14, FACTOR = 16, PEER = 18, SCALED = 20, COLUMN = 22 };
enum { SCORES = 24 };
/* Named barriers: of all groups, and from the next one on of the turns. */
enum { RESULTS = 1, NAMED = 2 };

struct attention {
    uint32_t batch, heads, length, depth, columns, groups, cluster;
    bool causal;
    uint32_t rows, tiles, blocks; /* of a tile; tiles of a head; that stay */
    uint32_t *first, *list; /* of cluster c: list[first[c]] and on: its first blocks' tiles */
    uint32_t place_k, place_v; /* in shared memory */
};

static int weights(const struct attention *a)
{
    return SCORES + (int)a->columns / 2;
}

static int sums(const struct attention *a)
{
    return weights(a) + (int)a->columns / 4;
}

/* Of a thread that multiplies. */
static uint32_t registers_of(const struct attention *a)
{
    return a->groups == 2 ? 240 : 160;
}

/* ---- work -------------------------------------------------------------- */

/* Rows of queries that tile T begins with, of the whole sequence. */
static uint32_t first_row(const struct attention *a, uint32_t t)
{
    uint32_t tile = a->causal ? a->tiles - 1 - t % a->tiles : t % a->tiles;
    return tile * a->rows;
}

/* Tiles of keys that tile T looks at. */
static uint32_t keys_of(const struct attention *a, uint32_t t)
{
    uint32_t all = div_up(a->length, a->columns);
    uint32_t seen = div_up(first_row(a, t) + a->rows, a->columns);
    return a->causal && seen < all ? seen : all;
}

/* Those of them, but for the last one, in which some scores are masked. */
static uint32_t masked_of(const struct attention *a, uint32_t t)
{
    uint32_t free = first_row(a, t) / a->columns, keys = keys_of(a, t);
    return a->causal && keys > free ? keys - free - 1 : 0;
}

/* The I-th tile in the order of the work. Without a mask, head after head. With one, the
 * longest tiles of as many heads as L2 has room for come first, so that those at work are as
 * long. */
static uint32_t in_order(const struct attention *a, uint32_t i)
{
    const uint32_t room = 32u << 20; /* bytes of keys and values */
    uint64_t bytes = (uint64_t)a->length * a->depth * 4;
    uint32_t heads = a->heads * a->batch, together = 1;
    if (!a->causal)
        return i;
    while (2 * together * bytes <= room)
        together *= 2;
    uint32_t section = i / (together * a->tiles), rest = i % (together * a->tiles);
    uint32_t left = heads - section * together, size = left < together ? left : together;
    return (section * together + rest % size) * a->tiles + rest / size;
}

/* What a cluster takes at once: tiles that follow each other, one for each of its blocks. */
static uint32_t shares(const struct attention *a)
{
    return a->tiles * a->heads * a->batch / a->cluster;
}

/* The cluster that has least to do so far. */
static uint32_t idlest(const uint64_t *load, uint32_t clusters)
{
    uint32_t least = 0;
    for (uint32_t c = 1; c < clusters; c++)
        if (load[c] < load[least])
            least = c;
    return least;
}

/* Gives each share to the cluster that has least to do so far; if there are as many, each has
 * one. OWNER has room for shares, LOAD for one number more than there are clusters. */
static void share(struct attention *a, uint32_t *owner, uint64_t *load)
{
    uint32_t count = shares(a), clusters = a->blocks / a->cluster;
    for (uint32_t i = 0; i < count; i++) {
        owner[i] = clusters == count ? i : idlest(load, clusters);
        /* And what a tile takes beside, about. */
        load[owner[i]] += keys_of(a, in_order(a, i * a->cluster)) + 2;
        a->first[owner[i] + 1]++;
    }
    for (uint32_t c = 0; c < clusters; c++) {
        a->first[c + 1] += a->first[c];
        load[c] = a->first[c];
    }
    for (uint32_t i = 0; i < count; i++)
        a->list[load[owner[i]]++] = in_order(a, i * a->cluster);
}

/* ---- barriers ---------------------------------------------------------- */

/* Queries, results, and stages of keys and values. */
enum { QUERIES_FULL, QUERIES_EMPTY, STORED, KEYS_FULL };
enum { KEYS_EMPTY = KEYS_FULL + STAGES, VALUES_FULL = KEYS_EMPTY + STAGES };
enum { VALUES_EMPTY = VALUES_FULL + STAGES };

static uint32_t barrier(uint32_t number, uint32_t use)
{
    return 8 * (number + (number >= KEYS_FULL ? use % STAGES : 0));
}

/* Of the USE-th use, counted from 0. */
static uint32_t parity(uint32_t number, uint32_t use)
{
    return (number >= KEYS_FULL ? use / STAGES : use) & 1;
}

static void advance(struct warp *w)
{
    OP(w, "UIADD3", NONE);
    OP(w, "UISETP.NE.AND", NONE);
    OP(w, "USEL", NONE);
    OP(w, "SEL", FLIP, RZ, RZ);
    OP(w, "LOP3.LUT", PARITY, PARITY, FLIP);
}

/* ---- the warp that copies ---------------------------------------------- */

/* The rows of BOX from ROW on, of the head of tile T, in boxes of as many numbers of them. */
static void load_rows(struct warp *w, const struct attention *a, struct wg_copy box,
                      uint32_t rows, uint32_t row, uint32_t t)
{
    uint32_t head = t / a->tiles;
    wg_expect(w, box.barrier, rows * a->depth * 2, BYTES);
    uint32_t bytes = rows * ROW_BYTES, own = 0;
    if (box.blocks > 1) { /* each block of the cluster brings a part, for all */
        own = w->block[0] % a->cluster * (rows / a->cluster);
        box.place += own * ROW_BYTES;
    }
    box.dimensions = 4;
    for (uint32_t d = 0; d < a->depth; d += SWIZZLED, box.place += bytes) {
        const uint32_t at[] = {d, row + own, head % a->heads, head / a->heads};
        memcpy(box.coordinates, at, sizeof at);
        wg_load(w, &box);
    }
}

static void wait_for(struct warp *w, uint32_t number, uint32_t use, bool turns)
{
    OP(w, "ULEA", NONE);
    wg_wait(w, barrier(number, use), parity(number, use), PARITY, turns);
}

/* Until what was there before the USE-th use is gone. */
static void wait_for_room(struct warp *w, uint32_t number, uint32_t use)
{
    OP(w, "ULEA", NONE);
    wg_wait(w, barrier(number, use), !parity(number, use), PARITY, false);
}

static void load_queries(struct warp *w, const struct attention *a, uint32_t turn, uint32_t t)
{
    const struct wg_copy box = {MAP_Q, TILES, barrier(QUERIES_FULL, turn)};
    wait_for_room(w, QUERIES_EMPTY, turn);
    load_rows(w, a, box, a->rows, first_row(a, t), t);
}

static uint32_t stage_of(const struct attention *a, uint32_t use)
{
    return use % STAGES * a->columns * a->depth * 2;
}

/* The tile of keys, or of values, that is used as the USE-th. */
static void load_keys(struct warp *w, const struct attention *a, uint32_t use, uint32_t number,
                      uint32_t t)
{
    const struct wg_copy box = {MAP_K, a->place_k + stage_of(a, use), barrier(KEYS_FULL, use),
                                .blocks = a->cluster};
    wait_for_room(w, KEYS_EMPTY, use);
    load_rows(w, a, box, a->columns, number * a->columns, t);
}

static void load_values(struct warp *w, const struct attention *a, uint32_t use,
                        uint32_t number, uint32_t t)
{
    const struct wg_copy box = {MAP_V, a->place_v + stage_of(a, use), barrier(VALUES_FULL, use),
                                .blocks = a->cluster};
    wait_for_room(w, VALUES_EMPTY, use);
    load_rows(w, a, box, a->columns, number * a->columns, t);
}

/* Keys come one tile before the values, whose place has had the results of the tile before. */
static void copy_tile(struct warp *w, const struct attention *a, uint32_t t, uint32_t turn,
                      uint32_t use)
{
    uint32_t keys = keys_of(a, t);
    load_keys(w, a, use, keys - 1, t);
    load_queries(w, a, turn, t);
    wait_for_room(w, STORED, turn);
    struct loop loop = loop_begin(KEYS, keys - 1);
    while (loop_next(w, &loop)) {
        load_keys(w, a, use + loop.i + 1, keys - 2 - loop.i, t);
        load_values(w, a, use + loop.i, keys - 1 - loop.i, t);
        advance(w);
    }
    load_values(w, a, use + keys - 1, 0, t);
    advance(w);
}

/* Of the block of W: where its share I begins, and how many it has. */
static uint32_t tile_of(const struct warp *w, const struct attention *a, uint32_t i)
{
    uint32_t cluster = w->block[0] / a->cluster;
    return a->list[a->first[cluster] + i] + w->block[0] % a->cluster;
}

static uint32_t turns_of(const struct warp *w, const struct attention *a)
{
    const uint32_t *first = a->first + w->block[0] / a->cluster;
    return first[1] - first[0];
}

static void copy_all(struct warp *w, const struct attention *a)
{
    uint32_t count = turns_of(w, a), use = 0;
    wg_registers(w, a->groups == 2 ? 24 : 32, false);
    struct branch branch = warp_if(w, w->index == 0 ? ONE_LANE : 0);
    OP(w, "MOV", BYTES);
    OP(w, "MOV", PARITY);
    struct loop loop = loop_begin(TILE, count);
    while (loop_next(w, &loop)) {
        uint32_t t = loop.i < count ? tile_of(w, a, loop.i) : 0;
        copy_tile(w, a, t, loop.i, use);
        use += keys_of(a, t);
    }
    warp_end_if(w, branch);
}

/* ---- warps that multiply ----------------------------------------------- */

static uint32_t group_of(const struct warp *w)
{
    return w->index / GROUP_WARPS - 1;
}

/* Turns of the groups: each waits for the one before it. */
static void take_turn(struct warp *w, const struct attention *a, uint32_t group, bool waits)
{
    OP(w, "IADD3", BARRIER, 3, RZ);
    wg_barrier_of(w, NAMED + group % a->groups, 2 * GROUP_THREADS, BARRIER, THREADS, waits);
}

static bool is_first(const struct warp *w)
{
    return w->index % GROUP_WARPS == 0;
}

/* A stage, in all blocks of the cluster: the next copies to it are for all. */
static void release(struct warp *w, const struct attention *a, uint32_t number, uint32_t use)
{
    wg_arrive_all(w, barrier(number, use), a->cluster, is_first(w));
}

/* Queries by keys: both in shared memory. */
static void multiply_keys(struct warp *w, const struct attention *a, uint32_t use)
{
    wait_for(w, KEYS_FULL, use, use == 0);
    take_turn(w, a, group_of(w), true);
    wg_arrive_products(w);
    for (uint32_t k = 0; k < a->depth; k += GROUP_DEPTH) {
        OP(w, "UIADD3", NONE);
        OP(w, "UIADD3", NONE);
        wg_product(w, a->columns, SCORES, NONE, k == 0 ? RZ : SCORES,
                   k + GROUP_DEPTH == a->depth);
    }
}

/* Weights, in registers, by values. */
static void multiply_values(struct warp *w, const struct attention *a, uint32_t use)
{
    wait_for(w, VALUES_FULL, use, use == 0);
    wg_arrive_products(w);
    for (uint32_t k = 0; k < a->columns; k += GROUP_DEPTH) {
        OP(w, "UIADD3", NONE);
        wg_product(w, a->depth, sums(a), weights(a) + (int)k / 4, sums(a),
                   k + GROUP_DEPTH == a->columns);
    }
}

/* Scores of keys that are not to be seen become the least number. */
static void mask(struct warp *w, const struct attention *a)
{
    OP(w, "IADD3", COLUMN, 3, KEYS);
    for (int i = 0; i < (int)a->columns / 2; i++) {
        OP(w, "ISETP.GE.AND", NONE, COLUMN, RZ);
        OP(w, "FSEL", SCORES + i, SCORES + i, RZ);
    }
}

/* The largest score of each of two rows, of four threads. */
static void find_largest(struct warp *w, const struct attention *a, bool first)
{
    for (int row = 0; row < 2; row++) {
        int largest = LARGEST + row, score = SCORES + 2 * row;
        if (first)
            OP(w, "FMNMX.FTZ", largest, score, score + 1);
        else {
            OP(w, "MOV", FACTOR + row, largest);
            OP(w, "FMNMX.FTZ", largest, largest, score);
            OP(w, "FMNMX.FTZ", largest, largest, score + 1);
        }
        for (int i = 4; i < (int)a->columns / 2; i += 4) {
            OP(w, "FMNMX.FTZ", largest, largest, score + i);
            OP(w, "FMNMX.FTZ", largest, largest, score + i + 1);
        }
    }
    for (int distance = 1; distance <= 2; distance++)
        for (int row = 0; row < 2; row++) {
            OP(w, "SHFL.BFLY", PEER + row, LARGEST + row);
            OP(w, "FMNMX.FTZ", LARGEST + row, LARGEST + row, PEER + row);
        }
}

/* By what sums so far are too large. */
static void find_factors(struct warp *w)
{
    for (int row = 0; row < 2; row++) {
        OP(w, "FADD.FTZ", FACTOR + row, FACTOR + row, LARGEST + row);
        OP(w, "FMUL.FTZ", FACTOR + row, FACTOR + row, RZ);
        OP(w, "MUFU.EX2", FACTOR + row, FACTOR + row);
        OP(w, "FMUL.FTZ", SUM + row, SUM + row, FACTOR + row);
    }
}

/* Weights are powers of the scores' distances from the largest one. */
static void find_weights(struct warp *w, const struct attention *a, bool first)
{
    for (int row = 0; row < 2; row++) {
        OP(w, "FSETP.NEU.FTZ.AND", NONE, LARGEST + row, RZ);
        OP(w, "FMUL.FTZ", SCALED + row, LARGEST + row, RZ);
        OP(w, "FSEL", SCALED + row, SCALED + row, RZ);
    }
    for (int i = 0; i < (int)a->columns / 2; i++) {
        OP(w, "FFMA.FTZ", SCORES + i, SCORES + i, RZ, SCALED + i / 2 % 2);
        OP(w, "MUFU.EX2", SCORES + i, SCORES + i);
    }
    for (int row = 0; row < 2 && first; row++)
        OP(w, "MOV", SUM + row, RZ);
    for (int i = 0; i < (int)a->columns / 2; i++) {
        int sum = SUM + i / 2 % 2;
        OP(w, "FADD.FTZ", sum, sum, SCORES + i);
    }
}

static void pack_weights(struct warp *w, const struct attention *a)
{
    for (int i = 0; i < (int)a->columns / 4; i++)
        OP(w, "F2FP.F16.F32.PACK_AB", weights(a) + i, SCORES + 2 * i + 1, SCORES + 2 * i);
}

static void scale_sums(struct warp *w, const struct attention *a)
{
    for (int i = 0; i < (int)a->depth / 2; i++)
        OP(w, "FMUL.FTZ", sums(a) + i, sums(a) + i, FACTOR + i / 2 % 2);
}

static void first_keys(struct warp *w, const struct attention *a, uint32_t use)
{
    multiply_keys(w, a, use);
    wg_wait_products(w, 0);
    take_turn(w, a, group_of(w) + 1, false);
    release(w, a, KEYS_EMPTY, use);
    mask(w, a);
    find_largest(w, a, true);
    find_weights(w, a, true);
    pack_weights(w, a);
    for (int i = 0; i < (int)a->depth / 2; i += 2)
        OP(w, "CS2R", sums(a) + i);
}

/* The scores of the USE-th tile of keys, beside the values of the one before. */
static void next_keys(struct warp *w, const struct attention *a, uint32_t use, bool masked)
{
    multiply_keys(w, a, use);
    multiply_values(w, a, use - 1);
    take_turn(w, a, group_of(w) + 1, false);
    wg_wait_products(w, 1);
    release(w, a, KEYS_EMPTY, use);
    if (masked)
        mask(w, a);
    find_largest(w, a, false);
    find_factors(w);
    find_weights(w, a, false);
    wg_wait_products(w, 0);
    release(w, a, VALUES_EMPTY, use - 1);
    pack_weights(w, a);
    scale_sums(w, a);
    advance(w);
}

/* Sums of all four threads of a row, and the values over them. */
static void divide(struct warp *w, const struct attention *a)
{
    for (int distance = 1; distance <= 2; distance++)
        for (int row = 0; row < 2; row++) {
            OP(w, "SHFL.BFLY", PEER + row, SUM + row);
            OP(w, "FADD.FTZ", SUM + row, SUM + row, PEER + row);
        }
    for (int row = 0; row < 2; row++)
        OP(w, "MUFU.RCP", FACTOR + row, SUM + row);
    scale_sums(w, a);
}

/* Where lane L stores the numbers I of its warp's rows: in boxes as those of the queries. */
static uint64_t place_of_sums(const struct warp *w, const struct attention *a, uint32_t i,
                              uint32_t lane)
{
    uint32_t row = (w->index - GROUP_WARPS) * 16 + lane % 16;
    uint32_t chunk = (i * 2 + lane / 16) % 8, box = i * 2 / 8;
    return a->place_v + (box * a->rows + row) * ROW_BYTES + (chunk ^ row % 8) * 16;
}

/* Through the place of the values, when all groups have done with them; the last warp stores.
 */
static void store_sums(struct warp *w, const struct attention *a, uint32_t t, uint32_t turn)
{
    uint32_t head = t / a->tiles;
    bool last = w->index + 1 == GROUP_WARPS * (1 + a->groups);
    wg_barrier(w, RESULTS, a->groups * GROUP_THREADS);
    for (uint32_t i = 0; i < a->depth / 16; i++) {
        struct lanes at;
        EACH_LANE(w, l)
        at.at[l] = place_of_sums(w, a, i, l);
        for (int p = 0; p < 4; p++) {
            int sum = sums(a) + 8 * (int)i + 2 * p;
            OP(w, "F2FP.F16.F32.PACK_AB", SCORES + 4 * (int)(i % 2) + p, sum + 1, sum);
        }
        warp_memory(w, STSM_4, SCORES + 4 * (int)(i % 2), PLACE, &at);
    }
    wg_fence(w);
    wg_barrier(w, RESULTS, a->groups * GROUP_THREADS);
    struct branch branch = warp_if(w, last ? ONE_LANE : 0);
    for (uint32_t d = 0; d < a->depth; d += SWIZZLED) {
        const struct wg_copy box = {MAP_O,
                                    a->place_v + d / SWIZZLED * a->rows * ROW_BYTES,
                                    0,
                                    4,
                                    {d, first_row(a, t), head % a->heads, head / a->heads}};
        wg_store(w, &box);
    }
    wg_wait_stores(w);
    wg_arrive(w, barrier(STORED, turn), true);
    warp_end_if(w, branch);
}

/* TURN: the number of the block's tile T. USE: tiles of keys before it. */
static void attend(struct warp *w, const struct attention *a, uint32_t t, uint32_t turn,
                   uint32_t use)
{
    uint32_t keys = keys_of(a, t), masked = masked_of(a, t);
    wait_for(w, QUERIES_FULL, turn, turn == 0);
    first_keys(w, a, use);
    struct loop some = loop_begin(KEYS, masked);
    while (loop_next(w, &some))
        next_keys(w, a, use + 1 + some.i, true);
    struct loop rest = loop_begin(KEYS, keys - 1 - masked);
    while (loop_next(w, &rest))
        next_keys(w, a, use + 1 + masked + rest.i, false);
    wg_arrive(w, barrier(QUERIES_EMPTY, turn), is_first(w));
    multiply_values(w, a, use + keys - 1);
    wg_wait_products(w, 0);
    release(w, a, VALUES_EMPTY, use + keys - 1);
    divide(w, a);
    store_sums(w, a, t, turn);
}

static void attend_all(struct warp *w, const struct attention *a)
{
    uint32_t count = turns_of(w, a), use = 0;
    wg_registers(w, registers_of(a), true);
    OP(w, "MOV", PARITY);
    OP(w, "MOV", THREADS);
    OP(w, "MOV", KEYS);
    OP(w, "LEA", PLACE, 3, 0);
    struct branch branch = warp_if(w, group_of(w) + 1 == a->groups ? UINT32_MAX : 0);
    take_turn(w, a, 0, false);
    warp_end_if(w, branch);
    struct loop loop = loop_begin(TILE, count);
    while (loop_next(w, &loop)) {
        uint32_t t = loop.i < count ? tile_of(w, a, loop.i) : 0;
        attend(w, a, t, loop.i, use);
        use += keys_of(a, t);
    }
}

static void make_barriers(struct warp *w, const struct attention *a)
{
    struct branch branch = wg_begin_barriers(w);
    wg_make_barrier(w, barrier(QUERIES_FULL, 0), 1);
    wg_make_barrier(w, barrier(QUERIES_EMPTY, 0), a->groups);
    wg_make_barrier(w, barrier(STORED, 0), 1);
    for (uint32_t stage = 0; stage < STAGES; stage++) {
        wg_make_barrier(w, barrier(KEYS_FULL, stage), 1);
        wg_make_barrier(w, barrier(KEYS_EMPTY, stage), a->groups * a->cluster);
        wg_make_barrier(w, barrier(VALUES_FULL, stage), 1);
        wg_make_barrier(w, barrier(VALUES_EMPTY, stage), a->groups * a->cluster);
    }
    wg_end_barriers(w, branch);
    wg_meet_cluster(w);
}

static void body(struct warp *w, const void *data)
{
    const struct attention *a = data;
    wg_prologue(w);
    make_barriers(w, a);
    bool copies = w->index < GROUP_WARPS;
    struct branch branch = warp_if(w, copies ? UINT32_MAX : 0);
    copy_all(w, a);
    warp_end_if(w, branch);
    branch = warp_if(w, copies ? 0 : UINT32_MAX);
    attend_all(w, a);
    warp_end_if(w, branch);
}

/* ---- the launch -------------------------------------------------------- */

/* [batch][length][heads][depth], boxes of so many ROWS of one head. */
static uint32_t map_of(struct synth *synth, const struct attention *a, uint64_t address,
                       uint32_t rows)
{
    const uint64_t dims[] = {a->depth, a->length, a->heads, a->batch};
    const uint32_t sides[] = {0, rows, 1, 1};
    struct trace_tensor_map map = wg_tensor(address, 4, dims, sides);
    map.strides[2] = (uint64_t)a->depth * 2;
    map.strides[1] = map.strides[2] * a->heads;
    map.strides[3] = map.strides[1] * a->length;
    return synth_tensor_map(synth, &map);
}

static struct attention attention_of(const struct synth *synth)
{
    struct attention a = {.batch = synth_parameter(synth, "batch"),
                          .heads = synth_parameter(synth, "heads"),
                          .depth = synth_parameter(synth, "depth"),
                          .groups = synth_parameter(synth, "groups"),
                          .columns = synth_parameter(synth, "columns"),
                          .causal = synth_parameter(synth, "causal") != 0};
    a.length = synth_scaled_side(synth, synth_parameter(synth, "length"), 2, 64);
    a.depth = (uint32_t)round_up(a.depth, SWIZZLED);
    a.columns = (uint32_t)round_up(a.columns, GROUP_DEPTH);
    a.rows = a.groups * GROUP_ROWS;
    a.cluster = synth_parameter(synth, "cluster");
    a.tiles = (uint32_t)round_up(div_up(a.length, a.rows), a.cluster);
    uint32_t all = a.tiles * a.heads * a.batch, most = synth_parameter(synth, "blocks");
    a.blocks = (all < most ? all : most) / a.cluster * a.cluster;
    return a;
}

/* Finds where tiles are in shared memory. Returns its size. */
static uint32_t place_tiles(struct attention *a)
{
    uint32_t stages = STAGES * a->columns * a->depth * 2;
    a->place_k = TILES + a->rows * a->depth * 2;
    a->place_v = a->place_k + stages;
    return a->place_v + stages;
}

static void launch(struct synth *synth, struct attention *a)
{
    uint64_t bytes = (uint64_t)a->batch * a->length * a->heads * a->depth * 2;
    uint64_t q = synth_upload(synth, bytes), k = synth_upload(synth, bytes);
    uint64_t v = synth_upload(synth, bytes), o = synth_alloc(synth, bytes);
    const struct trace_launch_facts facts = {
        .dynamic_shmem = place_tiles(a),
        .cluster = {a->cluster, 1, 1},
        .carveout = -1,
        .map_count = 4,
        .maps = {{MAP_Q, map_of(synth, a, q, a->rows)},
                 {MAP_K, map_of(synth, a, k, a->columns / a->cluster)},
                 {MAP_V, map_of(synth, a, v, a->columns / a->cluster)},
                 {MAP_O, map_of(synth, a, o, a->rows)}},
    };
    LAUNCH(synth, .name = "_Z13attention_fa314CUtensorMap_stS_S_S_i", .grid = {a->blocks},
           .block = {(1 + a->groups) * GROUP_THREADS}, .regs = a->groups == 2 ? 168 : 128,
           .shmem = facts.dynamic_shmem, .body = body, .data = a, .facts = &facts);
}

/* Whether the parameters go together. */
static bool check(const struct synth *synth, const struct attention *a)
{
    uint32_t used = (uint32_t)sums(a) + a->depth / 2;
    if (used > registers_of(a))
        error_set(synth->err, ERROR_USAGE, NULL, 0, 0,
                  "attention_fa3: %u registers a thread, of %u: fewer columns, depth or groups",
                  used, registers_of(a));
    else if (a->cluster > 1 && a->causal)
        error_set(synth->err, ERROR_USAGE, NULL, 0, 0,
                  "attention_fa3: cluster=%u needs causal=0", a->cluster);
    else
        return true;
    return false;
}

void synth_attention_fa3(struct synth *synth)
{
    struct attention a = attention_of(synth);
    if (!check(synth, &a)) {
        synth->failed = true;
        return;
    }
    uint32_t count = shares(&a);
    uint32_t *owner = synth_host(synth, count, sizeof *owner);
    a.first = synth_host(synth, (uint64_t)a.blocks + 1, sizeof *a.first);
    a.list = synth_host(synth, count, sizeof *a.list);
    uint64_t *load = synth_host(synth, (uint64_t)a.blocks + 1, sizeof *load);
    if (!synth->failed) {
        share(&a, owner, load);
        launch(synth, &a);
    }
    free(owner);
    free(load);
    free(a.first);
    free(a.list);
}
