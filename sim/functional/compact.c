#include <stdlib.h>
#include <string.h>

#include "sim/functional/compact_access.h"

#define NODES_MOST UINT16_MAX /* most elements of `lines`, which have 16-bit links */

enum { CLEAN, DIRTY };

static bool is_few(uint32_t ways)
{
    return ways <= COMPACT_FEW;
}

/* Elements of `few` or `lines` for each set. In `lines`, each set is aligned to the host's
 * cache lines. */
static uint32_t stride_of(uint32_t ways)
{
    return is_few(ways) ? 1 : (ways + COMPACT_WAYS + 3) & ~3u;
}

bool compact_fits(const struct tags_spec *spec, char write_policy, char write_allocate)
{
    return spec->line_bytes == 1u << COMPACT_LINE &&
           spec->sector_bytes * TAGS_SECTORS == spec->line_bytes &&
           spec->replacement->compact &&
           (uint64_t)spec->sets * stride_of(spec->ways) <= NODES_MOST &&
           write_allocate == 'L' && (write_policy == 'T' || write_policy == 'B');
}

/* For sets with few ways. */
static bool allocate_few(struct compact *compact)
{
    compact->few = prefetch_alloc(compact->sets, sizeof *compact->few);
    compact->bytes = calloc((size_t)compact->sets * COMPACT_FEW, sizeof *compact->bytes);
    return compact->few != NULL && compact->bytes != NULL;
}

/* For sets with more ways, WAYS. */
static bool allocate_lines(struct compact *compact, uint32_t ways)
{
    uint32_t nodes = compact->sets * compact->stride;
    bool indexed = hash_index_init(&compact->index, (size_t)compact->sets * ways, nodes);
    compact->lines = prefetch_alloc(nodes, sizeof *compact->lines);
    compact->bytes = calloc(nodes, sizeof *compact->bytes);
    for (uint32_t set = 0; compact->lines != NULL && set < nodes; set += compact->stride)
        for (uint32_t end = set; end < set + COMPACT_WAYS; end++)
            compact->lines[end].prev = compact->lines[end].next = (uint16_t)end;
    return compact->lines != NULL && compact->bytes != NULL && indexed;
}

bool compact_init(struct compact *compact, const struct tags_spec *spec, char write_policy)
{
    *compact = (struct compact){
        .sets = spec->sets,
        .stride = stride_of(spec->ways),
        .through = write_policy == 'T',
        .percent = spec->dirty_percent,
    };
    if (!(is_few(spec->ways) ? allocate_few(compact) : allocate_lines(compact, spec->ways))) {
        compact_finish(compact);
        return false;
    }
    compact_clear(compact, spec->ways);
    return true;
}

void compact_finish(struct compact *compact)
{
    free(compact->few);
    free(compact->lines);
    hash_index_finish(&compact->index);
    free(compact->bytes);
    *compact = (struct compact){0};
}

/* ---- the order of use ---- */

/* The next line of SET in order of use, free ones first; COMPACT_NONE after the last. AT: the
 * next ones in the two lists. */
static uint32_t next_of_lists(const struct compact *compact, uint32_t set, uint32_t at[2])
{
    const struct compact_line *lines = compact->lines;
    bool clean = at[CLEAN] != set, dirty = at[DIRTY] != set + DIRTY;
    if (!clean && !dirty)
        return COMPACT_NONE;
    int which = !clean || (dirty && lines[at[DIRTY]].last < lines[at[CLEAN]].last);
    uint32_t line = at[which];
    at[which] = lines[line].next;
    return line;
}

/* The same for sets with few ways, where AT[0] counts the lines before. */
static uint32_t next_used(const struct compact *compact, uint32_t set, uint32_t at[2])
{
    if (compact->few == NULL)
        return next_of_lists(compact, set, at);
    if (at[0] == compact->ways)
        return COMPACT_NONE;
    return compact->few[set].order >> 4 * at[0]++ & 15;
}

