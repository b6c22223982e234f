/* The warp level and the basic-block level of "Photon: A Fine-grained Sampled Simulation
 * Methodology for GPU Workloads" (sections 4.1 and 4.2), alone and together, and with the
 * kernel level (section 4.3; kernels.h).
 *
 * Before a launch runs, one warp of 101 is analysed: which basic blocks it executes, and
 * whether one type of warp makes up most of them. While it runs, warps and basic blocks are
 * watched from when the GPU is full on (window.h). Warps that are stable, if one type is
 * frequent enough, or stable basic blocks with most of the instructions end the simulation:
 * later blocks only take their place for the predicted time, so the block scheduler goes on as
 * before, and cycles need no projection. Counters are projected by instructions.
 *
 * At the warp level, the time is the mean of the window. A block holds its place until its last
 * warp retires, so the time of blocks is taken, not that of warps; warps alone would be too
 * short. At the basic-block level, it is that of the block's longest warp, the sum of the means
 * of its basic blocks; those that are not stable, or never were seen, come from the interval
 * model. What passes before a warp's first instruction is in no basic block: its mean is added.
 *
 * `fill`, `wave`, `reverse` and `ratio` are not in the paper. With `fill`, nothing counts
 * before L2 has been filled. Until then, stores cause no write-backs, warps are stable for a
 * while, and faster than all later ones. With `wave`, windows hold at least as many warps as
 * the GPU does, and things count once a wave of blocks has begun since: of what began after a
 * moment, the short ones end first, and a window of them has a mean that is too short. Of what
 * ends after a moment, none is favoured. (The paper's GPU holds 2,560 warps, its windows
 * 1,024.) With `part`, too, and windows hold what as many blocks execute as that part of the
 * launch allows twice: the times of blocks swing where blocks that began together keep in step.
 * As a window and the one before it must agree, the mean of both counts. With `reverse`, the
 * slope is that of issue over retirement (window.h); with `ratio`, the times of blocks at the
 * basic-block level are corrected (ratio.h). */
#include <math.h>
#include <stdlib.h>

#include "sampling/intra/photon/basics.h"
#include "sampling/intra/photon/code.h"
#include "sampling/intra/photon/interval.h"
#include "sampling/intra/photon/ratio.h"
#include "sampling/intra/photon/types.h"
#include "sampling/intra/watch.h"

#define MOST_EXECUTIONS 1e6 /* of a basic block in a window */
#define PART            101 /* of so many warps one is analysed: all places in a block come up */

enum photon_way { PHOTON_SIMULATES, PHOTON_BY_WARP, PHOTON_BY_BASIC, PHOTON_BY_KERNEL };

struct photon_launch {
    bool by_warp, by_basic; /* the levels that may end the simulation */
    enum photon_way way;
    struct photon_window warps;
    struct photon_window blocks; /* as many blocks as the window of warps has */
    struct photon_types types;
    uint64_t looked;   /* warps that were passed before the launch */
    size_t basic_size; /* of the windows of basic blocks */
    struct photon_code code;
    struct photon_basics basics;
    struct photon_latencies latencies;
    double waits, waited; /* cycles from the begin of blocks to their warps' first
                           * instructions; such warps */
    double analysed;      /* instructions of analysed warps */
    double analysed_warps;
    double executing; /* with `part`: warps whose executions of a basic block make a window */
    struct photon_ratio ratio; /* of blocks at the basic-block level; empty: it is not taken */
    uint64_t full_from;        /* cycle from which on things count; UINT64_MAX: not yet */
    uint64_t settled;          /* order of the block from which on things count; 0: not yet */
    uint64_t timed;            /* cycles of a block at the warp level */
    bool by_kernel;            /* the kernel level applies, too */
    struct photon_sample sample; /* then: the analysed warps */
    double alike;                /* way by kernel: instructions of the launch, by the sample */
    size_t like;                 /* the launch before that it is like */
};

static enum intra_check begin(struct intra *intra, bool by_warp, bool by_basic)
{
    struct photon_launch *photon = intra->own = calloc(1, sizeof *photon);
    if (photon == NULL) {
        intra->no_memory = true;
        return INTRA_DONE;
    }
    photon->by_warp = by_warp;
    photon->by_basic = by_basic;
    photon->full_from = UINT64_MAX;
    photon->warps.size = by_warp ? (size_t)intra_value(intra, INTRA_WARPS) : 2;
    return INTRA_DONE;
}

