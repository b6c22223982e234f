/* Sampling inside a launch of "TBPoint: Reducing Simulation Time for Large-Scale GPGPU Kernels"
 * (section IV).
 *
 * Before the launch runs, its blocks are profiled: memory requests and warp instructions. They
 * make homogeneous regions (regions.h). While it runs, a region is entered once all resident
 * blocks are of it. From then on, the IPC of the whole GPU is taken over sampling units
 * (units.h); once two in a row agree, the rest of the region is skipped. It takes its
 * instructions over the IPC of the last unit (table IV); all other cycles are simulated.
 *
 * The paper does not say in what units stall probabilities are clustered; here they are divided
 * by their mean over the launch, as its features between launches are. Its model of warps that
 * take turns (interleaving.h) gives the error bar, for what was skipped: by how much the IPC of
 * a region differs from its mean. It knows nothing of caches.
 *
 * `fill` and `gap` are not in the paper. With `fill`, no unit counts before L2 has been filled.
 * The IPC of a unit differs from that of its region: by 6 % in the products of the study, and
 * over stretches of many units. With `gap`, no more than that many epochs are skipped in a row.
 * Then units are simulated until one agrees with the one before it, and its IPC is that of what
 * is skipped next. The units of a region are samples spread over it, and how they differ gives
 * the error bar. As skipped blocks take no time, the GPU stays full.
 *
 * Nor are `units` and `part`. Blocks that began together keep in step for a while, and the IPC
 * of units swings: by 8 %, with a period of four, in the attention of the study. With `units`,
 * it is taken over so many units in a row. With `part`, so much of each region is simulated:
 * what is left of it once units agree goes into windows of `units` units, spread over the
 * region. The first unit after a gap has blocks in it that began before, and does not count. */
#include <math.h>
#include <stdlib.h>

#include "sampling/intra/tbpoint/interleaving.h"
#include "sampling/intra/tbpoint/regions.h"
#include "sampling/intra/tbpoint/skips.h"
#include "sampling/intra/tbpoint/units.h"
#include "sampling/intra/watch.h"

#define CONFIDENCE 0.95
#define MOST_WARPS 64

struct tbpoint {
    struct region_block *blocks; /* of the launch; owned */
    struct regions regions;
    struct sampling_units units;
    uint64_t *resident; /* blocks of each region that run, by region; owned. Those of none are
                         * at the end */
    uint64_t running;   /* blocks that run */
    uint32_t entered;   /* region; REGION_NONE: in none */
    bool steady;        /* its IPC is known: blocks are skipped */
    bool filled;
    struct skips skips;
    bool follows; /* something was skipped since the region was entered */
    struct unit_window window;
    uint64_t want;     /* units of a window */
    double gap;        /* epochs that are skipped at most before the next one; 0: any number */
    uint64_t begun;    /* simulated blocks of the region that was entered */
    uint64_t marked;   /* of these, when the last unit ended that did not agree */
    size_t epoch;      /* of the last block */
    bool agreed;       /* two units did */
    bool planned;      /* `want` and `gap` are known for the region */
    bool mixed;        /* the next unit has blocks from before a gap */
    double difference; /* of the last two units that agreed, relative */
};

static enum intra_check begin(struct intra *intra)
{
    if (intra->blocks <= intra->wave)
        return INTRA_CHECK_WAVES;
    struct tbpoint *tbpoint = intra->own = calloc(1, sizeof *tbpoint);
    if (tbpoint == NULL) {
        intra->no_memory = true;
        return INTRA_DONE;
    }
    tbpoint->entered = REGION_NONE;
    tbpoint->blocks = calloc(intra->blocks, sizeof *tbpoint->blocks);
    intra->no_memory = tbpoint->blocks == NULL;
    return INTRA_DONE;
}

static void finish(struct intra *intra)
{
    struct tbpoint *tbpoint = intra->own;
    free(tbpoint->blocks);
    free(tbpoint->resident);
    regions_finish(&tbpoint->regions);
    units_finish(&tbpoint->units);
}

static uint64_t interval(const struct intra *intra)
{
    (void)intra;
    return 200;
}

/* ---- before the launch ---- */

