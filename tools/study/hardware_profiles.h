/* The cost of flushed caches on hardware, from two profiles of the same application. */
#ifndef HEARTH_TOOLS_STUDY_HARDWARE_PROFILES_H
#define HEARTH_TOOLS_STUDY_HARDWARE_PROFILES_H

#include "tools/study/study_options.h"

/* Compares operand 0, profiled with caches flushed before each launch (Nsight Compute's
 * --cache-control all), with operand 1, profiled without flushes, launch by launch. Launches
 * are matched by kernel, grid, block and order, whatever their ids. After "Cold-start"
 * (thesis, 2024), chapter 4. */
int study_profiles(struct study_options *options, struct error *err);

#endif
