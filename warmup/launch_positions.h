/* Which launches are at a position of the workload's list. */
#ifndef HEARTH_WARMUP_LAUNCH_POSITIONS_H
#define HEARTH_WARMUP_LAUNCH_POSITIONS_H

#include <stdbool.h>
#include <stddef.h>

/* Numbers of launches count from 1; 0 is none. */
struct launch_positions {
    size_t last;   /* position */
    size_t *first; /* of each position from 0 to LAST: the first launch there */
    size_t *next;  /* of each launch but 0: the next at the same position */
};

/* Of COUNT launches at POSITIONS, from 1, in any order. False without memory. */
bool launch_positions_init(struct launch_positions *index, const size_t *positions,
                           size_t count);
/* Accepts a zeroed one. */
void launch_positions_finish(struct launch_positions *index);

/* The first launch at POSITION, which may be behind the last one. */
static inline size_t launch_positions_at(const struct launch_positions *index, size_t position)
{
    return position <= index->last ? index->first[position] : 0;
}

#endif
