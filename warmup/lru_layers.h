/* A model of what an LRU cache holds as launches run, from their footprints only. Each launch,
 * and the copies before it, has a layer: the lines that it was the last to touch. The newest
 * layer is on top. The cache holds lines from the top down until it is full.
 *
 * The lines of a layer are not told apart: if a launch touches some of them again, the same
 * share of the layer's dirty sectors goes with them. It is not known which launches had
 * touched the lines that copies write: when launches touch these lines again, all older layers
 * lose the same share. */
#ifndef HEARTH_WARMUP_LRU_LAYERS_H
#define HEARTH_WARMUP_LRU_LAYERS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "traces/footprint.h"

/* Numbers of 128-byte lines, and of dirty 32-byte sectors in them. They may have fractions. */
struct lru_layer {
    double lines, dirty;
    uint64_t whole;      /* lines at the start; does not change when lines are taken */
    size_t above, below; /* neighbours that are not empty: index, or SIZE_MAX */
};

struct lru_layers {
    struct lru_layer *items; /* owned; launch I (from 0) has 2 I + 1, the copies before it 2
                                I */
    size_t launches;
    size_t top;        /* index; SIZE_MAX if all are empty */
    uint64_t capacity; /* of the cache, in lines */
    uint64_t touched;  /* distinct lines that launches have touched */
    bool fill;         /* copies fill the cache */
};

/* For up to LAUNCHES launches and a cache of CAPACITY lines. FILL: copies fill the cache.
 * Returns false if memory is short. */
bool lru_layers_init(struct lru_layers *layers, size_t launches, uint64_t capacity, bool fill);
void lru_layers_finish(struct lru_layers *layers);

/* A copy of BYTES to ADDRESS before the next launch. */
void lru_layers_copy(struct lru_layers *layers, uint64_t address, uint64_t bytes);

/* The share of SOURCE, a source of the next launch with FOOTPRINT, that the cache still holds
 * when the launch starts (correction_retained()). If copies fill the cache, all of a copy is
 * held until as many newer lines follow as the cache holds. */
double lru_layers_held(const struct lru_layers *layers, const struct trace_footprint *footprint,
                       const struct trace_reuse_source *source);

/* Dirty sectors of other launches that the next launch, with FOOTPRINT, evicts from the cache.
 * The lines that it does not find there (lru_layers_held()) take the place of the oldest ones.
 * 0 if all that launches have touched fits. */
double lru_layers_pushed(const struct lru_layers *layers,
                         const struct trace_footprint *footprint);

/* The next launch has run, and owns the lines that it touched. TOUCHED: distinct lines that
 * the launches have touched so far. */
void lru_layers_launch(struct lru_layers *layers, const struct trace_footprint *footprint,
                       uint64_t touched);

#endif
