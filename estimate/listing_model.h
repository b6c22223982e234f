/* The analytical model of a listing, as the paper (equations.h) makes it by hand: the execution
 * graph's critical path, and the counts of instructions, issue slots and bytes of a warp.
 *
 * The graph: an instruction issues a latency_ilp after the one before it (0 in a pair), and not
 * before the results that it reads; a branch or EXIT delays the next one. A loop is one node:
 * it begins when all is there that it reads, takes its iterations one after the other, and what
 * follows it begins when it has ended. */
#ifndef HEARTH_ESTIMATE_LISTING_MODEL_H
#define HEARTH_ESTIMATE_LISTING_MODEL_H

#include "estimate/equations.h"
#include "estimate/listing.h"

/* A number that grows with the iterations of the only loop: once + each * iterations. With
 * several loops, `each` is 0 and `once` has all. */
struct listing_count {
    double once, each;
};

/* The latency bound and what it consists of, in cycles. */
struct listing_latency {
    double instructions, memory, block; /* outside of loops */
    struct listing_count bound;
};

struct listing_model {
    struct listing_latency latency;
    struct listing_count cuda; /* INS_CUDA */
    struct listing_count all;  /* instructions */
    struct listing_count pairs;
    struct listing_count memory; /* instructions that access global or local memory */
    struct listing_count bytes;  /* GMem_bytes */
    double once_pairs;           /* pairs of the listing, each counted once */
};

/* TRIPS: iterations of each loop of LISTING, in the order of listing.loops; TRIP_COUNT, at
 * least 1: the last one holds for the loops after it. */
void listing_model_make(struct listing_model *model, const struct listing_code *listing,
                        const struct estimate_device *device, const double *trips,
                        size_t trip_count);

static inline double listing_count_at(struct listing_count count, double trip)
{
    return count.once + count.each * trip;
}

/* INS_issued by the paper's rule, a pair is one issue; as its text has it, with all pairs taken
 * off what is outside of loops; and as its listing 5 has it, without pairs. */
struct listing_count listing_issued(const struct listing_model *model);
struct listing_count listing_issued_text(const struct listing_model *model);
struct listing_count listing_issued_listing5(const struct listing_model *model);

#endif
