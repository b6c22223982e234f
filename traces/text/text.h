/* The grouped text of a launch, wherever it comes from: a grouped file, a raw
 * one that is grouped on the way, a packed one, or one of these without what
 * does not touch memory. */
#ifndef HEARTH_TRACES_TEXT_TEXT_H
#define HEARTH_TRACES_TEXT_TEXT_H

#include "traces/text/source.h"
#include "traces/traces.h"

/* Opens the launch at PATH, as trace_kernel_open(). Returns 0, or -1 with
 * nothing to finish. */
int text_open(struct source *source, const char *path,
              const struct trace_kernel_options *options, struct error *err);

/* Groups SOURCE, which is at the start of a raw trace, by block and warp; lines that do not
 * touch memory may be left out if OPTIONS say `memory_only`. On error it is finished. */
int text_group_raw(struct source *source, const struct trace_kernel_options *options,
                   struct error *err);
/* Reduces SOURCE, which is at its start, to what touches memory. Its header says what the code
 * does in between as BETWEEN says it, on the heap, which is taken over, or NULL, unless it said
 * so before. On error SOURCE is finished. */
int text_open_memory(struct source *source, char *between, struct error *err);
struct store;
/* Launch I of STORE, which must outlive the source; OWNED: it is closed with
 * it, or on error. */
int text_open_packed(struct source *source, struct store *store, size_t i, bool owned,
                     struct error *err);

#endif
