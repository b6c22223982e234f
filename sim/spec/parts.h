/* The parts of spec_init(), in the order in which it calls them. Those that return a status
 * return 0, or -1 with ERR. */
#ifndef HEARTH_SIM_SPEC_PARTS_H
#define HEARTH_SIM_SPEC_PARTS_H

#include "sim/spec/spec.h"

/* The SM: its limits, L1, caches of code and constants, and the core model's own part. */
int spec_set_sm(struct spec *spec, struct error *err);
int spec_set_dram(struct spec *spec, struct error *err);
/* To which GPC and CPC SMs and clusters belong, and how far they are from what these share. */
int spec_set_gpcs(struct spec *spec, struct error *err);
void spec_finish_gpcs(struct spec *spec);
/* L2, partitions, crossbars and what is between them; after spec_set_gpcs(). */
void spec_set_memory(struct spec *spec);

#endif
