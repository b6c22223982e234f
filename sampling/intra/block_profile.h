/* A profile of thread blocks (NAME.blocks.csv), read launch by launch. It does not depend on a
 * GPU: one profile gives the homogeneous regions for any occupancy. Private to sampling/intra
 * and its callers. */
#ifndef HEARTH_SAMPLING_INTRA_BLOCK_PROFILE_H
#define HEARTH_SAMPLING_INTRA_BLOCK_PROFILE_H

#include <stdint.h>

#include "traces/profile.h"

struct block_profile;

/* Opens the file PATH. NULL with ERR filled. */
struct block_profile *block_profile_open(const char *path, struct error *err);
/* Accepts NULL. */
void block_profile_close(struct block_profile *profile);
const char *block_profile_path(const struct block_profile *profile);

/* Moves to the first row of LAUNCH. Launches are in ascending order in the file: those that are
 * asked for in this order are found in one pass. Returns 0, or -1 with ERR filled, also if
 * there is no such launch. */
int block_profile_seek(struct block_profile *profile, uint64_t launch, struct error *err);
/* The next row of that launch. Returns 1, 0 after the last, -1 with ERR filled. */
int block_profile_next(struct block_profile *profile, struct profile_block_row *row,
                       struct error *err);

#endif
