/* Work from traces. */
#include "estimate/work.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "sim/core/coalesce.h"

#define BANKS 32

/* What is kept of a static instruction. */
struct work_inst {
    double latency;
    bool sets_predicate, reads_predicate;
};

struct work_reading {
    struct estimate_work *work;
    struct trace_kernel *kernel;
    const struct estimate_device *device;
    const struct estimate_traffic *hits;
    struct work_inst *insts;
    uint32_t inst_count;
    double ready[256], predicate, next; /* of the warp that is read */
    double paths, warps;                /* sum of critical paths, warps that had instructions */
    struct error *err;
};

/* ---- static instructions ---- */

static double latency_of(const struct estimate_device *device, const struct trace_inst *inst,
                         const struct estimate_traffic *hits)
{
    if (inst->access != TRACE_ACCESS_NONE && inst->space == TRACE_SPACE_SHARED)
        return device->latency_shared;
    if (inst->access != TRACE_ACCESS_NONE && inst->space != TRACE_SPACE_CONSTANT) {
        double in_l1 = hits != NULL && inst->access == TRACE_ACCESS_LOAD ? hits->l1_hits : 0;
        double in_l2 = hits != NULL ? hits->l2_hits : 0;
        double behind = in_l2 * device->latency_l2 + (1 - in_l2) * device->latency_global;
        return in_l1 * device->latency_l1 + (1 - in_l1) * behind;
    }
    return estimate_device_latency(device, inst->unit);
}

/* Traces have no predicates: comparisons set one, branches read the last one. */
static bool sets_predicate(const char *opcode)
{
    const char *name = strstr(opcode, "SETP");
    return (name != NULL && name - opcode <= 2) || strncmp(opcode, "PLOP3", 5) == 0 ||
           strncmp(opcode, "R2P", 3) == 0;
}

static int describe(struct work_reading *reading)
{
    uint32_t count;
    const struct trace_inst *insts = trace_kernel_insts(reading->kernel, &count);
    if (count > reading->inst_count) {
        struct work_inst *more = realloc(reading->insts, count * sizeof *more);
        if (more == NULL)
            return error_no_memory(reading->err);
        reading->insts = more;
    }
    for (uint32_t i = reading->inst_count; i < count; i++)
        reading->insts[i] = (struct work_inst){
            .latency = latency_of(reading->device, &insts[i], reading->hits),
            .sets_predicate = sets_predicate(trace_kernel_opcode(reading->kernel, &insts[i])),
            .reads_predicate =
                insts[i].unit == TRACE_UNIT_BRANCH || (insts[i].flags & TRACE_INST_EXIT) != 0,
        };
    reading->inst_count = count;
    return 0;
}

/* ---- records ---- */

static double ready(const struct work_reading *reading, const struct trace_inst *inst)
{
    double now = reading->next;
    for (uint32_t i = 0; i < inst->src_count; i++)
        if (inst->src[i] != TRACE_REG_ZERO)
            now = fmax(now, reading->ready[inst->src[i]]);
    return now;
}

/* Registers that a load of WIDTH bytes a lane writes, from its first one on. */
static uint32_t written(const struct trace_inst *inst)
{
    bool wide = inst->access == TRACE_ACCESS_LOAD && inst->dst_count == 1 && inst->width > 4;
    return wide ? inst->width / 4u : 1;
}

static void issue(struct work_reading *reading, const struct trace_inst *inst,
                  const struct work_inst *own)
{
    double now = ready(reading, inst);
    if (own->reads_predicate)
        now = fmax(now, reading->predicate);
    for (uint32_t i = 0; i < inst->dst_count; i++)
        for (uint32_t r = inst->dst[i]; r < inst->dst[i] + written(inst) && r < 255; r++)
            reading->ready[r] = now + own->latency;
    if (own->sets_predicate)
        reading->predicate = now + own->latency;
    bool branch = inst->unit == TRACE_UNIT_BRANCH;
    reading->next =
        now + (branch ? reading->device->latency_branch_taken : reading->device->latency_ilp);
}

