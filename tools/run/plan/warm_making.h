/* Private to warm_plan_make(): what its parts share. */
#ifndef HEARTH_TOOLS_RUN_PLAN_WARM_MAKING_H
#define HEARTH_TOOLS_RUN_PLAN_WARM_MAKING_H

#include "tools/run/plan/warm_plan.h"
#include "tools/run/prepass.h"

#define WARM_POLICY_ROOM 128 /* at least what warmup_parse() takes */

/* A launch of the workload's list. */
struct warm_listed {
    size_t command;      /* of its line */
    size_t first_copies; /* the first line of the copies before it */
};

struct warm_making {
    const struct warm_plan *warm;
    const struct warm_variant *variant; /* the variant whose plan is made */
    const struct input *input;
    const struct trace_workload *workload;
    struct warmup warmup;
    struct warmup_task task;
    struct warm_listed *listed; /* from 0: the first launch, position 1, is listed[0] */
    size_t *measured;           /* positions */
    size_t *items;              /* for each measured launch: its item in the plan */
    uint32_t *reach;  /* of each variant, for each measured launch: launches to go back */
    size_t *restored; /* likewise: positions whose states are restored, if the policy has any */
    bool *wanted;     /* of each variant, for each position from 0: whether that state is */
    struct plan *plan; /* being made */
};

/* All return 0, or -1 with ERR filled, unless they say otherwise. */

/* Lists the launches of the workload, and those that the input's plan measures. */
int warm_making_list(struct warm_making *making, struct error *err);
/* The policy for !warm. prime:P without a policy does not change the plan, so the policy of
 * the original plan stays: prime:P is added to it, or replaces another prime:P. A correction
 * applies to launches that are measured as a whole, so only the cold start remains of it. */
void warm_making_name(const struct warm_making *making, char name[2 * WARM_POLICY_ROOM]);
/* Makes the plan of VARIANT. Returns 1 if a signal stopped it. */
int warm_making_plan(struct warm_making *making, size_t variant, struct error *err);
/* What the state before the launch at POSITION is named by. */
size_t warm_making_state_number(const struct warm_making *making, size_t position);

static inline bool warm_making_has_states(const struct warm_making *making)
{
    return making->warmup.policy != NULL && making->warmup.policy->states;
}

/* Makes the task that of VARIANT. */
static inline void warm_making_turn(struct warm_making *making, size_t variant)
{
    making->variant = &making->warm->variants[variant];
    making->task.reach = making->reach + variant * making->task.count;
}

/* Begins a pass for the purpose WHAT over the launches up to the last of COUNT POSITIONS; the
 * task gets its watch. warm_making_end_pass() either way. */
int warm_making_begin_pass(struct warm_making *making, struct prepass *pass, const char *what,
                           const size_t *positions, size_t count, struct error *err);
void warm_making_end_pass(struct warm_making *making, struct prepass *pass);

/* Saves the states of all variants. Returns 1 if a signal stopped it. */
int warm_making_save(struct warm_making *making, struct error *err);
/* Whether all states are there that the tracer has made. */
int warm_making_check_given(struct warm_making *making, struct error *err);

#endif
