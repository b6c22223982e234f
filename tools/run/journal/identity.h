/* What the results of a run depend on. Two runs of the same identity have the
 * same results. */
#ifndef HEARTH_TOOLS_RUN_JOURNAL_IDENTITY_H
#define HEARTH_TOOLS_RUN_JOURNAL_IDENTITY_H

#include <stdbool.h>
#include <stdint.h>

#include "sim/config.h"
#include "tools/run/plan/digest.h"
#include "tools/run/plan/plan.h"

struct identity {
    char version[32];
    char workload[DIGEST_TEXT], config[DIGEST_TEXT], plan[DIGEST_TEXT];
    uint64_t intervals; /* cycles of each; 0: none */
    /* For folders that were moved: the plan without its workload's path and with states named
     * from the results' folder; that path from the root, and from the results' folder. */
    struct identity_moved {
        char plan[DIGEST_TEXT], root[DIGEST_TEXT], here[DIGEST_TEXT];
    } moved; /* "": not known, as results and journals of former versions have none */
};

/* Of a run that carries out PLAN without the items in SKIP on the workload of
 * digest WORKLOAD, with results in FOLDER; LISTED is what plan_write() gets as digest.
 * `intervals` is left to the caller. Returns 0, or -1 with ERR filled. */
int identity_init(struct identity *identity, const char *workload, const char *listed,
                  const struct plan *plan, const bool *skip, const struct sim_config *config,
                  const char *folder, struct error *err);
/* Of the results in the folder PATH; *PARTIAL says that their run stopped
 * before its end, and the plan is then what was carried out of it. False when
 * there are no results. */
bool identity_of_results(struct identity *identity, const char *path, bool *partial);

/* Makes the results in the folder PATH, which are of IDENTITY but may have been moved, say
 * where they are now: so that they are known again after the next move. What cannot be written
 * stays. */
void identity_settle(const struct identity *identity, const char *path);

/* What differs first: "version", "workload", "configuration", "length of
 * intervals" or "plan"; NULL: nothing. A plan is the same, too, when the results were moved and
 * the workload is where it was, or was moved with them. */
const char *identity_differs(const struct identity *a, const struct identity *b);

#endif