/* Whether there are enough blocks for the levels within a launch. */
static bool has_waves(const struct intra *intra)
{
    return intra->blocks > intra->wave;
}

static enum intra_check begin_warp(struct intra *intra)
{
    return has_waves(intra) ? begin(intra, true, false) : INTRA_CHECK_WAVES;
}

static enum intra_check begin_basic(struct intra *intra)
{
    return has_waves(intra) ? begin(intra, false, true) : INTRA_CHECK_WAVES;
}

static enum intra_check begin_both(struct intra *intra)
{
    return has_waves(intra) ? begin(intra, true, true) : INTRA_CHECK_WAVES;
}

static enum intra_check begin_all(struct intra *intra)
{
    enum intra_check check = begin(intra, true, true);
    struct photon_launch *photon = intra->own;
    if (photon != NULL)
        photon->by_kernel = intra->history != NULL;
    return check;
}

static void finish(struct intra *intra)
{
    struct photon_launch *photon = intra->own;
    photon_window_finish(&photon->warps);
    photon_window_finish(&photon->blocks);
    photon_ratio_finish(&photon->ratio);
    photon_basics_finish(&photon->basics);
    photon_code_finish(&photon->code);
    photon_sample_finish(&photon->sample);
}

static uint64_t interval(const struct intra *intra)
{
    (void)intra;
    return 2000;
}

/* ---- before the launch ---- */

static void weigh(void *data, const struct photon_run *run)
{
    struct intra *intra = data;
    struct photon_launch *photon = intra->own;
    struct photon_basic *basic = photon_basics_find(&photon->basics, run->pc, run->insts);
    photon->analysed += run->insts;
    if (photon->by_kernel)
        photon_sample_take(&photon->sample, run->pc, run->insts);
    if (basic != NULL)
        basic->weight += run->insts;
    else
        intra->no_memory = true;
}

static bool analyse(struct intra *intra, struct trace_warp *warp)
{
    struct photon_launch *photon = intra->own;
    struct photon_run run = {0};
    struct error ignored = {0};
    uint64_t hash = warp->total;
    do {
        hash = photon_types_hash(hash, warp->at, warp->end);
        photon_code_walk(&photon->code, &run, warp->at, warp->end, weigh, intra);
        warp->at = warp->end;
    } while (trace_warp_fill(warp, &ignored) == 1);
    photon_code_end(&run, weigh, intra);
    photon_types_add(&photon->types, hash);
    photon->analysed_warps++;
    if (photon->by_kernel && !photon_sample_end_warp(&photon->sample, hash))
        intra->no_memory = true;
    return !intra->no_memory;
}

/* Whether things count once a wave of blocks has begun, and windows are as large. */
static bool by_waves(const struct intra *intra)
{
    return intra_value(intra, INTRA_WAVE) > 0 || intra_value(intra, INTRA_PART) > 0;
}

/* The windows, for blocks of WARPS warps. */
static void size_windows(const struct intra *intra, uint32_t warps)
{
    struct photon_launch *photon = intra->own;
    size_t least = by_waves(intra) ? (size_t)(intra->wave * warps) : 2;
    photon->basic_size = (size_t)intra_value(intra, INTRA_BASICS);
    if (photon->basic_size < least)
        photon->basic_size = least;
    if (photon->warps.size < least)
        photon->warps.size = least;
    photon->warps.reverse = intra_value(intra, INTRA_REVERSE) > 0;
    photon->blocks.size = (photon->warps.size + warps - 1) / warps;
}

static bool look(struct intra *intra, const struct intra_ahead *ahead,
                 struct trace_block *block)
{
    struct photon_launch *photon = intra->own;
    bool good = photon_code_learn(&photon->code, ahead->kernel);
    if (photon->by_kernel && ahead->order == 0)
        photon_sample_init(&photon->sample, trace_kernel_header(ahead->kernel)->name);
    if (ahead->order == 0)
        size_windows(intra, block->warp_count);
    if (ahead->order == 0 && photon->by_basic && intra_value(intra, INTRA_RATIO) > 0)
        good = good && photon_ratio_init(&photon->ratio, intra->blocks, (size_t)intra->wave);
    for (uint32_t w = 0; good && w < block->warp_count; w++)
        if (photon->looked++ % PART == 0)
            good = analyse(intra, &block->warps[w]);
    return good;
}

