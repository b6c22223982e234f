/* Runs of some segments of a plan, and runs that take the rows of such runs. What a run of some
 * segments leaves is the file SEGMENT_ROWS, with lines as in a journal:
 *
 *   hearth-segments 1 VERSION WORKLOAD CONFIGURATION INTERVALS   as in struct identity
 *   segment DIGEST                                               of the next rows
 *   row ITEM ...                                                 items count from the segment's
 *                                                                first one
 *   end COUNT                                                    segments in the file */
#ifndef HEARTH_TOOLS_RUN_SPLIT_SEGMENT_ROWS_H
#define HEARTH_TOOLS_RUN_SPLIT_SEGMENT_ROWS_H

#include "tools/run/journal/journal.h"
#include "tools/run/plan/input.h"

#define SEGMENT_ROWS "segments.rows"

/* Leaves out of INPUT the segments of its plan that LIST, "1,5-9", does not have. Returns 0, or
 * -1 with ERR filled: there are no such segments, or they save states for others. */
int segment_rows_choose(struct input *input, const char *list, struct error *err);

/* Writes SEGMENTS of RUN, which were executed to their end. Returns 0, or -1 with ERR filled.
 */
int segment_rows_write(const struct segments *segments, const struct journal_run *run,
                       FILE *out, struct error *err);

/* Takes rows into those of SEGMENTS that have none: the file LIST names a folder with
 * SEGMENT_ROWS in each line. Returns 0, or -1 with ERR filled: a file cannot be read, or is of
 * another version, workload or configuration. */
int segment_rows_read(struct segments *segments, const struct journal_run *run,
                      const char *list, struct error *err);

#endif
