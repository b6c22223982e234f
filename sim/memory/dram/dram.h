/* A DRAM channel: banks, bank groups, row buffers, one command bus (or a row
 * and a column bus), a request scheduler, and the data pins' pipeline.
 *
 * Time is in DRAM command cycles (ticks). All constraints are kept as the
 * tick from which a command may be given, so that ticks in which nothing can
 * happen are skipped. */
#ifndef HEARTH_SIM_MEMORY_DRAM_DRAM_H
#define HEARTH_SIM_MEMORY_DRAM_DRAM_H

#include <stdbool.h>
#include <stdint.h>

#include "sim/config.h"
#include "sim/memory/dram/schedulers/dram_scheduler.h"
#include "sim/memory/queue.h"

#define DRAM_NONE      UINT32_MAX
#define DRAM_MAX_BANKS 64
#define DRAM_FAW       4  /* activates */
#define DRAM_WHEEL     64 /* slots, one a bit */

struct dram_spec {
    struct sim_dram_timing timing;
    uint32_t atom;      /* bytes that a column command transfers */
    uint32_t burst;     /* ticks for which a column command occupies the data pins */
    uint32_t rtw, wtr;  /* read to write, write to read: ticks between column commands */
    uint32_t wtp, rtp;  /* write, read to precharge */
    uint32_t rcdwr;     /* activate to write */
    uint32_t ccdr;      /* between column commands of the two stack IDs; 0: there is one */
    uint32_t queue_max; /* requests waiting for a bank; 0: no limit */
    uint32_t write_queue_max, write_high,
        write_low;                      /* of the separate write queue; 0: there is none */
    uint32_t return_max;                /* replies waiting for L2 */
    uint32_t refresh_interval, refresh; /* tREFI, tRFC: ticks; 0: no refresh */
    uint32_t close;     /* ticks without a column command after which a row closes; 0: never */
    uint32_t faw;       /* tFAW: ticks in which four rows may be activated; 0: no limit */
    bool refresh_banks; /* each bank refreshes by itself; else all at once */
    bool refresh_together; /* all channels at the same time; else one after the other */
    bool dual_bus;
    bool group_high_bits; /* bank group = high bits of the bank number, else low bits */
    const struct dram_scheduler *scheduler;
};

struct dram_request {
    struct packet packet;
    uint32_t row, bank;
    uint32_t bytes_left; /* that column commands have yet to transfer */
    uint32_t reads_left; /* bytes of a write that column commands have to read first */
    uint32_t prev, next; /* of the bank's queue, oldest first; next of the free list */
    uint64_t order;      /* of arrival */
};

/* What a bank needs next for its current request. */
enum dram_command { DRAM_ACTIVATE, DRAM_PRECHARGE, DRAM_READ, DRAM_WRITE, DRAM_COMMANDS };

struct dram_bank {
    uint32_t row;
    bool active;
    uint8_t group;
    uint8_t wants;                /* enum dram_command, while there is a current request */
    uint32_t current;             /* request being served, or DRAM_NONE */
    uint32_t first[2], last[2];   /* waiting requests: all (or reads), writes */
    uint32_t used;                /* tick of its last column command, modulo 2^32 */
    uint64_t refreshes;           /* that were due, as of its last request */
    uint64_t from[DRAM_COMMANDS]; /* earliest ticks for its commands: RP and RC; RAS, WTP
                                   * and RTP; RCD; RCD to write */
};

struct dram_stats {
    uint64_t reads, writes; /* sectors of 32 bytes */
    uint64_t read_bytes, write_bytes;
    uint64_t activates, precharges; /* commands */
    uint64_t row_hits,
        row_misses; /* requests, at the time at which their bank turned to them */
};

