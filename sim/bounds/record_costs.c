/* What an instruction of a trace needs of the resources of its SM. */
#include <math.h>

#include "sim/bounds/costs_reading.h"
#include "sim/core/access_rules.h"
#include "sim/core/coalesce.h"
#include "sim/core/core_model.h"
#include "sim/core/modern/flow.h"
#include "sim/core/modern/units.h"
#include "sim/memory/atomic_unit.h"

/* ---- units ---- */

static void add(struct costs_reading *reading, enum bound_limit resource, double cycles)
{
    reading->block[resource] += cycles;
    if (cycles > 0 && reading->now < reading->costs->first[resource])
        reading->costs->first[resource] = reading->now;
}

/* The same for an instruction that does not issue later than it begins to take one of the units
 * of RESOURCE, for INTERVAL. Instructions come in the order of the cycles before which they
 * cannot issue: one after the other they need no less time in any other order. */
static void add_issued(struct costs_reading *reading, enum bound_limit resource, double cycles,
                       double interval)
{
    double *busy = &reading->busy[resource];
    add(reading, resource, cycles);
    *busy = fmax(*busy, (double)reading->now) + cycles;
    reading->begun = fmax(reading->begun, *busy - interval);
}

/* Cycles of the SM for an instruction that takes one of COUNT units for INTERVAL. */
static double share(uint32_t interval, uint32_t count)
{
    return (double)interval / (count > 0 ? count : 1);
}

static void add_modern_unit(struct costs_reading *reading, const struct inst *inst)
{
    static const enum bound_limit of[UNIT_COUNT] = {
        [UNIT_ALU] = BOUND_INT,       [UNIT_HALF] = BOUND_HALF,
        [UNIT_FP64] = BOUND_FP64,     [UNIT_TENSOR] = BOUND_TENSOR,
        [UNIT_SPECIAL] = BOUND_SFU,   [UNIT_UNIFORM] = BOUND_UNIFORM,
        [UNIT_BRANCH] = BOUND_BRANCH, [UNIT_MEMORY] = BOUND_ADDRESS};
    const struct sim_options *options = &reading->config->options;
    uint32_t unit = inst->issue.unit, subs = options->gpgpu_num_sched_per_core;
    double interval = inst->issue.interval, cycles = share(inst->issue.interval, subs);
    if (unit == UNIT_FP32 || unit == UNIT_HEAVY) {
        bool wide = unit == UNIT_HEAVY && inst->issue.flow == FLOW_WIDE;
        add_issued(reading, BOUND_FP32, reading->halves && !wide ? cycles / 2 : cycles,
                   interval);
        if (unit == UNIT_HEAVY)
            add_issued(reading, BOUND_HEAVY, cycles, interval);
    } else if (unit == UNIT_MEMORY) {
        add(reading, BOUND_ADDRESS, share(options->hearth_address_interval, subs));
    } else if (unit != UNIT_NONE) {
        add_issued(reading, of[unit], cycles, interval);
    }
}

static void add_legacy_unit(struct costs_reading *reading, const struct inst *inst)
{
    static const enum bound_limit plain[] = {
        [PIPE_SP] = BOUND_FP32,       [PIPE_SFU] = BOUND_SFU, [PIPE_MEM] = BOUND_ADDRESS,
        [PIPE_TENSOR] = BOUND_TENSOR, [PIPE_DP] = BOUND_FP64, [PIPE_INT] = BOUND_INT};
    static const enum bound_limit special[] = {BOUND_BRANCH, BOUND_SFU, BOUND_TENSOR,
                                               BOUND_UNIFORM};
    const struct sim_options *options = &reading->config->options;
    const uint32_t counts[] = {[PIPE_SP] = options->gpgpu_num_sp_units,
                               [PIPE_SFU] = options->gpgpu_num_sfu_units,
                               [PIPE_MEM] = 1,
                               [PIPE_TENSOR] = options->gpgpu_num_tensor_core_units,
                               [PIPE_DP] = options->gpgpu_num_dp_units,
                               [PIPE_INT] = options->gpgpu_num_int_units};
    if (inst->pipe < PIPE_SPECIALIZED) {
        add(reading, plain[inst->pipe], share(inst->initiation, counts[inst->pipe]));
        return;
    }
    uint32_t number = inst->pipe - PIPE_SPECIALIZED;
    if (number < sizeof special / sizeof *special && number != 1) /* textures are not SFU */
        add(reading, special[number],
            share(inst->initiation, reading->config->special[number].count));
}

/* ---- memory ---- */

/* Returns the cycles that the access takes. */
static uint32_t add_shared(struct costs_reading *reading, const struct trace_record *record,
                           const struct trace_warp *warp)
{
    uint64_t room[32];
    uint32_t count;
    const uint64_t *lanes = coalesce_lanes(record, warp->addresses, room, &count);
    const struct sim_options *options = &reading->config->options;
    uint32_t cycles = count == 0 || options->gpgpu_shmem_warp_parts != 1 ||
                              options->gpgpu_shmem_limited_broadcast
                          ? 1
                          : coalesce_shared(lanes, count, options->gpgpu_shmem_num_banks);
    const struct inst *inst = inst_table_get(&reading->insts, record->inst);
    if (cycles > 1 && inst->flags & TRACE_INST_LDSM) { /* core models differ */
        uint32_t matrices =
            coalesce_matrices(lanes, count, inst->width, options->gpgpu_shmem_num_banks);
        cycles = matrices < cycles ? matrices : cycles;
    }
    add(reading, BOUND_SHARED, cycles);
    return cycles;
}

