/* The input of hearth sample: a profile, and its workload. */
#ifndef HEARTH_TOOLS_RUN_SAMPLE_SAMPLE_SOURCE_H
#define HEARTH_TOOLS_RUN_SAMPLE_SAMPLE_SOURCE_H

#include <stdbool.h>

#include "tools/run/plan/launches.h"
#include "traces/traces.h"

struct sample_source {
    struct profile *profile;
    struct trace_workload *workload; /* NULL: unknown */
    struct launches launches;        /* of the workload */
    FILE *bbv;                       /* basic blocks of the launches; NULL: none */
    char *bbv_name;
};

/* The request; members may be NULL. */
struct sample_request {
    const char *source;   /* a workload, or a profile, which has a name with .csv or .tsv */
    const char *workload; /* the workload of the profile */
    const char *bbv;      /* file of basic blocks; for PROFILE.csv the default is
                             PROFILE.bbv.csv */
    const char *cycles;   /* results of a run */
    bool needs_bbv;       /* if the source is a workload, basic blocks are profiled only then */
    bool counts; /* if the source is a workload: only grids, blocks and warp instructions, which
                    packed traces say in their headers */
    bool quiet;
};

/* Reads the profile, or makes it from the traces of the workload. Returns 0, or
 * -1 with ERR filled; sample_source_finish() either way. */
int sample_source_init(struct sample_source *source, const struct sample_request *request,
                       struct error *err);
void sample_source_finish(struct sample_source *source);

#endif
