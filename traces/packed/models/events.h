/* The order of blocks and warps in a launch, and the text around them. Blocks
 * in ascending order, each with all its warps in order, cost nothing. */
#ifndef HEARTH_TRACES_PACKED_MODELS_EVENTS_H
#define HEARTH_TRACES_PACKED_MODELS_EVENTS_H

#include "traces/packed/models/coder.h"

enum event_kind {
    EVENT_BLOCK, /* a block begins; `value` is its number in the grid, x first */
    EVENT_WARP,  /* a warp of it follows, all in one piece; `value` is its number */
    EVENT_LONG,  /* the same, the first piece of several */
    EVENT_MORE,  /* the next piece of the same warp */
    EVENT_END,   /* the block ends */
};

struct event {
    enum event_kind kind;
    uint64_t value;
    uint64_t total; /* records of the warp; EVENT_LONG */
};

/* What has come so far: foretells what comes. */
struct events {
    struct event last; /* EVENT_END at first */
    uint64_t block;    /* number of the last block; UINT64_MAX before the first */
    uint32_t warps;    /* of a block */
};

/* Codes an event; reading, EVENT is set. */
void events_write(struct events *events, struct coder *flow, const struct event *event);
void events_read(struct events *events, struct coder *flow, struct event *event);

#endif
