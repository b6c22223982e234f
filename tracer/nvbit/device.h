// What the host hands to the functions that run on the GPU.
#ifndef HEARTH_TRACER_DEVICE_H
#define HEARTH_TRACER_DEVICE_H

#include <cstdint>

#include "tracer/records.h"

// Launches that may count at the same time, as the kernels of a graph do: number
// modulo this.
constexpr uint32_t COUNT_SLOTS = 1 << 14;

// Of a context, in managed memory.
struct DeviceState {
    uint64_t shared_base, local_base; // windows in generic addresses
    tracer_counts counts[COUNT_SLOTS];
};

// What is set at each launch: its number and a set of tracer_wanted.
constexpr uint64_t launch_value(uint32_t number, unsigned wanted)
{
    return static_cast<uint64_t>(wanted) << 32 | number;
}

#endif
