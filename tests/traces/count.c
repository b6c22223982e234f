/* Reads every launch of a workload and prints what it holds, one line a
 * launch: position, blocks, warp instructions, thread instructions, address
 * words, name. "-b BYTES" sets the memory budget. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "traces/traces.h"

struct totals {
    uint64_t blocks, warp_insts, thread_insts, ldgsts_warp_insts, ldgsts_thread_insts;
};

static void add_records(struct totals *totals, const struct trace_warp *warp,
                        const struct trace_inst *insts)
{
    for (const struct trace_record *r = warp->at; r < warp->end; r++) {
        unsigned lanes = (unsigned)__builtin_popcount(r->mask);
        totals->warp_insts++;
        totals->thread_insts += lanes;
        if (insts[r->inst].flags & TRACE_INST_LDGSTS && lanes > 0) {
            totals->ldgsts_warp_insts++;
            totals->ldgsts_thread_insts += lanes;
        }
    }
}

static int add_block(struct totals *totals, struct trace_kernel *kernel,
                     struct trace_block *block, struct error *err)
{
    uint32_t count;
    const struct trace_inst *insts = trace_kernel_insts(kernel, &count);
    int rc = 0;
    totals->blocks++;
    for (uint32_t w = 0; w < block->warp_count && rc >= 0; w++) {
        struct trace_warp *warp = &block->warps[w];
        do {
            add_records(totals, warp, insts);
            warp->at = warp->end;
        } while ((rc = trace_warp_fill(warp, err)) == 1);
    }
    return rc;
}

static void print_unknown(void *data, const char *opcode, uint64_t count)
{
    printf("  unknown opcode %s: %lu\n", opcode, (unsigned long)count);
}

static int count_kernel(size_t position, const char *name,
                        const struct trace_kernel_options *options, struct error *err)
{
    struct trace_kernel *kernel = trace_workload_kernel(options->workload, name, options, err);
    if (kernel == NULL)
        return -1;
    struct totals totals = {0};
    struct trace_block *block;
    int rc;
    while ((rc = trace_kernel_next_block(kernel, &block, err)) == 1) {
        rc = add_block(&totals, kernel, block, err);
        trace_block_release(block);
        if (rc < 0)
            break;
    }
    if (rc == 0) {
        printf("%zu,%lu,%lu,%lu,%lu,%lu,%s\n", position, (unsigned long)totals.blocks,
               (unsigned long)totals.warp_insts, (unsigned long)totals.thread_insts,
               (unsigned long)totals.ldgsts_warp_insts,
               (unsigned long)totals.ldgsts_thread_insts, trace_kernel_header(kernel)->name);
        trace_kernel_unknown_opcodes(kernel, print_unknown, NULL);
        if (trace_kernel_note(kernel) != NULL)
            printf("  note: %s\n", trace_kernel_note(kernel));
    }
    trace_kernel_close(kernel);
    return rc;
}

int main(int argc, char **argv)
{
    struct trace_kernel_options options = {0};
    struct error err = {0};
    if (argc == 4 && strcmp(argv[1], "-b") == 0)
        options.memory_budget = strtoull(argv[2], NULL, 10);
    else if (argc != 2) {
        fprintf(stderr, "usage: %s [-b BYTES] WORKLOAD\n", argv[0]);
        return 2;
    }
    struct trace_workload *workload = trace_workload_open(argv[argc - 1], &err);
    size_t position = 0;
    options.workload = workload;
    for (size_t i = 0; workload != NULL && i < workload->count && err.kind == ERROR_NONE; i++)
        if (workload->commands[i].kind == TRACE_KERNEL)
            count_kernel(++position, workload->commands[i].text, &options, &err);
    trace_workload_destroy(workload);
    if (err.kind != ERROR_NONE)
        fprintf(stderr, "%s\n", err.text);
    return (int)err.kind;
}
