/* Private to the plan parser: what reads a line of ours into a plan. */
#ifndef HEARTH_TOOLS_RUN_PLAN_PLAN_READER_H
#define HEARTH_TOOLS_RUN_PLAN_PLAN_READER_H

#include "tools/run/plan/plan.h"

/* What a plan is being read into. */
struct plan_reader {
    struct plan *plan;
    struct error *err;
    bool stepped; /* a !step waits for its kernel line */
    long step_line;
    struct plan_launch step; /* what it said */
    bool seen_workload, seen_total, seen_method, seen_warm;
};

/* The folder that the plan at PATH is in, for the caller to free. NULL without memory. */
char *plan_own_folder(const char *path);

/* Reads TEXT, a line that starts with "!". Returns 0, or -1 with the reader's
 * error filled. */
int plan_reader_word(struct plan_reader *reader, const char *text, long number);

#endif
