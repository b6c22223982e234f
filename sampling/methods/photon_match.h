/* What photon and photon-artifact share. Launches are visited in order. If the basic blocks of
 * a launch are like those of an earlier, simulated launch, it is assumed to have the same IPC;
 * otherwise it is simulated. Private to sampling. */
#ifndef HEARTH_SAMPLING_METHODS_PHOTON_MATCH_H
#define HEARTH_SAMPLING_METHODS_PHOTON_MATCH_H

#include "sampling/methods/gpu_bbv.h"
#include "sampling/sampling.h"

/* In what they differ. */
struct photon_rules {
    /* Adds COUNT executions of BLOCK by a warp to the vector of the warp's type. */
    void (*add)(double vector[static BBV_NUMBERS], const struct bbv_block *block, double count);
    double cores; /* launches with fewer warps match only launches with the same number */
};

/* Fills SELECTION, as struct sampling_method says. */
int photon_select(const struct sampling_input *input, const struct photon_rules *rules,
                  struct sampling *selection, struct error *err);

#endif
