/* warmup: what brings the state of the caches to a launch.
 *
 * A policy says what has to be done in front of each measured launch of a workload, as steps;
 * who asks makes a plan of them. Launches have positions, from 1, in the workload's list; a
 * launch stands for itself and for the copies from the host in front of it. Functions that can
 * fail return 0 on success and -1 with ERR filled.
 *
 * What is warmed is L1 and L2; TLBs are not modelled. */
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
#include "warmup/states.h"
#include "warmup/watch.h"

enum warmup_step_kind {
    WARMUP_SEGMENT, /* caches empty, independent of what stands in front */
    WARMUP_COPIES,  /* those in front of the launch */
    WARMUP_DETAILED,
    WARMUP_MEMORY,     /* with time, what touches memory alone */
    WARMUP_FUNCTIONAL, /* without time */
    WARMUP_MEASURE,
    WARMUP_SAVE,    /* what L2 holds in front of the launch */
    WARMUP_RESTORE, /* the same */
};

struct warmup_step {
    enum warmup_step_kind kind;
    size_t launch;   /* position; 0 for a segment that serves several launches */
    size_t measured; /* WARMUP_MEASURE: which of struct warmup_task's, from 0 */
};

/* What is to be measured. */
struct warmup_task {
    size_t launches;        /* of the workload */
    const size_t *measured; /* their positions, in the order in which they are measured */
    size_t count;
    const uint32_t *reach; /* launches to go back, of each measured one; only for a policy with
                              `automatic` */
    const struct warmup_watch *watch; /* of passes over the workload; NULL: nobody looks. Of one
                                       * that it stops nothing is of use */
};

/* Takes the next step. Returns 0, 1 to take no more, or -1 with ERR filled. */
typedef int (*warmup_take)(void *data, const struct warmup_step *step, struct error *err);

struct warmup;

/* A policy: a line of the table policies.def. */
struct warmup_policy {
    struct policy policy; /* name, and description of what is done for each measured launch */
    bool reaches;         /* its name is followed by how many launches it goes back */
    bool alone;       /* each measured launch has a segment of its own: none run concurrently */
    bool after_state; /* it may follow a state: checkpoint+NAME:K */
    bool states;      /* it restores states of L2 */
    bool ahead;       /* they are made before the plan is run: warmup_states_make() */
    enum warmup_step_kind step; /* as what it executes other launches */
    int (*make)(const struct warmup *warmup, const struct warmup_task *task, warmup_take take,
                void *data, struct error *err);
};

/* A policy with its parameters. */
struct warmup {
    const struct warmup_policy *policy; /* NULL: the plan stays as it is */
    bool ahead; /* states are there before the plan is carried out: its own steps make none */
    bool automatic;                          /* the reach follows reuse: `reach` of the task */
    uint32_t launches;                       /* to go back otherwise; UINT32_MAX: all */
    const struct warmup_policy *after_state; /* as whose `step` those launches are executed
                                              * after a restored state; NULL: there are none */
    double percentile; /* of reuse that automatic reach covers, above 0 to 100; 99.9 */
    const struct correction_kind *correction; /* of results; then POLICY is none. NULL: none */
    char prime[32]; /* percent of each launch that is not measured; "": 0 */
};

/* Reads "POLICY", "POLICY:K" with K a number, all, auto or auto:PERCENTILE, "prime:P",
 * a policy with states and, after a plus sign, one that may follow a state with K a number, or
 * one of them with "+prime:P" after it; or only "correction:KIND". ERROR_USAGE for anything
 * else. */
int warmup_parse(struct warmup *warmup, const char *text, struct error *err);

/* Prints what warmup_parse() reads, for help: a line for each policy, after '\n'. Corrections
 * apply to results only: they have lines of their own. */
void warmup_describe(FILE *out);
void warmup_describe_corrections(FILE *out);

/* "full or stitch": the policies that let launches run concurrently (not `alone`), or those
 * with `states`. */
enum warmup_group { WARMUP_CONCURRENT, WARMUP_WITH_STATES };
const char *warmup_names(enum warmup_group group, char buffer[static POLICY_NAMES]);

/* Tells TAKE what is to be done for TASK; not without a policy. Returns what TAKE does, if it
 * is not 0. */
int warmup_make(const struct warmup *warmup, const struct warmup_task *task, warmup_take take,
                void *data, struct error *err);

/* Position of the launch in front of which the state was taken that measured launch number
 * INDEX of TASK restores: its own, unless launches are replayed behind the state. */
size_t warmup_state(const struct warmup *warmup, const struct warmup_task *task, size_t index);

/* Fills TASK's reach (one for each measured launch): the fewest launches back that cover
 * PERCENTILE of the sectors that the launch shares with those before it and that an LRU cache
 * of CONFIG's L2 would still hold; copies count as the launch behind them where they fill L2. A
 * launch that brings lines of its own into an L2 that is full by then has at least the launches
 * that filled it: what they left dirty is written when it is pushed out, which costs time.
 * Reads the memory-only view of all launches of WORKLOAD up to the last measured one. Returns
 * 0, 1 when TASK's watcher stopped it, or -1 with ERR filled.
 *
 * That is the boundary line reuse latency of "BLRL" (Eeckhout, Luo, De Bosschere, John, 2005)
 * with launches for instructions; see traces/footprint.h. */
int warmup_reach(const struct trace_workload *workload, const struct sim_config *config,
                 double percentile, const struct warmup_task *task, uint32_t *reach,
                 struct error *err);

#endif