/* The launch's vector. Returns false when memory is short. */
static bool make_bbv(const struct photon_launch *photon, struct gpu_bbv *bbv)
{
    if (gpu_bbv_init(bbv, &photon->sample.types) != 0)
        return false;
    bbv->warps = (double)photon->looked;
    return true;
}

/* Looks for a launch before that this one is like. */
static bool match(struct intra *intra)
{
    struct photon_launch *photon = intra->own;
    struct gpu_bbv bbv;
    if (!photon->by_kernel || photon->sample.types.count == 0)
        return false;
    if (!make_bbv(photon, &bbv)) {
        intra->no_memory = true;
        return false;
    }
    const struct photon_kernels *kernels = &intra->history->kernels;
    const struct photon_kernel *like =
        photon_kernels_find(kernels, &bbv, intra_value(intra, INTRA_NEAR), intra->places.sms);
    gpu_bbv_finish(&bbv);
    if (like == NULL || like->estimate <= 0)
        return false;
    photon->way = PHOTON_BY_KERNEL;
    photon->like = (size_t)(like - kernels->items);
    double estimate = photon_sample_insts(&photon->sample, (double)photon->looked);
    photon->alike = like->insts * estimate / like->estimate;
    return true;
}

static enum intra_check looked(struct intra *intra)
{
    struct photon_launch *photon = intra->own;
    if (match(intra))
        return INTRA_DONE;
    if (!has_waves(intra))
        return INTRA_CHECK_WAVES;
    photon->by_warp &= photon_types_most(&photon->types) >= intra_value(intra, INTRA_SHARE);
    return photon->by_warp || photon->by_basic ? INTRA_DONE : INTRA_CHECK_TYPES;
}

/* ---- what counts ---- */

/* Whether what began in cycle BEGIN and has ended counts. */
static bool counts(const struct intra *intra, uint64_t begin)
{
    const struct photon_launch *photon = intra->own;
    return photon->full_from != UINT64_MAX && (by_waves(intra) || begin >= photon->full_from);
}

/* Block ORDER is the first one that counts. With `part`, two windows in a row may take what is
 * left of it. */
static void enlarge_windows(struct intra *intra, uint64_t order)
{
    struct photon_launch *photon = intra->own;
    double warps = (double)photon->looked / (double)intra->blocks;
    double left = intra_value(intra, INTRA_PART) * (double)intra->blocks - (double)order;
    double blocks = fmax((double)intra->wave, floor(left / 2));
    if (intra_value(intra, INTRA_PART) <= 0)
        return;
    photon->executing = blocks * warps;
    photon->blocks.size = (size_t)blocks;
    photon->blocks.both = photon->warps.both = true;
    if ((double)photon->warps.size < photon->executing)
        photon->warps.size = (size_t)photon->executing;
    if (photon->ratio.size == 0)
        return;
    photon_ratio_finish(&photon->ratio);
    intra->no_memory |= !photon_ratio_init(&photon->ratio, intra->blocks, 2 * (size_t)blocks);
}

/* The window of BASIC. */
static size_t basic_size(const struct photon_launch *photon, const struct photon_basic *basic)
{
    double each = basic->weight / basic->insts / photon->analysed_warps;
    double size = fmin(photon->executing * each, MOST_EXECUTIONS);
    return size > (double)photon->basic_size ? (size_t)size : photon->basic_size;
}

/* A block begins: from when the GPU is full on, and L2 if it is to be, things count. With
 * `wave`, a wave later, when all that runs has begun since. */
static void settle(struct intra *intra, const struct sim_block *block)
{
    struct photon_launch *photon = intra->own;
    double fill = intra_value(intra, INTRA_FILL);
    if (photon->full_from != UINT64_MAX || block->order + 1 < intra->wave ||
        (fill > 0 && !intra_filled(intra, fill)))
        return;
    if (photon->settled == 0)
        photon->settled = block->order + (by_waves(intra) ? intra->wave : 0);
    if (block->order < photon->settled)
        return;
    photon->full_from = block->begin;
    enlarge_windows(intra, block->order);
}

/* ---- the warp level ---- */

