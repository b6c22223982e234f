#include "sim/memory/compact.h"

#include <stdlib.h>
#include <string.h>

#define EMPTY       UINT32_MAX /* slot of the hash */
#define LEAST_SLOTS 16u
#define NODES_MOST  INT16_MAX /* lines and ends: 15 bits for these leave 17 for the slots */

enum { CLEAN, DIRTY };

bool compact_fits(const struct tags_spec *spec, char write_policy, char write_allocate)
{
    return spec->line_bytes == 1u << COMPACT_LINE &&
           spec->sector_bytes * TAGS_SECTORS == spec->line_bytes && !spec->fifo &&
           (uint64_t)spec->sets * (spec->ways + 2) <= NODES_MOST && write_allocate == 'L' &&
           (write_policy == 'T' || write_policy == 'B');
}

static bool allocate(struct compact *compact, uint32_t nodes, uint32_t slots)
{
    compact->lines = calloc(nodes, sizeof *compact->lines);
    compact->bytes = calloc(nodes, sizeof *compact->bytes);
    compact->slots = malloc(slots * sizeof *compact->slots);
    if (compact->slots != NULL)
        memset(compact->slots, 0xff, slots * sizeof *compact->slots);
    return compact->lines != NULL && compact->bytes != NULL && compact->slots != NULL;
}

bool compact_init(struct compact *compact, const struct tags_spec *spec, char write_policy)
{
    uint32_t nodes = spec->sets * (spec->ways + 2), slots = LEAST_SLOTS;
    while (slots < 4 * nodes)
        slots *= 2;
    *compact = (struct compact){
        .home = 32 - (uint32_t)__builtin_ctz(slots),
        .slot_mask = slots - 1,
        .index_mask = (2u << (31 - __builtin_clz(nodes))) - 1,
        .sets = spec->sets,
        .stride = spec->ways + 2,
        .through = write_policy == 'T',
        .percent = spec->dirty_percent,
    };
    if (!allocate(compact, nodes, slots)) {
        compact_finish(compact);
        return false;
    }
    compact_clear(compact, spec->ways);
    return true;
}

void compact_finish(struct compact *compact)
{
    free(compact->lines);
    free(compact->bytes);
    free(compact->slots);
    *compact = (struct compact){0};
}

/* ---- the hash of lines ---- */

static uint32_t hash_of(uint64_t line)
{
    return (uint32_t)(line * 0x9e3779b97f4a7c15ull >> 32);
}

static uint64_t line_of(const struct compact_line *node)
{
    return node->key >> 12;
}

static uint32_t find(const struct compact *compact, uint64_t line)
{
    uint32_t hash = hash_of(line), mask = compact->index_mask;
    for (uint32_t slot = hash >> compact->home;; slot = (slot + 1) & compact->slot_mask) {
        uint32_t entry = compact->slots[slot];
        if (entry == EMPTY)
            return COMPACT_NONE;
        if (((entry ^ hash) & ~mask) == 0 && line_of(&compact->lines[entry & mask]) == line)
            return entry & mask;
    }
}

static void insert(struct compact *compact, uint64_t line, uint32_t at)
{
    uint32_t hash = hash_of(line), slot = hash >> compact->home;
    while (compact->slots[slot] != EMPTY)
        slot = (slot + 1) & compact->slot_mask;
    compact->slots[slot] = (hash & ~compact->index_mask) | at;
}

/* Those behind it move up. */
static void take_out(struct compact *compact, uint64_t line, uint32_t at)
{
    uint32_t *slots = compact->slots, mask = compact->slot_mask;
    uint32_t hole = hash_of(line) >> compact->home;
    while ((slots[hole] & compact->index_mask) != at)
        hole = (hole + 1) & mask;
    for (uint32_t slot = (hole + 1) & mask; slots[slot] != EMPTY; slot = (slot + 1) & mask) {
        uint32_t home = slots[slot] >> compact->home;
        if (((slot - home) & mask) >= ((slot - hole) & mask)) {
            slots[hole] = slots[slot];
            hole = slot;
        }
    }
    slots[hole] = EMPTY;
}

void compact_prefetch_slot(const struct compact *compact, uint64_t line)
{
    __builtin_prefetch(&compact->slots[hash_of(line) >> compact->home], 1);
}

