/* The device that a configuration simulates. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "estimate/device.h"

/* Cycles that the pipelines add to the latencies that options give: from issue to a dependent
 * issue (legacy core); to a hit in L1 or shared memory; to a hit in L2, for the crossbar and
 * its queues; and to a miss there. The first two are constants of the timing model, the others
 * what pointer chases of the calibration program take beyond the options. */
#define PIPELINE_ALU    5
#define PIPELINE_MEMORY 4
#define PIPELINE_L2     43
#define PIPELINE_DRAM   60
/* Of the modern core, whose fixed latencies are its own (sim/core/modern/scoreboard.c). */
#define MODERN_ALU    4
#define MODERN_FP64   8
#define MODERN_TENSOR 24

static double lanes(const struct sim_config *config, enum trace_unit unit)
{
    const struct sim_unit_config *of = &config->units[unit];
    return of->initiation > 0 ? 32.0 * fmax(of->count, 1) / of->initiation : 32;
}

static void set_units(struct estimate_device *device, const struct sim_config *config)
{
    const struct sim_options *options = &config->options;
    const struct sim_unit_config *units = config->units;
    bool modern = strcmp(options->hearth_core, "modern") == 0;
    device->schedulers = options->gpgpu_num_sched_per_core;
    device->cuda_cores = lanes(config, TRACE_UNIT_FP32);
    device->lanes_int = lanes(config, TRACE_UNIT_INT);
    device->lanes_fp16 = lanes(config, TRACE_UNIT_FP16);
    device->lanes_fp64 = lanes(config, TRACE_UNIT_FP64);
    device->lanes_sfu = lanes(config, TRACE_UNIT_SFU);
    device->lanes_tensor = lanes(config, TRACE_UNIT_TENSOR);
    device->lanes_branch = lanes(config, TRACE_UNIT_BRANCH);
    if (modern && options->hearth_tensor_interval > 0)
        device->lanes_tensor =
            32.0 * units[TRACE_UNIT_TENSOR].count / options->hearth_tensor_interval;
    /* An SM takes one memory instruction in a cycle; that of the modern core makes addresses in
     * each sub-core. */
    device->lanes_memory =
        modern ? 32.0 * device->schedulers / options->hearth_address_interval : 32;
    device->latency_alu = modern ? MODERN_ALU : units[TRACE_UNIT_FP32].latency + PIPELINE_ALU;
    device->latency_fp64 = modern ? MODERN_FP64 : units[TRACE_UNIT_FP64].latency + PIPELINE_ALU;
    device->latency_sfu =
        modern ? options->hearth_special_latency : units[TRACE_UNIT_SFU].latency + PIPELINE_ALU;
    device->latency_tensor =
        modern ? MODERN_TENSOR : units[TRACE_UNIT_TENSOR].latency + PIPELINE_ALU;
    device->latency_branch_taken = modern ? options->hearth_branch_latency : PIPELINE_ALU;
    device->latency_branch_not_taken = 1;
    device->latency_ilp = 1;
}

static void set_limits(struct estimate_device *device, const struct sim_config *config)
{
    const struct sim_options *options = &config->options;
    device->threads = config->threads;
    device->blocks = options->gpgpu_shader_cta;
    device->registers = options->gpgpu_shader_registers;
    device->shared_memory = options->gpgpu_shmem_size;
    device->warp_registers = 128; /* the simulator rounds to 4 a thread */
    device->latency_block =
        options->hearth_block_start_latency + options->hearth_block_turnaround;
    device->latency_launch = options->gpgpu_kernel_launch_latency;
}

static void set_memory(struct estimate_device *device, const struct sim_config *config)
{
    const struct sim_options *options = &config->options;
    double dram_cycle = config->core_mhz / config->dram_mhz;
    device->memory_clock = config->dram_mhz;
    device->bus_width = 8.0 * options->gpgpu_n_mem * options->gpgpu_n_mem_per_ctrlr *
                        options->gpgpu_dram_buswidth;
    device->data_rate = options->dram_data_command_freq_ratio;
    device->l1_bytes = 32.0 * options->gpgpu_l1_banks;
    device->sm_bytes = options->hearth_sm_port;
    device->l2_bytes =
        (double)sim_config_slices(config) * 32 * config->l2_mhz / config->core_mhz;
    device->l2_size = (double)sim_config_l2_bytes(config);
    device->latency_shared = options->gpgpu_smem_latency + PIPELINE_MEMORY;
    device->latency_l1 = options->gpgpu_l1_latency + PIPELINE_MEMORY;
    device->latency_l2 = options->gpgpu_l2_rop_latency + PIPELINE_L2;
    device->latency_global = device->latency_l2 + options->dram_latency + PIPELINE_DRAM +
                             options->hearth_l2_far_latency / 2.0 +
                             (config->dram.rcd + config->dram.cl) * dram_cycle;
}

void estimate_device_of_config(struct estimate_device *device, const struct sim_config *config,
                               const char *name)
{
    memset(device, 0, sizeof *device);
    snprintf(device->name, sizeof device->name, "%s", name);
    device->sms = (double)sim_config_sms(config);
    device->sm_clock = config->core_mhz;
    set_units(device, config);
    set_limits(device, config);
    set_memory(device, config);
    device->pcie_bandwidth = 15.8; /* PCIe 3.0 x16, as the paper has it */
    device->lambda_in = device->lambda_out = device->lambda_kernel = 1;
}
