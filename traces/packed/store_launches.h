/* The launches of a packed workload. */
#ifndef HEARTH_TRACES_PACKED_STORE_LAUNCHES_H
#define HEARTH_TRACES_PACKED_STORE_LAUNCHES_H

#include "traces/packed/store.h"

/* Reads the heads of all groups of STORE: its launches, their numbers, the list
 * and the note. Returns 0, or -1 with ERR filled. */
int store_launches_read(struct store *store, struct error *err);

#endif
