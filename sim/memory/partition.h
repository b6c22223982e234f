/* A memory partition: a DRAM channel, its L2 slices, and the arbitration between them.
 *
 * Partitions communicate with the rest only through slice_push() and partition_replies(), so
 * that one can run ahead of the SMs by the delay before L2.
 *
 * Cycles are core cycles. L2 and DRAM have ticks of their own: a core cycle runs the L2 ticks
 * since the previous cycle, and each L2 tick the DRAM ticks since the previous one. */
#ifndef HEARTH_SIM_MEMORY_PARTITION_H
#define HEARTH_SIM_MEMORY_PARTITION_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "sim/memory/dram/dram.h"
#include "sim/memory/slice.h"
#include "sim/memory/ticker.h"

#define PARTITION_MAX_SLICES 16
#define PARTITION_MAX_WINDOW 128 /* cycles */
#define PARTITION_HISTORY    256 /* cycles that are kept: two windows */

struct partition_spec {
    uint32_t number, channels; /* of the channel; how many there are */
    uint32_t slices;
    uint32_t latency; /* -dram_latency: core cycles before the DRAM queue */
    uint32_t
        shared_credits; /* requests in the channel beyond one for each slice; 0: no limit */
    double core_hz, dram_hz, l2_hz;
    const struct address_table_map *places;
};

struct partition {
    struct partition_spec spec;
    struct slice slices[PARTITION_MAX_SLICES];
    struct dram dram;
    struct queue latency;                           /* ready: core cycle */
    uint32_t private_credits[PARTITION_MAX_SLICES]; /* taken, at most 1 each */
    uint32_t shared_credits;                        /* taken */
    uint32_t last_borrower;
    struct ticker core_clock, l2_clock, dram_clock;
    bool borrow_stuck; /* no slice could send a request, and nothing has changed since */
    uint64_t end;      /* cycles before it have been run */
    /* For the last cycles, modulo PARTITION_HISTORY: those in which a slice accepted no packet.
     * Cycles of earlier windows may be read while the partition runs. */
    _Atomic uint64_t blocked[PARTITION_MAX_SLICES][PARTITION_HISTORY / 64];
    /* For each of the last two runs: the cycles in which the channel was awake. */
    struct partition_log {
        uint64_t cycle;
        /* What the channel had counted before that cycle, modulo 2^32. */
        uint32_t activates, precharges, row_hits, row_misses, read_bytes, write_bytes;
    } log[2][PARTITION_MAX_WINDOW];
    uint32_t log_count[2];
    uint32_t log_at;     /* index of the last run */
    uint64_t active_end; /* the cycle after the last one in which something moved */
    struct queue replies[PARTITION_MAX_SLICES]; /* of each slice, see partition_replies() */
};

/* Returns false when memory is short. */
bool partition_init(struct partition *partition, const struct partition_spec *spec,
                    const struct slice_spec *slice, const struct sim_cache_config *l2,
                    const struct dram_spec *dram);
void partition_finish(struct partition *partition);
void partition_reset(struct partition *partition);

/* From now on events are also counted by launch: DRAM has SLOTS counters, and L2 as many for
 * each slice, slice by slice. */
void partition_share(struct partition *partition, struct dram_stats *dram,
                     struct cache_stats *l2, uint32_t slots);

/* Runs cycles FROM to END - 1, at most PARTITION_MAX_WINDOW. */
void partition_run(struct partition *partition, uint64_t from, uint64_t end);

/* The replies of slice SLICE (0..), oldest first; ready: the cycle in which they enter the
 * reply crossbar. The caller removes them between two runs. */
static inline struct queue *partition_replies(struct partition *partition, uint32_t slice)
{
    return &partition->replies[slice];
}

/* The search for the next request to DRAM begins after SLICE (0..). */
void partition_set_turn(struct partition *partition, uint32_t slice);

/* All clocks tick together in cycle NOW, the next one to run. Nothing may be in flight in the
 * partition. */
void partition_restart_clocks(struct partition *partition, uint64_t now);

/* Goes back to the beginning of cycle NOW, which is after the last one in which something
 * moved. Nothing may be in flight in the partition. */
void partition_rewind(struct partition *partition, uint64_t now);

/* True if slice SLICE (0..) accepted no packet from the crossbar in CYCLE, one of the last
 * PARTITION_HISTORY cycles. */
static inline bool partition_blocked(const struct partition *partition, uint32_t slice,
                                     uint64_t cycle)
{
    uint64_t word = atomic_load_explicit(
        &partition->blocked[slice][cycle % PARTITION_HISTORY / 64], memory_order_relaxed);
    return word >> (cycle % 64) & 1;
}

/* With HURRY, writes in the separate write queue of DRAM do not wait for more writes. */
void partition_hurry(struct partition *partition, bool hurry);

/* Counts a sector of code that the launch in SLOT has read from DRAM through SLICE before it
 * began. */
void partition_count_code(struct partition *partition, uint32_t slice, uint32_t slot);

/* What the channel had counted before cycle END, which is within the last two runs or after
 * them. */
struct dram_stats partition_dram(const struct partition *partition, uint64_t end);

/* True while anything is in flight in it. */
bool partition_busy(const struct partition *partition);

#endif
