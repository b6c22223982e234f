/* What a cache of LRU order holds while launches go by, from their footprints alone: the lines
 * that each launch, or the copies in front of it, was the last to touch lie in one layer, the
 * newest on top. The cache holds as many lines of them, from the top, as it has.
 *
 * Lines of a layer count as alike: of those that a launch touches again an equal share is
 * dirty. Which launch had touched what copies write is not known: when launches touch these
 * lines again, as many are taken from all older layers alike.
 */
#ifndef HEARTH_WARMUP_LRU_LAYERS_H
#define HEARTH_WARMUP_LRU_LAYERS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "traces/footprint.h"

/* Numbers of 128-byte lines, and of dirty 32-byte sectors in them; shares are allowed. */
struct lru_layer {
    double lines, dirty;
    uint64_t whole;      /* lines at first; stays when all are gone */
    size_t above, below; /* those that are not empty: index, or SIZE_MAX */
};

struct lru_layers {
    struct lru_layer *items; /* owned; of launch I, from 0: its copies' 2 I, its own 2 I + 1 */
    size_t launches;
    size_t top;        /* index; SIZE_MAX: all are empty */
    uint64_t capacity; /* lines of the cache */
    uint64_t touched;  /* different lines that launches have touched */
    bool fill;         /* copies fill the cache */
};

/* For up to LAUNCHES, and a cache of CAPACITY lines that copies fill or not. False when memory
 * is short. */
bool lru_layers_init(struct lru_layers *layers, size_t launches, uint64_t capacity, bool fill);
void lru_layers_finish(struct lru_layers *layers);

/* A copy of BYTES to ADDRESS in front of the next launch. */
void lru_layers_copy(struct lru_layers *layers, uint64_t address, uint64_t bytes);

/* The share of SOURCE of the next launch, of FOOTPRINT, that the cache still holds when the
 * launch comes to it (correction_retained()); of copies all, where they fill the cache, until
 * newer lines do. */
double lru_layers_held(const struct lru_layers *layers, const struct trace_footprint *footprint,
                       const struct trace_reuse_source *source);

/* Dirty sectors of others that the next launch, of FOOTPRINT, pushes out of the cache: of the
 * lines that it does not find there (lru_layers_held()), the oldest have no place beside its
 * own. None where all that launches have touched has one. */
double lru_layers_pushed(const struct lru_layers *layers,
                         const struct trace_footprint *footprint);

/* The next launch has run: lines that it touched again are its own now. With it launches have
 * touched TOUCHED different lines. */
void lru_layers_launch(struct lru_layers *layers, const struct trace_footprint *footprint,
                       uint64_t touched);

#endif
