/* A text file as it is written, compressed on the way if wanted. */
#ifndef HEARTH_TRACES_WRITE_SINK_FILE_H
#define HEARTH_TRACES_WRITE_SINK_FILE_H

#include <lzma.h>
#include <stdbool.h>
#include <stddef.h>

#include "traces/base/files/output_file.h"
#include "traces/sink.h"

/* One file after the other: what it takes to compress is kept between them. */
struct sink_file {
    struct output_file output;
    int fd; /* of `output` */
    enum trace_compression compression;
    struct ZSTD_CCtx_s *zstd; /* of TRACE_ZST */
    lzma_stream *xz;          /* of TRACE_XZ, while a file is open */
    char *buffer;             /* compressed bytes, or plain ones that wait */
    size_t used, size;
};

/* Returns 0, or -1 with ERR filled (ERROR_OUTPUT) and nothing to finish. */
int sink_file_init(struct sink_file *file, enum trace_compression compression,
                   struct error *err);
/* Drops a file that is open. Accepts a zeroed one. */
void sink_file_finish(struct sink_file *file);

/* What the names of such files end with. */
const char *sink_file_suffix(enum trace_compression compression);

/* Opens the file that will be PATH; DIRECT: under that name already, where it stays if it is
 * dropped. Drops a file that is open. Returns 0 or -1. */
int sink_file_open(struct sink_file *file, const char *path, bool direct, struct error *err);
int sink_file_put(struct sink_file *file, const void *data, size_t size, struct error *err);
/* Hands a plain file's bytes to the system: they stay if the process dies. */
int sink_file_flush(struct sink_file *file, struct error *err);
/* Removes the file that is open, if there is one. */
void sink_file_drop(struct sink_file *file);
/* Writes what is left, closes the file and gives it its name. Returns 0, or -1 and the file is
 * dropped. */
int sink_file_close(struct sink_file *file, struct error *err);

#endif
