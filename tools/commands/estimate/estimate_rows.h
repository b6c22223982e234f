/* The launches and copies of an application, and their estimates. */
#ifndef HEARTH_TOOLS_COMMANDS_ESTIMATE_ESTIMATE_ROWS_H
#define HEARTH_TOOLS_COMMANDS_ESTIMATE_ESTIMATE_ROWS_H

#include "estimate/launch_estimate.h"
#include "estimate/work.h"
#include "tools/commands/estimate/estimate_request.h"
#include "traces/base/text/texts.h"

struct estimate_row {
    uint64_t launch;    /* 0: a copy */
    const char *kernel; /* owned by the rows */
    bool in;            /* a copy to the device */
    bool known;         /* there is an estimate */
    double bytes;       /* of a copy */
    struct estimate_work work;
    struct launch_estimate estimate;
    double bound;          /* lower bound, in cycles; NaN: not asked for */
    double lambda;         /* lambda_k */
    double seconds, start; /* of the launch or copy */
};

struct estimate_rows {
    struct estimate_row *items;
    size_t count;
    struct texts texts;
    size_t unknown;  /* launches without an estimate */
    size_t untraced; /* launches of a profile whose kernel is not in --traces */
};

/* Reads the workload or profile of REQUEST; estimates of launches follow later
 * (estimate_rows_make()). CONFIG: of --hits functional and --bounds; NULL: none was given.
 * Returns 0, or -1 with ERR; estimate_rows_finish() either way. */
int estimate_rows_read(struct estimate_rows *rows, const struct estimate_request *request,
                       const struct estimate_device *device, const struct sim_config *config,
                       struct error *err);
void estimate_rows_finish(struct estimate_rows *rows);

/* A new row, zeroed; NULL with ERR filled. */
struct estimate_row *estimate_rows_add(struct estimate_rows *rows, struct error *err);

/* How the rows are estimated. */
struct estimate_setting {
    const struct estimate_device *device;
    double occupancy; /* warps of an SM; 0: as blocks allow */
    double block;     /* threads of a block; 0: as launched */
    double size;      /* factor on the number of blocks; 0: 1 */
};
/* Estimates all rows and their times by stream: a launch begins when the one before it in its
 * stream has ended, and a copy when everything before it has. *SECONDS: until the last has
 * ended. Returns 0, or -1 with ERR. */
int estimate_rows_make(struct estimate_rows *rows, const struct estimate_setting *setting,
                       double *seconds, struct error *err);

#endif
