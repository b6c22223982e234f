/* Takes instruction lines apart into what is packed of them. */
#ifndef HEARTH_TRACES_PACKED_TEXT_PACK_LINE_H
#define HEARTH_TRACES_PACKED_TEXT_PACK_LINE_H

#include "traces/packed/models/code.h"
#include "traces/packed/piece.h"
#include "traces/text/line.h"
#include "traces/traces.h"

struct pack_line {
    struct insts insts; /* what instructions mean */
    struct line_reader reader;
    char ids[64]; /* what lines of the warp start with, if they have ids */
    size_t ids_length;
    struct bytes tail; /* scratch */
};

int pack_line_init(struct pack_line *line, const struct trace_header *header, bool ids);
void pack_line_finish(struct pack_line *line);

/* Adds the line at AT, which ends with a newline, to PIECE; PREVIOUS is the
 * instruction before it in the warp, or MAP_NONE. BEFORE, of LENGTH bytes, are
 * lines in between that are no instructions. Returns the start of the next
 * line, or NULL with the reader's failed_at set. */
const char *pack_line_read(struct pack_line *line, struct code *code, uint32_t previous,
                           const char *at, const struct bytes *before, struct piece *piece);

#endif
