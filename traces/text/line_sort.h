/* An external sort of lines, or of what was read of them, by a number: in memory
 * as far as they fit, the rest in a temporary file. Lines of the same number keep
 * their order. */
#ifndef HEARTH_TRACES_TEXT_LINE_SORT_H
#define HEARTH_TRACES_TEXT_LINE_SORT_H

#include "traces/base/bytes.h"
#include "traces/base/error.h"
#include "traces/base/files/spill.h"

/* Lines in memory. */
struct line_batch {
    uint64_t *keys;
    uint32_t *order, *other; /* the lines sorted by key; room for sorting */
    size_t *at;              /* in `text`, one more than lines */
    size_t count, capacity;
    char *text;
    size_t used, size;
    size_t taken;
};

struct line_sort {
    struct line_batch batch;
    struct spill spill;
    struct line_run *runs; /* sorted batches on disk */
    size_t run_count;
    struct bytes out; /* on its way to disk */
    uint64_t key;     /* being taken, */
    size_t run;       /* out of this run */
};

/* A sort that takes BYTES of memory, and 64 KiB for each BYTES that it has on
 * disk. ITEM is what a line usually has, bytes. DIR as in spill_init(). Returns 0, or -1 when
 * memory ran out. */
int line_sort_init(struct line_sort *sort, size_t bytes, size_t item, const char *dir);
/* Accepts a zeroed one whose `spill.fd` is -1. */
void line_sort_finish(struct line_sort *sort);

/* Adds a line. KEY is below UINT64_MAX. */
int line_sort_add(struct line_sort *sort, uint64_t key, const void *text, size_t length,
                  struct error *err);
/* To be called after the last line, before the first is taken. */
int line_sort_end(struct line_sort *sort, struct error *err);
/* Sets *TEXT to the next LENGTH bytes of KEY: a line, or of what has been on disk
 * as much as there is, which stays until the next call. Keys must be taken in
 * ascending order, none left out. Returns 1, 0 if KEY has no more, -1 on error. */
int line_sort_next(struct line_sort *sort, uint64_t key, const void **text, size_t *length,
                   struct error *err);

#endif
