/* The rules one stage after the other, those of a stage side by side. */
#ifndef HEARTH_TOOLS_CALIBRATE_STAGES_H
#define HEARTH_TOOLS_CALIBRATE_STAGES_H

#include "tools/calibrate/parameters.h"

#define STAGES_JOBS 64 /* at most */

/* Works out all rules: ITEMS has room for calibrate_rule_count. The settings of TRIALS are
 * those of the card, then the new ones. JOBS rules at a time, at least 1; what is found does
 * not depend on it. TELL (NULL: nobody) is called before each stage. Returns 0, or -1 with ERR
 * filled, or the exit code after a signal. */
int stages_find(struct parameter *items, struct trials *trials, unsigned jobs,
                void (*tell)(int round, int stage), struct error *err);

#endif
