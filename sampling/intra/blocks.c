/* blocks: waves of blocks, spread over the launch, are simulated; the others are left out. A
 * wave is as many blocks as fill the GPU.
 *
 * The time that the blocks of a wave take together, divided by the places for blocks, is what
 * the wave adds to the launch's cycles. That of a wave that was left out is interpolated
 * between the next simulated ones, by wave or by instruction, whichever varies less. The first
 * and the last waves are always simulated, and whole waves are left out, so that the launch
 * begins and ends as it would in full; these parts are exact. So are all waves up to where the
 * launch has moved as much data as L2 holds: before that, L2 has no lines to evict and to write
 * back, and waves are shorter than later ones. A launch that never moves so much leaves waves
 * out at once.
 *
 * The variance is that of systematic sampling from a series with trends and serial correlation:
 * from the differences of successive sampled waves (Wolter, "Introduction to Variance
 * Estimation", chapter 8, estimator v2). With serial correlation these are too small. So the
 * mean squared difference is also taken between waves before the first gap that are as far
 * apart as the root of their number, as batches would be, and between waves with a gap in
 * between; the greatest counts. An interpolated gap of M waves between two samples has the
 * variance of M new waves and of M times their mean.
 *
 * Before the first gap, waves are left out of the series as long as its halves differ: the
 * launch still changes. Blocks that begin together keep in step for a while, and when they have
 * fallen out of it, or into it, waves take longer or shorter than before. Blocks that are left
 * out do not bring that about, so the first gap comes after a quarter of the launch.
 *
 * In which phase of their blocks SMs come to the end also depends on what was left out. The
 * time in which the GPU empties is taken for anything from none to that of a block, alike in
 * the whole launch and in the sampled one: the variance of the difference of two such times is
 * a sixth.
 *
 * Blocks that are left out pass through the tags of L2 (warm=2). Still, which blocks run beside
 * which has changed, what is written back and which DRAM rows are open, so that waves from the
 * first gap on may be faster or slower than in the whole launch. The launch shows this itself:
 * waves before the first gap are as they would be in full. By how much later ones differ from
 * them, the contrast, is either the effect of gaps, and all waves from the first gap on are
 * wrong by it, or the launch has changed, and none is. The estimate is the middle between the
 * two, and the interval is wider by half of their distance. The contrast has a variance, too,
 * from the two means; it counts by half of the waves that it shifts.
 */
#include <math.h>
#include <stdlib.h>

#include "sampling/intra/blocks_series.h"
#include "sampling/intra/watch.h"
#include "sampling/student.h"

#define LEAST_WAVES 4         /* below, the method refuses */
#define LEAST_PAIRS 7         /* differences before the first wave is left out */
#define FIRST       1         /* wave with which the GPU is full; the one before starts cold */
#define BEFORE      4         /* the first gap comes after this part of the launch */
#define MOST_GAPS   8         /* a gap is at most this part of the launch */
#define MARGIN      0.9       /* of the bound that is planned for */
#define DRIFT       0.2       /* of the bound: a drift that is less does not matter */
#define ENDED       0.9       /* of a wave's blocks, for its time to count */
#define END         (1.0 / 6) /* variance of the launch's end, in waves squared */
#define KNOWN       1e9       /* degrees of freedom of a variance that is known */
#define FREEDOM     0.75      /* degrees of freedom of a difference; they overlap */

struct sampled_blocks {
    struct blocks_series series;
    uint64_t full;       /* waves, without a last one that is not full */
    uint64_t next;       /* wave that is simulated next */
    uint64_t gap;        /* waves left out last */
    uint64_t steady;     /* cycle in which wave FIRST began */
    uint64_t last_begin; /* cycle in which the last block was handed out; 0: not yet */
    double busy;         /* cycles x places taken between the two */
    uint64_t current;    /* wave that is handed out */
    uint64_t first;      /* wave of the series: L2 evicts as it will to the end; 0: not yet */
    struct sim_counters mark; /* counters when wave `first` was handed out */
};

