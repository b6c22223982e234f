/* Touches of one launch, counted in the tables. */
#ifndef HEARTH_TRACES_FOOTPRINT_LAUNCH_H
#define HEARTH_TRACES_FOOTPRINT_LAUNCH_H

#include "traces/footprint.h"
#include "traces/footprint/copied.h"
#include "traces/footprint/history.h"
#include "traces/footprint/partly.h"
#include "traces/footprint/table.h"
#include "traces/footprint/unsure.h"

struct trace_reuse {
    struct trace_reuse_options options;
    struct line_table table;
    struct copied copied;
    struct partly parts;
    struct history history;
    struct footprint_touches touches; /* not yet in the table */
    uint64_t copy_lines;              /* of copies before the next launch */
    uint64_t lines, sectors;          /* different ones, of all launches */
    struct trace_footprint footprint; /* of the current launch */
    struct trace_reuse_source *sources;
    size_t source_capacity;
    uint64_t *unwritten; /* of the current launch, with options.unwritten */
    size_t unwritten_count;
    struct unsure unsure; /* of the current launch, with options.unsure */
};

/* Counts the touches that were gathered. Returns 0 or -1. */
int launch_count(struct trace_reuse *reuse, struct error *err);

#endif
