/* The execution of a single job in its folder, which it locks. */
#ifndef HEARTH_TOOLS_SWEEP_WORK_WORK_FOLDER_H
#define HEARTH_TOOLS_SWEEP_WORK_WORK_FOLDER_H

#include "tools/sweep/sweep_folder.h"
#include "tools/sweep/sweep_work.h"
#include "tools/sweep/work/job_text.h"

#define WORK_LOCKED (-2)

struct work_folder {
    const struct sweep_work *work;
    const char *folder;       /* absolute; it becomes the working folder */
    struct job_text *text;    /* its arguments are completed */
    bool wait;                /* for another process that executes the job */
    struct sweep_cost before; /* what parts of the job took */
};

/* Executes the job, unless it is done or has failed. Returns 0; -1 with ERR filled if the job
 * failed; the exit code after a signal; or WORK_LOCKED without `wait`, if another process
 * executes it. */
int work_folder_run(const struct work_folder *job, struct error *err);

/* Adds a line to the log of the working folder; it serves people and tests only. */
void work_folder_log(const char *what, int code);

/* Makes FOLDER the working folder. Returns 0, or -1 with ERR filled. */
int work_folder_enter(const char *folder, struct error *err);

#endif
