/* Which sectors the launches of a workload have touched, for lower bounds: how often in this
 * launch, and whether before. */
#ifndef HEARTH_SIM_BOUNDS_TOUCHED_H
#define HEARTH_SIM_BOUNDS_TOUCHED_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The sectors of a line of 128 bytes, a bit each. */
struct touched_sectors {
    uint64_t number; /* address / 128 + 1; 0: empty */
    uint32_t launch; /* the last one that touched it: all masks but `before` are of that */
    uint32_t block;  /* the last one of that launch */
    uint32_t order;  /* lines that the launch had touched when it touched this one last */
    uint32_t warp;   /* the last one of that block */
    uint32_t reader; /* the last block that touched_arrival() was called for */
    uint8_t before;  /* touched by an earlier launch or a copy, and perhaps still in L2 */
    uint8_t any;     /* by this launch */
    uint8_t read, written;
    uint8_t read_first;          /* its first access read, ... */
    uint8_t loaded_first;        /* ... and did nothing else */
    uint8_t here, in_warp;       /* by `block`, by `warp` */
    uint8_t blocks, warps;       /* by several */
    uint8_t l2_blocks, l2_warps; /* what L2 fetches with it: by several */
    uint8_t seen;                /* by `reader` */
    uint32_t there[4];           /* when it is in the SM of `reader`, from the block's begin */
    uint32_t atomics[4]; /* for how long the launch's atomics keep an L2 slice busy, in parts of
                            its ticks (sim/memory/atomic_unit.h) */
};

struct touched_range {
    uint64_t first, last; /* addresses */
    uint32_t launch;      /* the one before the last copy */
};

/* A region of memory that the MMU has translated (sim/memory/page_walks.h). */
struct touched_region {
    uint64_t number; /* address / bytes of a region */
    uint32_t launch; /* the first one that touched it */
};

struct touched {
    uint64_t reach; /* a line is no longer in L2 when one launch has touched so many others
                       since; 0: never. Set by the caller */
    struct touched_sectors *lines;
    size_t count, capacity; /* a power of two */
    uint32_t launch;        /* number of the current one, from 1 */
    uint32_t *sizes;        /* lines of launch number I; then, of the largest from there on */
    uint32_t *largest;
    size_t size_capacity;
    struct touched_range *ranges; /* that copies wrote, by address, apart from each other */
    size_t range_count, range_capacity;
    struct touched_region *regions;                    /* by number */
    size_t region_count, region_capacity, region_last; /* the last: of the line before */
    uint64_t region_bytes; /* 0: regions are not noted. Set by the caller */
    bool translated;       /* this launch touches a region that another one has touched */
    uint32_t most_atomics; /* the largest of `atomics` in this launch */
    uint32_t fetch;        /* bytes of the blocks that L2 fetches. Set by the caller */
    bool unseen;     /* so does what nothing touched: others may have written it. Set by the
                        caller */
    bool filled;     /* L2 had anything when a launch began. Set by the caller */
    bool all_before; /* in this launch everything counts as touched before, and as in L2. Set by
                        the caller */
};

/* What the current launch touches, in sectors. */
struct touched_totals {
    uint64_t from_l2;    /* read before the launch can have written it, so that an empty L1 gets
                            it from L2: not written, or by the only warp that touches it */
    uint64_t read_first; /* whose first access reads */
    uint64_t fetched;    /* of these, in fetch blocks of which nothing was touched before */
    uint64_t read, written;
};

void touched_finish(struct touched *touched);
/* Returns false if memory is short. */
bool touched_next_launch(struct touched *touched);
/* Returns false if memory is short. */
bool touched_copy(struct touched *touched, uint64_t address, uint64_t bytes);

/* An instruction of warp WARP of block BLOCK reads or writes (or both) the COUNT SECTORS,
 * numbers of 32 bytes, each once. All instructions of a block, and of a warp in it, follow each
 * other. Returns false if memory is short. */
bool touched_add(struct touched *touched, uint32_t block, uint32_t warp,
                 const uint64_t *sectors, unsigned count, bool reads, bool writes);
void touched_count(const struct touched *touched, struct touched_totals *totals);

/* A block that reads; its accesses come in the order of the earliest cycles that they can issue
 * in. */
struct touched_reader {
    uint32_t block;    /* from 1 */
    bool single;       /* no other block of the launch is in its SM */
    uint32_t l2, dram; /* cycles from issue until data of that level are in the SM, at least */
    uint32_t port;     /* sectors that the SM gets in a cycle */
};

/* After touched_add() of all instructions of the launch, which begins with an empty L1: an
 * access to SECTORS that issues in cycle NOW, counted from the begin of READER. Returns the
 * cycle before which its data cannot all be in the SM; 0: they may be in L1.
 *
 * A sector that only this block touches, or whose SM has only this block, comes to the SM with
 * the block's first access to it; if only this block touches what L2 fetches with it, and
 * nothing else as far as L2 reaches back, it comes from DRAM. In a launch that gives no SM a
 * second block, other blocks may have asked DRAM for it at the launch's begin, at the earliest.
 * Who is first is not known where
 * one of several warps writes. */
uint64_t touched_arrival(struct touched *touched, const struct touched_reader *reader,
                         const uint64_t *sectors, unsigned count, bool store, uint64_t now);

/* An atomic on SECTOR, after touched_add() for it, that takes PARTS of ticks. */
void touched_atomic(struct touched *touched, uint64_t sector, uint32_t parts);

#endif
