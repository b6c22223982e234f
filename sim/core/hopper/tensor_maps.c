#include "sim/core/hopper/tensor_maps.h"

#include <stddef.h>

/* Different addresses of tensor maps. */
struct used {
    uint64_t at[TRACE_NOTE_MOST_MAPS];
    uint32_t count;
};

static void note_use(struct used *used, uint64_t address)
{
    uint32_t i = 0;
    while (i < used->count && used->at[i] != address)
        i++;
    if (i == used->count && i < TRACE_NOTE_MOST_MAPS)
        used->at[used->count++] = address;
}

/* What the records of WARP that are in memory use. */
static void look_at(struct used *used, const struct trace_kernel *kernel,
                    const struct trace_warp *warp)
{
    uint32_t count;
    const struct trace_inst *insts = trace_kernel_insts(kernel, &count);
    for (const struct trace_record *record = warp->at; record != warp->end; record++) {
        struct trace_extras extras;
        const char *opcode = trace_kernel_opcode(kernel, &insts[record->inst]);
        if (opcode[0] != 'U' || record->mask == 0)
            continue;
        const struct trace_async_form form = trace_async_form(opcode);
        if (form.dimensions == 0 || !trace_record_extras(record, warp->addresses, &extras))
            continue;
        const struct trace_async asks = trace_async_decode(&form, &extras);
        if (asks.is_known)
            note_use(used, asks.map);
    }
}

void tensor_maps_learn(struct tensor_maps *maps, const struct trace_kernel *kernel,
                       const struct trace_block *block)
{
    const struct trace_launch_maps *all = trace_kernel_maps(kernel);
    struct used used = {.count = 0};
    *maps = (struct tensor_maps){0};
    for (uint32_t w = 0; all != NULL && w < block->warp_count; w++)
        look_at(&used, kernel, &block->warps[w]);
    if (used.count != 0 && trace_launch_maps_base(all, used.at, used.count, &maps->base))
        maps->all = all;
}

const struct trace_tensor_map *tensor_maps_find(const struct tensor_maps *maps,
                                                uint64_t address)
{
    for (uint32_t i = 0; maps->all != NULL && i < maps->all->count; i++)
        if (maps->base + maps->all->maps[i].offset == address)
            return &maps->all->maps[i].map;
    return NULL;
}
