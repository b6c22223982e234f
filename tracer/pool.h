/* Memory for records that cannot be written yet: those of running thread blocks, and of
 * blocks that wait for others. What exceeds the budget goes to a temporary file without a
 * name. */
#ifndef HEARTH_TRACER_POOL_H
#define HEARTH_TRACER_POOL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "traces/base/files/spill.h"
#include "traces/traces.h"

/* Words of records: a head, then one with the active mask if the head is MARKED, then those of
 * its addresses, then, if the head has POOL_TAIL, how many numbers follow, of 32 bits, two to a
 * word. */
#define POOL_INSTS  (UINT32_C(1) << 28) /* instructions are below */
#define POOL_TAIL   (UINT32_C(1) << 28)
#define POOL_MARKED (UINT32_C(1) << 29)
#define POOL_WORDS  (2 + 32 + 16) /* after a head, at most */
static inline uint64_t pool_head(uint32_t inst, uint32_t mode, uint32_t mask, bool marked)
{
    return (uint64_t)mask << 32 | mode << 30 | (marked ? POOL_MARKED : 0) | inst;
}
static inline uint32_t pool_inst(uint64_t head)
{
    return (uint32_t)head & (POOL_INSTS - 1);
}
static inline bool pool_marked(uint64_t head)
{
    return (head & POOL_MARKED) != 0;
}
static inline uint32_t pool_mode(uint64_t head)
{
    return (uint32_t)head >> 30;
}
static inline uint32_t pool_mask(uint64_t head)
{
    return (uint32_t)(head >> 32);
}
/* How many words its addresses take. */
static inline unsigned pool_addresses(uint64_t head)
{
    if (pool_mode(head) == TRACE_ADDRESS_NONE)
        return 0;
    return pool_mode(head) == TRACE_ADDRESS_STRIDE
               ? 2
               : (unsigned)__builtin_popcount(pool_mask(head));
}
/* How many words follow HEAD; the first of them are at WORDS. */
static inline unsigned pool_words(uint64_t head, const uint64_t *words)
{
    unsigned count = pool_marked(head) + pool_addresses(head);
    return head & POOL_TAIL ? count + 1 + ((unsigned)words[count] + 1) / 2 : count;
}

/* The records of one warp. */
struct pool_warp {
    struct pool_warp *next, *before; /* those that have memory */
    uint64_t *words;
    uint32_t used, capacity;
    uint64_t last;            /* 1 + where its last piece in the file is; 0: none */
    uint64_t insts, accesses; /* records, and those in memory-only traces */
    uint32_t left;            /* lanes that left by EXIT */
};

struct chunk_pool {
    size_t budget, used;    /* bytes */
    size_t peak;            /* most that were used */
    bool patient;           /* records came for finished blocks: see blocks.h */
    struct pool_warp first; /* of the list; itself without records */
    struct spill spill;
    uint64_t *read;    /* a piece that was read */
    uint64_t *offsets; /* of a warp's pieces, last first */
    size_t offset_room;
};

/* BUDGET in bytes. Returns 0, or -1 when memory ran out. */
int pool_init(struct chunk_pool *pool, size_t budget);
/* Every warp must have been dropped before. */
void pool_finish(struct chunk_pool *pool);

/* Counts memory of others against the budget. */
void pool_charge(struct chunk_pool *pool, size_t bytes);
void pool_discharge(struct chunk_pool *pool, size_t bytes);

/* Appends a record: its head and COUNT words. Returns 0 or -1. */
int pool_append(struct chunk_pool *pool, struct pool_warp *warp, uint64_t head,
                const uint64_t *words, unsigned count, struct error *err);

/* Moves what WARP has in memory to the file. Returns 0 or -1. */
int pool_spill(struct chunk_pool *pool, struct pool_warp *warp, struct error *err);

/* Gives the records of WARP to TAKE, a run of whole ones at a time. Returns 0,
 * or -1, also of TAKE. */
int pool_read(struct chunk_pool *pool, const struct pool_warp *warp,
              int (*take)(void *data, const uint64_t *words, size_t count, struct error *err),
              void *data, struct error *err);
/* Frees what WARP has, on disk too. */
void pool_drop(struct chunk_pool *pool, struct pool_warp *warp);

#endif
