/* Which launches each representative stands for, as text: "1,5-9". */
#ifndef HEARTH_TOOLS_RUN_PLAN_REPRESENTED_H
#define HEARTH_TOOLS_RUN_PLAN_REPRESENTED_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "sampling/sampling.h"

struct stands {
    const char **of; /* by row of a representative */
    char *text;
};

int stands_init(struct stands *stands, const struct sampling *selection, struct error *err);
/* Accepts a zeroed one. */
void stands_finish(struct stands *stands);

/* Of the representative in ROW; owned by STANDS. */
const char *stands_of(const struct stands *stands, size_t row);

/* Sorts NUMBERS and writes them as numbers and ranges with SEPARATOR between. */
void stands_write(uint64_t *numbers, size_t count, char separator, FILE *out);

#endif
