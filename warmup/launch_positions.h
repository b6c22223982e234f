/* Which launches are at a position of the workload's list. */
#ifndef HEARTH_WARMUP_LAUNCH_POSITIONS_H
#define HEARTH_WARMUP_LAUNCH_POSITIONS_H

#include <stdbool.h>
#include <stddef.h>

/* Numbers of launches count from 1; 0 is none. */
struct warmup_index {
    size_t last;   /* position */
    size_t *first; /* of each position from 0 to LAST: the first launch there */
    size_t *next;  /* of each launch but 0: the next at the same position */
};

/* Of COUNT launches at POSITIONS, from 1, in any order. False without memory. */
bool warmup_index_init(struct warmup_index *index, const size_t *positions, size_t count);
/* Accepts a zeroed one. */
void warmup_index_finish(struct warmup_index *index);

/* The first launch at POSITION, which may be behind the last one. */
static inline size_t warmup_index_at(const struct warmup_index *index, size_t position)
{
    return position <= index->last ? index->first[position] : 0;
}

#endif