/* ---- the lists in order of use ---- */

/* The end of a list of SET. */
static uint32_t end_of(const struct compact *compact, uint32_t set, bool dirty)
{
    return (set + 1) * compact->stride - 2 + dirty;
}

static void append(struct compact_line *lines, uint32_t at, uint32_t end)
{
    uint32_t prev = lines[end].prev;
    lines[at].prev = (uint16_t)prev;
    lines[at].next = (uint16_t)end;
    lines[prev].next = lines[end].prev = (uint16_t)at;
}

static void take_off(struct compact_line *lines, uint32_t at)
{
    uint32_t prev = lines[at].prev, next = lines[at].next;
    lines[prev].next = (uint16_t)next;
    lines[next].prev = (uint16_t)prev;
}

static void move(struct compact *compact, uint32_t set, uint32_t at, bool dirty)
{
    take_off(compact->lines, at);
    append(compact->lines, at, end_of(compact, set, dirty));
}

/* Its lines, in the order of their use, get numbers from FIRST on. Returns the next one. */
static uint32_t number_set(struct compact *compact, uint32_t set, uint32_t first)
{
    struct compact_line *lines = compact->lines;
    uint32_t end[2] = {end_of(compact, set, CLEAN), end_of(compact, set, DIRTY)};
    uint32_t at[2] = {lines[end[0]].next, lines[end[1]].next};
    while (at[0] != end[0] || at[1] != end[1]) {
        int which =
            at[0] == end[0] || (at[1] != end[1] && lines[at[1]].last < lines[at[0]].last);
        struct compact_line *line = &lines[at[which]];
        at[which] = line->next;
        line->last = first++;
    }
    return first;
}

/* The clock starts again, behind what is there. */
static void restart(struct compact *compact)
{
    compact->clock = 0;
    for (uint32_t set = 0; set < compact->sets; set++) {
        uint32_t last = number_set(compact, set, 0);
        compact->clock = last > compact->clock ? last : compact->clock;
    }
}

static uint32_t tick(struct compact *compact)
{
    if (__builtin_expect(compact->clock == UINT32_MAX, 0))
        restart(compact);
    return ++compact->clock;
}

/* ---- emptying ---- */

/* All ways of SET are free, and none is used. */
static void clear_set(struct compact *compact, uint32_t set)
{
    struct compact_line *lines = compact->lines;
    uint32_t first = set * compact->stride;
    for (int dirty = 0; dirty < 2; dirty++) {
        uint32_t end = end_of(compact, set, dirty);
        lines[end] = (struct compact_line){.prev = (uint16_t)end, .next = (uint16_t)end};
    }
    for (uint32_t way = 0; way < compact->ways; way++) {
        lines[first + way] = (struct compact_line){0};
        append(lines, first + way, end_of(compact, set, CLEAN));
    }
}

/* The lines in use, which are the last ones of the list, become free where they are. */
static void free_list(struct compact *compact, uint32_t end)
{
    struct compact_line *lines = compact->lines;
    for (uint32_t at = lines[end].prev; lines[at].key != 0; at = lines[at].prev) {
        take_out(compact, line_of(&lines[at]), at);
        lines[at].key = lines[at].last = 0;
    }
}

/* Few lines are freed one by one. */
static void free_set(struct compact *compact, uint32_t set)
{
    struct compact_line *lines = compact->lines;
    uint32_t clean = end_of(compact, set, CLEAN), dirty = end_of(compact, set, DIRTY);
    while (lines[dirty].next != dirty)
        move(compact, set, lines[dirty].next, CLEAN);
    free_list(compact, clean);
}

void compact_clear(struct compact *compact, uint32_t ways)
{
    bool same = ways == compact->ways, few = compact->used * 4 < compact->sets * ways;
    if (same && compact->used == 0)
        return;
    compact->ways = ways;
    compact->dirty_least =
        (uint32_t)(((uint64_t)compact->sets * ways * compact->percent + 99) / 100);
    if (!few || !same)
        memset(compact->slots, 0xff, (compact->slot_mask + 1) * sizeof *compact->slots);
    for (uint32_t set = 0; set < compact->sets; set++)
        if (few && same)
            free_set(compact, set);
        else
            clear_set(compact, set);
    compact->used = compact->dirty = compact->clock = 0;
}

