/* Which sectors the launches of a workload have touched, for lower bounds: how often in this
 * launch, and whether before. */
#ifndef HEARTH_SIM_BOUNDS_TOUCHED_H
#define HEARTH_SIM_BOUNDS_TOUCHED_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The sectors of a line of 128 bytes, a bit each. */
struct touched_sectors {
    uint64_t number;   /* address / 128 + 1; 0: empty */
    uint32_t launch;   /* the last one that touched it: all masks but `before` are of that */
    uint32_t block;    /* the last one of that launch */
    uint32_t order;    /* lines that the launch had touched when it touched this one last */
    uint8_t before;    /* touched by an earlier launch or a copy, and perhaps still in L2 */
    uint8_t any, more; /* by this launch: at all, by several instructions */
    uint8_t read, written;
    uint8_t read_first;  /* its first access read */
    uint8_t here, again; /* by `block`; by one block several times */
};

struct touched_range {
    uint64_t first, last; /* addresses */
    uint32_t launch;      /* the one before the last copy */
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
    bool unseen;     /* so does what nothing touched: others may have written it. Set by the
                        caller */
    bool all_before; /* everything counts as touched before, and as in L2 */
};

/* What the current launch touches, in sectors. */
struct touched_totals {
    uint64_t read_only;  /* read and not written */
    uint64_t read_first; /* whose first access reads */
    uint64_t fetched;    /* of these, in fetch blocks of which nothing was touched before */
    uint64_t read, written;
};

void touched_finish(struct touched *touched);
/* Returns false if memory is short. */
bool touched_next_launch(struct touched *touched);
/* Returns false if memory is short. */
bool touched_copy(struct touched *touched, uint64_t address, uint64_t bytes);

/* An instruction of block BLOCK, which has all instructions since the last call for another,
 * reads or writes (or both) the COUNT SECTORS, numbers of 32 bytes, each once. Returns false if
 * memory is short. */
bool touched_add(struct touched *touched, uint32_t block, const uint64_t *sectors,
                 unsigned count, bool reads, bool writes);
/* FETCH: bytes of the blocks that L2 fetches. */
void touched_count(const struct touched *touched, uint32_t fetch,
                   struct touched_totals *totals);

/* After touched_add() of all instructions: whether one of the SECTORS that an instruction loads
 * is touched by no other one in this launch, or, IN_BLOCK, of its block; *COLD: and, with what
 * L2 fetches with it, by nothing else as far as L2 reaches back. */
bool touched_alone(const struct touched *touched, const uint64_t *sectors, unsigned count,
                   uint32_t fetch, bool in_block, bool *cold);

#endif
