/* Writes packed workloads: lines of the list, launches, their blocks and warps,
 * in order. */
#ifndef HEARTH_TRACES_PACKED_WRITER_H
#define HEARTH_TRACES_PACKED_WRITER_H

#include <stdio.h>

#include "traces/base/error.h"
#include "traces/packed/models/events.h"
#include "traces/packed/piece.h"
#include "traces/packed/text/print.h"

struct packed_writer;

/* Records and bytes before compression after which a group is closed. A
 * block's records count towards seeking to it, the bytes towards memory. */
#define WRITER_RECORDS ((uint64_t)1 << 23)
#define WRITER_BYTES   ((uint64_t)8 << 20)
/* Launches and lines after which a group is closed: readers have a few hundred bytes for each
 * in memory. */
#define WRITER_ITEMS 4096

struct packed_writer_options {
    int level;              /* of zstd, 1 to 22; 0 = 19 */
    uint64_t group_records; /* 0 = WRITER_RECORDS */
    const char *redo;       /* path of the redo log; NULL: none. The caller's, copied */
    bool launch_groups;     /* each launch a group of its own: nothing of it is lost when the
                               writing process dies */
};

/* Writes to FILE, which stays the caller's; NAME is for messages. OPTIONS may
 * be NULL. Returns NULL on error. */
struct packed_writer *packed_writer_create(FILE *file, const char *name,
                                           const struct packed_writer_options *options,
                                           struct error *err);
/* Accepts NULL. What packed_writer_end() has not completed is lost. */
void packed_writer_destroy(struct packed_writer *writer);
/* Writes what is left and the index. */
int packed_writer_end(struct packed_writer *writer, struct error *err);

/* A line of the list that is no launch. Texts come without a newline. */
int packed_writer_line(struct packed_writer *writer, const char *line, size_t length,
                       struct error *err);
/* Code of functions, as lines of traces/functions/functions.h, between launches. It is written
 * after the group that is full next. */
int packed_writer_functions(struct packed_writer *writer, const void *text, size_t length,
                            struct error *err);
/* A launch begins: LINE is that of the list, HEADER all lines of the trace's
 * header, each with its newline; blocks have WARPS warps. */
int packed_writer_begin_launch(struct packed_writer *writer, const char *line,
                               const char *header, size_t header_length, uint32_t warps,
                               struct error *err);
/* The last block has ended; TEXT, LENGTH bytes, follows it. */
int packed_writer_end_launch(struct packed_writer *writer, const char *text, size_t length,
                             struct error *err);

/* Leaves the launch that has begun out, also what is in the file already; only with
 * `launch_groups`. Its code stays. */
int packed_writer_drop_launch(struct packed_writer *writer, struct error *err);

/* The instructions of the launch. They start over with a new group: the
 * pointer holds until the next packed_writer_piece() or _event(). */
struct code *packed_writer_code(struct packed_writer *writer);
/* How many groups came before the one that is being written. */
uint64_t packed_writer_group(const struct packed_writer *writer);
/* A block or a warp begins, or a block ends, with TEXT around it as in struct
 * layouts. Before EVENT_WARP and EVENT_LONG, and for EVENT_MORE, that is all;
 * the records follow as a piece. */
int packed_writer_event(struct packed_writer *writer, const struct event *event,
                        const void *text, size_t length, struct error *err);
/* The records of the warp, or further ones of it. */
int packed_writer_piece(struct packed_writer *writer, struct piece *piece, struct error *err);

#endif
