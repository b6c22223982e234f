/* What is left to be done of a sweep. */
#ifndef HEARTH_TOOLS_SWEEP_SWEEP_TODO_H
#define HEARTH_TOOLS_SWEEP_SWEEP_TODO_H

#include "tools/sweep/sweep_folder.h"
#include "tools/sweep/sweep_jobs.h"

struct sweep_todo {
    const struct sweep_jobs *jobs; /* not owned */
    uint8_t *states;           /* of each job: enum sweep_state. Jobs that only finished ones
                                  need count as done */
    size_t done, failed, left; /* their numbers; the rest are left */
    /* Of finished jobs, by workload and kind: for the time left. */
    struct sweep_times {
        double seconds, mib; /* sum; most */
        size_t count;
    } * times;
};

/* Looks at the folders of JOBS. RETRY: failed jobs are to be done again. Returns 0, or -1 with
 * ERR filled; sweep_todo_finish() either way. */
int sweep_todo_init(struct sweep_todo *todo, const struct sweep_jobs *jobs, bool retry,
                    struct error *err);
void sweep_todo_finish(struct sweep_todo *todo);

/* Writes the files "job" of all jobs that are left. */
int sweep_todo_write(const struct sweep_todo *todo, struct error *err);

/* Looks again at job INDEX, which a process has executed. Returns its state. */
enum sweep_state sweep_todo_look(struct sweep_todo *todo, uint32_t index);

/* Job INDEX has been lost again and again: it fails with the message TEXT. Returns 0, or -1
 * with ERR filled. */
int sweep_todo_fail(struct sweep_todo *todo, uint32_t index, const char *text,
                    struct error *err);

/* Seconds until all is done if PROCESSES jobs run at a time; negative: unknown. KNOWN: seconds
 * of each job that are left, as far as they are known; NAN: not known; NULL: none are. */
double sweep_todo_seconds(const struct sweep_todo *todo, unsigned processes,
                          const double *known);
/* The most memory that jobs like INDEX have taken, in MiB; 0: unknown. */
double sweep_todo_mib(const struct sweep_todo *todo, uint32_t index);

/* Seconds as 1:02:03 in TEXT, or "unknown". */
#define SWEEP_TODO_TEXT 32
const char *sweep_todo_time(double seconds, char text[static SWEEP_TODO_TEXT]);

#endif
