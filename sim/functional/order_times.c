#include "sim/functional/order_times.h"

#include <string.h>

#include "sim/spec/spec.h"
#include "sim/stats/derived.h"

/* Cycles of a load around the latencies of L1, and from L1 to L2 and back, that are in no
 * option: queues and pipeline stages of the timing model. */
#define AROUND_L1 4
#define AROUND_L2 13
/* Chains of loads that miss take this much longer on top of DRAM's latency and its row: mean of
 * four cards. */
#define AROUND_DRAM 16
/* The share of what DRAM's pins could transfer that DRAM reaches when all SMs copy an array and
 * L2 replaces dirty lines: 0.95 on an RTX 3070, 0.88 on a V100, 0.69 on an A100, and 0.76 on an
 * H100, or 0.88 since its DRAM has pseudo channels. tests/sim/order_times.py measures this and
 * compares the times with the timing model. */
#define PINS 0.82

/* Until DRAM has opened a row and read a sector from it. */
static double row_cycles(const struct sim_config *config)
{
    const struct sim_options *options = &config->options;
    uint32_t transfer =
        options->gpgpu_dram_burst_length / options->dram_data_command_freq_ratio;
    return (config->dram.rcd + config->dram.cl + transfer) * config->core_mhz /
           config->dram_mhz;
}

/* The sectors that the queues between the tags of a channel's slices and its banks hold: of
 * misses, to DRAM, and of DRAM. */
static uint64_t after_tags(const struct spec *spec)
{
    uint64_t of_slice = (uint64_t)spec->config->l2.miss_queue + spec->slice.to_dram_max;
    return spec->slices / spec->channels * of_slice + spec->dram.queue_max;
}

/* The same of the queues of the slices before these tags. What the crossbar holds beyond that
 * is left out: with it, SMs run too far ahead where much is stored. */
static uint64_t before_tags(const struct spec *spec)
{
    return spec->slices / spec->channels * (uint64_t)spec->slice.in_max;
}

/* The time of SECTORS of SECTOR cycles each; without end if DRAM takes any number. */
static uint32_t queue_cycles(const struct spec *spec, uint64_t sectors, double sector)
{
    double cycles = (double)sectors * sector;
    return spec->dram.queue_max == 0 || cycles > UINT32_MAX ? UINT32_MAX : (uint32_t)cycles;
}

struct order_times order_times_of(const struct spec *spec)
{
    const struct sim_config *config = spec->config;
    const struct sim_options *options = &config->options;
    bool modern = strcmp(options->hearth_core, "modern") == 0;
    double sector = 32 * spec->channels / (PINS * sim_peaks_of(config).dram_bytes);
    struct order_times times = {
        .l1 = options->gpgpu_l1_latency + AROUND_L1,
        .l2 = options->gpgpu_l1_latency + options->gpgpu_l2_rop_latency + AROUND_L2 +
              options->hearth_l2_far_latency / 2,
        .port = spec->sm.port_sectors,
        .turns = modern && options->hearth_memory_turns,
        .sector = ORDER_TIMES_PARTS * sector > 1 ? (uint64_t)(ORDER_TIMES_PARTS * sector) : 1,
        .queue = queue_cycles(spec, after_tags(spec), sector),
        .before = queue_cycles(spec, after_tags(spec) + before_tags(spec), sector),
    };
    times.dram = times.l2 + options->dram_latency + AROUND_DRAM + (uint32_t)row_cycles(config);
    times.stored = modern || spec->sm.posts_stores ? 0 : times.l2;
    return times;
}
