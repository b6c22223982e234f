#include "estimate/equations.h"

#include <math.h>

#define WARP 32

double equation_warps(double blocks, double block_threads)
{
    return blocks * ceil(block_threads / WARP);
}

double equation_memory_bandwidth(const struct estimate_device *device)
{
    return device->memory_clock * (device->bus_width / 8) * device->data_rate /
           (device->sms * device->sm_clock);
}

void equation_terms(const struct estimate_device *device, const struct equation_warp *warp,
                    double terms[static TERM_COUNT])
{
    terms[TERM_CUDA] = WARP * warp->cuda / device->cuda_cores;
    terms[TERM_ISSUE] = warp->issued / device->schedulers;
    terms[TERM_MEMORY] = warp->bytes / equation_memory_bandwidth(device);
}

double equation_throughput_bound(const double terms[static TERM_COUNT],
                                 enum equation_term *limit)
{
    enum equation_term most = TERM_CUDA;
    for (enum equation_term t = TERM_CUDA; t < TERM_COUNT; t++)
        if (terms[t] > terms[most])
            most = t;
    if (limit != NULL)
        *limit = most;
    return 1 / terms[most];
}

double equation_warp_rate(double occupancy, double latency_bound, double throughput_bound,
                          bool *by_latency)
{
    double rate = occupancy / latency_bound;
    if (by_latency != NULL)
        *by_latency = rate < throughput_bound;
    return fmin(rate, throughput_bound);
}

double equation_kernel_seconds(const struct estimate_device *device, double warps, double rate,
                               double lambda)
{
    return warps / (rate * device->sms * device->sm_clock * 1e6 * lambda);
}

double equation_copy_seconds(const struct estimate_device *device, bool in, double bytes)
{
    double lambda = in ? device->lambda_in : device->lambda_out;
    return (in ? device->startup_in : device->startup_out) +
           bytes / (device->pcie_bandwidth * 1e9 * lambda);
}
