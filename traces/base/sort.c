#define _GNU_SOURCE /* qsort_r */
#include "traces/base/sort.h"

#include <stdlib.h>

void sampling_sort(size_t *rows, size_t count,
                   int (*compare)(const void *a, const void *b, void *data), void *data)
{
    qsort_r(rows, count, sizeof *rows, compare, data);
}
