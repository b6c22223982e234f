/* A part: what a group holds of one launch. Nearly always that is all of it. */
#ifndef HEARTH_TRACES_PACKED_PART_H
#define HEARTH_TRACES_PACKED_PART_H

#include "traces/packed/models/control.h"
#include "traces/packed/models/events.h"
#include "traces/packed/models/memory.h"
#include "traces/packed/text/print.h"

enum part_flag {
    PART_STARTS = 1 << 0, /* the launch begins in this part */
    PART_ENDS = 1 << 1,   /* and ends in this */
    PART_ACTIVE = 1 << 2, /* has active masks */
};

/* What the head says of a part. */
struct part_info {
    uint64_t flags;
    uint64_t code;   /* number in the group; of the first part it follows from the name */
    uint64_t events; /* how many */
    /* Where it begins. `block`: the number of the last block plus 1. `warp`: 0 between
     * blocks, else the number of the block's last warp plus 2, or 1 before its first warp. */
    uint64_t block, warp;
    /* Paths that are first used in it. */
    uint64_t memory_path, full_path;
    uint64_t records, memory_records, blocks;
    uint32_t lengths[CODER_STREAMS]; /* of its streams, bytes; at most FRAME_MOST */
};

/* Codes INFO, all but `code` of a part that starts. */
void part_code_info(struct part_info *info, struct coder *flow, bool reading);

struct part {
    struct events events;
    struct memory memory;
    struct control control;
    struct print print;
};

/* WARPS is how many a block has. */
void part_init(struct part *part, const struct part_info *info, const struct code *code,
               struct warp_paths *paths, uint32_t warps);
/* Makes room for all instructions that the code has by now. Returns 0, or -1
 * when memory ran out. */
int part_fit(struct part *part);
void part_finish(struct part *part);

/* Reports EVENT to the models. Returns false if the event is impossible. */
bool part_begin(struct part *part, const struct event *event);

#endif
