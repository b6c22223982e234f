/* What happened in the caches of instructions and constants of an SM. */
#ifndef HEARTH_SIM_CORE_CODE_CODE_STATS_H
#define HEARTH_SIM_CORE_CODE_CODE_STATS_H

#include <stdint.h>

struct code_stats {
    uint64_t fetches;         /* lookups in L0 */
    uint64_t l0_pending_hits; /* of them in L0, on their way */
    uint64_t l0_misses;       /* of them not in L0, in the stream buffer or not */
    uint64_t stream_hits;     /* of l0_misses in the stream buffer, there or on their way */
    uint64_t l1_requests;     /* of L0s and stream buffers */
    uint64_t l1_pending_hits; /* of them in L1, but later than a hit is answered */
    uint64_t l1_misses;
    uint64_t constant_lookups, constant_pending_hits, constant_misses; /* of lines */
};

#endif