/* ---- accesses ---- */

/* The line of SET to replace; COMPACT_NONE: none can be. */
static uint32_t find_victim(const struct compact *compact, uint32_t set)
{
    const struct compact_line *lines = compact->lines;
    uint32_t end = end_of(compact, set, CLEAN), clean = lines[end].next;
    uint32_t dirty = lines[end + 1].next;
    if (compact->dirty < compact->dirty_least || dirty == end + 1)
        return clean != end ? clean : COMPACT_NONE;
    return clean == end || lines[dirty].last < lines[clean].last ? dirty : clean;
}

void compact_prefetch_line(const struct compact *compact, uint32_t set, uint64_t line)
{
    uint32_t at = find(compact, line);
    if (at == COMPACT_NONE)
        at = compact->lines[end_of(compact, set, CLEAN)].next;
    __builtin_prefetch(&compact->lines[at], 1);
}

/* Takes what AT was out of the hash. Returns its sectors to be written back. */
static uint8_t evict(struct compact *compact, uint32_t at)
{
    struct compact_line *node = &compact->lines[at];
    uint8_t dirty = node->key >> 4 & 15;
    if (node->key != 0)
        take_out(compact, line_of(node), at);
    else
        compact->used++;
    compact->dirty -= dirty != 0;
    return compact->through ? 0 : dirty;
}

/* A place for LINE, without sectors; RESULT tells of what was there. Returns COMPACT_NONE if
 * there is none. */
static uint32_t replace(struct compact *compact, uint32_t set, uint64_t line,
                        struct compact_result *result)
{
    uint32_t at = find_victim(compact, set);
    result->refused = at == COMPACT_NONE;
    if (at == COMPACT_NONE)
        return at;
    result->evicted = evict(compact, at);
    insert(compact, line, at);
    compact->lines[at].key = line << 12;
    return at;
}

/* AT becomes the last one of its list. */
static void use(struct compact *compact, uint32_t set, uint32_t at, bool was_dirty, bool dirty)
{
    compact->dirty += dirty && !was_dirty;
    compact->lines[at].last = tick(compact);
    move(compact, set, at, dirty);
}

struct compact_result compact_read(struct compact *compact, uint32_t set, uint64_t line,
                                   uint8_t sectors, uint8_t dirtied)
{
    struct compact_result result = {0};
    uint32_t at = find(compact, line);
    result.there = at != COMPACT_NONE;
    if (!result.there && (at = replace(compact, set, line, &result)) == COMPACT_NONE)
        return result;
    uint64_t key = compact->lines[at].key;
    bool was_dirty = key >> 4 & 15;
    result.hits = (uint8_t)(sectors & key & ~(key >> 8));
    key = (key | sectors | (uint32_t)dirtied << 4) & ~((uint64_t)sectors << 8);
    compact->lines[at].key = key;
    use(compact, set, at, was_dirty, key >> 4 & 15);
    return result;
}

/* The PARTIAL sectors of line AT when BYTES of SECTORS, which are not whole, are written too.
 */
static uint8_t add_bytes(struct compact *compact, uint32_t at, uint8_t partial, uint8_t sectors,
                         const uint32_t bytes[TAGS_SECTORS])
{
    uint32_t *written = compact->bytes[at];
    for (; sectors != 0; sectors &= (uint8_t)(sectors - 1)) {
        uint32_t s = (uint32_t)__builtin_ctz(sectors);
        written[s] = partial >> s & 1 ? written[s] | bytes[s] : bytes[s];
        partial = (uint8_t)((partial & ~(1u << s)) | (written[s] != UINT32_MAX) << s);
    }
    return partial;
}

struct compact_result compact_write(struct compact *compact, uint32_t set, uint64_t line,
                                    uint8_t sectors, uint8_t whole,
                                    const uint32_t bytes[TAGS_SECTORS])
{
    struct compact_result result = {0};
    uint32_t at = find(compact, line);
    result.there = at != COMPACT_NONE;
    if (!result.there && (at = replace(compact, set, line, &result)) == COMPACT_NONE)
        return result;
    uint64_t key = compact->lines[at].key;
    bool was_dirty = key >> 4 & 15;
    uint8_t valid = key & 15, partial = key >> 8 & 15 & (uint8_t)~whole;
    uint8_t missing = sectors & (uint8_t)~whole & (uint8_t)(~valid | partial);
    result.hits = sectors & valid;
    if (missing != 0)
        partial = add_bytes(compact, at, partial, missing, bytes);
    key = line << 12 | (uint64_t)partial << 8 | (key & 0xff) | (uint32_t)sectors << 4 | sectors;
    compact->lines[at].key = key;
    use(compact, set, at, was_dirty, true);
    return result;
}

