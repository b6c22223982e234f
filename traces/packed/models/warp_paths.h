/* The ways that warps take through a kernel, each kept once in a group. A
 * memory path is the sequence of its instructions in the memory stream; a full
 * path is a memory path with the instructions between, which come in segments. */
#ifndef HEARTH_TRACES_PACKED_MODELS_WARP_PATHS_H
#define HEARTH_TRACES_PACKED_MODELS_WARP_PATHS_H

#include "traces/packed/models/code.h"

/* Elements of all paths of a group; more are corrupt. */
#define WARP_PATHS_MOST (1u << 24)

struct path {
    uint32_t code;       /* number of the kernel's code in the group */
    uint32_t at, length; /* in the elements: numbers of instructions */
    uint32_t memory;     /* full paths: the memory path; else the first full one with it */
};

struct path_list {
    struct path *items;
    uint32_t count, capacity;
    uint32_t *elements;
    uint32_t used, size;
    struct map by_text;
};

/* Zeroed: empty. */
struct warp_paths {
    struct path_list memory, full, segments;
    struct map follows;              /* what came after two instructions of the memory stream */
    struct map between;              /* the segment that was last between two of them */
    uint32_t last_code, last_memory; /* of the last definitions */
    bool failed;
};

void warp_paths_finish(struct warp_paths *paths);

static inline const uint32_t *path_elements(const struct path_list *list, uint32_t i)
{
    return list->elements + list->items[i].at;
}

/* The number of a path, which is defined in FLOW if it is new; MAP_NONE on
 * failure. */
uint32_t warp_paths_memory(struct warp_paths *paths, struct coder *flow, uint32_t code,
                           const uint32_t *insts, uint32_t count);
uint32_t warp_paths_full(struct warp_paths *paths, struct coder *flow,
                         const struct code *insts_of, uint32_t memory, const uint32_t *insts,
                         uint32_t count);

/* Reads the definition of the next path. CODES are the COUNT kernels of the
 * group. Returns false if it makes no sense. */
bool warp_paths_read_memory(struct warp_paths *paths, struct coder *flow,
                            const struct code *codes, uint32_t count);
bool warp_paths_read_full(struct warp_paths *paths, struct coder *flow,
                          const struct code *codes);

#endif
