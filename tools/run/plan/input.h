/* The input of hearth run: a plan, its workload, and the launches that were chosen. */
#ifndef HEARTH_TOOLS_RUN_PLAN_INPUT_H
#define HEARTH_TOOLS_RUN_PLAN_INPUT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "sim/config.h"
#include "tools/run/notes.h"
#include "tools/run/plan/digest.h"
#include "tools/run/plan/launches.h"
#include "tools/run/plan/plan.h"
#include "traces/base/ranges.h"
#include "traces/traces.h"

struct input {
    const struct plan *plan;       /* to be executed */
    const struct plan *given;      /* the same, unless a policy made `plan` from it: then
                                      without items */
    struct plan *opened, *made;    /* private: the plans above that the caller does not own */
    struct trace_workload *listed; /* the list of the plan's workload; NULL if there is none */
    char digest[DIGEST_TEXT];      /* of the workload */
    struct launches launches;
    bool *skip; /* items of the plan that --launches leaves out */
    bool part;  /* the plan replaces one of which measured launches were left out */
};

/* Uses PLAN, which must outlive INPUT, or, if it is NULL, opens the workload or plan at PATH;
 * only the CHOSEN launches (NULL: all). OUTSIDE: a plan's file may name a workload outside its
 * folder without the workload's digest, and launches outside the workload's folder that are not
 * in its list. Warnings go to NOTES. Returns 0, or -1 with ERR filled; input_finish() either
 * way. */
int input_init(struct input *input, const char *path, const struct plan *plan, bool outside,
               const struct ranges *chosen, struct notes *notes, struct error *err);
/* Replaces INPUT's plan by PLAN, which a warm-up policy made (warm_plan.h). It must measure
 * the same launches in the same order, all of them. INPUT owns it from then on. Returns 0, or
 * -1 with ERR filled. */
int input_replace(struct input *input, struct plan *plan, struct error *err);
/* INPUT's plan, to be changed before it is executed; NULL: it is the caller's. */
struct plan *input_own_plan(struct input *input);
/* Accepts a zeroed one. */
void input_finish(struct input *input);

/* The list in which launches are looked up, owned by INPUT: that of the workload, or the
 * plan's own lines. */
const struct trace_workload *input_workload(const struct input *input);

/* The digest for plan.out, owned by INPUT; NULL: none. If the workload has no list but the
 * plan's own lines there is none, since plan.out may contain only some of them. */
const char *input_listed_digest(const struct input *input);

/* How many launches are to be simulated, and their warps, as far as known. */
void input_count(const struct input *input, size_t *launches, uint64_t *warps);

#endif
