/* The launch of a set whose size most of the set has. Private to sampling. */
#ifndef HEARTH_SAMPLING_METHODS_DOMINANT_H
#define HEARTH_SAMPLING_METHODS_DOMINANT_H

#include "sampling/sampling.h"

/* Of COUNT values, each with a place: the value that stands most often, of
 * equally frequent ones that whose first place is lowest. */
struct dominant_item {
    double value;
    size_t place;
};
/* Sorts ITEMS. Returns the index of the item of that value with the lowest
 * place; the items of its value follow it, *TIMES of them. */
size_t dominant(struct dominant_item *items, size_t count, size_t *times);

/* *REP gets the first row with the most frequent block size (threads) of ROWS;
 * the first row of all where a row does not know its block. */
int dominant_block(const struct sampling_input *input, const size_t *rows, size_t count,
                   size_t *rep, struct error *err);

#endif
