#include "traces/packed/models/warp_paths.h"

#include <stdlib.h>
#include <string.h>
#include <xxhash.h>

#include "traces/packed/piece.h"

static void list_finish(struct path_list *list)
{
    free(list->items);
    free(list->elements);
    map_finish(&list->by_text);
}

void warp_paths_finish(struct warp_paths *paths)
{
    list_finish(&paths->memory);
    list_finish(&paths->full);
    list_finish(&paths->segments);
    map_finish(&paths->follows);
    map_finish(&paths->between);
    *paths = (struct warp_paths){0};
}

/* ---- lists ------------------------------------------------------------- */

static bool grow(void *array, uint32_t *capacity, uint64_t wanted, size_t size)
{
    void **at = array;
    if (wanted <= *capacity)
        return true;
    if (wanted > WARP_PATHS_MOST)
        return false;
    void *larger = reallocarray(*at, 2 * wanted, size);
    if (larger == NULL)
        return false;
    *at = larger;
    *capacity = (uint32_t)(2 * wanted);
    return true;
}

/* Adds a path of COUNT elements, which are still to be set. */
static struct path *list_add(struct path_list *list, uint32_t code, uint32_t count)
{
    if (!grow(&list->items, &list->capacity, (uint64_t)list->count + 1, sizeof *list->items) ||
        !grow(&list->elements, &list->size, (uint64_t)list->used + count + 1,
              sizeof *list->elements))
        return NULL;
    struct path *path = &list->items[list->count++];
    *path = (struct path){code, list->used, count, MAP_NONE};
    list->used += count;
    return path;
}

/* The path of these elements, added if it is new. */
static uint32_t list_intern(struct path_list *list, uint32_t code, const uint32_t *elements,
                            uint32_t count, uint32_t memory, bool *fresh)
{
    uint64_t key =
        XXH3_64bits_withSeed(elements, count * sizeof *elements, map_key(code, memory));
    *fresh = false;
    for (uint32_t i; (i = map_get(&list->by_text, key)) != MAP_NONE; key++) {
        const struct path *path = &list->items[i];
        if (path->length == count && path->code == code &&
            (memory == MAP_NONE || path->memory == memory) &&
            memcmp(path_elements(list, i), elements, count * sizeof *elements) == 0)
            return i;
    }
    *fresh = true;
    uint32_t i = list->count;
    struct path *path = list_add(list, code, count);
    if (path == NULL || !map_set(&list->by_text, key, i))
        return MAP_NONE;
    path->memory = memory;
    if (count > 0)
        memcpy(list->elements + path->at, elements, count * sizeof *elements);
    return i;
}

/* ---- memory paths ------------------------------------------------------ */

static uint32_t at_or_none(const uint32_t *elements, uint32_t i, uint32_t back)
{
    return i >= back ? elements[i - back] : MAP_NONE;
}

/* Codes the elements of a path, each foreseen from the two before it. */
static void code_elements(struct warp_paths *paths, struct coder *flow, uint32_t code,
                          uint32_t *elements, uint32_t count, const bool reading)
{
    for (uint32_t i = 0; i < count; i++) {
        uint32_t before = at_or_none(elements, i, 1);
        uint64_t key = map_key((uint64_t)code << 32 | at_or_none(elements, i, 2), before);
        uint32_t expected = map_get(&paths->follows, key);
        bool hit =
            coder_hit(flow, CODER_MEMORY_DEF_HITS,
                      !reading && expected != MAP_NONE && elements[i] == expected, reading);
        if (hit) {
            elements[i] = expected;
            continue;
        }
        uint64_t distance = (uint64_t)(int32_t)(elements[i] - before - 1);
        distance = coder_signed(flow, CODER_MEMORY_DEF, distance, reading);
        elements[i] = before + 1 + (uint32_t)distance;
        if (!map_set(&paths->follows, key, elements[i]))
            paths->failed = true;
    }
}

uint32_t warp_paths_memory(struct warp_paths *paths, struct coder *flow, uint32_t code,
                           const uint32_t *insts, uint32_t count)
{
    bool fresh;
    uint32_t i = list_intern(&paths->memory, code, insts, count, MAP_NONE, &fresh);
    if (i == MAP_NONE || !fresh)
        return i;
    if (!coder_hit(flow, CODER_MEMORY_DEF_HITS, code == paths->last_code, false))
        coder_number(flow, CODER_MEMORY_DEF, code, false);
    paths->last_code = code;
    coder_number(flow, CODER_MEMORY_DEF, count, false);
    code_elements(paths, flow, code, paths->memory.elements + paths->memory.items[i].at, count,
                  false);
    return paths->failed ? MAP_NONE : i;
}