static enum intra_check begin(struct intra *intra)
{
    if (intra->blocks < LEAST_WAVES * intra->wave)
        return INTRA_CHECK_WAVES;
    struct sampled_blocks *blocks = calloc(1, sizeof *blocks);
    intra->own = blocks;
    if (blocks == NULL) {
        intra->no_memory = true;
        return INTRA_DONE;
    }
    blocks->full = intra->blocks / intra->wave;
    blocks->series.wave = intra->wave;
    blocks->series.count = blocks->full + (intra->blocks % intra->wave != 0);
    blocks->series.waves = calloc(blocks->series.count, sizeof *blocks->series.waves);
    intra->no_memory = blocks->series.waves == NULL;
    return INTRA_DONE;
}

static void finish(struct intra *intra)
{
    struct sampled_blocks *blocks = intra->own;
    free(blocks->series.waves);
}

static uint64_t interval(const struct intra *intra)
{
    (void)intra;
    return 2000;
}

/* What a sample has or is planned to have, in waves. */
struct blocks_design {
    double waves;  /* of the launch */
    double pairs;  /* differences */
    double weight; /* variances of a wave that add up */
    double after;  /* sampled right after a gap */
    double changed;
};

/* Half of the interval over the cycles, without what the contrast may mean. */
static double bar(const struct intra *intra, const struct blocks_spread *spread,
                  const struct blocks_design *design)
{
    double confidence = intra_value(intra, INTRA_CONFIDENCE);
    double t = student_t(confidence, FREEDOM * design->pairs);
    double z = student_t(confidence, KNOWN), share = design->changed / 2;
    double contrast =
        spread->before > 0 && design->after > 0 ? 1 / spread->before + 1 / design->after : 0;
    double squares = t * t * spread->v * (design->weight + contrast * share * share);
    return sqrt(squares + z * z * END) / design->waves;
}

/* Half of what the contrast may mean for a wave, over its time. */
static double doubt(const struct blocks_spread *spread)
{
    double relative = spread->contrast / (1 + spread->contrast);
    return fabs(relative) / 2;
}

/* Before the first gap: leaves out of the series what the launch has drifted away from. */
static bool still_drifts(const struct intra *intra, struct sampled_blocks *blocks,
                         uint64_t next)
{
    uint64_t ended = (uint64_t)(ENDED * (double)intra->wave);
    double least = DRIFT * intra_value(intra, INTRA_BOUND);
    if (blocks->gap > 0 ||
        !blocks_series_drifts(&blocks->series, blocks->first, next, ended, least))
        return false;
    blocks->first += (next - blocks->first + 1) / 2;
    return true;
}

/* How many waves to leave out before wave NEXT at least, so that the bound will hold. */
static uint64_t choose_gap(const struct intra *intra, struct sampled_blocks *blocks,
                           uint64_t next)
{
    struct blocks_spread spread =
        blocks_series_spread(&blocks->series, blocks->first, blocks->full - 1,
                             (uint64_t)(ENDED * (double)intra->wave));
    uint64_t most = 2 * blocks->gap + 1, left = blocks->full - 2 - next;
    if (spread.pairs < LEAST_PAIRS || blocks->first == 0 || next + 2 >= blocks->full ||
        (blocks->gap == 0 && next < blocks->full / BEFORE) || still_drifts(intra, blocks, next))
        return 0;
    if (most > blocks->full / MOST_GAPS)
        most = blocks->full / MOST_GAPS;
    if (most > left)
        most = left;
    for (uint64_t gap = most; gap > 0; gap--) {
        double samples = (double)left / (double)(gap + 1);
        const struct blocks_design design = {
            .waves = (double)blocks->full,
            .pairs = (double)spread.pairs + samples,
            .weight = spread.weight + samples * (double)(gap * gap + gap),
            .after = spread.after + samples,
            .changed = spread.changed > 0 ? spread.changed : (double)left};
        if (bar(intra, &spread, &design) + doubt(&spread) * design.changed / design.waves <=
            MARGIN * intra_value(intra, INTRA_BOUND))
            return gap;
    }
    return 0;
}

/* Decides about wave NUMBER, whose first block is about to be handed out. */
static bool wants(const struct intra *intra, struct sampled_blocks *blocks, uint64_t number)
{
    if (number + 2 >= blocks->full || number < blocks->next)
        return number + 2 >= blocks->full;
    if (number > blocks->next || number == 0 || blocks->series.waves[number - 1].skipped)
        return true;
    uint64_t gap = choose_gap(intra, blocks, number);
    blocks->next = number + gap;
    if (gap > 0)
        blocks->gap = gap;
    return gap == 0;
}