static void count_shared(struct work_reading *reading, const struct trace_record *record,
                         const struct trace_warp *warp)
{
    uint64_t room[32];
    uint32_t count;
    const uint64_t *lanes = coalesce_lanes(record, warp->addresses, room, &count);
    reading->work->shared_passes += count > 0 ? coalesce_shared(lanes, count, BANKS) : 0;
}

static void count_access(struct work_reading *reading, const struct trace_inst *inst,
                         const struct trace_record *record, const struct trace_warp *warp)
{
    uint64_t sectors[TRACE_MAX_SECTORS];
    enum trace_space space = inst->space;
    if (record->mode == TRACE_ADDRESS_NONE || space == TRACE_SPACE_CONSTANT)
        return;
    unsigned count = trace_record_sectors(record, inst, warp->addresses, sectors);
    if (space == TRACE_SPACE_GENERIC && count > 0)
        space = trace_resolve_space(trace_kernel_header(reading->kernel), 32 * sectors[0]);
    if (space == TRACE_SPACE_SHARED) {
        count_shared(reading, record, warp);
        return;
    }
    if (space == TRACE_SPACE_LOCAL) /* the lanes' words stand side by side */
        count = ((unsigned)__builtin_popcount(record->mask) * inst->width + 31) / 32;
    reading->work->loads += inst->access != TRACE_ACCESS_STORE ? count : 0;
    reading->work->stores += inst->access != TRACE_ACCESS_LOAD ? count : 0;
}

static int read_warp(struct work_reading *reading, struct trace_warp *warp)
{
    uint32_t unused;
    const struct trace_inst *insts = trace_kernel_insts(reading->kernel, &unused);
    struct estimate_work *work = reading->work;
    int more;
    memset(reading->ready, 0, sizeof reading->ready);
    reading->next = reading->predicate = 0;
    do {
        for (; warp->at < warp->end; warp->at++) {
            const struct trace_record *record = warp->at;
            const struct trace_inst *inst = &insts[record->inst];
            work->insts++;
            work->thread_insts += __builtin_popcount(record->mask);
            work->units[inst->unit]++;
            if (inst->access != TRACE_ACCESS_NONE && record->mask != 0)
                count_access(reading, inst, record, warp);
            issue(reading, inst, &reading->insts[record->inst]);
        }
    } while ((more = trace_warp_fill(warp, reading->err)) == 1);
    reading->paths += reading->next;
    reading->warps += warp->total > 0;
    return more;
}

static int read_block(struct work_reading *reading, struct trace_block *block)
{
    if (describe(reading) != 0)
        return -1;
    for (uint32_t w = 0; w < block->warp_count; w++)
        if (read_warp(reading, &block->warps[w]) < 0)
            return -1;
    return 0;
}

static int read_blocks(struct work_reading *reading)
{
    struct trace_block *block;
    int more;
    while ((more = trace_kernel_next_block(reading->kernel, &block, reading->err)) == 1) {
        int result = read_block(reading, block);
        trace_block_release(block);
        if (result != 0)
            return -1;
    }
    return more;
}

int estimate_work_read(struct estimate_work *work, struct trace_kernel *kernel,
                       const struct estimate_device *device,
                       const struct estimate_traffic *hits, struct error *err)
{
    const struct trace_header *header = trace_kernel_header(kernel);
    struct work_reading reading = {
        .work = work, .kernel = kernel, .device = device, .hits = hits, .err = err};
    memset(work, 0, sizeof *work);
    work->blocks = (double)header->grid[0] * header->grid[1] * header->grid[2];
    work->block_threads = (double)header->block[0] * header->block[1] * header->block[2];
    work->regs = header->regs;
    work->shmem = header->shmem;
    work->stream = header->stream;
    int result = read_blocks(&reading);
    free(reading.insts);
    work->latency = reading.warps > 0 ? reading.paths / reading.warps : 0;
    estimate_work_no_hits(work);
    if (hits != NULL)
        work->traffic = *hits;
    return result;
}
