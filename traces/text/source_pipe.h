/* A trace that comes out of a pipe, and so can be read only once: as often as
 * wanted up to its header, and one time beyond it. */
#ifndef HEARTH_TRACES_TEXT_SOURCE_PIPE_H
#define HEARTH_TRACES_TEXT_SOURCE_PIPE_H

#include "traces/text/source.h"

struct source_pipe;

/* Takes SOURCE, at its start, also on error. NULL when memory ran out. */
struct source_pipe *source_pipe_create(struct source *source, struct error *err);
/* Accepts NULL. */
void source_pipe_destroy(struct source_pipe *pipe);

/* Moves the source to *SOURCE. Fails if another user has it, or had it for good. */
int source_pipe_take(struct source_pipe *pipe, struct source *source, struct error *err);
/* Takes SOURCE back, if that can go to its start again; leaves it as it is otherwise. */
void source_pipe_give_back(struct source_pipe *pipe, struct source *source);

#endif