struct dram {
    struct dram_spec spec;
    uint64_t refresh_phase; /* ticks for which the channel is ahead in its refreshes */
    uint64_t refresh_from, refresh_passed; /* see dram_restart_refresh() */
    struct dram_bank *banks;
    struct dram_request *pool;
    uint32_t pool_count, free;
    void *state;                  /* of each bank, for the scheduler; NULL: none */
    uint64_t arrived;             /* requests so far */
    uint64_t activates[DRAM_FAW]; /* the last ticks of these, in turn, 0: none */
    uint32_t activate;            /* the turn of the next one */
    uint64_t from[DRAM_COMMANDS]; /* earliest ticks for commands of any bank: RRD; nothing; CCD
                                   * and WTR; CCD and RTW */
    uint64_t group_from[16][DRAM_COMMANDS]; /* and of the banks of a group: nothing; RTPL; CCDL;
                                             * CCDL */
    uint64_t groups_from[DRAM_COMMANDS];    /* the latest of those */
    uint32_t priority;                      /* bank to look at first */
    uint32_t pending, pending_writes;       /* waiting for a bank */
    uint64_t wake;                          /* tick before which nothing can happen */
    uint64_t busy;                          /* mask of banks with a current request */
    uint64_t ripe[DRAM_COMMANDS]; /* busy banks whose own timing allows the command that they
                                   * need next, by that command */
    /* The other busy banks, by the tick (modulo DRAM_WHEEL) from which it does. Banks whose
     * tick is more than DRAM_WHEEL - 1 ticks ahead are taken out earlier and put in again. */
    uint64_t wheel[DRAM_WHEEL];
    uint64_t wheel_slots;  /* mask of slots with banks */
    uint64_t wheel_tick;   /* slots up to this tick have been emptied */
    uint64_t groups[16];   /* mask of the banks of each group */
    uint64_t waiting[2];   /* masks of banks with waiting requests: all (or reads), writes */
    uint64_t next_command; /* tick before which no command can be given */
    bool write_drain;      /* separate write queue: writes are served now */
    bool hurry;        /* writes are served whenever no reads wait, whatever the marks say */
    struct queue pins; /* requests on the data pins: ready = tick they are done */
    struct queue returned; /* replies for L2 */
    struct dram_stats stats;
    struct dram_stats *shares; /* of each launch slot, only sectors and bytes, if several
                                * launches run at once; else NULL. Owned by the engine */
};

/* Returns false when memory is short. */
bool dram_init(struct dram *dram, const struct dram_spec *spec);
void dram_finish(struct dram *dram);
void dram_reset(struct dram *dram);

/* Counts BYTES, read for the launch in SLOT by what is not modelled. */
void dram_count_read(struct dram *dram, uint32_t slot, uint32_t bytes);

/* True if no request (of that kind) can be accepted. */
static inline bool dram_full(const struct dram *dram, bool write)
{
    const struct dram_spec *spec = &dram->spec;
    if (spec->queue_max == 0)
        return false;
    if (write && spec->write_queue_max != 0)
        return dram->pending_writes >= spec->write_queue_max;
    return dram->pending >= spec->queue_max;
}
/* Adds a request, which is considered from the next tick on. BYTES are transferred by column
 * commands of spec.atom bytes, those of sectors that packet_partial() names read first. */
void dram_push(struct dram *dram, const struct packet *packet, uint32_t bank, uint32_t row,
               uint32_t bytes);

/* False when nothing can happen in TICK. */
static inline bool dram_awake(const struct dram *dram, uint64_t tick)
{
    return tick >= dram->wake;
}

/* Something may happen from the next tick on. */
static inline void dram_wake(struct dram *dram)
{
    dram->wake = 0;
}

/* The first tick after TICK in which something can happen; UINT64_MAX: none. */
static inline uint64_t dram_next(const struct dram *dram, uint64_t tick)
{
    return dram_awake(dram, tick + 1) ? tick + 1 : dram->wake;
}

/* The oldest reply for L2; NULL: there is none. */
static inline const struct packet *dram_reply(const struct dram *dram)
{
    return dram->returned.count != 0 ? &queue_head(&dram->returned)->packet : NULL;
}

/* The request whose data leave the pins next; NULL: there is none. */
static inline const struct packet *dram_next_reply(const struct dram *dram)
{
    return dram->pins.count != 0 ? &queue_head(&dram->pins)->packet : NULL;
}

/* Takes the oldest reply off. */
static inline void dram_pop_reply(struct dram *dram)
{
    queue_pop(&dram->returned);
    dram_wake(dram); /* data on the pins may wait for its place */
}

/* Requests that wait for a bank. */
static inline uint32_t dram_waiting(const struct dram *dram)
{
    return dram->pending + dram->pending_writes;
}

/* True while any request is in it. */
static inline bool dram_busy(const struct dram *dram)
{
    return dram_waiting(dram) != 0 || dram->busy != 0 || dram->pins.count != 0 ||
           dram->returned.count != 0;
}

/* Sets BANK, which is idle, to have ROW open, or to have no open row. */
void dram_leave_row(struct dram *dram, uint32_t bank, bool open, uint32_t row);

/* With nothing to do, forgets when banks did what they did, but that it was before TICK.
 * Refreshes count anew, as if TICK were PASSED ticks after the first of all. */
void dram_restart_refresh(struct dram *dram, uint64_t tick, uint32_t passed);

/* Prefetches what its next ticks look at. */
void dram_prefetch(const struct dram *dram);

/* With HURRY, a separate write queue is served whenever no read waits, so that no write waits
 * for more writes. dram_reset() ends it. */
void dram_hurry(struct dram *dram, bool hurry);

/* Simulates TICK. Returns true if anything happened. *HAS_DONE: a write-back, *DONE, has been
 * written, so that its credit can be returned. */
bool dram_tick(struct dram *dram, uint64_t tick, struct packet *done, bool *has_done);

#endif
