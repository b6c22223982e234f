/* A group without items, which holds the code of functions: in the stream of literal text, as
 * lines of traces/functions/functions.h. Readers that do not know of code see an empty group.
 */
#ifndef HEARTH_TRACES_PACKED_CODE_GROUP_H
#define HEARTH_TRACES_PACKED_CODE_GROUP_H

#include "traces/packed/group.h"

/* Bytes of text that a group of code takes; what exceeds them goes to the next one. */
#define CODE_GROUP_BYTES ((size_t)64 << 20)

/* Whether GROUP, of which the head was read, is a group of code. */
static inline bool code_group_is(const struct group *group)
{
    return group->count == 0;
}

/* What GROUP, of which FRAME_TEXT was read, holds. */
static inline struct byte_reader code_group_text(const struct group *group)
{
    return group->flow.in[CODER_LITERAL];
}

/* Appends a group of code to OUT: TEXT, after LAUNCHES launches, at zstd's LEVEL. Returns 0, or
 * -1 when memory ran out. */
int code_group_pack(const struct bytes *text, uint64_t launches, int level, struct bytes *out);

#endif
