/* Which launches are traced, and how. */
#ifndef HEARTH_TRACER_SELECT_SELECT_H
#define HEARTH_TRACER_SELECT_SELECT_H

#include <regex.h>

#include "tracer/tracer.h"
#include "traces/traces.h"

/* A range of launch numbers; `last` is UINT64_MAX where it is open. */
struct select_range {
    uint64_t first, last;
    bool memory;    /* of a list: memory-only, whatever the mode */
    regex_t *names; /* one of them has to match; none: all do */
    size_t name_count;
};

struct select_ranges {
    struct select_range *items;
    size_t count;
};

struct selection {
    const struct tracer_options *options;
    struct select_ranges range; /* DYNAMIC_KERNEL_RANGE */
    struct select_ranges list;  /* TRACE_LIST */
    bool active;                /* between cuProfilerStart and -Stop */
    uint64_t last;              /* no launch after it is traced; 0: no limit */
};

/* What is wanted of a launch's files. */
enum select_files {
    SELECT_NONE = 0,
    SELECT_FULL = 1,
    SELECT_MEMORY = 2,
    SELECT_TRACES = SELECT_FULL | SELECT_MEMORY,
    SELECT_STATES = 4, /* it is executed for the states of later launches */
    SELECT_SAVE = 8,   /* the states before it are wanted; only with SELECT_STATES */
    SELECT_LAST = 16,  /* no launch that is wanted follows; only with SELECT_STATES */
};

/* Returns 0, or -1 with ERR filled (ERROR_USAGE) and nothing to finish. */
int selection_init(struct selection *selection, const struct tracer_options *options,
                   struct error *err);
void selection_finish(struct selection *selection);

/* The files of launch ID of its context, by its mangled NAME. */
unsigned selection_of(const struct selection *selection, uint64_t id, const char *name);

/* Appends the blank- or comma-separated ranges in TEXT to RANGES. Messages name FILE and
 * LINE. Returns 0 or -1. */
int select_ranges_parse(struct select_ranges *ranges, const char *text, bool memory,
                        const char *file, long line, struct error *err);
void select_ranges_finish(struct select_ranges *ranges);

#endif
