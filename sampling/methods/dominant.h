/* The first launch of a set whose size is the most frequent in the set. Private to
 * sampling. */
#ifndef HEARTH_SAMPLING_METHODS_DOMINANT_H
#define HEARTH_SAMPLING_METHODS_DOMINANT_H

#include "sampling/sampling.h"

/* A value and its place. The dominant value is the most frequent one; of equally frequent
 * values, the one with the lowest place. */
struct dominant_item {
    double value;
    size_t place;
};
/* Sorts ITEMS. Returns the index of the item with the dominant value and the lowest place; the
 * items of its value follow it, *TIMES in total. */
size_t dominant(struct dominant_item *items, size_t count, size_t *times);

/* *REP gets the first of ROWS that has the most frequent block size (threads); the first of
 * all rows if the block size of a row is unknown. */
int dominant_block(const struct sampling_input *input, const size_t *rows, size_t count,
                   size_t *rep, struct error *err);

#endif
