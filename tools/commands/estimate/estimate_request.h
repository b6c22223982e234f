/* What hearth estimate was asked for, and what its parts share. */
#ifndef HEARTH_TOOLS_COMMANDS_ESTIMATE_ESTIMATE_REQUEST_H
#define HEARTH_TOOLS_COMMANDS_ESTIMATE_ESTIMATE_REQUEST_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "estimate/device.h"
#include "tools/report/report_table.h"

struct estimate_request {
    const char *target; /* workload or profile; NULL with `listing` */
    const char *listing, *function, *trips;
    const char *device; /* NULL: that of the configuration */
    const char **configs, **sets;
    size_t config_count, set_count;
    const char *format;                           /* text, csv or json */
    uint64_t grid, block, regs, shmem, occupancy; /* of a listing; 0: not given */
    uint64_t in, out;                             /* bytes of its copies */
    bool quiet;
};

/* Prints SHEET on standard output in FORMAT: the text with its title. Returns 0, or -1 with ERR
 * when memory is short. */
int estimate_print(const struct report_table *sheet, const char *format, struct error *err);

/* hearth estimate --sass. Returns 0, or -1 with ERR. */
int estimate_listing(const struct estimate_request *request, struct error *err);

#endif
