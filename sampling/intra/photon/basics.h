/* The basic blocks of a launch, known by PC and length ("Photon", section 2), with what is
 * known of their times. Private to sampling/intra. */
#ifndef HEARTH_SAMPLING_INTRA_PHOTON_BASICS_H
#define HEARTH_SAMPLING_INTRA_PHOTON_BASICS_H

#include "sampling/intra/photon/window.h"

struct photon_basic {
    uint32_t pc, insts;
    double weight; /* instructions of the analysed warps in it */
    double model;  /* cycles by the interval model; negative: not yet */
    bool stable;   /* its times have been stable at least once */
    struct photon_window window;
};

/* A zeroed one is empty. */
struct photon_basics {
    struct photon_basic *items; /* owned */
    uint32_t count, capacity;
    uint32_t *slots; /* owned: numbers of items + 1 by hash, 2 x capacity of them; 0: free */
    double stable;   /* weight of those that are */
};

/* The basic block of INSTS instructions at PC, which is added if it is new. Holds until the
 * next call. NULL when memory is short. */
struct photon_basic *photon_basics_find(struct photon_basics *basics, uint32_t pc,
                                        uint32_t insts);
/* Adds the time of an execution of BASIC, one of BASICS. "Photon" accumulates the rate of
 * stable basic blocks: one that has been stable counts from then on, and only its mean goes on
 * to follow the last executions, as in the published simulator. Returns false when memory is
 * short.
 */
bool photon_basics_time(struct photon_basics *basics, struct photon_basic *basic,
                        struct photon_point time, double delta);
void photon_basics_finish(struct photon_basics *basics);

#endif
