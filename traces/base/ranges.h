/* Sets of launch numbers as people write them: "1,5-9". */
#ifndef HEARTH_TRACES_BASE_RANGES_H
#define HEARTH_TRACES_BASE_RANGES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "traces/base/error.h"

struct ranges {
    struct range {
        uint64_t first, last; /* both included */
    } * items;
    size_t count;
};

/* Reads TEXT: numbers and ascending FIRST-LAST pairs, separated by commas. WHAT, FILE and LINE
 * say in messages where it is from, as in error_set(). Returns 0, or -1 with ERR filled
 * (ERROR_USAGE) and RANGES empty. */
int ranges_init(struct ranges *ranges, const char *text, const char *what, const char *file,
                long line, struct error *err);
void ranges_finish(struct ranges *ranges);

/* Whether two of the ranges have a number in common. Sorts RANGES. */
bool ranges_overlap(struct ranges *ranges);

bool ranges_contain(const struct ranges *ranges, uint64_t number);

#endif
