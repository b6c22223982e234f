/* A launch of a packed workload as it is read. */
#ifndef HEARTH_TRACES_PACKED_READ_READ_H
#define HEARTH_TRACES_PACKED_READ_READ_H

#include "traces/packed/store.h"

/* An instruction of the group's code, as the kernel knows it. */
struct known_block {
    uint32_t inst;
    bool keeps;     /* is in memory-only views */
    bool counts;    /* unknown: is counted */
    bool addresses; /* has addresses that mean something */
    bool extra;     /* its first address is an extra of its records */
};

struct packed {
    struct store *store;
    bool owned;   /* only this kernel uses the store */
    size_t index; /* of the launch in the store */
    struct store_launch launch;
    struct bytes header; /* the text of the trace's header */
    uint32_t groups;     /* begun so far */
    const struct group *group;
    const struct group_item *item;
    struct coder flow;
    struct part part;
    bool in_part;
    uint64_t events; /* of the part, read so far */
    struct known_block *known;
    struct piece piece;
};

#endif
