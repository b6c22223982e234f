/* Copies of texts that all live as long as each other: packed closely, and equal texts mostly
 * share one copy. */
#ifndef HEARTH_TRACES_BASE_TEXT_TEXTS_H
#define HEARTH_TRACES_BASE_TEXT_TEXTS_H

#include <stddef.h>

#define TEXTS_RECENT 256

/* Zeroed: empty. */
struct texts {
    char **blocks;
    size_t count;                     /* of blocks */
    size_t used, room;                /* bytes of the last block */
    const char *recent[TEXTS_RECENT]; /* by hash: copies that equal texts share */
};

void texts_finish(struct texts *texts);
/* A copy of the LENGTH bytes at TEXT, ended by a NUL; it stays where it is until
 * texts_finish(). NULL without memory. */
const char *texts_keep(struct texts *texts, const char *text, size_t length);

#endif
