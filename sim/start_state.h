/* Whose turn it is when a launch starts: of the block scheduler's clusters, the crossbars'
 * inputs, the SMs' schedulers and warps; and which DRAM rows are open. A simulator that begins
 * has all SMs at the same turn, and they stay in step: 16 blocks that read what L2 holds were
 * 10 % slower so than behind other launches. So turns are scattered, by numbers that look like
 * chance and are always the same,
 *
 *   - in front of a launch whose caches were filled without time (sim_functional(),
 *     sim_restore()): as other work would have left them, unless -hearth_scatter_turns 0;
 *   - with -hearth_start_phase P above 0 in front of every launch, P cycles behind one in which
 *     all clocks tick (if one comes within 2 million), and with memory at rest. So launches of
 *     two runs with the same P differ by what the caches hold alone; and how much P matters is
 *     the noise below which two results are the same. */
#ifndef HEARTH_SIM_START_STATE_H
#define HEARTH_SIM_START_STATE_H

#include <stdint.h>

struct sim;

/* In front of launch number LAUNCH of the workload; without a phase nothing, unless memory is
 * at rest. */
void start_state_take_turns(struct sim *sim, uint64_t launch);

#endif
