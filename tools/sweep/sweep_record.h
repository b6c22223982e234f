/* The file sweep.jobs in the folder of a sweep: its jobs, for those who only ask how far it
 * is. */
#ifndef HEARTH_TOOLS_SWEEP_SWEEP_RECORD_H
#define HEARTH_TOOLS_SWEEP_SWEEP_RECORD_H

#include "tools/sweep/sweep.h"
#include "tools/sweep/sweep_jobs.h"

/* Writes the file of JOBS. Returns 0, or -1 with ERR filled. */
int sweep_record_write(const struct sweep_request *request, const struct sweep_jobs *jobs,
                       unsigned processes, struct error *err);

struct sweep_record {
    char *store, *engine;
    unsigned processes;
    struct sweep_spec spec; /* only the number of workloads */
    struct sweep_jobs jobs; /* digests, kinds, workloads and needs; every run is a cell */
    size_t runs, jobless;   /* runs of the specification; those that have no job */
};

/* Reads that of the sweep in the folder OUTPUT. Returns 0, or -1 with ERR filled;
 * sweep_record_finish() either way. */
int sweep_record_read(struct sweep_record *record, const char *output, struct error *err);
void sweep_record_finish(struct sweep_record *record);

#endif
