/* A packed workload: the file and what it holds. */
#ifndef HEARTH_TRACES_PACKED_STORE_H
#define HEARTH_TRACES_PACKED_STORE_H

#include <pthread.h>
#include <stdio.h>

#include "traces/base/error.h"
#include "traces/functions/functions_cache.h"
#include "traces/packed/group.h"

struct store_group {
    int fd;                /* of the file, or of `recovered` */
    uint64_t offset, size; /* in the file */
    struct group *group;   /* NULL: not in memory */
    unsigned users;
    bool code; /* it has code, no launches */
};

/* A whole launch. */
struct store_launch {
    uint64_t id;
    bool has_id;
    uint32_t group, item; /* where it begins */
    uint32_t groups;      /* over how many it goes */
    uint64_t records, memory_records, blocks;
    uint64_t packed; /* its share of the file, bytes */
    size_t listed;   /* where its line in `names` begins */
};

struct store {
    char *name;
    int fd;
    uint64_t start, end; /* where it lies in the file */
    bool inside;         /* the file holds others, too, and has no redo log */
    struct store_group *groups;
    uint32_t group_count;
    struct store_launch *launches;
    size_t launch_count;
    bool by_position;   /* launches go by their position: ids are missing or repeat */
    bool ascending;     /* else: the ids ascend */
    struct bytes list;  /* the list's lines: TEXT newline; in place of a launch's line
                           "kernel-<launch>" */
    struct bytes names; /* the launches' own lines in the list they came from: TEXT newline */
    char *note;         /* what is amiss with the file, or NULL */
    bool cut;           /* it was not written to its end */
    uint64_t left_out;  /* then: bytes after the last whole group */
    FILE *recovered;    /* then: a group of what its redo log holds, or NULL */
    struct functions_cache functions;
    uint32_t recent;      /* group that is kept for the next user */
    pthread_mutex_t lock; /* of the groups: kernels of several threads share them */
};

/* Whether the file at PATH is a packed workload, by its first bytes. */
bool store_is_packed(const char *path);

/* Opens the file and reads the heads of all groups. A file that was not
 * written to its end is read up to its last whole launch; the note says so.
 * Returns NULL on error. */
struct store *store_open(const char *path, struct error *err);
/* The same for SIZE bytes from START of FD, which is taken, also on error; NAME is for messages
 * and for the paths of launches. */
struct store *store_open_inside(const char *name, int fd, uint64_t start, uint64_t size,
                                struct error *err);
/* Accepts NULL. */
void store_close(struct store *store);

/* The number by which launch I goes: its id, or its position from 1. */
uint64_t store_number(const struct store *store, size_t i);
/* The launch of that number; SIZE_MAX if there is none. */
size_t store_find(const struct store *store, uint64_t number);

/* The code that the file has. NULL on error. */
const struct functions *store_functions(struct store *store, struct error *err);
/* Whether it has code of any function. */
bool store_has_code(const struct store *store);
/* Whether lines of launch I have some of EXTRAS, a set of enum trace_extra: 1, 0 if surely not,
 * -1 on error. */
int store_has_extras(struct store *store, size_t i, unsigned extras, struct error *err);
/* Fills CONTENTS with what trace_kernel_contents() says of launch I. Returns 0 or -1. */
int store_contents(struct store *store, size_t i, unsigned *contents, struct error *err);
/* The line of launch I in the list that it came from, which a workload only keeps if there is
 * code. The caller frees it; NULL when memory ran out. */
char *store_listed(const struct store *store, size_t i);

/* Group I with the frames whose bits are set in FRAMES (1 << enum frame); held
 * until store_release(). NULL on error. */
struct group *store_acquire(struct store *store, uint32_t i, unsigned frames,
                            struct error *err);
void store_release(struct store *store, uint32_t i);
/* group_open_part() of a group that is held. */
bool store_open_part(struct store *store, const struct group *group,
                     const struct group_item *item, struct coder *flow);

/* ---- front to back ----------------------------------------------------- */

/* Groups one after the other, from a pipe too. */
struct store_stream {
    char *name;
    int fd;
    uint64_t groups; /* read so far */
};

/* Takes FD, which stays the caller's, at the start of the file. */
int store_stream_init(struct store_stream *stream, int fd, const char *name, struct error *err);
void store_stream_finish(struct store_stream *stream);
/* Reads the next group with the frames in FRAMES. Returns 1, 0 after the last
 * (*WHOLE says whether the index follows it), -1 on error. */
int store_stream_next(struct store_stream *stream, unsigned frames, struct group *group,
                      bool *whole, struct error *err);

#endif