static enum sim_block_choice block_begins(struct intra *intra, const struct intra_block *block)
{
    struct sampled_blocks *blocks = intra->own;
    uint64_t number = block->block->order / intra->wave;
    struct blocks_wave *wave = &blocks->series.waves[number];
    if (block->block->order % intra->wave == 0) {
        blocks->current = number;
        wave->skipped = !wants(intra, blocks, number);
        if (number == blocks->next && !wave->skipped)
            blocks->next++;
    }
    wave->insts += block->insts;
    if (wave->skipped)
        return SIM_BLOCK_SKIP;
    if (number == FIRST && blocks->steady == 0)
        blocks->steady = block->block->begin;
    if (block->block->order == intra->blocks - 1)
        blocks->last_begin = block->block->begin;
    return SIM_BLOCK_RUN;
}

static void block_ended(struct intra *intra, const struct sim_block *block)
{
    struct sampled_blocks *blocks = intra->own;
    struct blocks_wave *wave = &blocks->series.waves[block->order / intra->wave];
    wave->ended++;
    wave->time += (double)(block->end - block->begin);
    if (blocks->steady == 0 || block->end <= blocks->steady)
        return;
    uint64_t from = block->begin > blocks->steady ? block->begin : blocks->steady;
    uint64_t to = blocks->last_begin != 0 && block->end > blocks->last_begin
                      ? blocks->last_begin
                      : block->end;
    if (to > from)
        blocks->busy += (double)(to - from);
}

/* Notes from when on waves are as they will be to the end. */
static void settle(const struct intra *intra, struct sampled_blocks *blocks)
{
    if (blocks->first != 0 || blocks->steady == 0 || !intra_filled(intra, 1))
        return;
    blocks->first = blocks->current + 1;
    blocks->mark = intra->sum;
}

static void interval_ended(struct intra *intra, const struct sim_interval *interval)
{
    struct sampled_blocks *blocks = intra->own;
    (void)interval;
    settle(intra, blocks);
}

static void project_counters(const struct intra *intra, const struct sim_result *result,
                             struct intra_projection *projection)
{
    const struct sampled_blocks *blocks = intra->own;
    double skipped = (double)(intra->seen_insts - intra->simulated_insts);
    double steady = (double)(result->counters.warp_insts - blocks->mark.warp_insts);
    double factor = steady > 0 ? skipped / steady : 0;
    intra_add(projection, &result->counters, 1 + factor);
    intra_add(projection, &blocks->mark, -factor);
}

static void project(struct intra *intra, const struct sim_result *result,
                    struct intra_projection *projection)
{
    const struct sampled_blocks *blocks = intra->own;
    double simulated = (double)(result->end_cycle - result->start_cycle);
    double span = (double)(blocks->last_begin - blocks->steady);
    double used = span > 0 ? blocks->busy / (span * (double)intra->wave) : 1;
    struct blocks_spread spread =
        blocks_series_spread(&blocks->series, blocks->first, blocks->full - 1, intra->wave);
    double each = 1 / ((double)intra->wave * (used > 0 ? used : 1));
    projection->cycles =
        simulated +
        each * blocks_series_skipped(&blocks->series, blocks->first, blocks->full - 1);
    double wave = spread.mean * each;
    double shift = spread.contrast > 0 ? -1 : 1;
    double either = doubt(&spread) * wave * spread.changed;
    projection->cycles += shift * either;
    const struct blocks_design design = {.waves = (double)blocks->full,
                                         .pairs = (double)spread.pairs,
                                         .weight = spread.weight,
                                         .after = spread.after,
                                         .changed = spread.changed};
    projection->bar =
        (wave * design.waves * bar(intra, &spread, &design) + either) / projection->cycles;
    projection->stability = sqrt(spread.v);
    project_counters(intra, result, projection);
}

const struct intra_kind intra_kind_blocks = {
    .begin = begin,
    .finish = finish,
    .interval = interval,
    .block_begins = block_begins,
    .block_ended = block_ended,
    .interval_ended = interval_ended,
    .project = project,
};
