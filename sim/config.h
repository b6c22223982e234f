/* Configurations: GPGPU-Sim option files as they are, and what the model
 * derives from them. Every option is one line of sim/config/options.def. */
#ifndef HEARTH_SIM_CONFIG_H
#define HEARTH_SIM_CONFIG_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "sim/config/options.h"
#include "traces/error.h"
#include "traces/inst.h"

/* A cache as its 15-field string says: KIND:SETS:LINE:WAYS,R:W:A:WA:SI,MSHR:N:M,QUEUE:FIFO,PORT */
struct sim_cache_config {
    bool sectored;           /* 'S'; 'N' has one sector a line */
    uint32_t sets;           /* power of two, or 3 x 2^n */
    uint32_t line;           /* bytes, 128 when sectored */
    uint32_t ways;
    char replacement;        /* 'L' least recently used, 'F' first in first out */
    char write_policy;       /* 'R' read only, 'B' write back, 'T' write through, 'E' write evict,
                              * 'L' write back for local, through for global */
    char allocate;           /* 'm' on miss, 'f' on fill, 's' streaming: on miss with unlimited MSHRs */
    char write_allocate;     /* 'N' no, 'W' write allocate, 'F' fetch on write, 'L' lazy fetch on read */
    char set_index;          /* 'L' linear, 'P' IPOLY, 'X' bitwise xor, 'H' Fermi hash, 'C' custom */
    char mshr_type;          /* 'A' associative, 'S' sector associative, 'F' and 'T' the texture kinds */
    uint32_t mshr_entries;
    uint32_t mshr_merge;     /* requests an entry can hold */
    uint32_t miss_queue;     /* entries; 0 = 1 */
    uint32_t port_width;     /* bytes a cycle of the data port; 0 = a line */
};

/* The -gpgpu_mem_addr_mapping string. */
struct sim_address_map {
    int chip_bit;            /* lowest bit of the chip number ("dramid@N"); -1: by mask */
    uint64_t chip, row, bank, column, burst; /* masks of address bits ('D','R','B','C','S') */
};

/* DRAM timing, in DRAM command cycles; names are those of the data sheets. */
struct sim_dram_timing {
    uint32_t banks, bank_groups;
    uint32_t ccd, rrd, rcd, ras, rp, rc, cl, wl, cdlr, wr, ccdl, rtpl;
};

/* A function unit kind. */
struct sim_unit_config {
    uint32_t latency, initiation; /* core cycles */
    uint32_t count;               /* of the SM; 0 = executes elsewhere (see unit_map) */
};

/* Everything that a configuration fixes. Const once made. */
struct sim_config {
    struct sim_options options;   /* each option's value, parsed but not interpreted */
    struct sim_cache_config l1d, l2;
    struct sim_address_map address_map;
    struct sim_dram_timing dram;
    double core_mhz, icnt_mhz, l2_mhz, dram_mhz;
    uint32_t shmem_sizes[16];     /* possible carve-outs, bytes, ascending */
    uint32_t shmem_size_count;
    uint32_t pipeline_width[13];  /* -gpgpu_pipeline_widths, in its order; missing ones are 1 */
    /* Latency and initiation interval by instruction class; a class that no
     * specialised unit of the configuration takes uses the integer pipeline. */
    struct sim_unit_config units[TRACE_UNIT_COUNT];
    /* Which -specialized_unit_N (1..8) executes the class; 0 = a plain unit. */
    uint8_t specialized[TRACE_UNIT_COUNT];
    char *echo;                   /* private: where each value came from */
};

/* Makes a configuration out of SOURCES in their order, the later one wins:
 * each a bundled name ("rtx3070") or the path of an option file; then SETS,
 * each "name=value" with the option's name without its dash. Bundled files
 * are compiled in. An option that is known but has no effect in this model is
 * told to NOTE (may be NULL) once. Returns NULL on error (ERROR_USAGE, with
 * file:line:column, and the nearest name for an unknown option). */
struct sim_config *sim_config_create(const char *const *sources, unsigned source_count,
                                     const char *const *sets, unsigned set_count,
                                     void (*note)(void *data, const char *text), void *data,
                                     struct error *err);
/* Accepts NULL. */
void sim_config_destroy(struct sim_config *config);

/* Writes the effective configuration as an option file that can be fed back:
 * every option, its value, and its unit and description as a comment. */
void sim_config_print(const struct sim_config *config, FILE *out);

#endif
