#include "sampling/intra/intra.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "sampling/intra/watch.h"

#define SECTOR 32 /* bytes */

static const char *const check_names[INTRA_CHECKS] = {
    "",
#define CHECK(id, name, description) name,
#include "sampling/intra/checks.def"
#undef CHECK
};

const char *intra_check_name(enum intra_check check)
{
    return check_names[check];
}

enum intra_check intra_check_find(const char *name)
{
    int check = 0;
    while (check < INTRA_CHECKS && strcmp(check_names[check], name) != 0)
        check++;
    return (enum intra_check)check;
}

void intra_add(struct intra_projection *projection, const struct sim_counters *counters,
               double factor)
{
    uint64_t values[INTRA_COUNTERS];
    memcpy(values, counters, sizeof values);
    for (size_t i = 0; i < INTRA_COUNTERS; i++)
        projection->counters[i] += factor * (double)values[i];
}

struct intra_history *intra_history_create(void)
{
    return calloc(1, sizeof(struct intra_history));
}

void intra_history_destroy(struct intra_history *history)
{
    if (history == NULL)
        return;
    photon_kernels_finish(&history->kernels);
    free(history);
}

bool intra_compares(const struct intra_spec *spec)
{
    return spec->method->kind->ended != NULL;
}

struct intra *intra_begin(const struct intra_spec *spec, const struct sim *sim,
                          const struct trace_kernel *kernel, struct intra_history *history,
                          struct error *err)
{
    struct sim_places places;
    if (sim_places(sim, kernel, &places, err) != 0)
        return NULL;
    struct intra *intra = calloc(1, sizeof *intra);
    if (intra == NULL) {
        error_no_memory(err);
        return NULL;
    }
    const struct trace_header *header = trace_kernel_header(kernel);
    const uint32_t *grid = header->grid, *block = header->block;
    struct trace_counts counts;
    intra->spec = spec;
    intra->history = history;
    intra->places = places;
    memcpy(intra->grid, grid, sizeof intra->grid);
    intra->warps = (uint32_t)(((uint64_t)block[0] * block[1] * block[2] + 31) / 32);
    intra->blocks = (uint64_t)grid[0] * grid[1] * grid[2];
    intra->wave = (uint64_t)places.sms * places.blocks;
    intra->first_skipped = UINT64_MAX;
    if (trace_kernel_counts(kernel, &counts))
        intra->total_insts = counts.records;
    intra->check = spec->method->kind->begin(intra);
    if (!intra->no_memory)
        return intra;
    intra_destroy(intra);
    error_no_memory(err);
    return NULL;
}

void intra_destroy(struct intra *intra)
{
    if (intra == NULL)
        return;
    if (intra->spec->method->kind->finish != NULL && intra->own != NULL)
        intra->spec->method->kind->finish(intra);
    free(intra->own);
    free(intra);
}

bool intra_filled(const struct intra *intra, double times)
{
    double moved = SECTOR * (double)(intra->sum.dram_reads + intra->sum.l2_writes);
    double size = times * (double)intra->places.l2_bytes, done = (double)intra->sum.blocks;
    return intra->sum.blocks >= intra->wave &&
           (moved >= size || moved / done * (double)intra->blocks < size);
}

/* ---- reading ahead ---- */

bool intra_wants_ahead(const struct intra *intra)
{
    return intra->check == INTRA_DONE && intra->spec->method->kind->look != NULL;
}

int intra_read_ahead(struct intra *intra, struct trace_kernel *ahead, struct error *err)
{
    const struct intra_kind *kind = intra->spec->method->kind;
    struct intra_ahead at = {.kernel = ahead};
    struct trace_block *block;
    int rc;
    while ((rc = trace_kernel_next_block(ahead, &block, err)) == 1) {
        bool good = kind->look(intra, &at, block);
        trace_block_release(block);
        if (!good)
            return error_no_memory(err);
        at.order++;
    }
    if (rc == 0)
        intra->check = kind->looked(intra);
    return rc == 0 && intra->no_memory ? error_no_memory(err) : rc;
}

bool intra_takes_profile(const struct intra *intra)
{
    return intra->spec->method->kind->take != NULL;
}