static void block_ended(struct intra *intra, const struct sim_block *block)
{
    struct photon_launch *photon = intra->own;
    if (photon->way != PHOTON_SIMULATES || !counts(intra, block->begin))
        return;
    intra->no_memory |=
        !photon_window_add(&photon->blocks, (struct photon_point){block->begin, block->end}, 0);
    if (photon->ratio.size > 0)
        photon_ratio_end(&photon->ratio, block->order, (double)(block->end - block->begin));
}

static uint64_t block_time(const struct photon_launch *photon)
{
    const struct photon_window *blocks = &photon->blocks;
    double mean = photon_window_mean(blocks->count > 0 ? blocks : &photon->warps);
    return mean < 1 ? 1 : (uint64_t)(mean + 0.5);
}

static void warp_ended(struct intra *intra, const struct sim_block *block)
{
    struct photon_launch *photon = intra->own;
    if (!photon->by_warp || photon->way != PHOTON_SIMULATES || !counts(intra, block->begin))
        return;
    intra->no_memory |=
        !photon_window_add(&photon->warps, (struct photon_point){block->begin, block->end},
                           intra_value(intra, INTRA_DELTA));
    if (!photon->warps.stable)
        return;
    photon->way = PHOTON_BY_WARP;
    photon->timed = block_time(photon);
}

/* ---- the basic-block level ---- */

static void basic_block_ended(struct intra *intra, const struct sim_basic_block *ended)
{
    struct photon_launch *photon = intra->own;
    if (photon->way != PHOTON_SIMULATES || !counts(intra, ended->begin))
        return;
    struct photon_basic *basic = photon_basics_find(&photon->basics, ended->pc, ended->insts);
    if (basic == NULL) {
        intra->no_memory = true;
        return;
    }
    photon->waits += (double)ended->wait;
    photon->waited += ended->wait > 0;
    if (basic->window.count == 0)
        basic->window.size = basic_size(photon, basic);
    basic->window.reverse = photon->warps.reverse;
    basic->window.both = photon->warps.both;
    const struct photon_point time = {ended->begin, ended->end};
    intra->no_memory |=
        !photon_basics_time(&photon->basics, basic, time, intra_value(intra, INTRA_DELTA));
    if (photon->basics.stable >= intra_value(intra, INTRA_SHARE) * photon->analysed)
        photon->way = PHOTON_BY_BASIC;
}

static void results_came(struct intra *intra, uint8_t type, uint64_t count, uint64_t cycles)
{
    struct photon_launch *photon = intra->own;
    photon->latencies.types[type].count += count;
    photon->latencies.types[type].cycles += cycles;
}

/* A warp whose time is predicted. */
struct photon_warp {
    struct intra *intra;
    double cycles;
};

static void add_basic(void *data, const struct photon_run *run)
{
    struct photon_warp *warp = data;
    struct photon_launch *photon = warp->intra->own;
    struct photon_basic *basic = photon_basics_find(&photon->basics, run->pc, run->insts);
    if (basic == NULL)
        warp->intra->no_memory = true;
    else if (basic->stable || (photon->way == PHOTON_SIMULATES && basic->window.count > 0))
        warp->cycles += photon_window_mean(&basic->window);
    else if (photon->way == PHOTON_SIMULATES)
        return; /* latencies are still learnt: the model comes later */
    else if (basic->model >= 0)
        warp->cycles += basic->model;
    else
        warp->cycles += basic->model =
            photon_interval(&photon->latencies, &warp->intra->places, &photon->code, run);
}

/* The time of the longest warp, by the last executions of its basic blocks; of one that is too
 * large for memory, what is not there counts as what is. */
static double predict(struct intra *intra, const struct trace_block *block)
{
    struct photon_launch *photon = intra->own;
    double longest = 1;
    for (uint32_t w = 0; w < block->warp_count; w++) {
        const struct trace_warp *records = &block->warps[w];
        struct photon_warp warp = {.intra = intra};
        struct photon_run run = {0};
        if (records->at == records->end)
            continue;
        photon_code_walk(&photon->code, &run, records->at, records->end, add_basic, &warp);
        photon_code_end(&run, add_basic, &warp);
        warp.cycles *= (double)records->total / (double)(records->end - records->at);
        warp.cycles += photon->waited > 0 ? photon->waits / photon->waited : 0;
        longest = warp.cycles > longest ? warp.cycles : longest;
    }
    return longest;
}

static uint64_t basic_time(struct intra *intra, const struct trace_block *block)
{
    const struct photon_launch *photon = intra->own;
    double cycles = predict(intra, block) * photon_ratio_of(&photon->ratio);
    return cycles < 1 ? 1 : (uint64_t)(cycles + 0.5);
}

