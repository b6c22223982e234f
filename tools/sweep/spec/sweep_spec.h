/* The specification of a sweep: what is simulated, on what, and how (docs/sweeps.md). */
#ifndef HEARTH_TOOLS_SWEEP_SPEC_SWEEP_SPEC_H
#define HEARTH_TOOLS_SWEEP_SPEC_SWEEP_SPEC_H

#include <stdbool.h>
#include <stddef.h>

#include "sampling/sampling.h"
#include "traces/base/error.h"
#include "traces/base/text/texts.h"

#define SWEEP_AXES 12
#define SWEEP_SAME SIZE_MAX /* of the baseline: the value of the compared cell */

/* A list of texts. The specification owns them. */
struct sweep_names {
    const char **items;
    size_t count;
};

struct sweep_spec {
    struct sweep_workload {
        const char *name, *path; /* in tables; absolute */
    } * workloads;
    struct sweep_card {
        const char *name;          /* in tables: as given */
        struct sweep_names files;  /* bundled names and absolute paths, for -c */
        struct sweep_names values; /* NAME=VALUE, for --set */
    } * cards;
    struct sweep_axis {
        const char *name; /* column of the tables */
        struct sweep_point {
            const char *label;         /* value of that column */
            struct sweep_names values; /* NAME=VALUE, for --set */
        } * points;
        size_t count;
    } axes[SWEEP_AXES];
    struct sweep_define {
        const char *name;
        struct sweep_names values;
    } * defines; /* parts of compositions, QV100-NAME */
    struct sweep_method {
        const char *name;                     /* as given, with options: "sieve theta=0.3" */
        const struct sampling_method *method; /* NULL: full, every launch */
        struct sweep_names options;           /* --NAME=VALUE, for hearth sample */
    } * methods;
    struct sweep_policy {
        const char *name;
        bool plans;  /* hearth warm applies it; otherwise it is a correction of results */
        bool states; /* a pass before the run makes states of L2 */
        bool timed;  /* the run itself makes them */
    } * policies;    /* warm-up of samples */
    /* Pairs of a method and a policy. */
    struct sweep_way {
        size_t method;
        const char *warm;           /* NULL: no policy is applied */
        bool planned, saved, timed; /* as `plans`, `states` and `timed` of the policy */
    } * ways;
    size_t workload_count, card_count, axis_count, define_count, method_count, policy_count,
        way_count;
    /* What speed-ups are relative to; indices, or SWEEP_SAME. */
    struct sweep_baseline {
        bool given;
        size_t card, axes[SWEEP_AXES], method;
        const char *warm; /* NULL: the same */
    } baseline;
    struct sweep_names pareto; /* what is minimised: axes and totals */
    struct texts texts;        /* private */
};

/* Reads the file at PATH. Returns 0, or -1 with ERR filled (ERROR_USAGE, with line and column);
 * sweep_spec_finish() either way. */
int sweep_spec_init(struct sweep_spec *spec, const char *path, struct error *err);
void sweep_spec_finish(struct sweep_spec *spec);

/* Copies TEXT for SPEC. NULL without memory. */
const char *sweep_spec_keep(struct sweep_spec *spec, const char *text);
/* Adds a copy of TEXT. Returns false without memory. */
bool sweep_spec_add(struct sweep_spec *spec, struct sweep_names *names, const char *text);

/* Points of all axes together: the product of their numbers. */
size_t sweep_spec_points(const struct sweep_spec *spec);
/* Which point of axis AXIS combination POINT (from 0) has. */
size_t sweep_spec_point(const struct sweep_spec *spec, size_t point, size_t axis);
/* The axis called NAME, or axis_count. */
size_t sweep_spec_axis(const struct sweep_spec *spec, const char *name);

#endif
