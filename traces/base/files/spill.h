/* A temporary file without a name, for data that does not fit into memory. */
#ifndef HEARTH_TRACES_BASE_FILES_SPILL_H
#define HEARTH_TRACES_BASE_FILES_SPILL_H

#include <stddef.h>
#include <stdint.h>

#include "traces/base/error.h"

struct spill {
    int fd;       /* -1 until the first write */
    uint64_t end; /* where the next write goes */
    char *dir;
};

/* DIR is the folder of the file; NULL: $TMPDIR, else /tmp. Returns 0, or -1 if memory is short.
 */
int spill_init(struct spill *spill, const char *dir);
void spill_finish(struct spill *spill);

/* Appends SIZE bytes. Returns 0, or -1 with ERR filled (ERROR_OUTPUT). */
int spill_write(struct spill *spill, const void *data, size_t size, struct error *err);
/* Reads SIZE bytes at AT, fewer only at the end of the file. Returns the number of bytes read,
 * or -1. Several threads may read at the same time. */
long spill_read(const struct spill *spill, uint64_t at, void *data, size_t size,
                struct error *err);
/* Frees the disk space of the bytes from FROM to TO. */
void spill_drop(struct spill *spill, uint64_t from, uint64_t to);

#endif