static bool look(struct intra *intra, const struct intra_ahead *ahead,
                 struct trace_block *block)
{
    struct tbpoint *tbpoint = intra->own;
    struct region_block *about = &tbpoint->blocks[intra_number(intra, block->index)];
    const struct trace_header *header = trace_kernel_header(ahead->kernel);
    struct error ignored = {0};
    uint32_t count;
    const struct trace_inst *insts = trace_kernel_insts(ahead->kernel, &count);
    for (uint32_t w = 0; w < block->warp_count; w++) {
        struct trace_warp *warp = &block->warps[w];
        about->insts += (double)warp->total;
        do {
            for (; warp->at < warp->end; warp->at++)
                about->requests += trace_record_requests(
                    header, warp->at, &insts[warp->at->inst], warp->addresses);
        } while (trace_warp_fill(warp, &ignored) == 1);
    }
    return true;
}

static void take(struct intra *intra, const struct profile_block_row *row)
{
    struct tbpoint *tbpoint = intra->own;
    tbpoint->blocks[row->block] = (struct region_block){.requests = (double)row->mem_requests,
                                                        .insts = (double)row->warp_insts};
}

static enum intra_check looked(struct intra *intra)
{
    struct tbpoint *tbpoint = intra->own;
    const struct region_rules rules = {.epoch = intra->wave,
                                       .distance = intra_value(intra, INTRA_DISTANCE),
                                       .variation = intra_value(intra, INTRA_VARIATION)};
    bool any = false;
    if (!regions_init(&tbpoint->regions, tbpoint->blocks, intra->blocks, &rules) ||
        (tbpoint->resident = calloc(tbpoint->regions.epochs + 1, sizeof(uint64_t))) == NULL) {
        intra->no_memory = true;
        return INTRA_DONE;
    }
    for (size_t i = 1; i < tbpoint->regions.epochs; i++)
        any |= tbpoint->regions.of[i] != REGION_NONE &&
               tbpoint->regions.of[i] == tbpoint->regions.of[i - 1];
    return any ? INTRA_DONE : INTRA_CHECK_REGIONS;
}

/* ---- while it runs ---- */

static uint64_t *resident_of(const struct tbpoint *tbpoint, uint32_t region)
{
    return &tbpoint->resident[region == REGION_NONE ? tbpoint->regions.epochs : region];
}

/* The relative spread of the IPC of the last unit, in the epoch of the block NUMBER. */
static double spread(const struct intra *intra, uint64_t number)
{
    const struct tbpoint *tbpoint = intra->own;
    double p = tbpoint->regions.p[number / tbpoint->regions.epoch];
    uint64_t schedulers = intra->places.schedulers;
    uint64_t warps = intra->places.blocks * intra->warps / schedulers;
    double ipc = tbpoint->units.ipc / (double)(intra->places.sms * schedulers);
    struct interleaving model = {.p = p < 1 ? p : 1};
    model.warps = warps < 1 ? 1 : warps > MOST_WARPS ? MOST_WARPS : (size_t)warps;
    model.mean = interleaving_stall(model.p, ipc, model.warps);
    return model.mean > 0 ? interleaving_spread(&model, CONFIDENCE) : 0;
}

/* Enters the region of a block that begins, or leaves the one before. */
static void enter(struct tbpoint *tbpoint, uint32_t region)
{
    if (region == tbpoint->entered)
        return;
    bool all = region != REGION_NONE && *resident_of(tbpoint, region) == tbpoint->running;
    tbpoint->entered = all ? region : REGION_NONE;
    tbpoint->steady = tbpoint->follows = false;
    tbpoint->agreed = tbpoint->planned = tbpoint->mixed = false;
    tbpoint->begun = 0;
    tbpoint->window = (struct unit_window){0};
    units_restart(&tbpoint->units);
}

/* Whether so much of a region has been skipped in a row that its IPC is looked at again. */
static bool is_far(const struct tbpoint *tbpoint)
{
    return tbpoint->gap > 0 &&
           (double)tbpoint->skips.blocks >= tbpoint->gap * (double)tbpoint->regions.epoch;
}

/* Ends the run of skipped blocks, if it is long enough. */
static void look_again(const struct intra *intra, struct tbpoint *tbpoint)
{
    if (!tbpoint->steady || !is_far(tbpoint))
        return;
    tbpoint->steady = false;
    tbpoint->agreed = tbpoint->mixed = intra_value(intra, INTRA_PART) > 0;
    tbpoint->window = (struct unit_window){0};
}

