/* What became of each epoch's lines, and where the sectors of the launch in
 * hand come from. */
#ifndef HEARTH_TRACES_FOOTPRINT_HISTORY_H
#define HEARTH_TRACES_FOOTPRINT_HISTORY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct epoch {
    /* Of the current launch: */
    uint64_t sectors; /* last touched in this epoch, by launch or copy */
    uint64_t fetched; /* of these, what the launch reads first */
    uint64_t lines;   /* last touched by this epoch's launch */
    uint64_t unready; /* of `sectors`, those that it reads of which not all bytes were there by
                       * then since this epoch, but since an older one: */
    uint64_t made;    /* sectors that are whole since this epoch, and were touched later */
    uint32_t touched; /* the latest epoch in which such a sector was touched last */
    uint64_t never;   /* of `sectors`, those that it reads and that never were whole */
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
    uint32_t now;      /* the current launch, 0 before the first */
    uint32_t *origins; /* epochs with `sectors`, `lines` or `made` */
    size_t origin_count;
    uint64_t lines; /* of all launches before */
};

void history_finish(struct history *history);

/* Starts the next launch, after copies of COPIED lines. Returns -1 when memory
 * is short, or when there are no numbers left for launches. */
int history_begin(struct history *history, uint64_t copied);

static inline struct epoch *history_origin(struct history *history, uint32_t epoch)
{
    struct epoch *origin = &history->epochs[epoch];
    if (origin->sectors == 0 && origin->lines == 0 && origin->made == 0)
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

/* Notes that the launch reads a sector that was touched last in EPOCH and has been whole since
 * WHOLE; 0: never. */
static inline void history_read_part(struct history *history, uint32_t epoch, uint32_t whole)
{
    struct epoch *last = history_origin(history, epoch);
    if (whole == 0) {
        last->never++;
        return;
    }
    struct epoch *maker = history_origin(history, whole);
    last->unready++;
    maker->made++;
    maker->touched = epoch > maker->touched ? epoch : maker->touched;
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
