#include "sim/config/derive.h"

#include <string.h>

#include "sim/config/fields.h"
#include "sim/packet.h"
#include "traces/base/visible.h"

#define MAX_MHZ   100000.0
#define MAX_QUEUE (1u << 20)

static int clocks(const struct build *build, struct sim_config *config)
{
    struct fields fields = fields_of(build, SIM_OPTION_gpgpu_clock_domains, 4);
    return fields_decimal(&fields, "core", MAX_MHZ, &config->core_mhz) < 0 ||
                   fields_separator(&fields, ':', "interconnect") < 0 ||
                   fields_decimal(&fields, "interconnect", MAX_MHZ, &config->icnt_mhz) < 0 ||
                   fields_separator(&fields, ':', "L2") < 0 ||
                   fields_decimal(&fields, "L2", MAX_MHZ, &config->l2_mhz) < 0 ||
                   fields_separator(&fields, ':', "DRAM") < 0 ||
                   fields_decimal(&fields, "DRAM", MAX_MHZ, &config->dram_mhz) < 0 ||
                   fields_end(&fields) < 0
               ? -1
               : 0;
}

static int slice_queues(const struct build *build, struct sim_config *config)
{
    static const char *const names[4] = {"interconnect to L2", "L2 to DRAM", "DRAM to L2",
                                         "L2 to interconnect"};
    struct fields fields = fields_of(build, SIM_OPTION_gpgpu_dram_partition_queues, 4);
    for (unsigned i = 0; i < 4; i++)
        if ((i > 0 && fields_separator(&fields, ':', names[i]) < 0) ||
            fields_u32(&fields, names[i], 1, MAX_QUEUE, &config->slice_queue[i]) < 0)
            return -1;
    return fields_end(&fields);
}

static int write_queue(const struct build *build, struct sim_config *config)
{
    struct fields fields = fields_of(build, SIM_OPTION_dram_write_queue_size, 3);
    if (fields_u32(&fields, "size", 1, MAX_QUEUE, &config->write_queue) < 0 ||
        fields_separator(&fields, ':', "high mark") < 0 ||
        fields_u32(&fields, "high mark", 1, config->write_queue, &config->write_queue_high) <
            0 ||
        fields_separator(&fields, ':', "low mark") < 0 ||
        fields_u32(&fields, "low mark", 1, config->write_queue_high, &config->write_queue_low) <
            0)
        return -1;
    return fields_end(&fields);
}

static int power_of_two(const struct build *build, enum sim_option option, uint32_t value)
{
    if ((value & (value - 1)) != 0)
        return build_fail(build, option, 0, "expected a power of two; got %u", value);
    return 0;
}

static int powers_of_two(const struct build *build, const struct sim_options *options)
{
    const struct {
        enum sim_option option;
        uint32_t value;
    } checks[] = {
        {SIM_OPTION_gpgpu_n_sub_partition_per_mchannel,
         options->gpgpu_n_sub_partition_per_mchannel},
        {SIM_OPTION_gpgpu_l1_banks, options->gpgpu_l1_banks},
        {SIM_OPTION_gpgpu_l1_banks_byte_interleaving,
         options->gpgpu_l1_banks_byte_interleaving},
        {SIM_OPTION_hearth_l2_fetch, options->hearth_l2_fetch},
        {SIM_OPTION_hearth_l2_write_grain, options->hearth_l2_write_grain},
        {SIM_OPTION_hearth_page_reach, options->hearth_page_reach},
    };
    for (size_t i = 0; i < sizeof checks / sizeof *checks; i++)
        if (power_of_two(build, checks[i].option, checks[i].value) != 0)
            return -1;
    return 0;
}

/* Parsed only if it is used: other files may hold anything. */
static int constant_cache(const struct build *build, struct sim_config *config)
{
    const enum sim_option option = SIM_OPTION_gpgpu_const_cache_l1;
    if (!config->options.hearth_const_cache)
        return 0;
    if (derive_cache(build, option, &config->l1c) < 0)
        return -1;
    return config->l1c.enabled
               ? 0
               : build_fail(build, option, 0, "no cache for -hearth_const_cache 1");
}

