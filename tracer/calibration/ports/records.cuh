// Records of blocks and warps, as ../sharing has them, but smaller and more of them.
#ifndef HEARTH_TRACER_CALIBRATION_PORTS_RECORDS_CUH
#define HEARTH_TRACER_CALIBRATION_PORTS_RECORDS_CUH

#define SHARING_STAMPS      6
#define SHARING_STAMPS_ROOM 6
#define SHARING_MOST_STAMPS 8448

#include "../sharing/stamps.cuh"

// COUNT reads of all threads together, STEP bytes apart.
__global__ void touch(const char *from, uint32_t *out, uint64_t count, uint64_t step)
{
    uint32_t sum = 0;
    for (uint64_t i = blockIdx.x * blockDim.x + threadIdx.x; i < count;
         i += gridDim.x * blockDim.x)
        sum ^= ldcg(from + i * step);
    KEEP(sum, out);
}

// Is the set NAMED among those of the command line (WANTED; nullptr: all)?
static bool want(const char *wanted, const char *named)
{
    return wanted == nullptr || strcmp(wanted, "all") == 0 || strstr(wanted, named) != nullptr;
}

#endif
