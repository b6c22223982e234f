/* hearth study sampled, shared by its files. */
#ifndef HEARTH_TOOLS_STUDY_SAMPLED_SAMPLED_H
#define HEARTH_TOOLS_STUDY_SAMPLED_SAMPLED_H

#include <stdbool.h>
#include <stddef.h>

#include "tools/report/report_table.h"
#include "tools/run/sample/sample_source.h"
#include "tools/study/method_spec.h"
#include "tools/study/run_measures.h"
#include "tools/study/study_files.h"
#include "tools/study/study_run.h"

#define SAMPLED_METHODS  16
#define SAMPLED_POLICIES 8
#define SAMPLED_INSIDE   8  /* methods inside launches, and none */
#define SAMPLED_VARIANTS 22 /* policies with methods inside launches: columns of a table */
#define SAMPLED_CONFIGS  5  /* the study's own card, and those of --against */

/* Every statistic of the application, extrapolation_count() of them. NULL: not known yet. */
typedef struct sampling_estimate *sampled_values;

/* How the launches of a sample are simulated. */
struct sampled_variant {
    const char *policy; /* of warm-up */
    const char *intra;  /* METHOD[:OPTION=VALUE...] that samples inside them; NULL: none */
    size_t inside;      /* its number, from 1; 0: none */
    size_t whole;       /* the variant with the same policy in which launches are whole */
    char name[96];      /* of both; short names for charts */
};

/* What the tracer has to record for a sample and the warm-up of its launches. */
struct sampled_tracing {
    size_t recorded, memory, states; /* launches; the second: only their accesses of memory */
    double trace_bytes, memory_bytes, state_bytes;
    double sent;    /* records: warp instructions */
    double seconds; /* CPU time of writing them */
};

/* A sample in one variant, on one card. */
struct sampled_cell {
    struct run_measures measures;
    sampled_values values;
    struct sampled_tracing tracing; /* on the study's own card, if it is asked for */
};

/* The choice of a method. */
struct sampled_plan {
    struct method_spec method;
    char *path;         /* of the plan; NULL: the method could not be used */
    struct error error; /* the reason */
    struct plan *plan;
    size_t count;      /* measured launches */
    size_t *rows;      /* for each of them, its index among the measured launches of the full
                          run */
    double warp_insts; /* the sum of theirs, in the full run */
    double seconds;    /* that the choice took */
    char no_bar[64];   /* why some or all error bars are missing; "": all exist */
    bool all;          /* it has every launch: nothing is drawn */
    /* For each card: the estimate if each measured launch were as in the full run. What
     * remains is the error of sampling. */
    sampled_values warm[SAMPLED_CONFIGS];
    struct sampled_cell cells[SAMPLED_CONFIGS][SAMPLED_VARIANTS];
};

/* The full run on a card. */
struct sampled_full {
    struct results results;
    struct run_measures measures;
    struct extrapolated_rows rows; /* the measured ones of `results` */
    sampled_values values;
};

struct sampled {
    struct study_options options;
    const char *methods, *policies, *inside; /* lists as given; the last may be NULL */
    uint64_t seed;
    bool tracing;                /* --tracing */
    struct sampled_costs *costs; /* of recording the launches; NULL: not asked for */
    char *method_names, *policy_names, *inside_names; /* split at their commas */
    struct sampled_plan plans[SAMPLED_METHODS];
    size_t plan_count;
    const char *intra[SAMPLED_INSIDE]; /* methods inside launches; the first is NULL: none */
    size_t intra_count;                /* at least 1 */
    struct sampled_variant variants[SAMPLED_VARIANTS]; /* by policy, then by method */
    size_t variant_count;
    struct sample_source source;          /* from which launches are chosen */
    const char *configs[SAMPLED_CONFIGS]; /* the first is NULL, the study's own */
    size_t config_count;
    struct sampled_full full[SAMPLED_CONFIGS];
    struct report_table_column
        error_columns[SAMPLED_VARIANTS + 2]; /* of a table: one column per variant */
    struct study_run_count count;
    struct study_files files;
};

/* Runs everything. Returns the exit code, or -1 with ERR filled. */
int sampled_run(struct sampled *study, struct error *err);

enum sampled_sheet {
    SAMPLED_RESULTS,
    SAMPLED_ERRORS,
    SAMPLED_STATISTICS,
    SAMPLED_SPEEDUPS,
    SAMPLED_TRACING,
    SAMPLED_LAUNCHES,
    SAMPLED_FAILED,
    SAMPLED_SHEETS
};
/* The statistic NAME of VALUES. */
double sampled_value(const struct sampling_estimate *values, const char *name);
/* Hits of L2's reads, in percent; NaN without reads. */
double sampled_hit_rate(const struct sampling_estimate *values);
/* The error of that statistic against the FULL run, in percent. */
double sampled_error_of(const struct sampling_estimate *values,
                        const struct sampling_estimate *full, const char *name);

/* Fills SHEETS; the caller finishes them. */
void sampled_make_sheets(struct sampled *study, struct report_table sheets[SAMPLED_SHEETS]);

/* Finds what recording each launch takes, if that is asked for. */
int sampled_tracing_measure(struct sampled *study, struct error *err);
/* Adds to TRACING what RUN, whose RESULTS these are, needs. */
int sampled_tracing_of(const struct sampled *study, const struct study_run *run,
                       const struct results *results, struct sampled_tracing *tracing,
                       struct error *err);
void sampled_tracing_finish(struct sampled *study);
/* The table of that. */
void sampled_fill_tracing(const struct sampled *study, struct report_table *sheet);

/* The table of launches that were sampled inside. */
void sampled_fill_launches(const struct sampled *study, struct report_table *sheet);

/* Writes all files of the study. */
int sampled_write(struct sampled *study, struct report_table sheets[SAMPLED_SHEETS],
                  struct error *err);

#endif