/* ---- both ---- */

/* A block of the launch begins that is simulated. */
static void simulate(struct intra *intra, const struct sim_block *block)
{
    struct photon_launch *photon = intra->own;
    if (photon->ratio.size > 0 && counts(intra, block->begin))
        photon_ratio_begin(&photon->ratio, block->order, predict(intra, block->trace));
}

static enum sim_block_choice block_begins(struct intra *intra, const struct intra_block *block)
{
    struct photon_launch *photon = intra->own;
    settle(intra, block->block);
    if (photon->way == PHOTON_SIMULATES) {
        simulate(intra, block->block);
        return SIM_BLOCK_RUN;
    }
    if (photon->way == PHOTON_BY_KERNEL)
        return SIM_BLOCK_END;
    intra->timed =
        photon->way == PHOTON_BY_WARP ? photon->timed : basic_time(intra, block->block->trace);
    return SIM_BLOCK_TIMED;
}

/* "Photon", section 4.3: the number of instructions follows from those of the sample, and the
 * IPC is that of the launch before. */
static void project_like(const struct intra *intra, struct intra_projection *projection)
{
    const struct photon_launch *photon = intra->own;
    const struct photon_kernel *like = &intra->history->kernels.items[photon->like];
    double part = like->insts > 0 ? photon->alike / like->insts : 0;
    projection->cycles = like->cycles * part;
    intra_add(projection, &like->counters, part);
}

/* Keeps what was simulated for later launches. */
static bool ended(struct intra *intra, const struct sim_result *result)
{
    struct photon_launch *photon = intra->own;
    struct photon_kernel kernel = {
        .insts = (double)result->counters.warp_insts,
        .cycles = (double)(result->end_cycle - result->start_cycle),
        .counters = result->counters,
    };
    if (photon->way == PHOTON_BY_KERNEL || photon->sample.types.count == 0)
        return true;
    kernel.estimate = photon_sample_insts(&photon->sample, (double)photon->looked);
    if (!make_bbv(photon, &kernel.bbv))
        return false;
    if (photon_kernels_add(&intra->history->kernels, &kernel))
        return true;
    gpu_bbv_finish(&kernel.bbv);
    return false;
}

/* Blocks that only took their place count for what comes from places. */
static void project(struct intra *intra, const struct sim_result *result,
                    struct intra_projection *projection)
{
    const struct photon_launch *photon = intra->own;
    const struct sim_counters *counters = &result->counters;
    double simulated = (double)intra->simulated_insts;
    if (photon->way == PHOTON_BY_KERNEL) {
        project_like(intra, projection);
        return;
    }
    projection->cycles = (double)(result->end_cycle - result->start_cycle);
    projection->stability = photon->way == PHOTON_BY_WARP
                                ? fabs(photon->warps.slope - 1)
                                : 1 - photon->basics.stable / photon->analysed;
    intra_add(projection, counters, simulated > 0 ? (double)intra->seen_insts / simulated : 1);
    projection->counters[INTRA_COUNTER(sm_active_cycles)] = (double)counters->sm_active_cycles;
    projection->counters[INTRA_COUNTER(warp_cycles)] = (double)counters->warp_cycles;
}

#define KIND(id, begins, ...)                                                                  \
    const struct intra_kind intra_kind_##id = {                                                \
        .begin = begins,                                                                       \
        .look = look,                                                                          \
        .looked = looked,                                                                      \
        .interval = interval,                                                                  \
        .block_begins = block_begins,                                                          \
        .project = project,                                                                    \
        .never = INTRA_CHECK_STABLE,                                                           \
        .finish = finish,                                                                      \
        __VA_ARGS__,                                                                           \
    }
KIND(photon_warp, begin_warp, .warp_ended = warp_ended, .block_ended = block_ended);
KIND(photon_bb, begin_basic, .block_ended = block_ended, .basic_block_ended = basic_block_ended,
     .results_came = results_came);
KIND(photon, begin_both, .warp_ended = warp_ended, .block_ended = block_ended,
     .basic_block_ended = basic_block_ended, .results_came = results_came);
KIND(photon_online, begin_all, .warp_ended = warp_ended, .block_ended = block_ended,
     .basic_block_ended = basic_block_ended, .results_came = results_came, .ended = ended);
