/* A text in memory that is written as a file is. */
#ifndef HEARTH_TRACES_BASE_DRAFT_H
#define HEARTH_TRACES_BASE_DRAFT_H

#include <stdbool.h>
#include <stdio.h>

struct draft {
    FILE *out;
    char *text; /* once it has ended: to be freed */
    size_t size;
};

/* False if memory is short: there is nothing to end then. */
bool draft_begin(struct draft *draft);
/* Closes `out`. False if memory was short: `text` is NULL then. */
bool draft_end(struct draft *draft);

#endif
