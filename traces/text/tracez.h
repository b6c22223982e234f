/* Traces of Accel-Sim 2.0 (.tracez) as the grouped text that they stand for.
 * Their layout is that of the public tracez_format.h beside Accel-Sim's tracer;
 * docs/tracez.md tells it. Memory does not grow with the file: the index is
 * read as it is needed, and sub-chunks are decompressed piece by piece. */
#ifndef HEARTH_TRACES_TEXT_TRACEZ_H
#define HEARTH_TRACES_TEXT_TRACEZ_H

#include <stdbool.h>

#include "traces/text/source.h"

/* Whether the file open as FD starts like one: lines of a header up to a 0. */
bool tracez_is(int fd);
/* Opens the text of the file open as FD, which is closed with the source, also
 * on error; NAME is for messages. Returns 0, or -1 with nothing to finish. */
int tracez_open(struct source *source, int fd, const char *name, struct error *err);

#endif
