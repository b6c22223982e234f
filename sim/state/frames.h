/* The block frames of L2: see sim_frames_create(). */
#ifndef HEARTH_SIM_STATE_FRAMES_H
#define HEARTH_SIM_STATE_FRAMES_H

#include <stdint.h>

#include "sim/sim.h"

/* SET of SLICE is accessed for the sector at ADDRESS. */
void frames_access(struct sim_frames *frames, uint32_t slice, uint32_t set, uint64_t address);

#endif
