/* An index: the launches at each position of the workload's list. */
#ifndef HEARTH_WARMUP_LAUNCH_POSITIONS_H
#define HEARTH_WARMUP_LAUNCH_POSITIONS_H

#include <stdbool.h>
#include <stddef.h>

/* Launches are numbered from 1; 0 stands for no launch. */
struct launch_positions {
    size_t last;   /* the highest position */
    size_t *first; /* for each position from 0 to LAST: the first launch there */
    size_t *next;  /* for each launch from 1: the next one at the same position */
};

/* The launches 1 to COUNT are at POSITIONS, in any order. Returns false without memory. */
bool launch_positions_init(struct launch_positions *index, const size_t *positions,
                           size_t count);
/* Accepts a zeroed one. */
void launch_positions_finish(struct launch_positions *index);

/* The first launch at POSITION, which may be above `last`. */
static inline size_t launch_positions_at(const struct launch_positions *index, size_t position)
{
    return position <= index->last ? index->first[position] : 0;
}

#endif
