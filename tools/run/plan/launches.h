/* What the headers of a workload's traces say before anything is simulated: the launches'
 * numbers and sizes. */
#ifndef HEARTH_TOOLS_RUN_PLAN_LAUNCHES_H
#define HEARTH_TOOLS_RUN_PLAN_LAUNCHES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "traces/base/ranges.h"
#include "traces/traces.h"

/* A workload may have millions of them. */
struct launch_header {
    const char *name;    /* as listed; owned by the workload */
    uint64_t id;         /* kernel id of its header */
    uint64_t warps : 62; /* of the grid; 0 if the file cannot be read */
    bool readable : 1;   /* its header could be read */
    bool has_id : 1;
};

/* Number of warps of a launch of GRID blocks of BLOCK threads. */
uint64_t launches_warps(const uint32_t grid[3], const uint32_t block[3]);

/* The launches of one workload. */
struct launches {
    struct launch_header *items; /* by position */
    uint32_t *by_name;           /* indices of them, sorted by name, then position */
    size_t count;
    bool by_position; /* ids are missing or repeat: positions are used instead */
};

/* Reads the headers of all kernels of WORKLOAD. Files that cannot be read are not an error
 * here; they are ignored when ids are checked. Returns 0, or -1 with ERR filled. */
int launches_init(struct launches *launches, const struct trace_workload *workload,
                  struct error *err);
/* Opens the workload at PATH and reads its headers into LAUNCHES (unless that is NULL);
 * warnings go to stderr. NULL with ERR filled; launches_finish() either way. */
struct trace_workload *launches_open(struct launches *launches, const char *path,
                                     struct error *err);
void launches_finish(struct launches *launches);

/* Whether each of RANGES, the value of --launches, contains a launch of the workload at PATH.
 * Returns 0, or -1 with ERR filled. */
int launches_check_ranges(const struct launches *launches, const struct ranges *ranges,
                          const char *path, struct error *err);

/* The first launch of that name, else the first whose name differs only in the suffix of its
 * compression, or NULL. */
const struct launch_header *launches_find(const struct launches *launches, const char *name);

/* The position of LAUNCH, which is one of LAUNCHES, among the kernels of the list, from 1. */
static inline size_t launches_position(const struct launches *launches,
                                       const struct launch_header *launch)
{
    return (size_t)(launch - launches->items) + 1;
}

/* The number of a launch in options and results; 0 if the workload's list does not contain
 * NAME. POSITION is its position in the list; 0 if unknown: then the first launch of that name
 * is meant. */
uint64_t launches_number(const struct launches *launches, const char *name, size_t position);

#endif
