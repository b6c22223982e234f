/* The caches of a simulator in compact form (sim/functional/compact.h) during consecutive
 * functional launches. They take over what the tags hold before the first of these, and give it
 * back as soon as anything else uses the tags. */
#ifndef HEARTH_SIM_FUNCTIONAL_COMPACT_CACHES_H
#define HEARTH_SIM_FUNCTIONAL_COMPACT_CACHES_H

#include "sim/functional/compact.h"
#include "sim/simulator.h"

struct compact_caches {
    struct compact *l1; /* of each SM; NULL without L1; owned */
    struct compact *l2; /* of each slice; owned */
    uint32_t l1_count, l2_count;
    bool hold; /* they hold the contents of the caches, and the tags do not */
};

/* Whether the caches of SIM have a compact form. */
bool compact_caches_fit(const struct sim *sim);

/* From now on SIM->compacts hold the contents of the caches. Returns 0, or -1 with ERR when
 * memory is short. */
int compact_caches_take(struct sim *sim, struct error *err);

/* The tags hold the contents again. */
void compact_caches_give(struct sim *sim);

/* Discards the contents. */
void compact_caches_drop(struct sim *sim);
void compact_caches_destroy(struct sim *sim);

/* Empties L1. Returns false if the tags hold the contents. */
bool compact_caches_flush_l1(struct sim *sim);

#endif
