/* Speed of functional launches: "functional FILE..." carries out sim_functional() on all
 * launches of each packed workload, from the packed file and on records that are decoded in
 * memory already, and prints millions of sectors a second of CPU time: of those that the
 * instructions ask for, and of accesses of L1 and L2 together. Each way is repeated until a
 * second has passed; "functional --passes=N FILE..." carries out each workload N times, on
 * decoded records alone, for profilers: what N = 2 takes more than N = 1 is one pass. With
 * "--digest" each launch's counters and what L2 holds behind it are digested instead: programs
 * that print the same do the same. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <xxhash.h>

#include "sim/sim.h"
#include "traces/base/process/heap.h"
#include "traces/kernel.h"

/* Of the processor: others may use the machine too. */
static double seconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}

/* A launch whose blocks stay in memory. */
struct launch {
    struct kernel_layout
        layout; /* hands out the blocks; first: a kernel's layout is its launch */
    struct trace_kernel *kernel;
    struct trace_block **blocks; /* each twice: to keep, and behind those to be handed out */
    size_t count, next;
    uint64_t sectors; /* that its instructions ask for */
};

struct workload {
    struct trace_workload *trace;
    struct launch *launches;
    size_t count;
    uint64_t sectors, accesses; /* of a pass: see above */
};

/* ---- decoded records --------------------------------------------------- */

/* A block of its own whose records are those of KEPT. */
static struct trace_block *copy_block(struct launch *launch, const struct trace_block *kept)
{
    size_t warps = kept->warp_count * sizeof *kept->warps;
    struct block *copy = block_pool_get(&launch->kernel->pool, sizeof *copy + warps);
    if (copy == NULL)
        return NULL;
    copy->spill_from = copy->spill_to = 0;
    copy->public = *kept;
    copy->public.warps = (struct trace_warp *)(copy + 1);
    memcpy(copy->public.warps, kept->warps, warps);
    return &copy->public;
}

/* All blocks of LAUNCH are there to be handed out, from the first one on. */
static int wind_back(struct launch *launch, struct error *err)
{
    struct trace_block **copies = launch->blocks + launch->count;
    for (launch->next = 0; launch->next < launch->count; launch->next++)
        if ((copies[launch->next] = copy_block(launch, launch->blocks[launch->next])) == NULL)
            return error_no_memory(err);
    launch->next = 0;
    return 0;
}

static int hand_out(struct trace_kernel *kernel, struct trace_block **block, struct error *err)
{
    struct launch *launch = (struct launch *)kernel->layout;
    (void)err;
    if (launch->next == launch->count)
        return 0;
    *block = launch->blocks[launch->count + launch->next++];
    return 1;
}

static uint64_t count_sectors(const struct trace_block *block)
{
    uint64_t list[TRACE_MAX_SECTORS], sum = 0;
    uint32_t count;
    const struct trace_header *header = trace_kernel_header(block->kernel);
    const struct trace_inst *insts = trace_kernel_insts(block->kernel, &count);
    for (uint32_t w = 0; w < block->warp_count; w++) {
        const struct trace_warp *warp = &block->warps[w];
        for (const struct trace_record *r = warp->at; r < warp->end; r++) {
            uint8_t space = insts[r->inst].space;
            if (r->mode == TRACE_ADDRESS_NONE)
                continue;
            if (space == TRACE_SPACE_GENERIC)
                space = (uint8_t)trace_resolve_space(header, warp->addresses[r->address]);
            if (space == TRACE_SPACE_GLOBAL || space == TRACE_SPACE_LOCAL)
                sum += trace_record_sectors(r, &insts[r->inst], warp->addresses, list);
        }
    }
    return sum;
}

/* Decodes all blocks of LAUNCH, whose kernel is open. */
static int load(struct launch *launch, struct error *err)
{
    const uint32_t *grid = trace_kernel_header(launch->kernel)->grid;
    launch->blocks = calloc((size_t)grid[0] * grid[1] * grid[2], 2 * sizeof *launch->blocks);
    if (launch->blocks == NULL)
        return error_no_memory(err);
    int more;
    struct trace_block *block;
    while ((more = trace_kernel_next_block(launch->kernel, &block, err)) == 1) {
        launch->blocks[launch->count++] = block;
        launch->sectors += count_sectors(block);
    }
    launch->layout = *launch->kernel->layout;
    launch->layout.next_block = hand_out;
    launch->kernel->layout = &launch->layout;
    return more;
}

static int open_workload(struct workload *workload, const char *path, struct error *err)
{
    *workload = (struct workload){.trace = trace_workload_open(path, err)};
    if (workload->trace == NULL)
        return -1;
    workload->launches = calloc(workload->trace->count + 1, sizeof *workload->launches);
    const struct trace_kernel_options options = {
        .memory_only = true,
        .bare_shared = true, /* as hearth run reads such launches */
        .rows = true,
        .workload = workload->trace,
        .memory_budget = (size_t)1 << 36,
    };
    for (size_t i = 0; workload->launches != NULL && i < workload->trace->count; i++) {
        const struct trace_command *command = &workload->trace->commands[i];
        struct launch *launch = &workload->launches[workload->count];
        if (command->kind != TRACE_KERNEL)
            continue;
        workload->count++;
        launch->kernel = trace_workload_kernel(workload->trace, command->text, &options, err);
        if (launch->kernel == NULL || load(launch, err) != 0)
            return -1;
        workload->sectors += launch->sectors;
    }
    return 0;
}

