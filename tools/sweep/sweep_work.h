/* The execution of one job, in a process of its own: what all engines start. */
#ifndef HEARTH_TOOLS_SWEEP_SWEEP_WORK_H
#define HEARTH_TOOLS_SWEEP_SWEEP_WORK_H

#include <stdbool.h>

#include "traces/base/error.h"

struct sweep_work {
    unsigned threads; /* of a simulation */
    bool share;       /* only segments of a run that no other process executes, and neither wait
                         for others nor make the results */
    /* Executes a command of hearth: ARGV[0] is its name. Returns its exit code, or -1 with ERR
     * filled. */
    int (*execute)(int argc, char **argv, struct error *err);
};

/* Executes the job in FOLDER, and before it the jobs that it needs and that are not done. A job
 * that is done or has failed is not executed again, and a job that another process executes is
 * waited for. Changes the working folder. Returns 0, -1 with ERR filled if the job failed, or
 * the exit code after a signal. */
int sweep_work_run(const struct sweep_work *work, const char *folder, struct error *err);

#endif
