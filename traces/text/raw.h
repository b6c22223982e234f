/* Raw traces as grouped text. */
#ifndef HEARTH_TRACES_TEXT_RAW_H
#define HEARTH_TRACES_TEXT_RAW_H

#include <stdbool.h>

#include "traces/text/source.h"

/* Whether SIZE bytes of TEXT are the start of a trace whose first line after
 * the header is an instruction. */
bool raw_probe(const char *text, size_t size);

/* Turns SOURCE, which is at the start of a raw trace, into its grouped text.
 * That is made in BYTES of memory and a temporary file in DIR (NULL: $TMPDIR,
 * else /tmp). MEMORY_ONLY: lines that do not touch memory may be left out. On
 * error SOURCE is finished. */
int raw_group(struct source *source, size_t bytes, const char *dir, bool memory_only,
              struct error *err);

#endif
