/* Sorting with a context. Private to sampling. */
#ifndef HEARTH_TRACES_BASE_SORT_H
#define HEARTH_TRACES_BASE_SORT_H

#include <stddef.h>

/* Sorts ROWS so that COMPARE, which gets DATA, is never above 0 for neighbours. */
void sampling_sort(size_t *rows, size_t count,
                   int (*compare)(const void *a, const void *b, void *data), void *data);

#endif