int intra_take_profile(struct intra *intra, struct block_profile *profile, uint64_t launch,
                       struct error *err)
{
    struct profile_block_row row;
    uint64_t blocks = 0, insts = 0;
    int rc;
    if (block_profile_seek(profile, launch, err) != 0)
        return -1;
    while ((rc = block_profile_next(profile, &row, err)) == 1) {
        if (row.block < intra->blocks)
            intra->spec->method->kind->take(intra, &row);
        blocks++;
        insts += row.warp_insts;
    }
    if (rc == 0 &&
        (blocks != intra->blocks || (intra->total_insts != 0 && insts != intra->total_insts)))
        return error_set(err, ERROR_TRACE, block_profile_path(profile), 0, 0,
                         "launch %" PRIu64 " has %" PRIu64 " blocks and %" PRIu64
                         " warp instructions; that of the workload has %" PRIu64
                         " and %" PRIu64,
                         launch, blocks, insts, intra->blocks, intra->total_insts);
    if (rc == 0)
        intra->check = intra->spec->method->kind->looked(intra);
    return rc == 0 && intra->no_memory ? error_no_memory(err) : rc;
}

bool intra_skipped(const struct intra *intra)
{
    return intra->first_skipped != UINT64_MAX;
}

/* ---- hooks ---- */

static uint64_t count_insts(const struct trace_block *block)
{
    uint64_t insts = 0;
    for (uint32_t w = 0; w < block->warp_count; w++)
        insts += block->warps[w].total;
    return insts;
}

/* After the method has ended the launch: later blocks are read only to count instructions. */
static enum sim_block_choice after_end(struct intra *intra, const struct sim_block *block)
{
    if (intra->first_skipped > block->order)
        intra->first_skipped = block->order;
    if (intra_value(intra, INTRA_WARM) == INTRA_WARM_WITHIN)
        return SIM_BLOCK_WARM;
    return intra->total_insts != 0 ? SIM_BLOCK_END : SIM_BLOCK_SKIP;
}

/* The same CHOICE; with warm=2, L2 takes the accesses of a block that is not simulated. */
static enum sim_block_choice warmed(const struct intra *intra, enum sim_block_choice choice)
{
    if (intra_value(intra, INTRA_WARM) != INTRA_WARM_WITHIN)
        return choice;
    return choice == SIM_BLOCK_SKIP    ? SIM_BLOCK_WARM
           : choice == SIM_BLOCK_TIMED ? SIM_BLOCK_TIMED_WARM
                                       : choice;
}

static enum sim_block_choice on_block(void *data, const struct sim_block *block,
                                      uint64_t *cycles)
{
    struct intra *intra = data;
    const struct intra_block about = {block, count_insts(block->trace)};
    intra->given++;
    intra->seen_insts += about.insts;
    if (intra->ends)
        return after_end(intra, block);
    enum sim_block_choice choice = intra->spec->method->kind->block_begins(intra, &about);
    intra->ends = choice == SIM_BLOCK_END;
    if (intra->ends)
        return after_end(intra, block);
    if (choice == SIM_BLOCK_RUN) {
        intra->simulated_blocks++;
        intra->simulated_insts += about.insts;
    } else if (intra->first_skipped > block->order) {
        intra->first_skipped = block->order;
    }
    *cycles = intra->timed;
    return warmed(intra, choice);
}

static void on_warp(void *data, const struct sim_block *block)
{
    struct intra *intra = data;
    intra->spec->method->kind->warp_ended(intra, block);
}

static void on_ended(void *data, const struct sim_block *block)
{
    struct intra *intra = data;
    intra->spec->method->kind->block_ended(intra, block);
}

static void on_basic(void *data, const struct sim_basic_block *basic)
{
    struct intra *intra = data;
    intra->spec->method->kind->basic_block_ended(intra, basic);
}

static void on_results(void *data, uint8_t type, uint64_t count, uint64_t cycles)
{
    struct intra *intra = data;
    intra->spec->method->kind->results_came(intra, type, count, cycles);
}

static void on_interval(void *data, const struct sim_interval *interval)
{
    struct intra *intra = data;
    intra->cycle = interval->end;
    sim_counters_add(&intra->sum, &interval->counters);
    if (intra->spec->method->kind->interval_ended != NULL)
        intra->spec->method->kind->interval_ended(intra, interval);
}

