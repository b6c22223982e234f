/* A launch that a method watches. Private to sampling/intra. */
#ifndef HEARTH_SAMPLING_INTRA_WATCH_H
#define HEARTH_SAMPLING_INTRA_WATCH_H

#include <stddef.h>

#include "sampling/intra/intra.h"
#include "sampling/intra/photon/kernels.h"

#define INTRA_COUNTERS (sizeof(struct sim_counters) / sizeof(uint64_t))

/* What a method predicts for the whole launch. */
struct intra_projection {
    double cycles;
    double counters[INTRA_COUNTERS]; /* in the order of struct sim_counters */
    double bar, stability;           /* as in struct intra_outcome */
    double insts;                    /* that count as simulated; 0: those that were */
};

/* PROJECTION's counters += FACTOR x COUNTERS. */
void intra_add(struct intra_projection *projection, const struct sim_counters *counters,
               double factor);

struct intra_history {
    struct photon_kernels kernels;
};

struct intra {
    const struct intra_spec *spec;
    struct intra_history *history; /* may be NULL */
    struct sim_places places;
    uint64_t blocks;      /* of the grid */
    uint64_t wave;        /* blocks that fill the GPU */
    uint64_t total_insts; /* warp instructions of the trace; 0: not known before it is read */
    uint32_t grid[3];
    uint32_t warps; /* of a block */
    void *own;      /* the method's; owned */
    enum intra_check check;
    bool no_memory;
    /* so far: */
    uint64_t seen_insts;       /* of blocks that were read */
    uint64_t simulated_insts;  /* of blocks that run */
    uint64_t simulated_blocks; /* that run */
    uint64_t given;            /* blocks that were read */
    uint64_t first_skipped;  /* order of the first block that was left out; UINT64_MAX: none */
    enum intra_check failed; /* what will have failed if no block is left out; INTRA_DONE: what
                              * the method's `never` says */
    uint64_t timed;          /* cycles of a block that is SIM_BLOCK_TIMED; set by the method */
    bool ends;               /* the method wants no more blocks */
    bool projects;           /* though no block is left out; set by the method */
    uint64_t cycle;          /* end of the last interval */
    struct sim_counters sum; /* up to there */
};

/* A block with the warp instructions of its trace. */
struct intra_block {
    const struct sim_block *block;
    uint64_t insts;
};

/* A launch that is read before it runs. */
struct intra_ahead {
    struct trace_kernel *kernel;
    uint64_t order; /* of the block, from 0 */
};

/* What a method does. */
struct intra_kind {
    /* Prepares `own`, or refuses. */
    enum intra_check (*begin)(struct intra *intra);
    /* Looks at a block of the launch before it runs, in the order of the trace. Returns false
     * when memory is short. NULL: the launch is not read ahead. */
    bool (*look)(struct intra *intra, const struct intra_ahead *ahead,
                 struct trace_block *block);
    /* Takes a block's row of a profile instead, whose number is one of the grid. NULL: a
     * profile will not do. */
    void (*take)(struct intra *intra, const struct profile_block_row *row);
    /* Every block was looked at, or taken. Prepares what is needed to run it, or refuses. */
    enum intra_check (*looked)(struct intra *intra);
    /* Cycles of an interval; NULL: none are needed. */
    uint64_t (*interval)(const struct intra *intra);
    /* As in struct sim_hooks; SIM_BLOCK_END for all that follow. NULL: all run. */
    enum sim_block_choice (*block_begins)(struct intra *intra, const struct intra_block *block);
    void (*block_ended)(struct intra *intra, const struct sim_block *block);
    void (*warp_ended)(struct intra *intra, const struct sim_block *block);
    /* As in struct sim_hooks. */
    void (*basic_block_ended)(struct intra *intra, const struct sim_basic_block *basic);
    void (*results_came)(struct intra *intra, uint8_t type, uint64_t count, uint64_t cycles);
    /* After `cycle` and `sum` were set; NULL: these are enough. */
    void (*interval_ended)(struct intra *intra, const struct sim_interval *interval);
    /* Fills PROJECTION, which is zeroed, from RESULT. Not called if every block was simulated.
     */
    void (*project)(struct intra *intra, const struct sim_result *result,
                    struct intra_projection *projection);
    /* The launch has ended with RESULT, which is projected, whether the method was applied or
     * not. Returns false when memory is short. NULL: nothing to do. */
    bool (*ended)(struct intra *intra, const struct sim_result *result);
    enum intra_check never;              /* what failed if no block was left out */
    void (*finish)(struct intra *intra); /* frees what `own` points to; NULL: nothing */
};

#define METHOD(id, ...) extern const struct intra_kind intra_kind_##id;
#include "sampling/intra/methods.def"
#undef METHOD

/* A line of the table. */
struct intra_method {
    const char *name;
    const char *defaults; /* of its options: "NAME=VALUE:..." */
    const char *description;
    const struct intra_kind *kind;
};

/* Whether the launch has moved TIMES as much data as L2 holds, or will not in all, by the
 * intervals so far. Before it has moved that once, L2 has no lines to evict and to write back,
 * and blocks are faster than later ones. False until a wave of blocks has ended. */
bool intra_filled(const struct intra *intra, double times);

/* The number of the block at INDEX: x + grid_x (y + grid_y z). */
static inline uint64_t intra_number(const struct intra *intra, const uint32_t *index)
{
    return index[0] +
           (uint64_t)intra->grid[0] * (index[1] + (uint64_t)intra->grid[1] * index[2]);
}

/* The index of a counter in PROJECTION's counters: projection->counters[INTRA_COUNTER(name)].
 */
#define INTRA_COUNTER(name) (offsetof(struct sim_counters, name) / sizeof(uint64_t))

static inline double intra_value(const struct intra *intra, enum intra_option_id id)
{
    return intra->spec->values[id];
}

#endif
