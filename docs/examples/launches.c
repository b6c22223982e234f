/* Simulates one launch of a workload with cold and with warm caches: what the launches before
 * it leave in L2 comes from a functional pass over them.
 *
 *     cc launches.c $(pkg-config --cflags --libs hearth) -o launches
 *     ./launches demo/oceanfft.packed 5
 */
#include <hearth.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

/* Prints when a block of the first row ran. */
static void block_ended(void *data, const struct hearth_block *block)
{
    if (block->order < *(const uint64_t *)data)
        printf("  block %" PRIu64 " on SM %" PRIu32 ": cycles %" PRIu64 " to %" PRIu64 "\n",
               block->order, block->sm, block->begin, block->end);
}

static void check(const struct hearth_error *err)
{
    if (err->status == HEARTH_OK)
        return;
    fprintf(stderr, "launches: %s\n", err->text);
    exit((int)err->status);
}

/* Executes the items of WORKLOAD up to launch NUMBER functionally; returns the item of that. */
static size_t warm_up(struct hearth_gpu *gpu, const struct hearth_workload *workload,
                      uint64_t number)
{
    struct hearth_error err;
    size_t i = 0;
    for (; i < hearth_items(workload); i++) {
        const struct hearth_item item = hearth_item(workload, i);
        if (item.kind == HEARTH_LAUNCH && item.number == number)
            return i;
        if (item.kind == HEARTH_COPY)
            hearth_gpu_copy(gpu, item.address, item.bytes);
        else if (item.kind == HEARTH_DEVICE_COPY)
            hearth_gpu_device_copy(gpu, item.address, item.bytes);
        else if (item.kind == HEARTH_LAUNCH) {
            hearth_gpu_launch(gpu, workload, i, HEARTH_FUNCTIONAL, NULL, &err);
            check(&err);
        }
    }
    fprintf(stderr, "launches: there is no launch %" PRIu64 "\n", number);
    exit(HEARTH_USAGE);
}

/* Simulates item INDEX and prints its cycles. */
static void measure(struct hearth_gpu *gpu, const struct hearth_workload *workload,
                    size_t index, const char *what)
{
    uint64_t shown = 1; /* blocks */
    struct hearth_error err;
    const struct hearth_launch_hooks hooks = {.data = &shown, .block_ended = block_ended};
    hearth_gpu_launch(gpu, workload, index, HEARTH_DETAILED, &hooks, &err);
    check(&err);
    const struct hearth_results *results = hearth_gpu_results(gpu);
    printf("%s: %.0f cycles\n", what,
           hearth_number(results, hearth_launches(results) - 1, hearth_find_column("cycles")));
}

int main(int argc, char **argv)
{
    struct hearth_error err;
    const char *const card = "rtx3070";
    if (argc != 3) {
        fprintf(stderr, "usage: %s WORKLOAD LAUNCH\n", argv[0]);
        return HEARTH_USAGE;
    }
    struct hearth_workload *workload = hearth_workload_open(argv[1], &err);
    check(&err);
    struct hearth_gpu *gpu =
        hearth_gpu_create(&(struct hearth_request){.configs = &card, .config_count = 1}, &err);
    check(&err);

    const size_t index = warm_up(gpu, workload, strtoull(argv[2], NULL, 10));
    hearth_gpu_save(gpu, "launch.state", &err);
    check(&err);
    hearth_gpu_reset(gpu);
    measure(gpu, workload, index, "cold");
    hearth_gpu_reset(gpu);
    hearth_gpu_restore(gpu, "launch.state", &err);
    check(&err);
    measure(gpu, workload, index, "warm");

    hearth_gpu_destroy(gpu);
    hearth_workload_close(workload);
    return 0;
}
