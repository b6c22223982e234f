/* What a writer of packed files holds, for the files that implement writer.h. */
#ifndef HEARTH_TRACES_PACKED_WRITER_STATE_H
#define HEARTH_TRACES_PACKED_WRITER_STATE_H

#include <sys/types.h>

#include "traces/packed/group.h"
#include "traces/packed/pack.h"
#include "traces/packed/recovery_log.h"
#include "traces/packed/writer.h"

/* The group that is being written. */
struct pending_launch {
    struct coder flow;
    struct lines lines;
    struct map codes_by_name;
    struct code **codes;
    uint32_t code_count;
    struct warp_paths paths;
    struct layouts layouts;
    uint64_t first_launch;
    uint64_t records, items; /* so far */
};

/* Where the group began that a launch of its own group begins in: the way back. */
struct launch_start {
    off_t at;
    uint64_t groups;
    size_t index;       /* bytes */
    struct bytes lines; /* of the list, in that group, each with a newline */
};

struct packed_writer {
    FILE *file;
    char *name;
    struct packed_writer_options options;
    struct pending_launch group;
    bool in_launch, in_block;
    struct part part;
    struct part_info info;
    uint64_t starts[CODER_STREAMS]; /* of the part's streams */
    uint32_t warps;
    uint64_t launches;
    struct bytes index;
    uint64_t groups;
    struct bytes code; /* of functions, not written yet */
    struct recovery_log redo;
    struct launch_start start; /* with `launch_groups` */
};

/* The next two fill ERR and return -1. */
int writer_out_of_memory(struct packed_writer *writer, struct error *err);
int writer_cannot_write(struct packed_writer *writer, struct error *err);
/* Hands the file's bytes to the system. Returns 0 or -1, as the rest. */
int writer_flush(struct packed_writer *writer, struct error *err);
/* An empty group, which the one before must have been closed or finished for. */
int writer_begin_group(struct packed_writer *writer, struct error *err);
void writer_finish_group(struct pending_launch *group);
/* Writes the group; its last launch GOES_ON in the next one, or not. */
int writer_close_group(struct packed_writer *writer, bool goes_on, struct error *err);
struct pack_counts writer_counts(const struct pending_launch *group);

#endif
