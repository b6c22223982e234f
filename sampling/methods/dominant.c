#include "sampling/methods/dominant.h"

#include <math.h>
#include <stdlib.h>

static int compare_items(const void *a, const void *b)
{
    const struct dominant_item *x = a, *y = b;
    if (x->value != y->value)
        return x->value < y->value ? -1 : 1;
    return (x->place > y->place) - (x->place < y->place);
}

size_t dominant(struct dominant_item *items, size_t count, size_t *times)
{
    size_t best = 0;
    *times = 0;
    qsort(items, count, sizeof *items, compare_items);
    for (size_t i = 0, end; i < count; i = end) {
        for (end = i + 1; end < count && items[end].value == items[i].value;)
            end++;
        if (end - i > *times || (end - i == *times && items[i].place < items[best].place)) {
            *times = end - i;
            best = i;
        }
    }
    return best;
}

int dominant_block(const struct sampling_input *input, const size_t *rows, size_t count,
                   size_t *rep, struct error *err)
{
    struct dominant_item *items = malloc(count * sizeof *items);
    size_t first = rows[0], times;
    bool known = true;
    if (items == NULL)
        return error_no_memory(err);
    for (size_t i = 0; i < count; i++) {
        double threads = profile_block_threads(&input->profile->rows[rows[i]]);
        items[i] = (struct dominant_item){threads, rows[i]};
        known = known && !isnan(threads);
        first = rows[i] < first ? rows[i] : first;
    }
    *rep = known ? items[dominant(items, count, &times)].place : first;
    free(items);
    return 0;
}
