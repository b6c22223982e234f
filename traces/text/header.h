/* The "-key = value" lines at the start of a kernel trace. */
#ifndef HEARTH_TRACES_TEXT_HEADER_H
#define HEARTH_TRACES_TEXT_HEADER_H

#include "traces/text/source.h"
#include "traces/traces.h"

/* Reads the header and checks it; leaves SOURCE at the first line of the
 * body, at its end if there is none. Returns 0 or -1; HEADER is to be
 * finished in both cases. */
int header_read(struct trace_header *header, struct source *source, struct error *err);
void header_finish(struct trace_header *header);

/* Blocks of the grid, threads and warps of a block. */
uint64_t header_blocks(const struct trace_header *header);
uint32_t header_threads(const struct trace_header *header);
uint32_t header_warps(const struct trace_header *header);

#endif
