/* What hearth sample works on: a profile, and the workload that it is of. */
#ifndef HEARTH_TOOLS_RUN_SAMPLE_SAMPLE_SOURCE_H
#define HEARTH_TOOLS_RUN_SAMPLE_SAMPLE_SOURCE_H

#include <stdbool.h>

#include "tools/run/plan/launches.h"
#include "traces/traces.h"

struct sample_source {
    struct profile *profile;
    struct trace_workload *workload; /* NULL: not known */
    struct launches launches;        /* of the workload */
    FILE *bbv;                       /* basic blocks of the launches; NULL: none */
    char *bbv_name;
};

/* What is asked for; NULL where nothing is. */
struct sample_request {
    const char *source;   /* a workload, or a profile by its name: .csv, .tsv */
    const char *workload; /* that the profile is of */
    const char *bbv;      /* file of basic blocks; of PROFILE.csv PROFILE.bbv.csv is taken */
    const char *cycles;   /* results of a run */
    bool needs_bbv;       /* of a workload they are measured only then */
    bool quiet;
};

/* Reads the profile, or makes it from the traces of the workload. Returns 0, or
 * -1 with ERR filled; sample_source_finish() either way. */
int sample_source_init(struct sample_source *source, const struct sample_request *request,
                       struct error *err);
void sample_source_finish(struct sample_source *source);

#endif
