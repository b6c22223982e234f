/* The sampling units of "TBPoint" (section IV-B2): one lasts from the begin to the end of a
 * specified block, and the next block that begins after that is specified next. Private to
 * sampling/intra. */
#ifndef HEARTH_SAMPLING_INTRA_TBPOINT_UNITS_H
#define HEARTH_SAMPLING_INTRA_TBPOINT_UNITS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* How many warp instructions had been issued up to a cycle. */
struct unit_point {
    uint64_t cycle;
    double insts;
};

/* A zeroed one is before its first unit. */
struct sampling_units {
    struct unit_point *points; /* from the begin of the unit on; owned */
    size_t count, size;
    bool runs, ended;    /* a block is specified; it has ended */
    uint64_t block;      /* its number */
    uint64_t begin, end; /* its cycles */
    double ipc;          /* of the last unit; 0: none yet */
    double previous;     /* of the one before, likewise */
};

/* A block begins: it is specified if none is. */
void units_block_begins(struct sampling_units *units, uint64_t number, uint64_t cycle);
/* A block ended. */
void units_block_ended(struct sampling_units *units, uint64_t number, uint64_t cycle);
/* INSTS were issued up to CYCLE; calls come in order. Returns 1 if a unit is complete now, with
 * `ipc` and `previous` set; 0 if none is, -1 when memory is short. */
int units_pass(struct sampling_units *units, uint64_t cycle, double insts);
/* No unit runs, and no IPC is known: the next block that begins is specified. */
void units_restart(struct sampling_units *units);
void units_finish(struct sampling_units *units);

#endif