/* ---- to and from struct tags ---- */

/* Takes LINE over as the last one used of SET. */
static void load_line(struct compact *compact, uint32_t set, const struct tags_line *line,
                      const struct tags_bytes *bytes)
{
    uint64_t number = line->address >> COMPACT_LINE & COMPACT_KEYS;
    uint32_t at = compact->lines[end_of(compact, set, CLEAN)].next;
    evict(compact, at);
    insert(compact, number, at);
    compact->lines[at].key =
        number << 12 | (uint32_t)line->partial << 8 | (uint32_t)line->dirty << 4 | line->valid;
    memcpy(compact->bytes[at], bytes->of, sizeof bytes->of);
    use(compact, set, at, false, line->dirty != 0);
}

/* Of lines last used in the same cycle, the first one of the set goes first: tags_victim(). */
static bool is_before(const struct tags_line *lines, uint16_t a, uint16_t b)
{
    return lines[a].last < lines[b].last || (lines[a].last == lines[b].last && a < b);
}

static void load_set(struct compact *compact, const struct tags *tags, uint32_t set)
{
    size_t first = (size_t)set * tags->max_ways;
    const struct tags_line *lines = &tags->lines[first];
    uint16_t at[2] = {tags->lists[2 * set].head, tags->lists[2 * set + 1].head};
    while (at[0] != TAGS_END || at[1] != TAGS_END) {
        int which = at[0] == TAGS_END || (at[1] != TAGS_END && is_before(lines, at[1], at[0]));
        uint16_t way = at[which];
        if (lines[way].valid != 0)
            load_line(compact, set, &lines[way], &tags->bytes[first + way]);
        at[which] = lines[way].next;
    }
}

void compact_load(struct compact *compact, const struct tags *tags)
{
    compact_clear(compact, tags->spec.ways);
    for (uint32_t set = 0; tags->used && set < compact->sets; set++)
        load_set(compact, tags, set);
}

static void store_line(const struct compact *compact, uint32_t at, struct tags *tags,
                       uint32_t set, uint64_t last)
{
    uint64_t key = compact->lines[at].key, evicted;
    uint64_t address = key >> 12 << COMPACT_LINE;
    uint32_t index = tags_victim(tags, set);
    tags_allocate(tags, set, index, address, last, &evicted);
    struct tags_line *line = &tags->lines[index];
    line->reserved = 0;
    line->valid = key & 15;
    line->partial = line->written = key >> 8 & 15;
    memcpy(tags->bytes[index].of, compact->bytes[at], sizeof compact->bytes[at]);
    for (uint32_t dirty = key >> 4 & 15; dirty != 0; dirty &= dirty - 1)
        tags_dirty(tags, set, index,
                   address + (uint32_t)__builtin_ctz(dirty) * tags->spec.sector_bytes);
}

static void store_set(const struct compact *compact, uint32_t set, struct tags *tags,
                      uint64_t first)
{
    const struct compact_line *lines = compact->lines;
    uint32_t end[2] = {end_of(compact, set, CLEAN), end_of(compact, set, DIRTY)};
    uint32_t at[2] = {lines[end[0]].next, lines[end[1]].next};
    while (at[0] != end[0] || at[1] != end[1]) {
        int which =
            at[0] == end[0] || (at[1] != end[1] && lines[at[1]].last < lines[at[0]].last);
        if (lines[at[which]].key != 0)
            store_line(compact, at[which], tags, set, first++);
        at[which] = lines[at[which]].next;
    }
}

void compact_store(const struct compact *compact, struct tags *tags, uint64_t now)
{
    uint64_t first = now > tags->max_ways ? now - tags->max_ways : 0;
    tags_clear(tags, compact->ways);
    for (uint32_t set = 0; compact->used != 0 && set < compact->sets; set++)
        store_set(compact, set, tags, first);
}
