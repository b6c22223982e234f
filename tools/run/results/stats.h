/* stats.json and stats.txt: the counters of all launches and their totals, with the unit and
 * description of each counter once. */
#ifndef HEARTH_TOOLS_RUN_RESULTS_STATS_H
#define HEARTH_TOOLS_RUN_RESULTS_STATS_H

#include <stdio.h>

#include "tools/run/results/results_writer.h"
#include "tools/run/results/rows/row_texts.h"
#include "traces/base/json.h"

/* An object: "totals" with value, unit and description of each; where there are several streams
 * "streams" with the values of the same totals for each, by its number; "counters" with unit
 * and description of what "launches" gives by name for each launch, in the order of the rows.
 */
void stats_begin_json(struct json *json, const struct results *results,
                      const struct results_about *about, FILE *out);
void stats_add_json(struct json *json, const struct row_texts *texts); /* a row */
void stats_end_json(struct json *json);

/* "total.NAME value # description (unit) [Nsight's name]", then, where there are several
 * streams, for each "streamN.NAME value", and for each launch "stepN.NAME value", N as in
 * kernels.csv; both without those that are 0. In between, in comments, what counters of
 * launches mean that no total describes. */
void stats_begin_text(const struct results *results, const struct results_about *about,
                      FILE *out);
void stats_add_text(const struct row_texts *texts, uint64_t step, FILE *out); /* a row */

#endif
