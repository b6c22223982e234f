/* What hearth run works on: a plan, its workload, and the launches that are chosen. */
#ifndef HEARTH_TOOLS_RUN_PLAN_INPUT_H
#define HEARTH_TOOLS_RUN_PLAN_INPUT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "tools/run/notes.h"
#include "tools/run/plan/digest.h"
#include "tools/run/plan/launches.h"
#include "tools/run/plan/plan.h"
#include "traces/base/ranges.h"
#include "traces/traces.h"

struct input {
    const struct plan *plan;       /* to be carried out */
    const struct plan *given;      /* the same, unless a policy has made `plan` of it */
    struct plan *opened, *made;    /* private: those of them that are not the caller's */
    struct trace_workload *listed; /* the list of a plan's workload; NULL where there is none */
    char digest[DIGEST_TEXT];      /* of the workload */
    struct launches launches;
    bool *skip; /* items of the plan that --launches leaves out */
    bool
        part; /* the plan stands in the place of one of which measured launches were left out */
};

/* Takes PLAN, which must outlive INPUT, or without one (NULL) opens the workload or plan at
 * PATH; only CHOSEN launches (NULL: all). What is amiss with them goes to NOTES. Returns 0, or
 * -1 with ERR filled; input_finish() either way. */
int input_init(struct input *input, const char *path, const struct plan *plan,
               const struct ranges *chosen, struct notes *notes, struct error *err);
/* Puts PLAN, made by a warm-up policy (warm_plan.h), in the place of INPUT's. It measures the
 * same launches in the same order, all of them; INPUT destroys it. Returns 0, or -1 with ERR
 * filled. */
int input_replace(struct input *input, struct plan *plan, struct error *err);
/* Accepts a zeroed one. */
void input_finish(struct input *input);

/* The list that launches are looked up in, owned by INPUT: that of the workload, or the plan's
 * own lines. */
const struct trace_workload *input_workload(const struct input *input);

/* What plan.out names as the digest, owned by INPUT; NULL: none. A workload without a list but
 * the plan's own lines has none, as plan.out need not hold all of these. */
const char *input_listed_digest(const struct input *input);

/* How many launches are to be simulated, and of how many warps, as far as known. */
void input_count(const struct input *input, size_t *launches, uint64_t *warps);

#endif
