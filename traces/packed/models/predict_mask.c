#include "traces/packed/models/predict_mask.h"

#include <stdlib.h>
#include <string.h>

/* Where a mask may come from. */
enum choice {
    PREVIOUS,  /* the record before */
    REFERENCE, /* the same record of the warp that took the path before */
    NEXT,      /* the next record of the memory stream */
    REST,      /* what the record before left of the mask before its own */
    NOTHING,   /* predicated off */
    LAST,      /* the last of this instruction */
    FIRST,     /* the first of the warp */
    OLDER,     /* the mask before that of the record before */
    GIVEN,
    CHOICES = GIVEN
};

void predict_mask_init(struct predict_mask *masks, enum coder_stream hits)
{
    *masks = (struct predict_mask){.hits = hits, .first = UINT32_MAX};
}

int predict_mask_fit(struct predict_mask *masks, uint32_t count)
{
    void *choices = reallocarray(masks->choices, count + 1, sizeof *masks->choices);
    if (choices != NULL)
        masks->choices = choices;
    void *last = reallocarray(masks->last, count + 1, sizeof *masks->last);
    if (last != NULL)
        masks->last = last;
    if (choices == NULL || last == NULL)
        return -1;
    memset(masks->choices + masks->count, 0, count - masks->count);
    memset(masks->last + masks->count, 0xff, (count - masks->count) * sizeof *masks->last);
    masks->count = count;
    return 0;
}

void predict_mask_finish(struct predict_mask *masks)
{
    map_finish(&masks->books);
    free(masks->pool);
    free(masks->choices);
    free(masks->last);
    *masks = (struct predict_mask){0};
}

/* Where the masks of PATH are kept; *FRESH: it holds no masks yet. */
static uint32_t *find_book(struct predict_mask *masks, const struct predict_mask_path *path,
                           bool *fresh)
{
    uint64_t key = map_key(path->path, 0);
    uint32_t at = map_get(&masks->books, key);
    *fresh = at == MAP_NONE;
    if (!*fresh)
        return masks->pool + at;
    size_t wanted = masks->used + path->count + path->known_count + 1;
    if (wanted > masks->size) {
        size_t size = 2 * wanted;
        void *more =
            size < MAP_NONE ? reallocarray(masks->pool, size, sizeof *masks->pool) : NULL;
        if (more == NULL)
            return NULL;
        masks->pool = more;
        masks->size = size;
    }
    if (!map_set(&masks->books, key, (uint32_t)masks->used))
        return NULL;
    uint32_t *book = masks->pool + masks->used;
    masks->used += path->count + path->known_count;
    return book;
}

/* What is known when a mask is to be foretold. */
struct mask_context {
    uint32_t previous, older, first, next;
};

static uint32_t foretell(const struct predict_mask *masks, const struct mask_context *context,
                         uint32_t reference, uint32_t inst, enum choice choice)
{
    switch (choice) {
    case PREVIOUS:
        return context->previous;
    case REFERENCE:
        return reference;
    case NEXT:
        return context->next;
    case REST:
        return context->older & ~context->previous;
    case NOTHING:
        return 0;
    case LAST:
        return masks->last[inst];
    case FIRST:
        return context->first;
    default:
        return context->older;
    }
}

/* Codes a mask that was not foreseen. */
static uint32_t code_miss(struct predict_mask *masks, struct coder *flow,
                          const struct mask_context *context, uint32_t reference, uint32_t inst,
                          uint32_t mask, const bool reading)
{
    uint8_t choice = 0;
    while (!reading && choice < CHOICES &&
           foretell(masks, context, reference, inst, choice) != mask)
        choice++;
    choice = coder_byte(flow, masks->hits + 1, choice, reading);
    if (choice > GIVEN)
        masks->failed = true;
    if (choice >= GIVEN)
        return coder_mask(flow, masks->hits + 2, mask, reading);
    masks->choices[inst] = choice;
    return foretell(masks, context, reference, inst, choice);
}

/* Whether all masks are those of the warp that took the path before: nearly
 * every warp's are. Then nothing else is learnt from them. The book holds all
 * masks of the path, then those that are known again. */
static bool is_repeated(struct predict_mask *masks, struct coder *flow,
                        const struct predict_mask_path *path, const uint32_t *book,
                        const uint32_t *values, const bool reading)
{
    uint32_t unknown = path->count - path->known_count;
    if (path->known_count > 0 &&
        memcmp(book + path->count, path->known, path->known_count * sizeof *book) != 0)
        return false;
    if (reading)
        return coder_take_hits(flow, masks->hits, unknown);
    if (memcmp(book, values, path->count * sizeof *book) != 0)
        return false;
    flow->hits[masks->hits] += unknown;
    return true;
}

static inline __attribute__((always_inline)) void code(struct predict_mask *masks,
                                                       struct coder *flow,
                                                       const struct predict_mask_path *path,
                                                       uint32_t *values, const bool reading)
{
    bool fresh;
    uint32_t *book = find_book(masks, path, &fresh);
    if (book == NULL) {
        masks->failed = true;
        return;
    }
    if (path->count == 0)
        return;
    if (!fresh && is_repeated(masks, flow, path, book, values, reading)) {
        memcpy(values, book, path->count * sizeof *book);
        masks->first = values[0];
        return;
    }
    struct mask_context context = {masks->first, masks->first, masks->first, masks->first};
    uint32_t known = 0;
    if (path->known_count > 0)
        context.next = path->known[0];
    for (uint32_t i = 0; i < path->count; i++) {
        uint32_t inst = path->insts[i], mask;
        if (path->skip != NULL && path->skip[inst]) {
            mask = path->known[known++];
            if (known < path->known_count)
                context.next = path->known[known];
        } else {
            uint32_t reference = fresh ? masks->last[inst] : book[i];
            enum choice choice = masks->choices[inst];
            if (!fresh)
                choice = i > 0 && reference == book[i - 1] ? PREVIOUS : REFERENCE;
            uint32_t expected = foretell(masks, &context, reference, inst, choice);
            mask = reading ? 0 : values[i];
            if (coder_hit(flow, masks->hits, mask == expected, reading))
                mask = expected;
            else
                mask = code_miss(masks, flow, &context, reference, inst, mask, reading);
        }
        values[i] = mask;
        masks->last[inst] = mask;
        if (i == 0)
            context.first = context.older = context.previous = mask;
        else if (mask != context.previous) {
            context.older = context.previous;
            context.previous = mask;
        }
    }
    masks->first = values[0];
    memcpy(book, values, path->count * sizeof *book);
    if (path->known_count > 0)
        memcpy(book + path->count, path->known, path->known_count * sizeof *book);
}

void predict_mask_write(struct predict_mask *masks, struct coder *flow,
                        const struct predict_mask_path *path, uint32_t *values)
{
    code(masks, flow, path, values, false);
}

void predict_mask_read(struct predict_mask *masks, struct coder *flow,
                       const struct predict_mask_path *path, uint32_t *values)
{
    code(masks, flow, path, values, true);
}
