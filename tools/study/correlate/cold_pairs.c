#include "tools/study/correlate/cold_pairs.h"

/* The simulated cold launch that was measured as MEASURED; NULL if there is none. Both runs
 * have the same order, so the search starts after the previous launch. */
static const struct row *find_cold(struct cold_pairs *pairs,
                                   const struct measured_launch *measured)
{
    const struct pairing *cold = pairs->cold;
    for (size_t i = 0; i < cold->count; i++) {
        size_t at = (pairs->next + i) % cold->count;
        if (cold->items[at].measured == measured) {
            pairs->next = at + 1;
            return cold->items[at].row;
        }
    }
    return NULL;
}

bool cold_pairs_next(struct cold_pairs *pairs, struct cold_pair *pair)
{
    while (pairs->at < pairs->warm->count) {
        const struct pairing_item *item = &pairs->warm->items[pairs->at++];
        const struct measured_launch *measured = item->measured;
        if (measured == NULL || item->row == NULL || measured->varies ||
            !(measured->cycles > 0) || !(measured->cold > 0))
            continue;
        *pair = (struct cold_pair){measured, item->row, find_cold(pairs, measured)};
        if (pair->cold != NULL)
            return true;
    }
    return false;
}

double cold_penalty(double cold, double warm)
{
    return 100 * (cold / warm - 1);
}