void intra_hook(const struct intra *intra, struct sim_hooks *hooks)
{
    const struct intra_kind *kind = intra->spec->method->kind;
    if (intra->check != INTRA_DONE)
        return;
    if (kind->block_begins != NULL)
        hooks->block_begins = on_block;
    if (kind->block_ended != NULL)
        hooks->block_ended = on_ended;
    if (kind->warp_ended != NULL)
        hooks->warp_ended = on_warp;
    if (kind->basic_block_ended != NULL)
        hooks->basic_block_ended = on_basic;
    if (kind->results_came != NULL)
        hooks->results_came = on_results;
    if (kind->interval != NULL) {
        hooks->interval_ended = on_interval;
        hooks->interval = kind->interval(intra);
    }
}

enum sim_block_choice intra_warm_block(void *data, const struct sim_block *block,
                                       uint64_t *cycles)
{
    (void)cycles;
    const struct intra *intra = data;
    return block->order < intra->first_skipped ? SIM_BLOCK_SKIP : SIM_BLOCK_RUN;
}

/* ---- the outcome ---- */

static uint64_t whole(double value)
{
    return value > 0 ? (uint64_t)(value + 0.5) : 0;
}

/* Instructions and blocks of the launch are known: these are not projected. The simulator may
 * issue fewer instructions than the trace has (waited_insts). */
static void take_known(const struct intra *intra, const struct sim_counters *simulated,
                       struct sim_counters *counters)
{
    double total = (double)(intra->total_insts != 0 ? intra->total_insts : intra->seen_insts);
    double part = intra->simulated_insts > 0 ? total / (double)intra->simulated_insts : 1;
    double projected = (double)counters->warp_insts;
    counters->blocks = intra->blocks;
    counters->warp_insts =
        simulated->warp_insts > 0 ? whole((double)simulated->warp_insts * part) : whole(total);
    if (projected > 0)
        counters->thread_insts =
            whole((double)counters->thread_insts * (double)counters->warp_insts / projected);
}

static void apply(struct intra *intra, struct sim_result *result, struct intra_outcome *outcome)
{
    struct intra_projection projection = {.bar = NAN, .stability = NAN};
    struct sim_counters simulated = result->counters;
    uint64_t values[INTRA_COUNTERS] = {0};
    intra->spec->method->kind->project(intra, result, &projection);
    for (size_t i = 0; i < INTRA_COUNTERS; i++)
        values[i] = whole(projection.counters[i]);
    memcpy(&result->counters, values, sizeof values);
    take_known(intra, &simulated, &result->counters);
    result->end_cycle = result->start_cycle + whole(projection.cycles);
    outcome->bar = projection.bar;
    outcome->stability = projection.stability;
    if (projection.insts > 0)
        outcome->warp_insts = whole(projection.insts);
}

/* Tells the method of the launch's RESULT. Returns false when memory is short. */
static bool pass_on(struct intra *intra, const struct sim_result *result)
{
    const struct intra_kind *kind = intra->spec->method->kind;
    return kind->ended == NULL || intra->history == NULL || kind->ended(intra, result);
}

int intra_end(struct intra *intra, struct sim_result *result, struct intra_outcome *outcome,
              struct error *err)
{
    *outcome = (struct intra_outcome){
        .check = intra->check,
        .blocks = result->counters.blocks,
        .warp_insts = result->counters.warp_insts,
        .cycles = result->end_cycle - result->start_cycle,
        .bar = 0,
        .stability = NAN,
    };
    if (intra->no_memory)
        return error_no_memory(err);
    if (intra_skipped(intra) || intra->projects)
        apply(intra, result, outcome);
    else if (intra->check == INTRA_DONE)
        outcome->check =
            intra->failed != INTRA_DONE ? intra->failed : intra->spec->method->kind->never;
    return intra->no_memory || !pass_on(intra, result) ? error_no_memory(err) : 0;
}

int intra_remember(const struct intra_spec *spec, const struct sim *sim,
                   struct trace_kernel *ahead, struct intra_history *history,
                   const struct sim_result *result, struct error *err)
{
    struct intra *intra = intra_begin(spec, sim, ahead, history, err);
    if (intra == NULL)
        return -1;
    int rc = intra_wants_ahead(intra) ? intra_read_ahead(intra, ahead, err) : 0;
    if (rc == 0 && !pass_on(intra, result))
        rc = error_no_memory(err);
    intra_destroy(intra);
    return rc;
}
