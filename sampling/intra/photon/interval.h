/* The interval model of "Photon" (section 4.1) for basic blocks that are too rare to be
 * measured: instructions issue in order, one a cycle, each once its registers are there. How
 * long results take is learnt from the instructions of the same type that were simulated, so
 * other warps need no model. Private to sampling/intra. */
#ifndef HEARTH_SAMPLING_INTRA_PHOTON_INTERVAL_H
#define HEARTH_SAMPLING_INTRA_PHOTON_INTERVAL_H

#include "sampling/intra/photon/code.h"
#include "sim/sim.h"

struct photon_latencies {
    struct {
        uint64_t count, cycles;
    } types[TRACE_INST_TYPES];
};

/* The cycles from issue to result of INST; of a type that was never simulated, those of L1 or
 * of the integer units in PLACES. */
double photon_latency(const struct photon_latencies *latencies, const struct sim_places *places,
                      const struct trace_inst *inst);

/* The cycles from the issue of the first instruction of RUN to that of the next basic block; if
 * the warp ends with it, to its last result. */
double photon_interval(const struct photon_latencies *latencies,
                       const struct sim_places *places, const struct photon_code *code,
                       const struct photon_run *run);

#endif
