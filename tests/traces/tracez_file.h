/* A writer of small .tracez files. */
#ifndef HEARTH_TESTS_TRACES_TRACEZ_FILE_H
#define HEARTH_TESTS_TRACES_TRACEZ_FILE_H

#include "traces/base/bytes.h"

/* A thread block of one warp; its number is that of the cluster, too. */
struct tracez_block {
    uint32_t x;
    const char *lines; /* of the warp, without the last newline */
};

/* Appends a file to OUT: HEADER, the LENGTH bytes of DICTIONARY (NULL: none) and
 * COUNT blocks, whose warps are in sub-chunks of CHUNK lines. */
void tracez_file(struct bytes *out, const char *header, const char *dictionary, size_t length,
                 const struct tracez_block *blocks, uint32_t count, uint32_t chunk);

#endif