/* Whether nobody waits for INST, an atomic. */
static bool is_posted(const struct costs_reading *reading, const struct inst *inst)
{
    return reading->config->options.hearth_posted_reductions != 0 && inst->reduces;
}

/* The slice of a sector takes its atomics one after the other: transactions of its unit, or, if
 * it has none, requests. A launch does not wait for reductions that are posted. */
static void add_atomic(struct costs_reading *reading, const struct inst *inst,
                       const struct trace_record *record, const struct trace_warp *warp)
{
    const struct sim_options *options = &reading->config->options;
    const struct atomic_unit_spec unit = {.lanes = options->hearth_l2_atomic_lanes,
                                          .sectors = options->hearth_l2_atomic_sectors};
    struct access_list list = {.count = 0};
    uint64_t room[32];
    uint32_t count;
    const uint64_t *lanes = coalesce_lanes(record, warp->addresses, room, &count);
    if (count > 0)
        coalesce_atomic(lanes, count, inst->width, &list);
    for (uint32_t i = 0; i < list.count; i++)
        touched_atomic(reading->touched, list.sectors[i].address / 32,
                       unit.lanes != 0 ? atomic_unit_time(&unit, list.sectors[i].lanes)
                                       : ATOMIC_UNIT_PARTS);
}

/* Of the COUNT sectors of a store those that leave the SM, at least. If stores that write to
 * different bytes of a sector can be merged, no more is sure than that each request brings 32
 * bytes. */
static double sent_by_store(const struct costs_reading *reading, const struct inst *inst,
                            const struct trace_record *record, const struct trace_warp *warp,
                            unsigned count)
{
    struct access_list list;
    uint64_t room[32];
    uint32_t lanes, bytes = 0;
    if (!reading->modern || !reading->config->options.hearth_store_merge)
        return count;
    const uint64_t *places = coalesce_lanes(record, warp->addresses, room, &lanes);
    coalesce_sectors(places, lanes, inst->width, &list);
    for (uint32_t i = 0; i < list.count; i++)
        bytes += (uint32_t)__builtin_popcount(list.sectors[i].bytes);
    return bytes / 32.0;
}

/* COUNT sectors leave the SM. */
static void add_sent(struct costs_reading *reading, const struct inst *inst, double count)
{
    const struct sim_options *options = &reading->config->options;
    struct block_costs *costs = reading->costs;
    add(reading, BOUND_PORT, 32 * count / options->hearth_sm_port);
    if (inst->access == TRACE_ACCESS_STORE)
        costs->stores += count;
    else
        *(is_posted(reading, inst) ? &costs->posted : &costs->atomics) += (uint64_t)count;
}

static void add_global(struct costs_reading *reading, const struct inst *inst,
                       const struct trace_record *record, const struct trace_warp *warp,
                       struct path_access *access)
{
    const struct sim_options *options = &reading->config->options;
    const struct trace_inst *from =
        &trace_kernel_insts(reading->kernel, &(uint32_t){0})[record->inst];
    uint64_t sectors[TRACE_MAX_SECTORS];
    unsigned count = trace_record_sectors(record, from, warp->addresses, sectors);
    bool store = inst->access == TRACE_ACCESS_STORE,
         atomic = inst->access == TRACE_ACCESS_ATOMIC;
    if (atomic)
        add_sent(reading, inst, count);
    else if (store && reading->store_through)
        add_sent(reading, inst, sent_by_store(reading, inst, record, warp, count));
    else if (!store && !(inst->flags & TRACE_INST_BYPASS_L1))
        add(reading, BOUND_L1, (double)count / options->gpgpu_l1_banks);
    if (atomic && !is_posted(reading, inst))
        add_atomic(reading, inst, record, warp);
    if (reading->now < reading->costs->first_access)
        reading->costs->first_access = reading->now;
    access->passes = (count + reading->spec.banks - 1) / reading->spec.banks;
    if (reading->l1_empty)
        access->there = touched_arrival(reading->touched, &reading->reader, sectors, count,
                                        store, reading->now);
}

static enum trace_space space_of(const struct costs_reading *reading, const struct inst *inst,
                                 const struct trace_record *record,
                                 const struct trace_warp *warp)
{
    uint64_t address;
    if (inst->space != TRACE_SPACE_GENERIC ||
        !coalesce_first(record, warp->addresses, &address))
        return inst->space;
    return trace_resolve_space(trace_kernel_header(reading->kernel), address);
}

/* ---- records ---- */

void costs_add_record(struct costs_reading *reading, const struct trace_record *record,
                      const struct trace_warp *warp, uint64_t now, struct path_access *access)
{
    const struct inst *inst = inst_table_get(&reading->insts, record->inst);
    *access = (struct path_access){.space = space_of(reading, inst, record, warp)};
    reading->now = now;
    add_issued(reading, BOUND_ISSUE, reading->issue_cycles, 1);
    if (reading->modern)
        add_modern_unit(reading, inst);
    else
        add_legacy_unit(reading, inst);
    if (!inst->accesses || record->mask == 0 || record->mode == TRACE_ADDRESS_NONE)
        return;
    if (access->space == TRACE_SPACE_SHARED)
        access->passes = add_shared(reading, record, warp);
    else if (access->space == TRACE_SPACE_GLOBAL)
        add_global(reading, inst, record, warp, access);
}