static bool all_memory(const struct code *code, const uint32_t *elements, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++)
        if (elements[i] >= code->count || !(code->insts[elements[i]].flags & CODE_MEMORY))
            return false;
    return true;
}

bool warp_paths_read_memory(struct warp_paths *paths, struct coder *flow,
                            const struct code *codes, uint32_t code_count)
{
    uint64_t code = paths->last_code;
    if (!coder_hit(flow, CODER_MEMORY_DEF_HITS, false, true))
        code = coder_number(flow, CODER_MEMORY_DEF, 0, true);
    uint64_t count = coder_number(flow, CODER_MEMORY_DEF, 0, true);
    if (code >= code_count || count > PIECE_MOST)
        return false;
    paths->last_code = (uint32_t)code;
    struct path *path = list_add(&paths->memory, (uint32_t)code, (uint32_t)count);
    if (path == NULL)
        return false;
    uint32_t *elements = paths->memory.elements + path->at;
    code_elements(paths, flow, path->code, elements, path->length, true);
    return !paths->failed && all_memory(&codes[code], elements, path->length);
}

/* ---- segments ---------------------------------------------------------- */

/* Length of the run of consecutive instructions at AT. */
static uint32_t run_length(const uint32_t *at, uint32_t left)
{
    uint32_t n = 1;
    while (n < left && at[n] == at[n - 1] + 1)
        n++;
    return n;
}

/* Writes a segment as runs; the first is expected at NEXT. */
static void write_segment(struct coder *flow, const uint32_t *elements, uint32_t count,
                          uint32_t next)
{
    uint32_t runs = 0, n;
    for (uint32_t i = 0; i < count; i += run_length(elements + i, count - i))
        runs++;
    coder_number(flow, CODER_SEGMENT, runs, false);
    for (uint32_t i = 0; i < count; i += n) {
        n = run_length(elements + i, count - i);
        coder_signed(flow, CODER_SEGMENT, (uint64_t)(int32_t)(elements[i] - next), false);
        coder_number(flow, CODER_SEGMENT, n - 1, false);
        next = elements[i] + n;
    }
}

static uint32_t read_segment(struct warp_paths *paths, struct coder *flow,
                             const struct code *code, uint32_t next)
{
    struct path_list *list = &paths->segments;
    uint64_t runs = coder_number(flow, CODER_SEGMENT, 0, true);
    struct path *path = runs > PIECE_MOST ? NULL : list_add(list, 0, 0);
    if (path == NULL)
        return MAP_NONE;
    uint32_t length = 0;
    for (uint64_t r = 0; r < runs; r++) {
        next += (uint32_t)coder_signed(flow, CODER_SEGMENT, 0, true);
        uint64_t n = coder_number(flow, CODER_SEGMENT, 0, true) + 1;
        if (n == 0 || n > PIECE_MOST - length || next >= code->count ||
            n > code->count - next ||
            !grow(&list->elements, &list->size, (uint64_t)list->used + n,
                  sizeof *list->elements))
            return MAP_NONE;
        for (uint64_t k = 0; k < n; k++, next++) {
            if (code->insts[next].flags & CODE_MEMORY)
                return MAP_NONE;
            list->elements[list->used++] = next;
        }
        length += (uint32_t)n;
    }
    list->items[list->count - 1].length = length;
    return list->count - 1;
}

/* ---- full paths -------------------------------------------------------- */

static uint64_t gap_key(uint32_t code, uint32_t before, uint32_t behind)
{
    return map_key((uint64_t)code << 32 | before, behind);
}

/* Writes the segment between the instructions BEFORE and BEHIND. */
static bool write_gap(struct warp_paths *paths, struct coder *flow, uint32_t code,
                      uint32_t before, uint32_t behind, const uint32_t *elements,
                      uint32_t count)
{
    bool fresh;
    uint64_t key = gap_key(code, before, behind);
    uint32_t expected = map_get(&paths->between, key);
    uint32_t segment = list_intern(&paths->segments, code, elements, count, MAP_NONE, &fresh);
    if (segment == MAP_NONE)
        return false;
    if (coder_hit(flow, CODER_CONTROL_DEF_HITS, segment == expected, false))
        return true;
    coder_number(flow, CODER_CONTROL_DEF, fresh ? 0 : 1 + (uint64_t)segment, false);
    if (fresh)
        write_segment(flow, elements, count, before + 1);
    return map_set(&paths->between, key, segment);
}

