/* Speed of reading packed workloads: "bench_packed FILE..." prints for each
 * millions of warp instructions a second, and of sectors a second through the
 * memory-only view: read, and with footprints and reuse counted, in sectors
 * alone and in addresses too. Each is read until a second has passed. */
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "traces/traces.h"

/* Of the processor: others may use the machine too. */
static double seconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}

struct totals {
    uint64_t records, sectors, sum;
};

static void read_warp(const struct trace_warp *warp, const struct trace_inst *insts,
                      bool sectors, struct totals *totals)
{
    uint64_t list[TRACE_MAX_SECTORS];
    totals->records += (uint64_t)(warp->end - warp->at);
    for (const struct trace_record *r = warp->at; sectors && r < warp->end; r++) {
        unsigned n = trace_record_sectors(r, &insts[r->inst], warp->addresses, list);
        totals->sectors += n;
        for (unsigned i = 0; i < n; i++)
            totals->sum += list[i];
    }
}

static int read_kernel(const char *name, const struct trace_kernel_options *options,
                       struct totals *totals, struct error *err)
{
    struct trace_kernel *kernel = trace_workload_kernel(options->workload, name, options, err);
    struct trace_block *block;
    int rc = -1;
    uint32_t count;
    while (kernel != NULL && (rc = trace_kernel_next_block(kernel, &block, err)) == 1) {
        const struct trace_inst *insts = trace_kernel_insts(kernel, &count);
        for (uint32_t w = 0; w < block->warp_count && rc >= 0; w++) {
            do {
                read_warp(&block->warps[w], insts, options->memory_only, totals);
                rc = trace_warp_fill(&block->warps[w], err);
            } while (rc == 1);
        }
        trace_block_release(block);
        if (rc < 0)
            break;
    }
    trace_kernel_close(kernel);
    return rc;
}

/* Reads all launches again and again. Returns how often a second. */
static double measure(const char *path, bool memory_only, struct totals *totals,
                      struct error *err)
{
    double start = seconds(), now = start;
    int times = 0;
    *totals = (struct totals){0};
    for (; now - start < 1 && err->kind == ERROR_NONE; now = seconds(), times++) {
        struct trace_workload *workload = trace_workload_open(path, err);
        const struct trace_kernel_options options = {.memory_only = memory_only,
                                                     .workload = workload};
        for (size_t i = 0; workload != NULL && i < workload->count; i++)
            if (workload->commands[i].kind == TRACE_KERNEL &&
                read_kernel(workload->commands[i].text, &options, totals, err) < 0)
                break;
        trace_workload_destroy(workload);
    }
    return 1 / (now - start);
}

/* Follows the workload once. */
static int follow(const struct trace_workload *workload, struct trace_reuse *reuse,
                  uint64_t *sectors, struct error *err)
{
    const struct trace_kernel_options options = {
        .memory_only = true, .no_shared = true, .workload = workload};
    struct trace_footprint footprint = {0};
    for (size_t i = 0; i < workload->count; i++) {
        const struct trace_command *command = &workload->commands[i];
        if (command->kind != TRACE_KERNEL)
            continue;
        struct trace_kernel *kernel =
            trace_workload_kernel(workload, command->text, &options, err);
        if (kernel == NULL || trace_reuse_launch(reuse, kernel, NULL, &footprint, err) != 0)
            return -1;
        *sectors += footprint.accesses;
        trace_kernel_close(kernel);
    }
    return 0;
}

/* Millions of sectors a second whose reuse is counted. */
static double measure_reuse(const char *path, bool addresses, struct error *err)
{
    const struct trace_reuse_options options = {.addresses = addresses};
    struct trace_workload *workload = trace_workload_open(path, err);
    double start = seconds(), now = start;
    uint64_t sectors = 0;
    for (; workload != NULL && now - start < 1 && err->kind == ERROR_NONE; now = seconds()) {
        struct trace_reuse *reuse = trace_reuse_create(&options, err);
        if (reuse != NULL)
            follow(workload, reuse, &sectors, err);
        trace_reuse_destroy(reuse);
    }
    trace_workload_destroy(workload);
    return (double)sectors / (now - start) / 1e6;
}

int main(int argc, char **argv)
{
    struct error err = {0};
    struct totals totals;
    for (int i = 1; i < argc && err.kind == ERROR_NONE; i++) {
        double each = measure(argv[i], false, &totals, &err);
        printf("%8.2f M warp insts/s", (double)totals.records * each / 1e6);
        each = measure(argv[i], true, &totals, &err);
        printf(" %8.2f M sectors/s %8.2f M memory records/s",
               (double)totals.sectors * each / 1e6, (double)totals.records * each / 1e6);
        printf(" reuse %8.2f", measure_reuse(argv[i], false, &err));
        printf(" %8.2f M sectors/s  %s\n", measure_reuse(argv[i], true, &err), argv[i]);
    }
    if (err.kind != ERROR_NONE)
        fprintf(stderr, "%s\n", err.text);
    return (int)err.kind;
}
