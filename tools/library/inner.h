/* Private to tools/library: what its files share. */
#ifndef HEARTH_TOOLS_LIBRARY_INNER_H
#define HEARTH_TOOLS_LIBRARY_INNER_H

#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>

#include "tools/library/hearth.h"
#include "tools/run/plan/launches.h"
#include "tools/run/run.h"

struct hearth_results {
    struct results results;
    struct last_row *last; /* the row that was read last: callers ask for its columns one after
                            * the other */
};

struct hearth_workload {
    struct trace_workload *traces;
    struct launches launches;
    size_t *positions; /* of each item: launches up to and including it */
};

/* Makes empty results. NULL with ERR filled. */
struct hearth_results *inner_results_create(struct error *err);
/* REQUEST as tools/run takes it. */
struct run_request inner_request(const struct hearth_request *request);
/* Numbers in files are read and written with a point. Returns 0, or -1 with ERR filled. */
int inner_check_locale(struct error *err);
/* Hands ERR to the caller of the library; TO may be NULL. Returns its status. */
enum hearth_status inner_report(struct hearth_error *to, const struct error *err);

#endif
