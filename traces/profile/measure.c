#include "traces/profile/measure.h"

#include <stdlib.h>
#include <string.h>

/* ---- basic blocks ------------------------------------------------------ */

/* Looks at the instructions that are new in the kernel's table. */
static int learn_insts(struct measure *measure, const struct trace_kernel *kernel,
                       struct error *err)
{
    uint32_t count;
    const struct trace_inst *insts = trace_kernel_insts(kernel, &count);
    if (count > measure->inst_capacity) {
        uint32_t capacity = count + count / 2 + 256;
        uint8_t *more = realloc(measure->ends, capacity);
        if (more == NULL)
            return error_no_memory_for(err, ERROR_TRACE, "profile");
        measure->ends = more;
        measure->inst_capacity = capacity;
    }
    for (; measure->inst_count < count; measure->inst_count++) {
        const struct trace_inst *inst = &insts[measure->inst_count];
        measure->ends[measure->inst_count] =
            trace_inst_ends_basic_block(inst, trace_kernel_opcode(kernel, inst));
    }
    return 0;
}

/* ---- warps ------------------------------------------------------------- */

/* The basic block that a warp is in. */
struct basic_block_run {
    uint32_t start, last, insts;
};

static void run_end(struct measure *measure, struct basic_block_run *run)
{
    if (run->insts > 0)
        warp_types_add(&measure->types, run->start, run->insts);
    run->insts = 0;
}

static void run_add(struct measure *measure, struct basic_block_run *run, uint32_t pc,
                    bool ends)
{
    if (run->insts > 0 && !trace_inst_follows(measure->pc_step, run->last, pc))
        run_end(measure, run);
    if (run->insts++ == 0)
        run->start = pc;
    run->last = pc;
    if (ends)
        run_end(measure, run);
}

static int measure_warp(struct measure *measure, const struct trace_inst *insts,
                        struct trace_warp *warp, uint64_t number, struct measured_block *block,
                        struct error *err)
{
    struct basic_block_run run = {0};
    bool look = measure->every > 0 && number % measure->every == 0 && warp->total > 0;
    int rc;
    do {
        for (const struct trace_record *r = warp->at; r < warp->end; r++) {
            measure_record(measure, r, &insts[r->inst], warp->addresses, block);
            if (look)
                run_add(measure, &run, insts[r->inst].pc, measure->ends[r->inst]);
        }
        warp->at = warp->end;
        rc = trace_warp_fill(warp, err);
    } while (rc == 1);
    if (rc < 0 || !look)
        return rc;
    run_end(measure, &run);
    return warp_types_end_warp(&measure->types, number) == 0
               ? 0
               : error_no_memory_for(err, ERROR_TRACE, "profile");
}

/* ---- blocks ------------------------------------------------------------ */

static struct measured_block *add_block(struct measure *measure,
                                        const struct trace_block *block)
{
    const uint32_t *grid = measure->header->grid, *index = block->index;
    if (measure->block_count == measure->block_capacity) {
        size_t capacity = 2 * measure->block_capacity + 64;
        struct measured_block *more = reallocarray(measure->blocks, capacity, sizeof *more);
        if (more == NULL)
            return NULL;
        measure->blocks = more;
        measure->block_capacity = capacity;
    }
    struct measured_block *added = &measure->blocks[measure->block_count++];
    *added = (struct measured_block){
        .number = index[0] + (uint64_t)grid[0] * (index[1] + (uint64_t)grid[1] * index[2])};
    return added;
}

static int measure_block(struct measure *measure, struct trace_kernel *kernel,
                         struct trace_block *block, struct error *err)
{
    uint32_t count;
    struct measured_block *added = add_block(measure, block);
    if (added == NULL)
        return error_no_memory_for(err, ERROR_TRACE, "profile");
    if (learn_insts(measure, kernel, err) != 0)
        return -1;
    const struct trace_inst *insts = trace_kernel_insts(kernel, &count);
    for (uint32_t w = 0; w < block->warp_count; w++)
        if (measure_warp(measure, insts, &block->warps[w],
                         added->number * block->warp_count + w, added, err) != 0)
            return -1;
    measure->row.warp_insts += added->warp_insts;
    measure->row.thread_insts += added->thread_insts;
    measure->row.mem_requests += added->mem_requests;
    return 0;
}

static int compare_blocks(const void *a, const void *b)
{
    const struct measured_block *x = a, *y = b;
    return x->number < y->number ? -1 : x->number > y->number;
}

int measure_kernel(struct measure *measure, struct trace_kernel *kernel, struct error *err)
{
    struct trace_block *block;
    int rc;
    measure->header = trace_kernel_header(kernel);
    measure->pc_step = trace_inst_bytes(measure->header->binary_version);
    while ((rc = trace_kernel_next_block(kernel, &block, err)) == 1) {
        rc = measure_block(measure, kernel, block, err);
        trace_block_release(block);
        if (rc != 0)
            return -1;
    }
    if (rc == 0 && measure->block_count > 0)
        qsort(measure->blocks, measure->block_count, sizeof *measure->blocks, compare_blocks);
    return rc;
}
