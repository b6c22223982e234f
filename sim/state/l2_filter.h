/* Which part of L2's contents a launch can notice: see sim_needs_create(). */
#ifndef HEARTH_SIM_STATE_L2_FILTER_H
#define HEARTH_SIM_STATE_L2_FILTER_H

#include "sim/simulator.h"

/* Valid only as long as L2 does not change after lines are added. */
struct sim_needs {
    struct engine *engine;
    bool all;         /* nothing can be left out */
    uint32_t *lines;  /* of each set of each slice: number of lines that the launch touches */
    uint8_t *sectors; /* of each line of each slice: sectors that it touches, as a mask */
    uint8_t *touched; /* of each line of each slice: bool */
};

/* A set whose lines are being filtered. */
struct l2_filter_set {
    const struct sim_needs *needs; /* NULL: all lines are kept as they are */
    size_t first;                  /* index of the slice's first line in the arrays */
    const struct tags *tags;
    bool roomy; /* there is room for all that it holds and all that the launch touches */
    bool begun; /* a line has been kept */
};

/* Returns 0, or -1 with ERR about NAME if SIM has no L2. */
int l2_filter_need_l2(const struct sim *sim, const char *name, struct error *err);

/* NEEDS may be NULL. */
struct l2_filter_set l2_filter_begin(const struct sim_needs *needs, const struct tags *tags,
                                     uint32_t slice, uint32_t set);

/* Returns the sectors of LINE to keep, as a mask; 0: the line is dropped. Lines of the set must
 * be passed one after the other, the least recently used one first. */
uint8_t l2_filter_keep(struct l2_filter_set *set, const struct tags_line *line);

#endif
