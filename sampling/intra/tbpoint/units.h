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

/* Units in a row. A zeroed one has none. */
struct unit_window {
    uint64_t count;
    double insts, cycles;
    double last;    /* IPC of the last unit */
    double squares; /* of differences between units in a row, relative: halves, summed */
};

/* What may be simulated of a region, in epochs of blocks. */
struct unit_budget {
    double units; /* of a window, at least */
    double part;  /* of the region; 0: one window */
    double used;  /* simulated so far, the last two units among it */
    double left;  /* still to come */
    double each;  /* that a unit takes */
};

/* How a region is sampled. */
struct unit_plan {
    uint64_t units; /* of a window */
    double gap;     /* epochs between two windows; 0: there is one window */
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
/* Adds the last of UNITS. */
void unit_window_add(struct unit_window *window, const struct sampling_units *units);
double unit_window_ipc(const struct unit_window *window);
/* Windows for what may be simulated. If another window is too much, the first one gets it. */
struct unit_plan units_plan(const struct unit_budget *budget);
void units_finish(struct sampling_units *units);

#endif
