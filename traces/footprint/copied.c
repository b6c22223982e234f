#include "traces/footprint/copied.h"

#include <stdlib.h>
#include <string.h>

/* A copy takes the place of others, or cuts one in two: one range more, and
 * itself. */
#define MORE 2

void copied_finish(struct copied *copied)
{
    free(copied->items);
    *copied = (struct copied){0};
}

/* The first range that ends at SECTOR or after it. */
static size_t search(const struct copied *copied, uint64_t sector)
{
    size_t low = 0, high = copied->count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (copied->items[middle].last < sector)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

static int reserve(struct copied *copied)
{
    if (copied->count + MORE <= copied->capacity)
        return 0;
    size_t capacity = 2 * copied->capacity + 16;
    struct copied_range *items = reallocarray(copied->items, capacity, sizeof *items);
    if (items == NULL)
        return -1;
    copied->items = items;
    copied->capacity = capacity;
    return 0;
}

int copied_add(struct copied *copied, uint64_t first, uint64_t last, uint32_t epoch)
{
    if (reserve(copied) != 0)
        return -1;
    struct copied_range *items = copied->items, pieces[3];
    size_t low = search(copied, first), high = low, n = 0;
    while (high < copied->count && items[high].first <= last)
        high++;
    if (low < high && items[low].first < first)
        pieces[n++] = (struct copied_range){items[low].first, first - 1, items[low].epoch};
    pieces[n++] = (struct copied_range){first, last, epoch};
    if (low < high && items[high - 1].last > last)
        pieces[n++] =
            (struct copied_range){last + 1, items[high - 1].last, items[high - 1].epoch};
    memmove(&items[low + n], &items[high], (copied->count - high) * sizeof *items);
    memcpy(&items[low], pieces, n * sizeof *items);
    copied->count += n - (high - low);
    copied->at = low;
    return 0;
}

uint32_t copied_find(struct copied *copied, uint64_t sector)
{
    const struct copied_range *items = copied->items;
    size_t at = copied->at;
    if (copied->count == 0)
        return 0;
    if (at == copied->count || sector > items[at].last ||
        (at > 0 && sector <= items[at - 1].last))
        copied->at = at = search(copied, sector);
    return at < copied->count && sector >= items[at].first ? items[at].epoch : 0;
}