static enum sim_block_choice block_begins(struct intra *intra, const struct intra_block *block)
{
    struct tbpoint *tbpoint = intra->own;
    uint64_t number = intra_number(intra, block->block->index);
    uint32_t region = regions_of(&tbpoint->regions, number);
    enter(tbpoint, region);
    tbpoint->filled |= intra_value(intra, INTRA_FILL) == 0 ||
                       intra_filled(intra, intra_value(intra, INTRA_FILL));
    tbpoint->epoch = number / tbpoint->regions.epoch;
    look_again(intra, tbpoint);
    if (tbpoint->steady) {
        skips_add(&tbpoint->skips, (double)block->insts);
        return SIM_BLOCK_SKIP;
    }
    if (tbpoint->entered != REGION_NONE && tbpoint->filled)
        units_block_begins(&tbpoint->units, number, block->block->begin);
    ++*resident_of(tbpoint, region);
    tbpoint->begun++;
    tbpoint->running++;
    return SIM_BLOCK_RUN;
}

static void block_ended(struct intra *intra, const struct sim_block *block)
{
    struct tbpoint *tbpoint = intra->own;
    uint64_t number = intra_number(intra, block->index);
    --*resident_of(tbpoint, regions_of(&tbpoint->regions, number));
    tbpoint->running--;
    units_block_ended(&tbpoint->units, number, block->end);
}

/* Two units agree: how many a window has, and how many windows the region. */
static void plan(const struct intra *intra, struct tbpoint *tbpoint)
{
    double epoch = (double)tbpoint->regions.epoch;
    struct unit_budget budget = {.units = intra_value(intra, INTRA_UNITS),
                                 .part = intra_value(intra, INTRA_PART),
                                 .used = (double)tbpoint->begun / epoch,
                                 .each = fmax(1, (double)(tbpoint->begun - tbpoint->marked)) /
                                         epoch};
    for (size_t i = tbpoint->epoch + 1; i < tbpoint->regions.epochs; i++, budget.left++)
        if (tbpoint->regions.of[i] != tbpoint->entered)
            break;
    const struct unit_plan plan = units_plan(&budget);
    tbpoint->want = plan.units;
    tbpoint->gap = plan.gap > 0 ? plan.gap : intra_value(intra, INTRA_GAP);
    tbpoint->planned = true;
}

/* Whether the unit that has ended completes a window. */
static bool completes(const struct intra *intra, struct tbpoint *tbpoint)
{
    const struct sampling_units *units = &tbpoint->units;
    if (tbpoint->mixed) {
        tbpoint->mixed = false;
        return false;
    }
    if (!tbpoint->agreed) {
        tbpoint->difference =
            units->previous > 0 ? fabs(units->ipc - units->previous) / units->previous : 1;
        tbpoint->agreed =
            units->previous > 0 && tbpoint->difference < intra_value(intra, INTRA_AGREEMENT);
        if (!tbpoint->agreed)
            tbpoint->window = (struct unit_window){0};
    }
    unit_window_add(&tbpoint->window, units);
    if (!tbpoint->agreed) {
        tbpoint->marked = tbpoint->begun;
        return false;
    }
    if (!tbpoint->planned)
        plan(intra, tbpoint);
    return tbpoint->window.count >= tbpoint->want;
}

static void interval_ended(struct intra *intra, const struct sim_interval *interval)
{
    struct tbpoint *tbpoint = intra->own;
    struct sampling_units *units = &tbpoint->units;
    int done = units_pass(units, interval->end, (double)intra->sum.warp_insts);
    intra->no_memory |= done < 0;
    if (done != 1 || tbpoint->steady || !completes(intra, tbpoint))
        return;
    tbpoint->steady = true;
    double ipc = tbpoint->want > 1 ? unit_window_ipc(&tbpoint->window) : units->ipc;
    skips_begin(&tbpoint->skips, ipc, spread(intra, units->block), tbpoint->follows);
    if (tbpoint->want > 1)
        skips_window(&tbpoint->skips, tbpoint->window.count, tbpoint->window.squares);
    tbpoint->follows = true;
}

static void project(struct intra *intra, const struct sim_result *result,
                    struct intra_projection *projection)
{
    const struct tbpoint *tbpoint = intra->own;
    double simulated = (double)intra->simulated_insts;
    projection->cycles =
        (double)(result->end_cycle - result->start_cycle) + tbpoint->skips.cycles;
    projection->bar = skips_bar(&tbpoint->skips, CONFIDENCE) / projection->cycles;
    projection->stability = tbpoint->difference;
    intra_add(projection, &result->counters,
              simulated > 0 ? (double)intra->seen_insts / simulated : 1);
}

const struct intra_kind intra_kind_tbpoint_intra = {
    .begin = begin,
    .look = look,
    .take = take,
    .looked = looked,
    .interval = interval,
    .block_begins = block_begins,
    .block_ended = block_ended,
    .interval_ended = interval_ended,
    .project = project,
    .never = INTRA_CHECK_STABLE,
    .finish = finish,
};
