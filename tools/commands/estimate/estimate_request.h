/* What hearth estimate was asked for, and what its parts share. */
#ifndef HEARTH_TOOLS_COMMANDS_ESTIMATE_ESTIMATE_REQUEST_H
#define HEARTH_TOOLS_COMMANDS_ESTIMATE_ESTIMATE_REQUEST_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "estimate/device.h"
#include "tools/report/report_table.h"
#include "traces/base/ranges.h"

#define ESTIMATE_CARD "rtx3070" /* without --config and --device */

struct estimate_request {
    const char *target; /* workload or profile; NULL with `listing` */
    const char *listing, *function, *trips;
    const char *device; /* NULL: that of the configuration, or the paper's with a listing */
    const char **configs, **sets, **changes, **curves;
    size_t config_count, set_count, change_count, curve_count;
    const char *traces;   /* workload with some of a profile's launches */
    const char *hits;     /* none or functional */
    const char *measured; /* results or table to calibrate with */
    const char *column;   /* of that table; NULL: cycles or time_ns */
    const char *by;       /* kernel or device */
    const char *copies;   /* table of copies to calibrate with */
    const char *format;   /* text, csv or json */
    const char *output;   /* folder; NULL: none */
    struct ranges launches;
    uint64_t grid, block, regs, shmem, occupancy; /* of a listing; 0: not given */
    uint64_t in, out;                             /* bytes of its copies */
    bool bounds, quiet;
};

/* Prints the tables SHEETS, COUNT of them, on standard output in FORMAT: csv has only the
 * first. Returns 0, or -1 with ERR when memory is short. */
int estimate_print(const struct report_table *const *sheets, size_t count, const char *format,
                   struct error *err);

/* hearth estimate --sass, and of a workload or profile. Return 0, or -1 with ERR. */
int estimate_listing(const struct estimate_request *request, struct error *err);
int estimate_workload(const struct estimate_request *request, struct error *err);

#endif
