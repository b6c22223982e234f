#include "traces/base/ranges.h"

#include <stdlib.h>

#include "traces/base/number.h"

static bool read_range(const char **at, struct range *range)
{
    if (!number_next(at, UINT64_MAX, &range->first))
        return false;
    range->last = range->first;
    if (**at != '-')
        return true;
    (*at)++;
    return number_next(at, UINT64_MAX, &range->last) && range->last >= range->first;
}

static int append(struct ranges *ranges, struct range range, struct error *err)
{
    struct range *items = realloc(ranges->items, (ranges->count + 1) * sizeof *items);
    if (items == NULL)
        return error_no_memory(err);
    items[ranges->count++] = range;
    ranges->items = items;
    return 0;
}

int ranges_init(struct ranges *ranges, const char *text, const char *what, const char *file,
                long line, struct error *err)
{
    *ranges = (struct ranges){0};
    const char *at = text;
    struct range range;
    while (read_range(&at, &range) && (*at == ',' || *at == '\0')) {
        if (append(ranges, range, err) < 0) {
            ranges_finish(ranges);
            return -1;
        }
        if (*at++ == '\0')
            return 0;
    }
    ranges_finish(ranges);
    return error_set(err, ERROR_USAGE, file, line, 0,
                     "%s \"%s\": expected numbers and ascending ranges such as 1,5-9", what,
                     text);
}

void ranges_finish(struct ranges *ranges)
{
    free(ranges->items);
    *ranges = (struct ranges){0};
}

static int compare(const void *a, const void *b)
{
    const struct range *x = a, *y = b;
    return (x->first > y->first) - (x->first < y->first);
}

bool ranges_overlap(struct ranges *ranges)
{
    if (ranges->count > 1)
        qsort(ranges->items, ranges->count, sizeof *ranges->items, compare);
    for (size_t i = 1; i < ranges->count; i++)
        if (ranges->items[i].first <= ranges->items[i - 1].last)
            return true;
    return false;
}

bool ranges_contain(const struct ranges *ranges, uint64_t number)
{
    for (size_t i = 0; i < ranges->count; i++)
        if (number >= ranges->items[i].first && number <= ranges->items[i].last)
            return true;
    return false;
}
