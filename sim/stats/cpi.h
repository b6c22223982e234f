/* CPI stacks: what became of each core cycle of each warp scheduler, by the classes of the
 * table cpi.def. The classes and their order follow the scheduler statistics of GPGPU-Sim
 * (shader_cycle_distro: issued; pipeline stalled; waiting for registers; idle), split further
 * as in "GSI: A GPU Stall Inspector to Characterize the Sources of Memory Stalls for Tightly
 * Coupled GPUs"; that they add up to the time is the idea of "A Performance Counter
 * Architecture for Computing Accurate CPI Components". */
#ifndef HEARTH_SIM_STATS_CPI_H
#define HEARTH_SIM_STATS_CPI_H

#include <stdint.h>

enum sim_cpi_class {
#define CPI(name, description) SIM_CPI_##name,
#include "sim/stats/cpi.def"
#undef CPI
    SIM_CPI_COUNT
};

/* Core cycles of each class. They add up to all cycles x the SMs summed over. */
struct sim_cpi {
    uint64_t cycles[SIM_CPI_COUNT];
};

/* Names as in cpi.def, by class. */
extern const char *const sim_cpi_names[SIM_CPI_COUNT];

#endif
