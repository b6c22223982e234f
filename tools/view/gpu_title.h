/* What a configuration simulates, in a line. */
#ifndef HEARTH_TOOLS_VIEW_GPU_TITLE_H
#define HEARTH_TOOLS_VIEW_GPU_TITLE_H

#include "sim/config.h"

#define GPU_TITLE 160

/* "108 SMs at 1410 MHz, 40 MB of L2 in 80 slices, 40 DRAM channels with 1555 GB/s". Returns
 * TEXT. */
const char *gpu_title(const struct sim_config *config, char text[static GPU_TITLE]);

#endif
