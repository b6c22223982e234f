/* Prints packed launches as the grouped text that they were. */
#ifndef HEARTH_TRACES_PACKED_TEXT_UNPACK_H
#define HEARTH_TRACES_PACKED_TEXT_UNPACK_H

#include "traces/base/error.h"
#include "traces/packed/group.h"

/* What a group needs for it. */
#define UNPACK_FRAMES                                                                          \
    (1 << FRAME_HEAD | 1 << FRAME_MEMORY | 1 << FRAME_CONTROL | 1 << FRAME_TEXT)

struct unpack;

/* NAME is for messages. NULL when memory ran out. */
struct unpack *unpack_create(const char *name);
/* Accepts NULL. */
void unpack_destroy(struct unpack *unpack);
/* Starts with what GROUP, which must stay, has of a launch: the parts of one
 * launch come in order. */
int unpack_begin(struct unpack *unpack, const struct group *group,
                 const struct group_item *item, struct error *err);
/* The next text of the part, owned by UNPACK until the next call. Returns 1, 0
 * at the end, -1 on error. */
int unpack_read(struct unpack *unpack, const void **text, size_t *size, struct error *err);

#endif
