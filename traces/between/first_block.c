#include "traces/between/first_block.h"

#include <stdlib.h>

#include "traces/kernel.h"

/* A bit for each instruction that warps execute. */
static int mark(struct trace_block *block, bool *executed, struct error *err)
{
    for (uint32_t w = 0; w < block->warp_count; w++) {
        struct trace_warp *warp = &block->warps[w];
        int more = 1;
        while (more == 1 && warp->total != 0) {
            for (; warp->at < warp->end; warp->at++)
                executed[warp->at->inst] = true;
            more = trace_warp_fill(warp, err);
        }
        if (more < 0)
            return -1;
    }
    return 0;
}

static int make(struct between *between, const struct trace_kernel *kernel,
                struct trace_block *block, struct error *err)
{
    uint32_t count;
    size_t found = 0;
    const struct trace_inst *all = trace_kernel_insts(kernel, &count);
    bool *executed = calloc(count + 1, sizeof *executed);
    const struct trace_inst **insts = calloc(count + 1, sizeof *insts);
    int rc =
        executed != NULL && insts != NULL ? mark(block, executed, err) : error_no_memory(err);
    for (uint32_t i = 0; rc == 0 && i < count; i++)
        if (executed[i])
            insts[found++] = &all[i];
    if (rc == 0 && !between_make(between, insts, found))
        rc = error_no_memory(err);
    free(insts);
    free(executed);
    return rc;
}

int between_of_first_block(struct between *between, const char *path,
                           const struct trace_kernel_options *options, struct error *err)
{
    struct trace_kernel_options full = {0};
    struct trace_block *block = NULL;
    if (options != NULL)
        full = (struct trace_kernel_options){.memory_budget = options->memory_budget,
                                             .bare_shared = true,
                                             .spill_dir = options->spill_dir,
                                             .workload = options->workload};
    struct trace_kernel *kernel = trace_kernel_open(path, &full, err);
    if (kernel != NULL)
        kernel->memory_only = false; /* whatever PATH names */
    int rc = kernel != NULL ? trace_kernel_next_block(kernel, &block, err) : -1;
    if (rc == 1)
        rc = make(between, kernel, block, err);
    trace_block_release(block);
    trace_kernel_close(kernel);
    return rc;
}
