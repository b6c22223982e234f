/* The text that GPGPU-Sim and Accel-Sim print, for scripts that read it: a block after each
 * launch, and the last lines. The names are those of GPGPU-Sim; docs/accel-sim-output.md lists
 * what each means and which are left out. */
#ifndef HEARTH_TOOLS_COMMANDS_ACCEL_SIM_H
#define HEARTH_TOOLS_COMMANDS_ACCEL_SIM_H

#include <stdio.h>

#include "tools/run/run.h"

/* The launches of a block: one, or all so far. */
struct accel_sim_sums {
    uint64_t cycles;
    struct sim_counters counters;
};

struct accel_sim {
    FILE *out;
    double started;    /* seconds, on the clock of host_seconds() */
    uint64_t launches; /* printed so far */
    struct accel_sim_sums all;
    size_t segment; /* of the last launch */
    uint64_t last;  /* last end in it */
};

/* The caller keeps OUT. Prints the lines that name the program. */
void accel_sim_init(struct accel_sim *text, FILE *out);
/* Prints the block of a launch that has ended. */
void accel_sim_launch(struct accel_sim *text, const struct row *row);
/* Prints NOTES, a line each, without what scripts take for a value, "NAME = VALUE". */
void accel_sim_notes(struct accel_sim *text, const struct notes *notes);
/* Prints the lines at the end of a run. */
void accel_sim_end(struct accel_sim *text);

#endif
