#include "tools/sweep/spec/launcher_parts.h"

#include <inttypes.h>
#include <stdio.h>
#include <strings.h>

#include "traces/base/number.h"

/* Address maps in which a channel has so many bytes in a row. */
#define MAP(bit, low)                                                                          \
    "gpgpu_mem_addr_mapping=dramid@" bit                                                       \
    ";00000000.00000000.00000000.00000000.0000RRRR.RRRRRRRR." low

static const struct {
    const char *name;
    const char *values[4]; /* NAME=VALUE */
} parts[] = {
    {"SASS", {NULL}}, /* all traces are */
    {"CONCURRENT", {"gpgpu_concurrent_kernel_sm=1"}},
    {"MULTI_KERNEL", {"gpgpu_concurrent_kernel_sm=1"}},
    {"L1ON", {"gpgpu_gmem_skip_L1D=0"}},
    {"L1OFF", {"gpgpu_gmem_skip_L1D=1"}},
    {"FLUSHL1", {"gpgpu_flush_l1_cache=1"}},
    {"COPYK", {"gpgpu_perf_sim_memcpy=1"}},
    {"NCOPYK", {"gpgpu_perf_sim_memcpy=0"}},
    {"LOCALXBAR", {"network_mode=2", "icnt_in_buffer_limit=512", "icnt_out_buffer_limit=512"}},
    {"LINEAR", {"gpgpu_memory_partition_indexing=0"}},
    {"XOR", {"gpgpu_memory_partition_indexing=1"}},
    {"IPOLY", {"gpgpu_memory_partition_indexing=2"}},
    {"RR", {"gpgpu_scheduler=lrr"}},
    {"GTO", {"gpgpu_scheduler=gto"}},
    {"FRFCFS", {"gpgpu_dram_scheduler=1"}},
    {"FCFS", {"gpgpu_dram_scheduler=0"}},
    {"32B", {MAP("5", "RBBBCCCC.BCCSSSSS")}},
    {"128B", {MAP("7", "RBBBCCCC.BCCSSSSS")}},
    {"256B", {MAP("8", "RBBBCCCB.CCCSSSSS")}},
};
#define PARTS (sizeof parts / sizeof parts[0])

/* ---- numbers ---- */

static int add(struct sweep_spec *spec, struct sweep_names *values, const char *text,
               struct error *err)
{
    return sweep_spec_add(spec, values, text) ? 1 : error_no_memory(err);
}

/* SMs are changed by their clusters. */
static int add_sms(struct sweep_spec *spec, struct sweep_names *values,
                   const struct sim_config *card, uint64_t number, struct error *err)
{
    char text[64];
    uint32_t each = card->options.gpgpu_n_cores_per_cluster;
    if (number == 0 || number % each != 0)
        return error_set(err, ERROR_USAGE, NULL, 0, 0,
                         "the card has clusters of %" PRIu32 " SMs: %" PRIu64
                         "SM is no multiple",
                         each, number);
    snprintf(text, sizeof text, "gpgpu_n_clusters=%" PRIu64, number / each);
    return add(spec, values, text, err);
}

/* The clock of SMs, interconnect and L2; that of DRAM stays the card's. */
static int add_clock(struct sweep_spec *spec, struct sweep_names *values,
                     const struct sim_config *card, uint64_t number, struct error *err)
{
    char text[160];
    snprintf(text, sizeof text, "gpgpu_clock_domains=%" PRIu64 ":%" PRIu64 ":%" PRIu64 ":%.17g",
             number, number, number, card->dram_mhz);
    return add(spec, values, text, err);
}

static int add_limit(struct sweep_spec *spec, struct sweep_names *values, uint64_t insts,
                     struct error *err)
{
    char text[64];
    snprintf(text, sizeof text, "gpgpu_max_insn=%" PRIu64, insts);
    return add(spec, values, text, err);
}

static int add_billions(struct sweep_spec *spec, struct sweep_names *values,
                        const struct sim_config *card, uint64_t number, struct error *err)
{
    return add_limit(spec, values, number * 1000000000, err);
}

static int add_millions(struct sweep_spec *spec, struct sweep_names *values,
                        const struct sim_config *card, uint64_t number, struct error *err)
{
    return add_limit(spec, values, number * 1000000, err);
}

/* Parts that begin with a number. */
static const struct {
    const char *unit;
    int (*add)(struct sweep_spec *spec, struct sweep_names *values,
               const struct sim_config *card, uint64_t number, struct error *err);
} numbers[] = {
    {"SM", add_sms},
    {"MHZ", add_clock},
    {"B_INSN", add_billions},
    {"M_INSN", add_millions},
};
#define NUMBERS (sizeof numbers / sizeof numbers[0])

/* ---- all ---- */

int launcher_parts_add(struct sweep_spec *spec, struct sweep_names *values,
                       const struct sim_config *card, const char *part, struct error *err)
{
    uint64_t number;
    const char *unit = part;
    for (size_t i = 0; i < PARTS; i++) {
        if (strcasecmp(parts[i].name, part) != 0)
            continue;
        for (size_t v = 0; parts[i].values[v] != NULL; v++)
            if (!sweep_spec_add(spec, values, parts[i].values[v]))
                return error_no_memory(err);
        return 1;
    }
    if (!number_next(&unit, 1000000, &number))
        return 0;
    for (size_t i = 0; i < NUMBERS; i++)
        if (strcasecmp(numbers[i].unit, unit) == 0)
            return numbers[i].add(spec, values, card, number, err);
    return 0;
}
