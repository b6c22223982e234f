/* A packed workload on its way to disk: written as PATH.part, which gets its
 * name when it is complete. */
#ifndef HEARTH_TRACES_PACKED_OUTPUT_H
#define HEARTH_TRACES_PACKED_OUTPUT_H

#include "traces/base/files/output_file.h"
#include "traces/packed/writer.h"
#include "traces/write.h"

struct packed_output {
    struct packed_writer *writer;
    struct output_file file; /* or standard output */
};

/* Opens PATH, "-" for standard output. Returns 0, or -1 with ERR filled and
 * OUTPUT still to be finished. */
int packed_output_init(struct packed_output *output, const char *path,
                       const struct trace_writer_options *options, struct error *err);
/* Completes the file. Returns 0 or -1. */
int packed_output_end(struct packed_output *output, struct error *err);
/* What was not completed is removed, or kept if so wanted. Accepts a zeroed one. */
void packed_output_finish(struct packed_output *output);

#endif
