#include "traces/base/text/texts.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <xxhash.h>

#include "traces/base/bytes.h"

#define BLOCK (1 << 14) /* bytes */

void texts_finish(struct texts *texts)
{
    for (size_t i = 0; i < texts->count; i++)
        free(texts->blocks[i]);
    free(texts->blocks);
    *texts = (struct texts){0};
}

/* Makes a new block if SIZE bytes do not fit into the last one. Returns false without
 * memory. */
static bool make_room(struct texts *texts, size_t size)
{
    if (size <= texts->room - texts->used)
        return true;
    size_t room = size > BLOCK ? size : BLOCK;
    if (!array_room(&texts->blocks, texts->count, sizeof *texts->blocks) ||
        (texts->blocks[texts->count] = malloc(room)) == NULL)
        return false;
    texts->count++;
    texts->used = 0;
    texts->room = room;
    return true;
}

const char *texts_keep(struct texts *texts, const char *text, size_t length)
{
    const char **recent = &texts->recent[XXH64(text, length, 0) % TEXTS_RECENT];
    if (*recent != NULL && strncmp(*recent, text, length) == 0 && (*recent)[length] == '\0')
        return *recent;
    if (!make_room(texts, length + 1))
        return NULL;
    char *copy = texts->blocks[texts->count - 1] + texts->used;
    memcpy(copy, text, length);
    copy[length] = '\0';
    texts->used += length + 1;
    *recent = copy;
    return copy;
}
