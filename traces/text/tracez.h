/* Traces of Accel-Sim 2.0 (.tracez) as the grouped text that they stand for.
 * Their layout is that of the public tracez_format.h beside Accel-Sim's tracer;
 * docs/tracez.md tells it. Memory does not grow with the file: the index is
 * read as it is needed, and sub-chunks are decompressed piece by piece. */
#ifndef HEARTH_TRACES_TEXT_TRACEZ_H
#define HEARTH_TRACES_TEXT_TRACEZ_H

#include <stdbool.h>
#include <stddef.h>

#include "traces/base/error.h"

struct tracez;

/* Whether the file open as FD starts like one: lines of a header up to a 0. */
bool tracez_is(int fd);
/* Takes FD, which is closed with it; NAME is for messages. NULL on error: FD is
 * closed then, too. */
struct tracez *tracez_open(int fd, const char *name, struct error *err);
/* Accepts NULL. */
void tracez_close(struct tracez *tracez);
/* Reads up to SIZE bytes of text into DATA. Returns how many, 0 at the end, -1
 * on error. */
long tracez_read(struct tracez *tracez, void *data, size_t size, struct error *err);

#endif
