/* The identity of a run: everything that its results depend on. Two runs with the same
 * identity have the same results. */
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
    uint64_t intervals; /* cycles per interval; 0: none */
    /* For folders that were moved: digests of the plan without its workload's path and with
     * states named relative to the results' folder; of that path as absolute path; and of that
     * path relative to the results' folder. */
    struct identity_moved {
        char plan[DIGEST_TEXT], root[DIGEST_TEXT], here[DIGEST_TEXT];
    } moved; /* "": unknown, for results and journals of earlier versions */
};

/* The identity of a run that executes PLAN without the items in SKIP on the workload of digest
 * WORKLOAD, with results in FOLDER; LISTED is the digest passed to plan_write(). The caller
 * sets `intervals`. Returns 0, or -1 with ERR filled. */
int identity_init(struct identity *identity, const char *workload, const char *listed,
                  const struct plan *plan, const bool *skip, const struct sim_config *config,
                  const char *folder, struct error *err);
/* Reads the identity of the results in the folder PATH. *PARTIAL: their run stopped before its
 * end; the plan is then what was executed of it. Returns false if there are no results. */
bool identity_of_results(struct identity *identity, const char *path, bool *partial);

/* Whether the folder PATH has results, and not of the workload of IDENTITY. */
bool identity_has_other_workload(const struct identity *identity, const char *path);

/* Updates the results in the folder PATH, which have IDENTITY but may have been moved, to
 * their present place, so that they are recognised after the next move too. Errors are
 * ignored. */
void identity_settle(const struct identity *identity, const char *path);

/* The first difference: "version", "workload", "configuration", "length of intervals" or
 * "plan"; NULL if there is none. A plan counts as the same if the results were moved and the
 * workload is where it was, or was moved with them. */
const char *identity_differs(const struct identity *a, const struct identity *b);

#endif
