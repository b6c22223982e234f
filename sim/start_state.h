/* Whose turn it is when a launch starts, among the block scheduler's clusters, the crossbars'
 * inputs, and the SMs' schedulers and warps; and which DRAM rows are open. In a new simulator
 * all SMs have the same turn and stay in step: 16 blocks that read what L2 holds were 10 %
 * slower that way than after other launches. Turns are therefore scattered by pseudo-random
 * numbers, which are the same in every run:
 *
 *   - before a launch whose caches were filled without timing (sim_functional(),
 *     sim_restore()): as other work would have left them, unless -hearth_scatter_turns 0;
 *   - with -hearth_start_phase P above 0, before every launch: P cycles after a cycle in which
 *     all clocks tick (if one comes within 2 million), and with memory at rest. Launches of two
 *     runs with the same P then differ only in what the caches hold. How much P matters is the
 *     noise below which two results count as the same. */
#ifndef HEARTH_SIM_START_STATE_H
#define HEARTH_SIM_START_STATE_H

#include <stdint.h>

struct sim;

/* Call it before launch number LAUNCH of the workload. Without a phase it does nothing unless
 * the caches were filled without timing and memory is at rest. */
void start_state_take_turns(struct sim *sim, uint64_t launch);

/* Before a functional launch: with a phase, the block scheduler stands where it does before a
 * timed launch of this number. */
void start_state_place(struct sim *sim, uint64_t launch);

#endif