static void close_workload(struct workload *workload)
{
    for (size_t i = 0; i < workload->count; i++) {
        struct launch *launch = &workload->launches[i];
        for (size_t b = 0; b < launch->count; b++)
            trace_block_release(launch->blocks[b]);
        trace_kernel_close(launch->kernel);
        free(launch->blocks);
    }
    free(workload->launches);
    trace_workload_destroy(workload->trace);
}

/* ---- passes ------------------------------------------------------------ */

/* A pass; *SPENT: seconds that preparing it took, which do not count. */
typedef int (*pass_function)(struct workload *workload, struct sim *sim, double *spent,
                             struct error *err);

static int carry_out(struct workload *workload, struct sim *sim, struct trace_kernel *kernel,
                     struct sim_result *result, struct error *err)
{
    sim_flush(sim, SIM_L1, false); /* as hearth run does in front of each launch */
    if (sim_functional(sim, kernel, NULL, result, err) != 0)
        return -1;
    workload->accesses +=
        result->counters.l1d_accesses + result->counters.l2_reads + result->counters.l2_writes;
    return 0;
}

static int pass_decoded(struct workload *workload, struct sim *sim, double *spent,
                        struct error *err)
{
    struct sim_result result;
    for (size_t i = 0; i < workload->count; i++) {
        struct launch *launch = &workload->launches[i];
        double start = seconds();
        if (wind_back(launch, err) != 0)
            return -1;
        *spent += seconds() - start;
        if (carry_out(workload, sim, launch->kernel, &result, err) != 0)
            return -1;
    }
    return 0;
}

static int pass_packed(struct workload *workload, struct sim *sim, double *spent,
                       struct error *err)
{
    (void)spent;
    const struct trace_kernel_options options = {
        .memory_only = true, .bare_shared = true, .rows = true, .workload = workload->trace};
    struct sim_result result;
    int status = 0;
    for (size_t i = 0; i < workload->trace->count && status == 0; i++) {
        const struct trace_command *command = &workload->trace->commands[i];
        if (command->kind != TRACE_KERNEL)
            continue;
        struct trace_kernel *kernel =
            trace_workload_kernel(workload->trace, command->text, &options, err);
        status = kernel == NULL ? -1 : carry_out(workload, sim, kernel, &result, err);
        trace_kernel_close(kernel);
    }
    return status;
}

/* Passes a second. */
static double measure(pass_function pass, struct workload *workload, struct sim *sim,
                      struct error *err)
{
    double start = seconds(), now = start, spent = 0;
    int times = 0;
    for (; now - start < 1 && err->kind == ERROR_NONE; now = seconds(), times++) {
        workload->accesses = 0;
        sim_reset(sim);
        if (pass(workload, sim, &spent, err) != 0)
            break;
    }
    return times / (now - start - spent);
}

static int digest(struct workload *workload, struct sim *sim, struct error *err)
{
    struct sim_result result;
    sim_reset(sim);
    for (size_t i = 0; i < workload->count; i++) {
        char *text;
        size_t size;
        if (wind_back(&workload->launches[i], err) != 0 ||
            carry_out(workload, sim, workload->launches[i].kernel, &result, err) != 0)
            return -1;
        FILE *out = open_memstream(&text, &size);
        if (out == NULL || sim_save(sim, out, "memory", err) != 0 || fclose(out) != 0)
            return -1;
        printf("%zu %016" PRIx64 " %016" PRIx64 "\n", i,
               (uint64_t)XXH64(&result.counters, sizeof result.counters, 0),
               (uint64_t)XXH64(text, size, 0));
        free(text);
    }
    return 0;
}

static int work(const char *path, const char *option, struct sim *sim, struct error *err)
{
    struct workload workload;
    double spent = 0;
    int status = open_workload(&workload, path, err);
    if (status == 0 && strcmp(option, "--digest") == 0) {
        status = digest(&workload, sim, err);
    } else if (status == 0 && strncmp(option, "--passes=", 9) == 0) {
        for (int n = atoi(option + 9); n > 0 && status == 0; n--) {
            workload.accesses = 0;
            sim_reset(sim);
            status = pass_decoded(&workload, sim, &spent, err);
        }
        printf("%" PRIu64 " sectors, %" PRIu64 " accesses  %s\n", workload.sectors,
               workload.accesses, path);
    } else if (status == 0) {
        double packed = measure(pass_packed, &workload, sim, err),
               decoded = measure(pass_decoded, &workload, sim, err);
        printf("%8.2f M sectors/s packed %8.2f decoded  %8.2f M accesses/s packed %8.2f "
               "decoded  %s\n",
               packed * (double)workload.sectors / 1e6,
               decoded * (double)workload.sectors / 1e6,
               packed * (double)workload.accesses / 1e6,
               decoded * (double)workload.accesses / 1e6, path);
        fflush(stdout);
    }
    close_workload(&workload);
    return status;
}

int main(int argc, char **argv)
{
    struct error err = {0};
    heap_use_huge_pages(); /* as `hearth run` does */
    const char *option = argc > 1 && strncmp(argv[1], "--", 2) == 0 ? argv[1] : "";
    struct sim_config *config =
        sim_config_create((const char *const[]){"rtx3070"}, 1, NULL, 0, NULL, NULL, &err);
    struct sim *sim = config != NULL ? sim_create(config, &err) : NULL;
    for (int i = option[0] != '\0' ? 2 : 1; i < argc && err.kind == ERROR_NONE && sim; i++)
        work(argv[i], option, sim, &err);
    if (err.kind != ERROR_NONE)
        fprintf(stderr, "%s\n", err.text);
    sim_destroy(sim);
    sim_config_destroy(config);
    return (int)err.kind;
}
