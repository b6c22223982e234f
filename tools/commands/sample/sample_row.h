/* The rows of evaluations, as CSV and as a table to read. */
#ifndef HEARTH_TOOLS_COMMANDS_SAMPLE_SAMPLE_ROW_H
#define HEARTH_TOOLS_COMMANDS_SAMPLE_SAMPLE_ROW_H

#include <stdio.h>

#include "sampling/sampling.h"

/* One evaluation. */
struct sample_row {
    const char *profile; /* path as given */
    size_t launches;     /* in the profile */
    const struct sampling_method *method;
    const struct sampling_options *options;
    const struct sampling *selection; /* NULL: the profile lacks something */
    struct sampling_evaluation evaluation;
    const char *note; /* what it lacks; NULL: nothing */
};

/* CSV: first the header, then a line per row. Columns: docs/sampling.md. */
void sample_row_csv_header(FILE *out);
void sample_row_csv(const struct sample_row *row, FILE *out);
/* The table: the same. */
void sample_row_text_header(FILE *out);
void sample_row_text(const struct sample_row *row, FILE *out);

#endif
