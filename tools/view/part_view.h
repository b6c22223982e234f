/* What each SM, L2 slice and DRAM channel did: parts.csv, summed over measured launches. */
#ifndef HEARTH_TOOLS_VIEW_PART_VIEW_H
#define HEARTH_TOOLS_VIEW_PART_VIEW_H

#include "sim/stats/parts.h"
#include "tools/view/run_view.h"

enum part_view_kind { PART_VIEW_SM, PART_VIEW_SLICE, PART_VIEW_CHANNEL, PART_VIEW_KINDS };

struct part_view {
    struct sim_part *parts[PART_VIEW_KINDS]; /* by number */
    size_t counts[PART_VIEW_KINDS];          /* 0 for all: the run did not count parts */
};

/* Reads the parts of RUN. Returns 0, or -1 with ERR filled; part_view_finish() either way. */
int part_view_read(struct part_view *view, const struct run_view *run, struct error *err);
/* Accepts a zeroed one. */
void part_view_finish(struct part_view *view);

#endif
