/* Configurations: GPGPU-Sim option files as they are, and what the model
 * derives from them. Every option is one line of sim/config/options.def. */
#ifndef HEARTH_SIM_CONFIG_H
#define HEARTH_SIM_CONFIG_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "sim/config/options.h"
#include "traces/base/error.h"
#include "traces/inst.h"

struct cache_replacement;

/* A cache as its string of 15 fields says:
 * KIND:SETS:LINE:WAYS,REPLACE:WRITE:ALLOCATE:ON WRITE:INDEX,MSHR:ENTRIES:MERGE,QUEUE:FIFO,PORT
 * All zero when the string is "none". Letters are checked: no others occur. */
struct sim_cache_config {
    bool enabled;
    bool sectored;   /* 'S': sectors of 32 bytes; 'N': the line is one sector */
    uint32_t sets;   /* power of two; 32 or 64 when set_index is 'H' */
    uint32_t line;   /* bytes, power of two; 128 when sectored */
    uint32_t pieces; /* derived: packets in which the next level takes and answers a request for
                      * a line of this cache: several if it is sectored, and this one is not */
    uint32_t ways;   /* L1 with -gpgpu_adaptive_cache_config: of the whole unified memory */
    const struct cache_replacement *replacement; /* of sim/memory/replacement/ */
    char write_policy;   /* 'R' read only, 'B' write back, 'T' write through, 'E' write evict
                          * (a write that hits invalidates), 'L' write back for local memory,
                          * evict for global. Not 'B' with allocate 'f' or 's' */
    char allocate;       /* 'm' line reserved at the miss, 'f' when the fill arrives, 's'
                          * streaming: as 'f', but as 'm' in a launch that leaves the whole
                          * unified memory to L1 (-gpgpu_adaptive_cache_config 1) */
    char write_allocate; /* 'N' no, 'W' write and fetch the line, 'F' fetch on write unless the
                          * sector is written in full, 'L' write at once and fetch when read.
                          * Not 'F' or 'L' with allocate 'f' or 's' */
    char set_index; /* 'L' linear, 'P' IPOLY, 'X' xor, 'H' Fermi's hash, 'C' custom (set 0) */
    char mshr_type; /* 'A' by line, 'S' by sector, 'F' and 'T' the in-order queue of
                     * texture caches, by line and by sector */
    uint32_t mshr_entries;
    uint32_t mshr_merge;   /* requests that an entry can hold */
    uint32_t miss_queue;   /* entries: of a data cache at least 2, at least 3 where a write that
                            * misses is sent on and its line fetched; 0 where the string ends
                            * before it */
    uint32_t fifo;         /* results that wait in order, 'F' and 'T' alone */
    uint32_t port_width;   /* bytes a cycle of the data port, divides the line; never 0 */
    uint32_t fill_sectors; /* sectors that may arrive in a cycle; 0 and 1: as the port allows */
    uint32_t mask_cycles;  /* more of them for a write that has the mask of its line */
    uint32_t dirty_ways;   /* lines of a set that may be dirty; more are written back; 0: all */
    uint32_t dirty_kept;   /* lines that may be dirty when a launch begins; 0: all */
    uint32_t write_grain;  /* bytes, a power of two: writes of less fetch, under 'L' */
    bool grain_through;    /* these are also sent on */
    bool whole_writes;     /* write-backs say how many of their sectors are there in part */
    uint32_t write_cycles; /* of the data port for a written sector; 0: as for a read */
    bool prefetches;       /* loads say how much more is fetched: -hearth_load_prefetch */
    uint32_t fetch;        /* bytes of the block whose missing sectors a read miss fetches, a
                            * power of two; 0: only its own sector */
};

/* The -gpgpu_mem_addr_mapping string, or the built-in map of that number
 * (-gpgpu_mem_address_mask) where there is none. With chip_bit >= 0 the masks
 * apply to the address from which the channel number has been taken out: the
 * bits from chip_bit up are divided by the number of channels. */
struct sim_address_map {
    int chip_bit;    /* lowest bit of the channel number ("dramid@N"); -1: `chip` is a mask */
    uint64_t chip;   /* 'D' */
    uint64_t row;    /* 'R' */
    uint64_t bank;   /* 'B' */
    uint64_t column; /* 'C' and 'S' */
    uint64_t burst;  /* 'S' */
    int indexing;    /* how channels are spread: 0 plain, 1 xor, 2 IPOLY */
};

/* DRAM timing, in DRAM command cycles; names are those of the data sheets.
 * Without bank groups bank_groups is 1, ccdl and rtpl 0. */
struct sim_dram_timing {
    uint32_t banks;       /* divisible by bank_groups and by the L2 slices of a channel */
    uint32_t bank_groups; /* power of two */
    uint32_t ccd, rrd, rcd, ras, rp, rc, cl, wl, cdlr, wr, ccdl, rtpl;
};

/* The function unit that executes an instruction class. */
struct sim_unit_config {
    uint32_t latency, initiation; /* core cycles, at least 1 */
    uint32_t count;               /* units of the SM; 0: none, such an instruction cannot run */
};

/* One of -specialized_unit_1 .. 8. */
struct sim_special_unit {
    uint32_t count;               /* units of the SM; 0 when it is not enabled */
    uint32_t latency, initiation; /* of its -trace_opcode_latency_initiation_spec_op_N */
    uint32_t operand_width;       /* instructions between decode and operands */
    uint32_t issue_width;         /* instructions between operands and unit */
};

