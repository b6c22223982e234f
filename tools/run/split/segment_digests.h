/* What the segments of a plan simulate, as digests: on the same configuration and workload,
 * segments with the same digest have the same rows, whichever plans they are in. */
#ifndef HEARTH_TOOLS_RUN_SPLIT_SEGMENT_DIGESTS_H
#define HEARTH_TOOLS_RUN_SPLIT_SEGMENT_DIGESTS_H

#include "tools/run/plan/digest.h"
#include "tools/run/plan/plan.h"

struct segment_digests {
    struct segment_digest {
        uint32_t begin; /* its first item of the plan */
        char text[DIGEST_TEXT];
    } * items;
    size_t count;
    bool apart; /* each can be executed by itself: none saves a state for others */
};

/* Digests the segment of PLAN that begins with item BEGIN: its copies, flushes and launches,
 * and the contents of the states that it restores. What launches stand for does not matter.
 * Returns the item after it, or SIZE_MAX without memory. */
size_t segment_digest_make(const struct plan *plan, size_t begin, char text[DIGEST_TEXT]);

/* Digests all segments of PLAN. Returns 0, or -1 with ERR filled; segment_digests_finish()
 * either way. */
int segment_digests_init(struct segment_digests *digests, const struct plan *plan,
                         struct error *err);
void segment_digests_finish(struct segment_digests *digests);

#endif
