/* The launches that each representative stands for, as text: "1,5-9". */
#ifndef HEARTH_TOOLS_RUN_SAMPLE_REPRESENTED_H
#define HEARTH_TOOLS_RUN_SAMPLE_REPRESENTED_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "sampling/sampling.h"

struct represented {
    const char **of; /* for the row of a representative */
    char *text;
};

int represented_init(struct represented *stands, const struct sampling *selection,
                     struct error *err);
/* Accepts a zeroed one. */
void represented_finish(struct represented *stands);

/* The list of the representative in ROW; owned by STANDS. */
const char *represented_of(const struct represented *stands, size_t row);

/* Sorts NUMBERS and writes them as numbers and ranges, with SEPARATOR in between. */
void represented_write(uint64_t *numbers, size_t count, char separator, FILE *out);

#endif
