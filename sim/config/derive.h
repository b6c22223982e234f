/* Computes the derived members of struct sim_config from option texts. */
#ifndef HEARTH_SIM_CONFIG_DERIVE_H
#define HEARTH_SIM_CONFIG_DERIVE_H

#include "sim/config/build.h"

int derive_cache(const struct build *build, enum sim_option option,
                 struct sim_cache_config *cache);
int derive_address_map(const struct build *build, struct sim_address_map *map);
/* The SMs that are near to each half of L2. */
int derive_half_runs(const struct build *build);
/* The address bits that tell the half of a line's home. */
int derive_half_bits(const struct build *build);
int derive_dram(const struct build *build, struct sim_dram_timing *dram);
/* Threads, pipeline widths, shared memory. */
int derive_sm(const struct build *build);
/* Units and their latencies. */
int derive_units(const struct build *build);

#endif