static bool write_full(struct warp_paths *paths, struct coder *flow, const struct code *code,
                       uint32_t memory, const uint32_t *insts, uint32_t count)
{
    uint32_t number = paths->memory.items[memory].code;
    if (!coder_hit(flow, CODER_CONTROL_DEF_HITS, memory == paths->last_memory + 1, false))
        coder_number(flow, CODER_CONTROL_DEF, memory, false);
    paths->last_memory = memory;
    uint32_t before = MAP_NONE, from = 0;
    for (uint32_t i = 0; i <= count; i++) {
        if (i < count && !(code->insts[insts[i]].flags & CODE_MEMORY))
            continue;
        uint32_t behind = i < count ? insts[i] : MAP_NONE;
        if (!write_gap(paths, flow, number, before, behind, insts + from, i - from))
            return false;
        before = behind;
        from = i + 1;
    }
    return true;
}

/* Notes the first full path of a memory path: it is foreseen first. */
static void note_first(struct warp_paths *paths, uint32_t memory, uint32_t full)
{
    if (paths->memory.items[memory].memory == MAP_NONE)
        paths->memory.items[memory].memory = full;
}

uint32_t warp_paths_full(struct warp_paths *paths, struct coder *flow, const struct code *code,
                         uint32_t memory, const uint32_t *insts, uint32_t count)
{
    bool fresh;
    if (paths->full.count == 0)
        paths->last_memory = MAP_NONE;
    uint32_t number = paths->memory.items[memory].code;
    uint32_t i = list_intern(&paths->full, number, insts, count, memory, &fresh);
    if (i == MAP_NONE || !fresh)
        return i;
    note_first(paths, memory, i);
    return write_full(paths, flow, code, memory, insts, count) ? i : MAP_NONE;
}

static bool read_gap(struct warp_paths *paths, struct coder *flow, const struct code *code,
                     uint32_t number, uint32_t before, uint32_t behind)
{
    uint64_t key = gap_key(number, before, behind);
    uint32_t segment = map_get(&paths->between, key);
    if (!coder_hit(flow, CODER_CONTROL_DEF_HITS, false, true)) {
        uint64_t n = coder_number(flow, CODER_CONTROL_DEF, 0, true);
        segment = n == 0                       ? read_segment(paths, flow, code, before + 1)
                  : n <= paths->segments.count ? (uint32_t)(n - 1)
                                               : MAP_NONE;
        if (segment == MAP_NONE || !map_set(&paths->between, key, segment))
            return false;
    }
    if (segment == MAP_NONE)
        return false;
    struct path_list *full = &paths->full;
    struct path *path = &full->items[full->count - 1];
    uint32_t length = paths->segments.items[segment].length;
    if (path->length + length + 1 > PIECE_MOST + 1 ||
        !grow(&full->elements, &full->size, (uint64_t)full->used + length + 1,
              sizeof *full->elements))
        return false;
    const uint32_t *from = path_elements(&paths->segments, segment);
    for (uint32_t i = 0; i < length; i++) /* of another kernel's code if the file lies */
        if (from[i] >= code->count || code->insts[from[i]].flags & CODE_MEMORY)
            return false;
    if (length > 0)
        memcpy(full->elements + full->used, from, length * sizeof *from);
    full->used += length;
    path->length += length;
    return true;
}

bool warp_paths_read_full(struct warp_paths *paths, struct coder *flow,
                          const struct code *codes)
{
    struct path_list *full = &paths->full;
    if (full->count == 0)
        paths->last_memory = MAP_NONE;
    uint64_t memory = paths->last_memory + 1;
    if (!coder_hit(flow, CODER_CONTROL_DEF_HITS, false, true))
        memory = coder_number(flow, CODER_CONTROL_DEF, 0, true);
    if (memory >= paths->memory.count)
        return false;
    const struct path *way = &paths->memory.items[memory];
    struct path *path = list_add(full, way->code, 0);
    if (path == NULL)
        return false;
    path->memory = paths->last_memory = (uint32_t)memory;
    note_first(paths, (uint32_t)memory, full->count - 1);
    uint32_t before = MAP_NONE;
    for (uint32_t i = 0; i <= way->length; i++) {
        uint32_t behind = i < way->length ? paths->memory.elements[way->at + i] : MAP_NONE;
        if (!read_gap(paths, flow, &codes[way->code], way->code, before, behind))
            return false;
        if (behind != MAP_NONE) {
            path = &full->items[full->count - 1];
            if (path->length == PIECE_MOST)
                return false;
            full->elements[full->used++] = behind;
            path->length++;
        }
        before = behind;
    }
    return true;
}
