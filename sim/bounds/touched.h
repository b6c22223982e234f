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
    uint32_t launch;   /* the last one that touched it: the masks from `more` on are of that */
    uint8_t before;    /* touched by an earlier launch or a copy */
    uint8_t any, more; /* by this launch: at all, by several instructions */
    uint8_t read, written;
    uint8_t read_first; /* its first access read */
};

struct touched_range {
    uint64_t first, last; /* addresses */
};

struct touched {
    struct touched_sectors *lines;
    size_t count, capacity; /* a power of two */
    uint32_t launch;
    struct touched_range *ranges; /* that copies wrote, by address, apart from each other */
    size_t range_count, range_capacity;
    bool all_before; /* everything counts as touched before */
};

/* What the current launch touches, in sectors. */
struct touched_totals {
    uint64_t read_only;  /* read and not written */
    uint64_t read_first; /* whose first access reads */
    uint64_t fetched;    /* of these, in fetch blocks of which nothing was touched before */
    uint64_t read, written;
};

void touched_finish(struct touched *touched);
void touched_next_launch(struct touched *touched);
/* Returns false if memory is short. */
bool touched_copy(struct touched *touched, uint64_t address, uint64_t bytes);

/* An instruction reads or writes (or both) the COUNT SECTORS, numbers of 32 bytes, each once.
 * Returns false if memory is short. */
bool touched_add(struct touched *touched, const uint64_t *sectors, unsigned count, bool reads,
                 bool writes);
/* FETCH: bytes of the blocks that L2 fetches. */
void touched_count(const struct touched *touched, uint32_t fetch,
                   struct touched_totals *totals);

/* After touched_add() of all instructions: whether one of the SECTORS that an instruction loads
 * is touched by no other one in this launch; *COLD: and, with what L2 fetches with it, by
 * nothing else ever. */
bool touched_alone(const struct touched *touched, const uint64_t *sectors, unsigned count,
                   uint32_t fetch, bool *cold);

#endif