/* Options that name a policy. */
static int policies(const struct build *build)
{
    for (size_t i = 0; i < SIM_OPTION_COUNT; i++) {
        const struct policy *const *table = sim_option_policies(&sim_option_table[i]);
        char names[POLICY_NAMES], room[VISIBLE_SHORT];
        if (table != NULL && policy_find(table, build_text(build, (enum sim_option)i)) == NULL)
            return build_fail(build, (enum sim_option)i, 0, "expected %s; got '%s'",
                              policy_names(table, names, sizeof names),
                              visible_short(build_text(build, (enum sim_option)i), room));
    }
    return 0;
}

/* The longest line that L2 takes in pieces, as in the reference. */
#define WHOLE_LINE 128u

static void set_pieces(struct sim_cache_config *l1, const struct sim_cache_config *l2)
{
    uint32_t bytes = l1->line < WHOLE_LINE ? l1->line : WHOLE_LINE;
    l1->pieces = l2->sectored && !l1->sectored && l1->enabled ? bytes / SECTOR_BYTES : 1;
}

static int check_fetch(const struct build *build, const struct sim_cache_config *l2)
{
    const struct sim_options *options = &build->config->options;
    bool blocks = options->hearth_l2_fetch != SECTOR_BYTES;
    if ((!blocks && !options->hearth_load_prefetch) || (l2->sectored && l2->allocate == 'm'))
        return 0;
    return build_fail(build,
                      blocks ? SIM_OPTION_hearth_l2_fetch : SIM_OPTION_hearth_load_prefetch, 0,
                      "needs a sectored L2 that allocates on miss (gpgpu_cache:dl2 S and m)");
}

static int check_halves(const struct build *build, const struct sim_cache_config *l2)
{
    const struct sim_options *options = &build->config->options;
    if (options->hearth_l2_far_latency == 0)
        return 0;
    if (!l2->sectored || l2->allocate != 'm' || l2->write_policy != 'B')
        return build_fail(build, SIM_OPTION_hearth_l2_far_latency, 0,
                          "needs a sectored L2 that allocates on miss and writes back "
                          "(gpgpu_cache:dl2 S, m and B)");
    if (l2->ways < 2 || l2->mshr_entries < 2)
        return build_fail(build, SIM_OPTION_hearth_l2_far_latency, 0,
                          "needs an L2 of at least two ways and two MSHRs: for a line and its "
                          "copy (gpgpu_cache:dl2)");
    if (options->gpgpu_n_mem * options->gpgpu_n_sub_partition_per_mchannel % 2 != 0)
        return build_fail(build, SIM_OPTION_hearth_l2_far_latency, 0,
                          "needs an even number of L2 slices (gpgpu_n_mem)");
    return 0;
}

static int check_dirty(const struct build *build, const struct sim_cache_config *l2)
{
    const struct sim_options *options = &build->config->options;
    bool fits = l2->sectored && l2->allocate == 'm' && l2->write_policy == 'B';
    if (options->hearth_l2_dirty_ways != 0 && !fits)
        return build_fail(build, SIM_OPTION_hearth_l2_dirty_ways, 0,
                          "needs a sectored L2 that allocates on miss and writes back "
                          "(gpgpu_cache:dl2 S, m and B)");
    if (options->hearth_l2_dirty_kept != 0 &&
        (!fits || options->hearth_l2_dirty_kept > l2->sets * l2->ways))
        return build_fail(build, SIM_OPTION_hearth_l2_dirty_kept, 0,
                          "needs a sectored L2 of as many lines in a slice that allocates on "
                          "miss and writes back (gpgpu_cache:dl2 S, m and B)");
    return 0;
}

static int check_grain(const struct build *build, const struct sim_cache_config *l2)
{
    if (build->config->options.hearth_l2_grain_through && l2->miss_queue < 3)
        return build_fail(build, SIM_OPTION_hearth_l2_grain_through, 0,
                          "needs room for three in the miss queue of L2 (gpgpu_cache:dl2)");
    return 0;
}

/* What the options of Hearth add to L2. */
static int extend_l2(const struct build *build, struct sim_cache_config *l2)
{
    const struct sim_options *options = &build->config->options;
    const uint32_t port = options->hearth_l2_write_port;
    if (check_fetch(build, l2) < 0 || check_halves(build, l2) < 0 ||
        check_dirty(build, l2) < 0 || check_grain(build, l2) < 0)
        return -1;
    l2->fetch = options->hearth_l2_fetch;
    l2->prefetches = options->hearth_load_prefetch;
    l2->mask_cycles = options->hearth_l2_mask_write;
    l2->dirty_ways = options->hearth_l2_dirty_ways;
    if (options->hearth_l2_dirty_kept != 0)
        l2->dirty_kept = l2->sets * l2->ways / options->hearth_l2_dirty_kept;
    l2->write_grain = options->hearth_l2_write_grain;
    l2->grain_through = options->hearth_l2_grain_through;
    l2->whole_writes = options->hearth_dram_whole_writes;
    l2->write_cycles = port > 0 ? (SECTOR_BYTES + port - 1) / port : 0;
    return 0;
}

