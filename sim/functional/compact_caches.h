/* The caches of a simulator in few bytes, while launches without time follow each other: see
 * sim/functional/compact.h. They take over what its tags hold in front of the first one, and
 * give it back as soon as anything else looks at these. */
#ifndef HEARTH_SIM_FUNCTIONAL_COMPACT_CACHES_H
#define HEARTH_SIM_FUNCTIONAL_COMPACT_CACHES_H

#include "sim/functional/compact.h"
#include "sim/handle.h"

struct compact_caches {
    struct compact *l1; /* of each SM; NULL without L1; owned */
    struct compact *l2; /* of each slice; owned */
    uint32_t l1_count, l2_count;
    bool hold; /* they hold what the caches do, and not the tags */
};

/* Whether the caches of SIM can be made compact. */
bool compact_caches_fit(const struct sim *sim);

/* SIM->compacts hold what the caches do from now on. Returns 0, or -1 with ERR when memory is
 * short. */
int compact_caches_take(struct sim *sim, struct error *err);

/* The tags hold it again. */
void compact_caches_give(struct sim *sim);

/* Nothing holds anything any more. */
void compact_caches_drop(struct sim *sim);
void compact_caches_destroy(struct sim *sim);

/* Empties L1. Returns false when the tags hold what is in it. */
bool compact_caches_flush_l1(struct sim *sim);

#endif
