/* Saving and restoring the tags of L2. */
#ifndef HEARTH_SIM_STATE_L2_TAGS_H
#define HEARTH_SIM_STATE_L2_TAGS_H

#include <stdio.h>

#include "sim/engine.h"
#include "traces/base/error.h"

struct l2_filter;

/* Writes every L2 line with its valid and dirty sectors, in order of use, or what NEEDS says of
 * them (NULL: all); the memory system must be quiet. NAME is for messages. */
int l2_tags_save(const struct engine *engine, const struct l2_filter *needs, FILE *out,
                 const char *name, struct error *err);

/* Replaces what L2 holds; *SECTORS is what it holds then. Errors as of sim_restore(). After an
 * error L2 may hold a part of the state. */
int l2_tags_restore(struct engine *engine, FILE *in, uint64_t *sectors, const char *name,
                    struct error *err);

#endif