static void begin_used(const struct compact *compact, uint32_t set, uint32_t at[2])
{
    at[0] = 0;
    if (compact->few != NULL)
        return;
    at[CLEAN] = compact->lines[set + CLEAN].next;
    at[DIRTY] = compact->lines[set + DIRTY].next;
}

void compact_restart(struct compact *compact)
{
    uint32_t at[2], line;
    for (uint32_t set = 0; set < compact->sets * compact->stride; set += compact->stride) {
        uint32_t last = 0;
        begin_used(compact, set, at);
        while ((line = next_of_lists(compact, set, at)) != COMPACT_NONE)
            compact->lines[line].last = last++;
    }
    compact->clock = compact->ways; /* no set has used more lines */
}

/* ---- emptying ---- */

/* Changes the number of ways of SET, which is empty, from HAD to WAYS. */
static void set_ways(struct compact *compact, uint32_t set, uint32_t had, uint32_t ways)
{
    struct compact_line *lines = compact->lines;
    uint32_t first = set + COMPACT_WAYS;
    for (uint32_t at = first + had; at < first + ways; at++)
        compact_append(lines, at, set + CLEAN);
    for (uint32_t at = first + ways; at < first + had; at++)
        compact_take_off(lines, at);
}

/* Moves the dirty lines of SET after the clean ones. */
static void join_lists(struct compact_line *lines, uint32_t set)
{
    uint32_t clean = set + CLEAN, dirty = set + DIRTY;
    uint16_t first = lines[dirty].next, last = lines[dirty].prev, at = lines[clean].prev;
    if (first == dirty)
        return;
    lines[at].next = first;
    lines[first].prev = at;
    lines[last].next = (uint16_t)clean;
    lines[clean].prev = last;
    lines[dirty].prev = lines[dirty].next = (uint16_t)dirty;
}

static void free_line(struct compact_line *line)
{
    line->key = 0;
    line->last = 0;
}

/* Frees the lines of SET without moving them. FEW: one by one, removing each from the hash. */
static void free_set(struct compact *compact, uint32_t set, bool few)
{
    struct compact_line *lines = compact->lines;
    uint32_t first = set + COMPACT_WAYS;
    join_lists(lines, set);
    for (uint32_t at = first; !few && at < first + compact->ways; at++)
        free_line(&lines[at]);
    for (uint32_t at = lines[set].prev; few && at != set && lines[at].key != 0;
         at = lines[at].prev) {
        compact_take_out(compact, at);
        free_line(&lines[at]);
    }
}

static void free_all(struct compact *compact)
{
    bool few = compact->used * 4 < compact->sets * compact->ways;
    if (!few)
        hash_index_clear(&compact->index);
    for (uint32_t set = 0; set < compact->sets; set++)
        free_set(compact, compact_set(compact, set), few);
    compact->used = compact->dirty = compact->clock = 0;
}

static void clear_few(struct compact *compact, uint32_t ways)
{
    bool changes = compact->used != 0 || compact->ways != ways;
    for (uint32_t set = 0; set < compact->sets && changes; set++)
        compact_few_clear(&compact->few[set], ways);
    compact->used = compact->dirty = 0;
}

static void clear_lines(struct compact *compact, uint32_t ways)
{
    if (compact->used != 0)
        free_all(compact);
    for (uint32_t set = 0; set < compact->sets && ways != compact->ways; set++)
        set_ways(compact, compact_set(compact, set), compact->ways, ways);
}

void compact_clear(struct compact *compact, uint32_t ways)
{
    if (compact->few != NULL)
        clear_few(compact, ways);
    else
        clear_lines(compact, ways);
    compact->ways = ways;
    compact->dirty_least =
        (uint32_t)(((uint64_t)compact->sets * ways * compact->percent + 99) / 100);
}

/* The bytes written of line AT of SET. */
static uint32_t *bytes_of(const struct compact *compact, uint32_t set, uint32_t at)
{
    return compact->bytes[compact->few != NULL ? set * COMPACT_FEW + at : at];
}

