/* The jobs of a sweep: each is one command of hearth in a folder of its own, which is named by
 * the digest of all that its outputs depend on. Jobs with the same inputs are the same job. */
#ifndef HEARTH_TOOLS_SWEEP_SWEEP_JOBS_H
#define HEARTH_TOOLS_SWEEP_SWEEP_JOBS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "tools/sweep/spec/sweep_spec.h"
#include "tools/sweep/sweep_contents.h"
#include "traces/base/files/output_files.h"
#include "traces/base/map.h"
#include "traces/base/process/build_id.h"

#define SWEEP_NONE UINT32_MAX
#define SWEEP_VARIANTS                                                                         \
    OUTPUT_FILES_MOST /* states that a pass makes, at most: those of hearth warm */

/* What a job makes. */
enum sweep_kind {
    SWEEP_PACK,   /* workload.packed: the decoded traces of a text workload */
    SWEEP_SAMPLE, /* sample.plan: the launches that a method chooses */
    SWEEP_WARM,   /* warm.plan, and its states of L2 */
    SWEEP_RUN,    /* results: the simulation */
};
#define SWEEP_KINDS 4
extern const char *const sweep_kind_names[SWEEP_KINDS];

struct sweep_job {
    char digest[DIGEST_TEXT];       /* name of its folder in the store */
    uint8_t kind;                   /* enum sweep_kind */
    uint8_t level;                  /* jobs that must be done before it, one after the other */
    uint32_t needs;                 /* the last of these; SWEEP_NONE */
    uint32_t workload, config, way; /* of the first cell that needs the job */
};

struct sweep_jobs {
    const struct sweep_spec *spec; /* not owned */
    const char *store;             /* absolute; likewise */
    char build[BUILD_ID_TEXT];     /* of this program */
    struct sweep_job *items;       /* each after the one that it needs */
    size_t count;
    struct sweep_of_workload {
        struct sweep_contents contents;
        char *error; /* NULL: it can be read */
    } * workloads;
    /* Of each card and combination of points: card * points + point. */
    struct sweep_of_config {
        char digest[DIGEST_TEXT]; /* of the effective configuration */
        char states[DIGEST_TEXT]; /* of the options that states of L2 depend on */
        double core_mhz;
        bool limited;    /* segments cannot be executed apart */
        uint32_t group;  /* of configurations for whose states one pass is enough */
        uint8_t variant; /* which of the group's states it has */
        char *error;     /* NULL: it is valid */
    } * configs;
    size_t config_count;
    struct sweep_group {
        uint32_t configs[SWEEP_VARIANTS]; /* with different states */
        unsigned count;
    } * groups;
    size_t group_count;
    uint32_t *cells; /* the run of each: (workload * config_count + config) * ways + way;
                        SWEEP_NONE: its workload or configuration is invalid */
    size_t cell_count;
    struct map places; /* private: of jobs, by digest */
};

/* Makes the jobs of SPEC. STORE is where their folders are or will be. Returns 0, or -1 with
 * ERR filled; sweep_jobs_finish() either way. */
int sweep_jobs_init(struct sweep_jobs *jobs, const struct sweep_spec *spec, const char *store,
                    struct error *err);
void sweep_jobs_finish(struct sweep_jobs *jobs);

/* Why cell CELL has no run: an invalid workload or configuration. */
const char *sweep_jobs_error(const struct sweep_jobs *jobs, size_t cell);

/* What -c and --set of configuration CONFIG are. The caller frees the items of the values; they
 * are NULL without memory. */
const struct sweep_names *sweep_jobs_files(const struct sweep_jobs *jobs, size_t config);
struct sweep_names sweep_jobs_values(const struct sweep_jobs *jobs, size_t config);
/* Whether JOB is a run whose plan may have several segments. */
bool sweep_jobs_splits(const struct sweep_jobs *jobs, const struct sweep_job *job);
/* Whether JOB, a plan with warm-up, is for several configurations of a group. */
bool sweep_jobs_groups(const struct sweep_jobs *jobs, const struct sweep_job *job);
/* Whether options of METHOD, a sample, depend on the card. */
bool sweep_jobs_follows_card(const struct sweep_method *method);

/* Writes the file "job" into the folder of JOB, which is made if it is missing. Returns 0, or
 * -1 with ERR filled. */
int sweep_jobs_write(const struct sweep_jobs *jobs, const struct sweep_job *job,
                     struct error *err);

#endif
