/* States of L2 in files: !save and !restore of a plan. */
#ifndef HEARTH_TOOLS_RUN_PLAN_STATE_FILE_H
#define HEARTH_TOOLS_RUN_PLAN_STATE_FILE_H

#include "sim/sim.h"

/* Writes what SIM's L2 holds, or what of it NEEDS says (NULL: all), to the file at PATH, which
 * is complete or as it was. Returns 0, or -1 with ERR filled (ERROR_OUTPUT). */
int state_file_save(struct sim *sim, const struct sim_needs *needs, const char *path,
                    struct error *err);

/* Whether a state could be written to PATH, as far as can be known beforehand: its folder is
 * there. Returns 0, or -1 with ERR filled (ERROR_OUTPUT). */
int state_file_check(const char *path, struct error *err);

/* Makes SIM's L2 hold what the file at PATH says. Returns 0, or -1 with ERR filled:
 * ERROR_TRACE for a file that is not there, damaged, of another version or none; ERROR_USAGE
 * for one of another L2. */
int state_file_restore(struct sim *sim, const char *path, struct error *err);

#endif
