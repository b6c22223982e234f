/* What a group that is not in the file yet holds, launch by launch: beside a
 * packed file that is being written lies FILE.redo, to which each launch adds
 * an entry when it is whole and which is emptied when the group is in the file.
 * So whoever kills the writer takes no whole launch with it, and groups can be
 * as large as their compression wants them. docs/packed-format.md describes the
 * layout. */
#ifndef HEARTH_TRACES_PACKED_RECOVERY_LOG_H
#define HEARTH_TRACES_PACKED_RECOVERY_LOG_H

#include <stdio.h>

#include "traces/base/error.h"
#include "traces/packed/models/code.h"
#include "traces/packed/pack.h"

#define RECOVERY_LOG_SUFFIX ".redo"

/* Zeroed: there is no log, and nothing is written. */
struct recovery_log {
    FILE *file;
    char *path;
    size_t marks[CODER_STREAMS]; /* what of the group's streams is in it */
    uint32_t *codes;             /* how many instructions of each code */
    uint32_t code_count;
};

/* Creates PATH. Returns 0, or -1 with ERR filled (ERROR_OUTPUT). */
int recovery_log_init(struct recovery_log *redo, const char *path, struct error *err);
/* Removes the file. Accepts a zeroed one. */
void recovery_log_finish(struct recovery_log *redo);

/* Adds what the streams of group number GROUP and its codes, COUNT of them, got
 * since the last entry: a launch has ended. COUNTS is what holds now. Returns 0
 * or -1. */
int recovery_log_add(struct recovery_log *redo, uint64_t group,
                     const struct pack_counts *counts, const struct coder *flow,
                     struct code *const *codes, uint32_t count, struct error *err);
/* The group is in the file: empties the log. Returns 0 or -1. */
int recovery_log_clear(struct recovery_log *redo, struct error *err);

/* Makes a group of what the log at PATH holds of group number GROUP, up to
 * the last entry that is whole, and appends its bytes to OUT; nothing if there
 * is no such file or entry. Returns 0, or -1 when memory ran out. */
int recovery_log_read(const char *path, uint64_t group, struct bytes *out);
/* The same of SIZE bytes of a log at DATA. */
int recovery_log_parse(const uint8_t *data, size_t size, uint64_t group, struct bytes *out);

#endif
