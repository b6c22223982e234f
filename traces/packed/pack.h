/* The bytes of a group out of its streams. */
#ifndef HEARTH_TRACES_PACKED_PACK_H
#define HEARTH_TRACES_PACKED_PACK_H

#include "traces/packed/frame.h"

/* What the head says beside its items. */
struct pack_counts {
    uint64_t first_launch;                      /* launches before the group */
    uint64_t memory_paths, full_paths, layouts; /* that the group defines */
};

/* Compresses the streams of a group, all that come with its items and its
 * static instructions, at zstd's LEVEL and appends the group to OUT. Returns 0,
 * or -1 when memory ran out. */
int pack_group(struct coder *flow, const struct pack_counts *counts, int level,
               struct bytes *out);

#endif
