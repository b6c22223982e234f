/* Private to the plan parser: reads a "!" line into a plan. */
#ifndef HEARTH_TOOLS_RUN_PLAN_PLAN_READER_H
#define HEARTH_TOOLS_RUN_PLAN_PLAN_READER_H

#include "tools/run/plan/plan.h"

/* The state of a reader. */
struct plan_reader {
    struct plan *plan;
    struct error *err;
    bool stepped; /* a !step was read, and its kernel line must follow */
    long step_line;
    struct plan_launch step; /* the values of that !step */
    bool seen_workload, seen_total, seen_method, seen_warm;
};

/* Reads TEXT, a line that starts with "!". Returns 0, or -1 with the reader's
 * error filled. */
int plan_reader_word(struct plan_reader *reader, const char *text, long number);

#endif
