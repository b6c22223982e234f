/* The caches of a simulator in few bytes, while launches without time follow each other: see
 * sim/functional/compact.h. They take over what its tags hold in front of the first one, and
 * give it back as soon as anything else looks at these. */
#ifndef HEARTH_SIM_FUNCTIONAL_COMPACT_CACHES_H
#define HEARTH_SIM_FUNCTIONAL_COMPACT_CACHES_H

#include "sim/functional/compact.h"
#include "sim/handle.h"

struct compacts {
    struct compact *l1; /* of each SM; NULL without L1; owned */
    struct compact *l2; /* of each slice; owned */
    uint32_t l1_count, l2_count;
    bool hold; /* they hold what the caches do, and not the tags */
};

/* Whether the caches of SIM can be made compact. */
bool compacts_fit(const struct sim *sim);

/* SIM->compacts hold what the caches do from now on. Returns 0, or -1 with ERR when memory is
 * short. */
int compacts_take(struct sim *sim, struct error *err);

/* The tags hold it again. */
void compacts_give(struct sim *sim);

/* Nothing holds anything any more. */
void compacts_drop(struct sim *sim);
void compacts_destroy(struct sim *sim);

/* Empties L1. Returns false when the tags hold what is in it. */
bool compacts_flush_l1(struct sim *sim);

#endif
