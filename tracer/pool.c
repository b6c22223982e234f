#include "tracer/pool.h"

#include <stdlib.h>
#include <string.h>

#define FIRST_WORDS 64                  /* of a warp's memory, which doubles ... */
#define MOST_WORDS  (UINT32_C(1) << 16) /* ... up to this: 512 KiB */
#define WORTH_WORDS 1024                /* pieces that are rather written than smaller ones */

/* Precedes a piece in the file. */
struct piece_head {
    uint64_t before; /* as pool_warp.last */
    uint64_t words;
};

int pool_init(struct chunk_pool *pool, size_t budget)
{
    *pool = (struct chunk_pool){.budget = budget};
    pool->first.next = pool->first.before = &pool->first;
    return spill_init(&pool->spill, NULL);
}

void pool_finish(struct chunk_pool *pool)
{
    spill_finish(&pool->spill);
    free(pool->read);
    free(pool->offsets);
}

void pool_charge(struct chunk_pool *pool, size_t bytes)
{
    pool->used += bytes;
    if (pool->used > pool->peak)
        pool->peak = pool->used;
}

void pool_discharge(struct chunk_pool *pool, size_t bytes)
{
    pool->used -= bytes;
}

/* ---- memory ------------------------------------------------------------ */

static void free_words(struct chunk_pool *pool, struct pool_warp *warp)
{
    if (warp->words == NULL)
        return;
    pool_discharge(pool, warp->capacity * sizeof *warp->words);
    free(warp->words);
    warp->words = NULL;
    warp->used = warp->capacity = 0;
    warp->before->next = warp->next;
    warp->next->before = warp->before;
}

int pool_spill(struct chunk_pool *pool, struct pool_warp *warp, struct error *err)
{
    struct piece_head head = {warp->last, warp->used};
    if (warp->used == 0)
        return 0;
    uint64_t at = pool->spill.end;
    if (spill_write(&pool->spill, &head, sizeof head, err) != 0 ||
        spill_write(&pool->spill, warp->words, warp->used * sizeof *warp->words, err) != 0)
        return -1;
    warp->last = at + 1;
    free_words(pool, warp);
    return 0;
}

/* Moves pieces of at least LEAST words to the file until half of the budget is
 * free. Those that got memory first go first. */
static int write_pieces(struct chunk_pool *pool, uint32_t least, struct error *err)
{
    struct pool_warp *next;
    for (struct pool_warp *w = pool->first.next;
         w != &pool->first && pool->used > pool->budget / 2; w = next) {
        next = w->next;
        if (w->used >= least && pool_spill(pool, w, err) != 0)
            return -1;
    }
    return 0;
}

static int make_room(struct chunk_pool *pool, struct error *err)
{
    if (write_pieces(pool, WORTH_WORDS, err) != 0)
        return -1;
    return pool->used > pool->budget ? write_pieces(pool, 1, err) : 0;
}

static int grow(struct chunk_pool *pool, struct pool_warp *warp, unsigned words,
                struct error *err)
{
    if (warp->words != NULL && warp->used + words > MOST_WORDS &&
        pool_spill(pool, warp, err) != 0)
        return -1;
    uint32_t capacity = warp->capacity == 0 ? FIRST_WORDS : 2 * warp->capacity;
    uint64_t *more = reallocarray(warp->words, capacity, sizeof *more);
    if (more == NULL)
        return error_no_memory_for(err, ERROR_OUTPUT, NULL);
    if (warp->words == NULL) {
        warp->before = pool->first.before;
        warp->next = &pool->first;
        warp->before->next = warp->next->before = warp;
    }
    pool_charge(pool, (capacity - warp->capacity) * sizeof *more);
    warp->words = more;
    warp->capacity = capacity;
    return 0;
}

int pool_append(struct chunk_pool *pool, struct pool_warp *warp, uint64_t head,
                const uint64_t *words, unsigned count, struct error *err)
{
    if (pool->used > pool->budget && make_room(pool, err) != 0)
        return -1;
    if (warp->used + 1 + count > warp->capacity && grow(pool, warp, 1 + count, err) != 0)
        return -1;
    warp->words[warp->used] = head;
    memcpy(warp->words + warp->used + 1, words, count * sizeof *words);
    warp->used += 1 + count;
    return 0;
}

/* ---- reading ----------------------------------------------------------- */

static int read_bytes(struct chunk_pool *pool, uint64_t at, void *data, size_t size,
                      struct error *err)
{
    long n = spill_read(&pool->spill, at, data, size, err);
    if (n >= 0 && (size_t)n < size)
        return error_set(err, ERROR_OUTPUT, NULL, 0, 0, "temporary data is gone");
    return n < 0 ? -1 : 0;
}

/* Collects where the pieces of WARP are, last first. Returns how many, or -1. */
static long find_pieces(struct chunk_pool *pool, const struct pool_warp *warp,
                        struct error *err)
{
    size_t count = 0;
    for (uint64_t last = warp->last; last != 0; count++) {
        struct piece_head head;
        if (count == pool->offset_room) {
            size_t room = 2 * count + 16;
            uint64_t *more = reallocarray(pool->offsets, room, sizeof *more);
            if (more == NULL)
                return error_no_memory_for(err, ERROR_OUTPUT, NULL);
            pool->offsets = more;
            pool->offset_room = room;
        }
        pool->offsets[count] = last - 1;
        if (read_bytes(pool, last - 1, &head, sizeof head, err) != 0)
            return -1;
        last = head.before;
    }
    return (long)count;
}

static int read_piece(struct chunk_pool *pool, uint64_t at, size_t *words, struct error *err)
{
    struct piece_head head;
    if (pool->read == NULL)
        pool->read = malloc(MOST_WORDS * sizeof *pool->read);
    if (pool->read == NULL)
        return error_no_memory_for(err, ERROR_OUTPUT, NULL);
    if (read_bytes(pool, at, &head, sizeof head, err) != 0)
        return -1;
    *words = (size_t)head.words;
    return read_bytes(pool, at + sizeof head, pool->read, *words * sizeof *pool->read, err);
}

int pool_read(struct chunk_pool *pool, const struct pool_warp *warp,
              int (*take)(void *data, const uint64_t *words, size_t count, struct error *err),
              void *data, struct error *err)
{
    long pieces = find_pieces(pool, warp, err);
    if (pieces < 0)
        return -1;
    while (pieces-- > 0) {
        size_t count = 0;
        if (read_piece(pool, pool->offsets[pieces], &count, err) != 0 ||
            take(data, pool->read, count, err) != 0)
            return -1;
    }
    return warp->used > 0 ? take(data, warp->words, warp->used, err) : 0;
}

void pool_drop(struct chunk_pool *pool, struct pool_warp *warp)
{
    struct piece_head head;
    for (uint64_t last = warp->last; last != 0; last = head.before) {
        uint64_t at = last - 1;
        if (read_bytes(pool, at, &head, sizeof head, NULL) != 0)
            break;
        spill_drop(&pool->spill, at, at + sizeof head + head.words * sizeof *warp->words);
    }
    warp->last = 0;
    free_words(pool, warp);
}
