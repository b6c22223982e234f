#include "estimate/launch_estimate.h"

#include <math.h>
#include <string.h>

#include "estimate/equations.h"

static const char *const names[] = {
#define RESOURCE(id, name) name,
#include "estimate/resources.def"
};

const char *estimate_resource_name(enum estimate_resource resource)
{
    return names[resource];
}

double estimate_roofline(const struct estimate_device *device, double intensity)
{
    double clock = device->sms * device->sm_clock * 1e6;
    double peak = device->schedulers * 32 * clock;
    double memory = equation_memory_bandwidth(device) * clock;
    return intensity > 0 ? fmin(peak, intensity * memory) : peak;
}

/* Cycles that LANES lanes take for so many warp instructions of a warp. */
static double of_lanes(double insts, double lanes)
{
    return 32 * insts / lanes;
}

static void set_units(double terms[static ESTIMATE_RESOURCES],
                      const struct estimate_device *device, const double *units, double warps)
{
    double whole = units[TRACE_UNIT_INT] + units[TRACE_UNIT_ALU];
    double cuda = units[TRACE_UNIT_FP32] + (device->lanes_int < device->cuda_cores ? 0 : whole);
    terms[RESOURCE_CUDA] = of_lanes(cuda / warps, device->cuda_cores);
    terms[RESOURCE_INT] = of_lanes(whole / warps, device->lanes_int);
    terms[RESOURCE_FP16] = of_lanes(units[TRACE_UNIT_FP16] / warps, device->lanes_fp16);
    terms[RESOURCE_FP64] = of_lanes(units[TRACE_UNIT_FP64] / warps, device->lanes_fp64);
    terms[RESOURCE_SFU] = of_lanes(units[TRACE_UNIT_SFU] / warps, device->lanes_sfu);
    terms[RESOURCE_TENSOR] = of_lanes(units[TRACE_UNIT_TENSOR] / warps, device->lanes_tensor);
    terms[RESOURCE_BRANCH] = of_lanes(units[TRACE_UNIT_BRANCH] / warps, device->lanes_branch);
    terms[RESOURCE_LSU] = of_lanes(units[TRACE_UNIT_MEMORY] / warps, device->lanes_memory);
}

static void set_terms(double terms[static ESTIMATE_RESOURCES],
                      const struct estimate_device *device, const struct estimate_work *work,
                      double warps)
{
    const struct estimate_traffic *traffic = &work->traffic;
    double sector = 32 / warps; /* bytes a warp for each sector */
    terms[RESOURCE_ISSUE] = work->insts / warps / device->schedulers;
    set_units(terms, device, work->units, warps);
    terms[RESOURCE_SHARED] = work->shared_passes / warps;
    terms[RESOURCE_L1] = sector * traffic->l1 / device->l1_bytes;
    terms[RESOURCE_PORT] = sector * traffic->l2 / device->sm_bytes;
    terms[RESOURCE_L2] = sector * traffic->l2 * device->sms / device->l2_bytes;
    terms[RESOURCE_MEMORY] = sector * traffic->memory / equation_memory_bandwidth(device);
}

/* The SM with most blocks; L2 and memory are shared, their terms hold for all SMs together. */
static void set_cycles(struct launch_estimate *estimate, const struct estimate_device *device,
                       const struct estimate_work *work, double block_warps, double places)
{
    double most = ceil(work->blocks / device->sms);
    double cycles = fmax(most / places, 1) * estimate->latency;
    estimate->limit = RESOURCE_LATENCY;
    for (int r = RESOURCE_ISSUE; r < ESTIMATE_RESOURCES; r++) {
        bool common = r == RESOURCE_L2 || r == RESOURCE_MEMORY;
        double warps = common ? estimate->warps / device->sms : most * block_warps;
        if (warps * estimate->terms[r] <= cycles)
            continue;
        cycles = warps * estimate->terms[r];
        estimate->limit = (enum estimate_resource)r;
    }
    estimate->cycles = cycles + device->latency_launch;
}

static void set_roofline(struct launch_estimate *estimate, const struct estimate_device *device,
                         const struct estimate_work *work)
{
    double bytes = 32 * work->traffic.memory;
    estimate->intensity = bytes > 0 ? work->thread_insts / bytes : 0;
    double done = estimate->seconds > 0 ? work->thread_insts / estimate->seconds : 0;
    estimate->reach = done / estimate_roofline(device, estimate->intensity);
}

int launch_estimate_make(struct launch_estimate *estimate, const struct estimate_device *device,
                         const struct estimate_work *work, double occupancy, double lambda,
                         struct error *err)
{
    double block_warps = ceil(work->block_threads / 32);
    double places =
        estimate_device_blocks(device, (uint32_t)work->block_threads, work->regs, work->shmem);
    memset(estimate, 0, sizeof *estimate);
    if (places == 0 && occupancy == 0)
        return error_set(err, ERROR_USAGE, NULL, 0, 0,
                         "a block of %g threads, %u registers a thread and %u bytes of shared "
                         "memory does not fit on an SM of %s",
                         work->block_threads, work->regs, work->shmem, device->name);
    if (occupancy > 0)
        places = fmax(occupancy / block_warps, 1e-9);
    estimate->warps = equation_warps(work->blocks, work->block_threads);
    estimate->occupancy = places * block_warps;
    estimate->latency = work->latency + device->latency_block;
    set_terms(estimate->terms, device, work, estimate->warps);
    for (int r = RESOURCE_ISSUE; r < ESTIMATE_RESOURCES; r++)
        estimate->largest = fmax(estimate->largest, estimate->terms[r]);
    estimate->rate =
        equation_warp_rate(estimate->occupancy, estimate->latency, 1 / estimate->largest, NULL);
    estimate->terms[RESOURCE_LATENCY] = estimate->latency / estimate->occupancy;
    double clock = device->sm_clock * 1e6;
    estimate->equation =
        equation_kernel_seconds(device, estimate->warps, estimate->rate, 1) * clock;
    set_cycles(estimate, device, work, block_warps, places);
    estimate->seconds = estimate->cycles / (clock * lambda);
    set_roofline(estimate, device, work);
    return 0;
}
