/* The footprint of a launch, as a CSV row, and as rows that say where its sectors come
 * from. */
#ifndef HEARTH_TOOLS_STUDY_FOOTPRINT_FOOTPRINT_ROW_H
#define HEARTH_TOOLS_STUDY_FOOTPRINT_FOOTPRINT_ROW_H

#include <stdio.h>

#include "traces/traces.h"

struct footprint_row {
    uint64_t launch; /* its number */
    char *kernel;
    uint64_t stream;
    uint32_t grid[3], block[3];
    struct trace_footprint counts; /* its `sources` are valid until the next launch is read */
    uint64_t last;                 /* sectors that the previous launch was the last to touch */
    uint64_t back;                 /* launches to go back */
    bool has_previous, has_next;   /* whether there are a previous and a next launch */
    /* What the next launch touches of this one's. */
    uint64_t next_lines, next_sectors, next_addresses;
};

/* Makes the row of launch NUMBER with HEADER and COUNTS; the caller sets BACK. Returns 0, or
 * -1 with ERR filled. */
int footprint_row_init(struct footprint_row *row, uint64_t number,
                       const struct trace_header *header, const struct trace_footprint *counts,
                       struct error *err);
void footprint_row_finish(struct footprint_row *row);

/* The value of the column of that name, which must be a count or a share, as in the CSV: a
 * share has six digits; "" if unknown. */
void footprint_row_text(const struct footprint_row *row, const char *column, char text[32]);

void footprint_csv_head(FILE *out);
void footprint_csv_row(FILE *out, const struct footprint_row *row);

void footprint_sources_head(FILE *out);
void footprint_sources_rows(FILE *out, const struct footprint_row *row);

#endif
