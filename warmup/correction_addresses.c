#include <math.h>
#include <stdlib.h>

#include "traces/address.h"
#include "warmup/correction.h"
#include "warmup/pass.h"

void correction_addresses_finish(struct correction_addresses *addresses)
{
    free(addresses->items);
    *addresses = (struct correction_addresses){0};
}

static int compare(const void *a, const void *b)
{
    uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return (x > y) - (x < y);
}

static void sort(struct correction_addresses *addresses)
{
    size_t kept = 0;
    if (addresses->count > 0)
        qsort(addresses->items, addresses->count, sizeof *addresses->items, compare);
    for (size_t i = 0; i < addresses->count; i++)
        if (kept == 0 || addresses->items[kept - 1] != addresses->items[i])
            addresses->items[kept++] = addresses->items[i];
    addresses->count = kept;
}

/* Removes duplicates before it makes more room. */
static int add(struct correction_addresses *addresses, uint64_t address, struct error *err)
{
    if (addresses->count == addresses->room) {
        sort(addresses);
        if (addresses->count * 2 >= addresses->room) {
            size_t room = addresses->room > 0 ? 2 * addresses->room : 1024;
            uint64_t *items = realloc(addresses->items, room * sizeof *items);
            if (items == NULL)
                return error_no_memory(err);
            addresses->items = items;
            addresses->room = room;
        }
    }
    addresses->items[addresses->count++] = address;
    return 0;
}

static int add_record(struct correction_addresses *addresses, const struct trace_inst *inst,
                      const struct trace_record *record, const uint64_t *words,
                      struct error *err)
{
    unsigned lanes = (unsigned)__builtin_popcount(record->mask);
    int result = 0;
    uint64_t room[32];
    if (inst->access == TRACE_ACCESS_NONE)
        return 0;
    if (record->mode == TRACE_ADDRESS_NONE)
        lanes = 0;
    const uint64_t *list = address_lanes(record, words + record->address, room);
    for (unsigned i = 0; i < inst->width && result == 0; i++)
        result = add(addresses, i < lanes ? list[i] : 0, err);
    return result;
}

/* Returns 1 if PASS was stopped. */
static int add_warp(struct correction_addresses *addresses, const struct trace_inst *insts,
                    struct trace_warp *warp, const struct warmup_pass *pass, struct error *err)
{
    for (;;) {
        for (; warp->at < warp->end; warp->at++)
            if (add_record(addresses, &insts[warp->at->inst], warp->at, warp->addresses, err) !=
                0)
                return -1;
        int result = trace_warp_fill(warp, err);
        if (result <= 0)
            return result;
        if (!warmup_pass_goes_on(pass))
            return 1;
    }
}

static int add_kernel(struct correction_addresses *addresses, struct trace_kernel *kernel,
                      const struct warmup_pass *pass, struct error *err)
{
    struct trace_block *block;
    int more;
    while ((more = trace_kernel_next_block(kernel, &block, err)) > 0) {
        uint32_t count;
        const struct trace_inst *insts = trace_kernel_insts(kernel, &count);
        int result = warmup_pass_goes_on(pass) ? 0 : 1;
        for (uint32_t w = 0; w < block->warp_count && result == 0; w++)
            result = add_warp(addresses, insts, &block->warps[w], pass, err);
        trace_block_release(block);
        if (result != 0)
            return result;
    }
    sort(addresses);
    return more;
}

int correction_addresses_read(struct correction_addresses *addresses, const char *name,
                              const struct warmup_pass *pass, struct error *err)
{
    const struct trace_kernel_options options = {.memory_only = true};
    struct trace_kernel *kernel = trace_workload_kernel(pass->workload, name, &options, err);
    if (kernel == NULL)
        return -1;
    addresses->count = 0;
    int result = add_kernel(addresses, kernel, pass, err);
    trace_kernel_close(kernel);
    return result;
}

double correction_addresses_forward(const struct correction_addresses *from,
                                    const struct correction_addresses *to)
{
    size_t both = 0;
    for (size_t i = 0, j = 0; i < from->count && j < to->count;) {
        both += from->items[i] == to->items[j];
        uint64_t item = from->items[i];
        i += item <= to->items[j];
        j += to->items[j] <= item;
    }
    return from->count > 0 ? (double)both / (double)from->count : NAN;
}