/* Requests of whole lines have several answers. */
static int check_merges(const struct build *build, const struct sim_cache_config *l1)
{
    if (build->config->options.hearth_l2_merge > 1 && l1->pieces > 1)
        return build_fail(build, SIM_OPTION_hearth_l2_merge, 0,
                          "needs a sectored L1 (gpgpu_cache:dl1 S)");
    return 0;
}

static int check_gpc_port(const struct build *build)
{
    const struct sim_options *options = &build->config->options;
    if (options->hearth_gpc_port % SECTOR_BYTES != 0)
        return build_fail(build, SIM_OPTION_hearth_gpc_port, 0,
                          "expected a multiple of %u; got %u", SECTOR_BYTES,
                          options->hearth_gpc_port);
    if ((uint64_t)options->hearth_gpcs * options->hearth_cpcs > 256)
        return build_fail(build, SIM_OPTION_hearth_cpcs, 0,
                          "there may be at most 256 of them in all; %u GPCs have %u each",
                          options->hearth_gpcs, options->hearth_cpcs);
    return 0;
}

/* Whether OPTION, of BYTES, is whole sectors; else the error is reported. */
static bool whole_sectors(const struct build *build, enum sim_option option, uint32_t bytes)
{
    if (bytes % SECTOR_BYTES == 0)
        return true;
    build_fail(build, option, 0, "expected a multiple of %u; got %u", SECTOR_BYTES, bytes);
    return false;
}

static int sm_port(const struct build *build, struct sim_cache_config *l1)
{
    const struct sim_options *options = &build->config->options;
    uint32_t bytes =
        options->hearth_l1_port != 0 ? options->hearth_l1_port : options->hearth_sm_port;
    if (!whole_sectors(build, SIM_OPTION_hearth_sm_port, options->hearth_sm_port) ||
        !whole_sectors(build, SIM_OPTION_hearth_l1_port, options->hearth_l1_port) ||
        !whole_sectors(build, SIM_OPTION_hearth_tma_store_bytes,
                       options->hearth_tma_store_bytes))
        return -1;
    l1->fill_sectors = bytes / SECTOR_BYTES;
    return 0;
}

static int check_refresh(const struct build *build)
{
    const struct sim_options *options = &build->config->options;
    uint32_t interval = options->hearth_dram_refresh_interval;
    if (interval == 0 || options->hearth_dram_refresh < interval)
        return 0;
    return build_fail(build, SIM_OPTION_hearth_dram_refresh, 0,
                      "must be less than -hearth_dram_refresh_interval, %u", interval);
}

int derive_config(struct build *build)
{
    struct sim_config *config = build->config;
    *config = (struct sim_config){.options = config->options};
    if (policies(build) < 0 || powers_of_two(build, &config->options) < 0 ||
        clocks(build, config) < 0 ||
        derive_cache(build, SIM_OPTION_gpgpu_cache_dl1, &config->l1d) < 0 ||
        derive_cache(build, SIM_OPTION_gpgpu_cache_dl2, &config->l2) < 0 ||
        derive_cache(build, SIM_OPTION_gpgpu_cache_il1, &config->l1i) < 0 ||
        constant_cache(build, config) < 0 ||
        derive_address_map(build, &config->address_map) < 0 || derive_half_runs(build) < 0 ||
        derive_half_bits(build) < 0 || derive_dram(build, &config->dram) < 0 ||
        slice_queues(build, config) < 0 || write_queue(build, config) < 0 ||
        check_refresh(build) < 0 || derive_sm(build) < 0 || derive_units(build) < 0)
        return -1;
    set_pieces(&config->l1d, &config->l2);
    return sm_port(build, &config->l1d) < 0 || check_gpc_port(build) < 0 ||
                   check_merges(build, &config->l1d) < 0
               ? -1
               : extend_l2(build, &config->l2);
}
