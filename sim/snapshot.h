/* Saving and restoring the tags of L2. */
#ifndef HEARTH_SIM_SNAPSHOT_H
#define HEARTH_SIM_SNAPSHOT_H

#include <stdio.h>

#include "sim/engine.h"
#include "traces/error.h"

/* Writes every L2 line with its valid and dirty sectors, in order of use; the
 * memory system must be quiet. NAME is for messages. */
int snapshot_save(const struct engine *engine, FILE *out, const char *name, struct error *err);

/* Replaces what L2 holds. After an error L2 may hold a part of the state. */
int snapshot_restore(struct engine *engine, FILE *in, const char *name, struct error *err);

#endif