/* Places of the stages in pipeline_width. */
enum sim_pipeline_stage {
    SIM_STAGE_ID_SP,
    SIM_STAGE_ID_DP,
    SIM_STAGE_ID_INT,
    SIM_STAGE_ID_SFU,
    SIM_STAGE_ID_MEM,
    SIM_STAGE_EX_SP,
    SIM_STAGE_EX_DP,
    SIM_STAGE_EX_INT,
    SIM_STAGE_EX_SFU,
    SIM_STAGE_EX_MEM,
    SIM_STAGE_WRITE_BACK,
    SIM_STAGE_ID_TENSOR,
    SIM_STAGE_EX_TENSOR,
    SIM_STAGE_COUNT
};

#define SIM_SPECIAL_UNITS  8
#define SIM_MAX_CARVE_OUTS 16
#define SIM_MAX_HALF_RUNS  16

/* Everything that a configuration fixes. Const once made. */
struct sim_config {
    struct sim_options options; /* each option's value, parsed but not interpreted */
    struct sim_cache_config l1d, l2;
    struct sim_cache_config l1i; /* instruction cache */
    struct sim_cache_config l1c; /* constant cache; all zero unless -hearth_const_cache 1 */
    struct sim_address_map address_map;
    struct sim_dram_timing dram;
    uint32_t l2_half_runs[SIM_MAX_HALF_RUNS]; /* -hearth_l2_half_sms */
    uint32_t l2_half_run_count;
    uint64_t l2_half_bits; /* -hearth_l2_half_bits, as a mask; 0: lines take turns */
    double core_mhz, icnt_mhz, l2_mhz, dram_mhz;
    uint32_t threads, warp_size; /* threads of an SM, a multiple of the warp size; always 32 */
    uint32_t shmem_sizes[SIM_MAX_CARVE_OUTS]; /* possible carve-outs, bytes, ascending */
    uint32_t shmem_size_count;                /* 0 unless -gpgpu_adaptive_cache_config */
    uint32_t pipeline_width[SIM_STAGE_COUNT]; /* -gpgpu_pipeline_widths; missing ones are 1 */
    /* Queues of an L2 slice: interconnect to L2, L2 to DRAM, DRAM to L2, L2 to interconnect. */
    uint32_t slice_queue[4];
    uint32_t write_queue, write_queue_high, write_queue_low; /* -dram_write_queue_size */
    struct sim_special_unit special[SIM_SPECIAL_UNITS];      /* special[N - 1] */
    /* By instruction class; a class that no specialised unit of the
     * configuration takes uses the integer pipeline. */
    struct sim_unit_config units[TRACE_UNIT_COUNT];
    /* Which -specialized_unit_N (1..8) executes the class; 0 = a plain unit. */
    uint8_t specialized[TRACE_UNIT_COUNT];
};

/* SMs of the GPU, of all clusters. */
static inline uint64_t sim_config_sms(const struct sim_config *config)
{
    const struct sim_options *options = &config->options;
    return (uint64_t)options->gpgpu_n_clusters * options->gpgpu_n_cores_per_cluster;
}

/* L2 slices of all memory channels. */
static inline uint64_t sim_config_slices(const struct sim_config *config)
{
    const struct sim_options *options = &config->options;
    return (uint64_t)options->gpgpu_n_mem * options->gpgpu_n_sub_partition_per_mchannel;
}

/* Bytes that all slices hold together, also where L2 is switched off. */
static inline uint64_t sim_config_l2_bytes(const struct sim_config *config)
{
    return sim_config_slices(config) * config->l2.sets * config->l2.ways * config->l2.line;
}

/* Whether copies from the host fill L2; ON_DEVICE: what is written on the device outside of
 * launches. */
static inline bool sim_config_copies_fill(const struct sim_config *config, bool on_device)
{
    const struct sim_options *options = &config->options;
    return on_device ? options->hearth_device_copies : options->gpgpu_perf_sim_memcpy;
}

/* Makes a configuration out of SOURCES in their order, the later one wins:
 * each a bundled name ("rtx3070") or the path of an option file; then SETS,
 * each "name=value" with the option's name without its dash. Bundled files
 * are compiled in. The options that the caller's files and SETS give although
 * they have no effect in this model, or twice in a file, are told to NOTE (may
 * be NULL), all in one text. Returns NULL on error (ERROR_USAGE, with file:line:column, and
 * the nearest name for an unknown option). */
struct sim_config *sim_config_create(const char *const *sources, unsigned source_count,
                                     const char *const *sets, unsigned set_count,
                                     void (*note)(void *data, const char *text), void *data,
                                     struct error *err);
/* The same from TEXT, SIZE bytes of an option file that errors call NAME.
 * NAME's folder is where its "-config FILE" lines start from. */
struct sim_config *sim_config_parse(const char *name, const char *text, size_t size,
                                    void (*note)(void *data, const char *text), void *data,
                                    struct error *err);
/* Accepts NULL. */
void sim_config_destroy(struct sim_config *config);

/* Writes the effective configuration as an option file that can be fed back:
 * every option, its value, and its unit and description as a comment. */
void sim_config_print(const struct sim_config *config, FILE *out);

/* The value of OPTION as an option file would say it, without quotes. Lies in
 * BUFFER (of at least 24 bytes) or in the configuration. */
const char *sim_config_value(const struct sim_config *config,
                             const struct sim_option_info *option, char *buffer, size_t size);

/* A configuration that is compiled in: a file of sim/config/cards/, whose head says what is
 * told here. */
struct sim_bundled_config {
    const char *name, *description;
    const char *hardware; /* how it compares with the hardware */
    const char *text;     /* the option file */
    size_t size;
};
/* All of them; the last one's name is NULL. */
extern const struct sim_bundled_config sim_bundled_configs[];

#endif
