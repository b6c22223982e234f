/* The "-key = value" lines at the start of a kernel trace. */
#ifndef HEARTH_TRACES_TEXT_HEADER_H
#define HEARTH_TRACES_TEXT_HEADER_H

#include "traces/base/bytes.h"
#include "traces/text/source.h"
#include "traces/traces.h"

/* Reads the header and checks it; leaves SOURCE at the first line that starts
 * with '#', or at its end. The lines are appended to TEXT, unless NULL.
 * Returns 0 or -1; HEADER is to be finished in both cases. */
int header_read(struct trace_header *header, struct source *source, struct bytes *text,
                struct error *err);
void header_finish(struct trace_header *header);

/* Whether the thread block INDEX is one of the grid, and what to say if not. */
bool header_has_block(const struct trace_header *header, const uint32_t index[3]);
#define HEADER_NOT_IN_GRID "thread block %u,%u,%u is not in the grid of (%u,%u,%u)"

/* Blocks of the grid, threads and warps of a block. */
uint64_t header_blocks(const struct trace_header *header);
uint32_t header_threads(const struct trace_header *header);
uint32_t header_warps(const struct trace_header *header);

#endif
