/* The segments of a run, each a job in a folder of its own: "segments" in the folder of the run
 * names them. Several processes may work on a run at the same time; one of them makes the
 * results out of the rows of all segments.
 *
 *   segments   the folders with the segments' rows, as for hearth run --join
 *   workers    locked by each process that works on the run */
#ifndef HEARTH_TOOLS_SWEEP_WORK_SWEEP_SPLIT_H
#define HEARTH_TOOLS_SWEEP_WORK_SWEEP_SPLIT_H

#include "tools/sweep/work/work_folder.h"

#define SWEEP_SEGMENTS "segments"

/* Executes the segments of the run RUN, whose folder is the working folder. First those that
 * nobody executes; then, unless `share` is set, those that are left. Completes the run's
 * arguments: it takes the rows. A run with a single segment is left as it is. Returns as
 * work_folder_run(). */
int sweep_split_run(struct work_folder *run, struct error *err);

/* The segments of the run with DIGEST. */
struct sweep_split_state {
    size_t count; /* 0: not known yet, or the run is not split */
    size_t done;
    double seconds; /* that those took */
    size_t waiting; /* nobody executes them; 0 if one has failed */
    bool working;   /* a process works on the run */
};
struct sweep_split_state sweep_split_look(const char *store, const char *digest);
/* Forgets that segments of the run with DIGEST failed. */
void sweep_split_forget(const char *store, const char *digest);

#endif
