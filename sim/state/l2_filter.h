/* What of a state of L2 a launch can notice: see sim_needs_create(). */
#ifndef HEARTH_SIM_STATE_L2_FILTER_H
#define HEARTH_SIM_STATE_L2_FILTER_H

#include "sim/handle.h"

/* Only as long as L2 stays as it was when lines were added. */
struct sim_needs {
    struct engine *engine;
    bool all;         /* nothing can be left out */
    uint32_t *lines;  /* of each set of each slice: different lines that the launch touches */
    uint8_t *sectors; /* of each line of each slice: those that it touches, as a mask */
    uint8_t *touched; /* of each line of each slice: bool */
};

/* A set, while its lines are looked at. */
struct l2_filter_set {
    const struct sim_needs *needs; /* NULL: all lines stay as they are */
    size_t first;                  /* of the arrays' lines of its slice */
    const struct tags *tags;
    bool roomy; /* all that it holds and all that comes find room */
    bool begun; /* a line has been kept */
};

/* Fails, with ERR about NAME, for a simulator without an L2. */
int l2_filter_need_l2(const struct sim *sim, const char *name, struct error *err);

/* NEEDS may be NULL. */
struct l2_filter_set l2_filter_begin(const struct sim_needs *needs, const struct tags *tags,
                                     uint32_t slice, uint32_t set);

/* The sectors of LINE to keep, as a mask; 0: the line goes. Lines of the set come one after the
 * other, the least recently used one first. */
uint8_t l2_filter_keep(struct l2_filter_set *set, const struct tags_line *line);

#endif