uint32_t compact_add_bytes(struct compact *compact, uint32_t set, uint32_t at, uint32_t partial,
                           uint32_t sectors, const uint32_t bytes[TAGS_SECTORS])
{
    uint32_t *written = bytes_of(compact, set, at);
    for (; sectors != 0; sectors &= sectors - 1) {
        uint32_t s = (uint32_t)__builtin_ctz(sectors);
        written[s] = partial >> s & 1 ? written[s] | bytes[s] : bytes[s];
        partial = (partial & ~(1u << s)) | (uint32_t)(written[s] != UINT32_MAX) << s;
    }
    return partial;
}

/* ---- to and from struct tags ---- */

/* Adds LINE as the most recently used line of SET, which has a free way. */
static void load_line(struct compact *compact, uint32_t set, const struct tags_line *line,
                      const struct tags_bytes *bytes)
{
    struct compact_result none;
    struct compact_name name = compact_name(line->address);
    uint32_t at = compact_replace(compact, set, name, &none);
    *compact_key(compact, set, at) = name.number << 12 | (uint32_t)line->partial << 8 |
                                     (uint32_t)line->dirty << 4 | line->valid;
    memcpy(bytes_of(compact, set, at), bytes->of, sizeof bytes->of);
    compact_use(compact, set, at, false, line->dirty != 0);
}

static void load_set(struct compact *compact, const struct tags *tags, uint32_t set)
{
    struct tags_walk walk = tags_walk(tags, set, false);
    for (uint32_t at; (at = tags_walk_next(&walk)) != TAGS_NONE;) {
        const struct tags_line *line = &tags->lines[at];
        if (line->valid != 0 && line->address <= COMPACT_ADDRESS)
            load_line(compact, compact_set(compact, set), line, &tags->bytes[at]);
    }
}

void compact_load(struct compact *compact, const struct tags *tags)
{
    compact_clear(compact, tags->spec.ways);
    for (uint32_t set = 0; tags->used && set < compact->sets; set++)
        load_set(compact, tags, set);
}

/* Adds line AT of set FROM to SET of TAGS, last used in cycle LAST. */
static void store_line(const struct compact *compact, uint32_t from, uint32_t at,
                       struct tags *tags, uint32_t set, uint64_t last)
{
    uint64_t key = *compact_key(compact, from, at), evicted;
    uint64_t address = key << 1 >> 13 << COMPACT_LINE; /* without the top bit, which is one */
    uint32_t index = tags_victim(tags, set);
    tags_allocate(tags, set, index, address, last, &evicted);
    struct tags_line *line = &tags->lines[index];
    line->reserved = 0;
    line->valid = key & 15;
    line->partial = line->written = key >> 8 & 15;
    memcpy(tags->bytes[index].of, bytes_of(compact, from, at), sizeof tags->bytes[index].of);
    for (uint32_t dirty = key >> 4 & 15; dirty != 0; dirty &= dirty - 1)
        tags_dirty(tags, set, index,
                   address + (uint32_t)__builtin_ctz(dirty) * tags->spec.sector_bytes);
}

static void store_set(const struct compact *compact, uint32_t set, struct tags *tags,
                      uint64_t first)
{
    uint32_t at[2], line, from = compact_set(compact, set);
    begin_used(compact, from, at);
    while ((line = next_used(compact, from, at)) != COMPACT_NONE)
        if (*compact_key(compact, from, line) != 0)
            store_line(compact, from, line, tags, set, first++);
}

void compact_store(const struct compact *compact, struct tags *tags, uint64_t now)
{
    uint64_t first = now > tags->max_ways ? now - tags->max_ways : 0;
    tags_clear(tags, compact->ways);
    for (uint32_t set = 0; compact->used != 0 && set < compact->sets; set++)
        store_set(compact, set, tags, first);
}
