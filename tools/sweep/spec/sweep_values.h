/* Values of an option in a specification: one value, or a range of numbers. */
#ifndef HEARTH_TOOLS_SWEEP_SPEC_SWEEP_VALUES_H
#define HEARTH_TOOLS_SWEEP_SPEC_SWEEP_VALUES_H

#include <stddef.h>
#include <stdint.h>

#define SWEEP_VALUES 1024 /* at most, in a range */

struct sweep_values {
    uint64_t items[SWEEP_VALUES];
    size_t count;
};

enum sweep_values_kind {
    SWEEP_VALUES_NONE,  /* not a range: a value as it is */
    SWEEP_VALUES_RANGE, /* FIRST..LAST, FIRST..LAST+STEP or FIRST..LAST*FACTOR */
    SWEEP_VALUES_WRONG, /* looks like a range, but is empty, has no end or is too long */
};

/* Reads TEXT: 4..8 is 4 5 6 7 8, 16..64+16 is 16 32 48 64, 1..8*2 is 1 2 4 8. Whole numbers
 * only. */
enum sweep_values_kind sweep_values_read(struct sweep_values *values, const char *text);

#endif
