/* What became of each epoch's lines, and where the sectors of the launch in
 * hand come from. */
#ifndef HEARTH_TRACES_FOOTPRINT_HISTORY_H
#define HEARTH_TRACES_FOOTPRINT_HISTORY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct epoch {
    /* Of the launch in hand: */
    uint64_t sectors; /* last touched in this epoch, by launch or copy */
    uint64_t fetched; /* of these, what the launch reads first */
    uint64_t lines;   /* last touched by this epoch's launch */
    /* Lines whose last touch is in this epoch, as sums over epochs: a node of
     * the tree of "A New Data Structure for Cumulative Frequency Tables"
     * (Fenwick, 1994). */
    uint64_t newest;
    uint64_t copied; /* lines that copies wrote, up to this epoch */
};

/* Empty when zeroed. */
struct history {
    struct epoch *epochs;
    size_t capacity;
    uint32_t now;      /* the launch in hand, 0 before the first */
    uint32_t *origins; /* epochs with `sectors` or `lines` */
    size_t origin_count;
    uint64_t lines; /* of all launches before */
};

void history_finish(struct history *history);

/* Starts the next launch, behind copies of COPIED lines. Returns -1 without
 * memory, or when launches have run out of numbers. */
int history_begin(struct history *history, uint64_t copied);

static inline struct epoch *history_origin(struct history *history, uint32_t epoch)
{
    struct epoch *origin = &history->epochs[epoch];
    if (origin->sectors == 0 && origin->lines == 0)
        history->origins[history->origin_count++] = epoch;
    return origin;
}

/* Notes a sector that was touched last in EPOCH; 0 is never. FETCHED: the launch reads it
 * first. */
static inline void history_sector(struct history *history, uint32_t epoch, bool fetched)
{
    struct epoch *origin = history_origin(history, epoch);
    origin->sectors++;
    origin->fetched += fetched;
}

/* Notes that the launch touches a line that the launch of EPOCH touched last. */
static inline void history_line(struct history *history, uint32_t epoch)
{
    history_origin(history, epoch)->lines++;
}

/* Sorts `origins`, the latest first. */
void history_sort(struct history *history);
/* Different lines that launches touched last after EPOCH, before this one. */
uint64_t history_newer(const struct history *history, uint32_t epoch);
/* Lines that copies wrote after EPOCH. */
uint64_t history_copied(const struct history *history, uint32_t epoch);

/* Ends the launch. */
void history_end(struct history *history);

size_t history_memory(const struct history *history);

#endif
