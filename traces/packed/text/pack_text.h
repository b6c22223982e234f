/* Packs a grouped trace so that it can be printed again as it was. */
#ifndef HEARTH_TRACES_PACKED_TEXT_PACK_TEXT_H
#define HEARTH_TRACES_PACKED_TEXT_PACK_TEXT_H

#include "traces/packed/writer.h"
#include "traces/text/source.h"

/* Reads the grouped trace in SOURCE to its end and writes it as a launch that
 * LINE of the list names. Whatever readers refuse is an error here too. */
int pack_text(struct packed_writer *writer, const char *line, struct source *source,
              struct error *err);

#endif
