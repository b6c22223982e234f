/* warmup: how a launch gets the cache contents that it would find in the full run.
 *
 * For each measured launch of a workload, a policy gives the steps that precede it; the caller
 * makes a plan of the steps. Launches are numbered from 1 by their position in the workload's
 * list, and a launch includes the host-to-device copies before it. Functions that can fail
 * return 0 on success and -1 with ERR filled.
 *
 * L2, the caches of instructions, and L1 where it survives between launches are warmed. */
#ifndef HEARTH_WARMUP_WARMUP_H
#define HEARTH_WARMUP_WARMUP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "sim/sim.h"
#include "traces/base/policy.h"
#include "traces/traces.h"
#include "warmup/correction.h"
#include "warmup/state_pass.h"
#include "warmup/states.h"
#include "warmup/watch.h"

enum warmup_step_kind {
    WARMUP_SEGMENT, /* the caches are empty, nothing before this matters */
    WARMUP_COPIES,  /* those before the launch */
    WARMUP_DETAILED,
    WARMUP_MEMORY,     /* timed, only instructions that access memory */
    WARMUP_FUNCTIONAL, /* untimed */
    WARMUP_MEASURE,
    WARMUP_SAVE,    /* the contents of L2 before the launch */
    WARMUP_RESTORE, /* the same */
};

struct warmup_step {
    enum warmup_step_kind kind;
    size_t launch;   /* position; 0 for a segment that serves several launches */
    size_t measured; /* WARMUP_MEASURE: index into the measured launches of struct
                        warmup_task */
};

/* The launches to be measured. */
struct warmup_task {
    size_t launches;        /* number of launches in the workload */
    const size_t *measured; /* their positions, in the order of measurement */
    size_t count;
    const uint32_t *reach; /* one for each measured launch: how many launches to go back;
                              only if the policy is `automatic` */
    bool first_state;      /* the first launch has a state, too, to restore */
    const struct warmup_watch *watch; /* watches passes over the workload; NULL: no watcher.
                                         If it stops a pass, its results are useless */
};

/* Takes the next step. Returns 0, 1 to take no more, or -1 with ERR filled. */
typedef int (*warmup_take)(void *data, const struct warmup_step *step, struct error *err);

struct warmup;

struct warm_distance;

/* A policy: a line of the table policies.def. */
struct warmup_policy {
    struct policy policy; /* name; description of what is done for each measured launch */
    bool reaches;         /* its name is followed by a number of launches to go back */
    bool alone;           /* each measured launch has its own segment: none run concurrently */
    bool after_state;     /* it may follow a state: checkpoint+NAME:K */
    bool states;          /* it restores states of L2 */
    bool ahead;           /* the states are made before the plan is run */
    bool traced;          /* the tracer can make them, too (TRACE_STATES) */
    /* How many launches a measured launch goes back, of a policy that finds this itself and
     * whose name may be followed by a percentile; NULL for others. */
    uint32_t (*distance)(const struct warm_distance *at);
    enum warmup_step_kind step; /* how it executes other launches */
    /* Makes its states ahead; NULL: warmup_states_make() does. */
    int (*make_states)(const struct warmup_states *states, struct error *err);
    int (*make)(const struct warmup *warmup, const struct warmup_task *task, warmup_take take,
                void *data, struct error *err);
};

/* A policy with its parameters. */
struct warmup {
    const struct warmup_policy *policy; /* NULL: the plan is not changed */
    bool ahead;        /* states exist before the plan is run: it has no steps that save them */
    bool automatic;    /* how far to go back follows from the traces: `reach` of the task */
    uint32_t launches; /* otherwise: launches to go back; UINT32_MAX:
                          all */
    const struct warmup_policy *after_state; /* after a restored state, launches are executed
                                                as the `step` of this policy; NULL: there are
                                                no such launches */
    double percentile; /* share of reuse that automatic reach covers, above 0 to 100; 99.9 */
    const struct correction_kind *correction; /* applied to results; POLICY is then none.
                                                 NULL: no correction */
    char prime[32]; /* percentage of each launch that is not measured; "": 0 */
};

/* Reads "POLICY", "POLICY:K" with K a number, all, auto or auto:PERCENTILE, "POLICY:PERCENTILE"
 * of one that finds its distance itself, "prime:P", "STATE+POLICY:K" with K as above but not
 * all, any of them with "+prime:P" after it, or "correction:KIND". Anything else is
 * ERROR_USAGE. */
int warmup_parse(struct warmup *warmup, const char *text, struct error *err);

/* Prints what warmup_parse() reads, for help: a line for each policy, after '\n'. Corrections
 * have lines of their own, since they apply only to results. */
void warmup_describe(FILE *out);
void warmup_describe_corrections(FILE *out);

/* Joins names as in "full or stitch": the policies that let launches run concurrently (not
 * `alone`), or those whose `states` can be made before the plan is run. */
enum warmup_group { WARMUP_CONCURRENT, WARMUP_WITH_STATES };
const char *warmup_names(enum warmup_group group, char buffer[static POLICY_NAMES]);

/* Calls TAKE for each step of TASK. The policy must not be NULL. Returns what TAKE returns if
 * it is not 0. */
int warmup_make(const struct warmup *warmup, const struct warmup_task *task, warmup_take take,
                void *data, struct error *err);

/* Measured launch number INDEX of TASK restores a state: the position of the launch before
 * which that state was saved. It is the measured launch itself unless launches are replayed
 * after the state. */
size_t warmup_state(const struct warmup *warmup, const struct warmup_task *task, size_t index);

/* Fills REACH, an entry for each measured launch of TASK: how many launches to go back for
 * WARMUP, which is `automatic`. Reads the memory-only view of all launches of WORKLOAD up to
 * the last measured one. Returns 0, 1 if TASK's watcher stopped it, or -1 with ERR filled.
 *
 * Unless the policy has a rule of its own, these are the fewest launches that cover the
 * percentile of the sectors that the launch shares with earlier ones and that an LRU cache of
 * CONFIG's L2 would still hold. If copies fill L2, they count as part of the launch after them.
 * If a launch brings new lines into an L2 that is full, the launches that filled it are
 * included: their dirty data is written when it is evicted, which costs time. Where CONFIG
 * caches instructions, so is the last launch of the same name: its code is there. This is the
 * boundary line reuse latency of "BLRL" (Eeckhout, Luo, De Bosschere, John, 2005), with
 * launches instead of instructions; see traces/footprint.h.
 *
 * After a state, these are the launches that decide in which order L2 evicts, found by a
 * functional pass; the percentile is that of its sets (warmup/order_reach.h). */
int warmup_reach(const struct trace_workload *workload, const struct sim_config *config,
                 const struct warmup *warmup, const struct warmup_task *task, uint32_t *reach,
                 struct error *err);

#endif
