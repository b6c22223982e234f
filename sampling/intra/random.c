/* random: a baseline ("TBPoint: Reducing Simulation Time for Large-Scale GPGPU Kernels",
 * section V): a part of the blocks, drawn without replacement, is simulated, and the others are
 * left out. Cycles and counters are projected by blocks. Drawn blocks follow each other without
 * gaps, so they meet other neighbours in the caches than in the whole launch. It gives no error
 * bar.
 *
 * Whether a block is drawn is decided when it comes up, so that all sets of the size are
 * equally likely: with the blocks still to draw over those still to come ("The Art of Computer
 * Programming", volume 2, algorithm 3.4.2 S). */
#include <stdlib.h>

#include "sampling/intra/watch.h"
#include "traces/base/random.h"

struct random_blocks {
    struct random random;
    uint64_t left, to_draw; /* blocks still to come, and to draw of them */
};

static enum intra_check begin(struct intra *intra)
{
    double drawn = intra_value(intra, INTRA_PART) * (double)intra->blocks + 0.5;
    if ((uint64_t)drawn < intra->wave)
        return INTRA_CHECK_WAVES;
    struct random_blocks *blocks = intra->own = calloc(1, sizeof *blocks);
    intra->no_memory = blocks == NULL;
    if (intra->no_memory)
        return INTRA_DONE;
    random_init(&blocks->random, (uint64_t)intra_value(intra, INTRA_SEED), 0);
    blocks->left = intra->blocks;
    blocks->to_draw = (uint64_t)drawn;
    return INTRA_DONE;
}

static enum sim_block_choice block_begins(struct intra *intra, const struct intra_block *block)
{
    struct random_blocks *blocks = intra->own;
    (void)block;
    bool drawn = random_below(&blocks->random, blocks->left--) < blocks->to_draw;
    blocks->to_draw -= drawn;
    return drawn ? SIM_BLOCK_RUN : SIM_BLOCK_SKIP;
}

/* The launch latency passes once. */
static void project(struct intra *intra, const struct sim_result *result,
                    struct intra_projection *projection)
{
    double factor = (double)intra->blocks / (double)intra->simulated_blocks;
    double latency = (double)intra->places.first;
    double cycles = (double)(result->end_cycle - result->start_cycle);
    projection->cycles = latency + (cycles - latency) * factor;
    intra_add(projection, &result->counters, factor);
}

const struct intra_kind intra_kind_random = {
    .begin = begin,
    .block_begins = block_begins,
    .project = project,
};
