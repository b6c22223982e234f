/* activity.csv: how often each component did what in each launch, and the energy that a table
 * gives it. */
#ifndef HEARTH_TOOLS_RUN_ACTIVITY_ACTIVITY_TABLE_H
#define HEARTH_TOOLS_RUN_ACTIVITY_ACTIVITY_TABLE_H

#include <stdint.h>
#include <stdio.h>

#include "tools/run/activity/energies.h"
#include "tools/run/results/rows/rows.h"

/* Writes the table for ROWS: a line for each launch and event that happened, with its energy
 * (empty if ENERGIES does not have it), then a line for each event summed over the measured
 * launches, whose step is "all". */
void activity_table_write(const struct rows *rows, const struct energies *energies, FILE *out);

/* What the events of a component come to. */
struct activity_component {
    const char *name;
    double picojoules;       /* of those that the energy table has */
    unsigned known, unknown; /* kinds of events that happened: with an energy, without */
};

/* Fills COMPONENTS from the measured launches of ROWS; returns how many. */
int activity_table_components(const struct rows *rows, const struct energies *energies,
                              struct activity_component components[ACTIVITY_EVENTS]);

#endif
