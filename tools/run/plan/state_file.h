/* States of L2 in files: !save and !restore of a plan. */
#ifndef HEARTH_TOOLS_RUN_PLAN_STATE_FILE_H
#define HEARTH_TOOLS_RUN_PLAN_STATE_FILE_H

#include "sim/sim.h"

/* Writes the contents of SIM's L2, or only what NEEDS says (NULL: all), to the file at PATH,
 * which is either complete or unchanged. Returns 0, or -1 with ERR filled (ERROR_OUTPUT). */
int state_file_save(struct sim *sim, const struct sim_needs *needs, const char *path,
                    struct error *err);

/* Whether a state could be written to PATH, as far as can be known in advance: its folder must
 * exist, and a file there must be a state, too. Returns 0, or -1 with ERR filled
 * (ERROR_OUTPUT). */
int state_file_check(const char *path, struct error *err);

/* Makes SIM's L2 hold the contents of the file at PATH. Returns 0, or -1 with ERR filled:
 * ERROR_TRACE for a file that is missing, damaged, of another version or not a state;
 * ERROR_USAGE for a state of a different L2. */
int state_file_restore(struct sim *sim, const char *path, struct error *err);

#endif
