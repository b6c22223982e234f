/* A memory partition: a DRAM channel and the L2 slices in front of it, with
 * the arbitration between them.
 *
 * Partitions talk with the rest only through slice_push() and through partition_replies(), so
 * that one can run ahead of the SMs by the delay in front of L2.
 *
 * Cycles are those of the core. L2 and DRAM have ticks of their own, found by
 * integer arithmetic; a core cycle sees the L2 ticks since the one before, and
 * each L2 tick the DRAM ticks before it. */
#ifndef HEARTH_SIM_MEMORY_PARTITION_H
#define HEARTH_SIM_MEMORY_PARTITION_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "sim/memory/dram/dram.h"
#include "sim/memory/slice.h"

#define PARTITION_MAX_SLICES 16
#define PARTITION_MAX_WINDOW 128 /* cycles */
#define PARTITION_HISTORY    256 /* cycles that are remembered: two windows */

struct partition_spec {
    uint32_t number; /* of the channel */
    uint32_t slices;
    uint32_t latency;        /* -dram_latency: core cycles in front of the DRAM queue */
    uint32_t shared_credits; /* requests in the channel beyond one a slice; 0 = no limit */
    uint64_t core_hz, dram_hz, l2_hz; /* clocks as a ratio of integers */
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
    uint64_t tick;                  /* DRAM ticks done */
    uint64_t l2_tick, before, rest; /* an L2 tick, the DRAM ticks before it, and the remainder
                                     * of that division */
    uint64_t ticks_each, rest_each; /* DRAM ticks in an L2 tick, and the remainder */
    bool borrow_stuck;              /* nothing has changed since no slice's request could go */
    uint64_t end;                   /* cycles before it have been run */
    /* Of the last cycles, by their number modulo PARTITION_HISTORY: in which a slice took no
     * packet. Those of earlier windows may be read while the partition runs. */
    _Atomic uint64_t blocked[PARTITION_MAX_SLICES][PARTITION_HISTORY / 64];
    /* Of the last two runs, in turn: their cycles in which the channel was awake. */
    struct partition_log {
        uint64_t cycle;
        /* What the channel had counted before it, modulo 2^32. */
        uint32_t activates, precharges, row_hits, row_misses, read_bytes, write_bytes;
    } log[2][PARTITION_MAX_WINDOW];
    uint32_t log_count[2];
    uint32_t log_at;     /* that of the last run */
    uint64_t active_end; /* cycle behind the last in which something moved */
    struct queue replies[PARTITION_MAX_SLICES]; /* of each slice, see partition_replies() */
};

/* Returns false when memory is short. */
bool partition_init(struct partition *partition, const struct partition_spec *spec,
                    const struct slice_spec *slice, const struct sim_cache_config *l2,
                    const struct dram_spec *dram);
void partition_finish(struct partition *partition);
void partition_reset(struct partition *partition);

/* From now on events are counted by launch, too: SLOTS of DRAM's, and as many of each slice's,
 * one slice after the other. */
void partition_share(struct partition *partition, struct dram_stats *dram,
                     struct cache_stats *l2, uint32_t slots);

/* Runs cycles FROM up to END (not included; at most PARTITION_MAX_WINDOW). */
void partition_run(struct partition *partition, uint64_t from, uint64_t end);

/* The replies of slice SLICE (0..) in their order; ready: when they enter the reply crossbar.
 * Between two runs the caller takes them off. */
static inline struct queue *partition_replies(struct partition *partition, uint32_t slice)
{
    return &partition->replies[slice];
}

/* SLICE (0..) has the next turn to send DRAM a request. */
void partition_set_turn(struct partition *partition, uint32_t slice);

/* With nothing on its way in it: goes back to the beginning of cycle NOW, behind the last in
 * which something moved. */
void partition_rewind(struct partition *partition, uint64_t now);

/* True when slice SLICE (0..) took no packet from the crossbar in CYCLE, one of the last
 * PARTITION_HISTORY that were run. */
static inline bool partition_blocked(const struct partition *partition, uint32_t slice,
                                     uint64_t cycle)
{
    uint64_t word = atomic_load_explicit(
        &partition->blocked[slice][cycle % PARTITION_HISTORY / 64], memory_order_relaxed);
    return word >> (cycle % 64) & 1;
}

/* With HURRY, writes in DRAM's separate queue do not wait for more of them. */
void partition_hurry(struct partition *partition, bool hurry);

/* What the channel had counted before cycle END: one of the last two runs, or behind them. */
struct dram_stats partition_dram(const struct partition *partition, uint64_t end);

/* True while anything is on its way in it. */
bool partition_busy(const struct partition *partition);

#endif
