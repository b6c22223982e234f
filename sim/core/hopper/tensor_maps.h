/* The tensor maps of a launch, by the addresses with which instructions name them: they lie
 * among its parameters, whose place is found by the addresses that its first block uses. */
#ifndef HEARTH_SIM_CORE_HOPPER_TENSOR_MAPS_H
#define HEARTH_SIM_CORE_HOPPER_TENSOR_MAPS_H

#include <stdbool.h>
#include <stdint.h>

#include "traces/traces.h"

/* Zeroed: none is known. */
struct tensor_maps {
    const struct trace_launch_maps *all; /* NULL: the place of the parameters is not known */
    uint64_t base;
};

/* KERNEL's are looked for in BLOCK, its first one. */
void tensor_maps_learn(struct tensor_maps *maps, const struct trace_kernel *kernel,
                       const struct trace_block *block);

/* That at ADDRESS; NULL: it is not known. */
const struct trace_tensor_map *tensor_maps_find(const struct tensor_maps *maps,
                                                uint64_t address);

#endif
