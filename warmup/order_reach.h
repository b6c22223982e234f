/* Private to warmup: how far the launches go back that decide in which order L2 evicts. */
#ifndef HEARTH_WARMUP_ORDER_REACH_H
#define HEARTH_WARMUP_ORDER_REACH_H

#include "warmup/warmup.h"

/* warmup_reach() of launches that are replayed after a state. A functional pass over the
 * workload says when each line of L2 was last used, under LRU (ERROR_USAGE for others). A set
 * counts if its order matters to the measured launch: that replaces a line of it, or uses one
 * that another order could have replaced. Then the launches go back to the last use of its
 * oldest line but one, as the oldest has its place in the order anyway. REACH covers the
 * percentile of all sets, and one launch more, so that the first of these begins nearly as in a
 * full run. It is 0 if no set counts, or if L2 is emptied before each launch. */
int order_reach(const struct trace_workload *workload, const struct sim_config *config,
                double percentile, const struct warmup_task *task, uint32_t *reach,
                struct error *err);

#endif
