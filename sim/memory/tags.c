#include "sim/memory/tags.h"

#include <stdlib.h>
#include <string.h>

#include "sim/memory/hash.h"

enum { LIST_NONE, LIST_CLEAN, LIST_DIRTY };

bool tags_init(struct tags *tags, const struct tags_spec *spec)
{
    memset(tags, 0, sizeof *tags);
    tags->spec = *spec;
    tags->max_ways = spec->ways;
    size_t lines = (size_t)spec->sets * spec->ways;
    tags->lines = calloc(lines, sizeof *tags->lines);
    tags->lists = calloc((size_t)spec->sets * 2, sizeof *tags->lists);
    tags->free = calloc(lines, sizeof *tags->free);
    tags->free_count = calloc(spec->sets, sizeof *tags->free_count);
    bool indexed = hash_index_init(&tags->index, lines, lines);
    tags->bytes = calloc(lines, sizeof *tags->bytes);
    size_t state = spec->replacement != NULL ? spec->replacement->state_size : 0;
    tags->state = state != 0 ? calloc(lines, state) : NULL;
    if (!tags->lines || !tags->lists || !tags->free || !tags->free_count || !indexed ||
        !tags->bytes || (state != 0 && !tags->state)) {
        tags_finish(tags);
        return false;
    }
    tags->shuffled = true;
    tags->spec.ways = 0;
    tags_clear(tags, spec->ways);
    return true;
}

void tags_finish(struct tags *tags)
{
    free(tags->lines);
    free(tags->lists);
    free(tags->free);
    free(tags->free_count);
    hash_index_finish(&tags->index);
    free(tags->bytes);
    free(tags->state);
    memset(tags, 0, sizeof *tags);
}

static uint64_t hash_of(const struct tags *tags, uint64_t line_address)
{
    return hash_index_hash(line_address >> __builtin_ctz(tags->spec.line_bytes));
}

/* Empties the hash and the lines of SET, one by one. */
static void empty_set(struct tags *tags, uint32_t set)
{
    for (int dirty = 0; dirty < 2; dirty++)
        for (uint16_t way = tags->lists[2 * set + dirty].head; way != TAGS_END;) {
            struct tags_line *line = &tags->lines[set * tags->max_ways + way];
            hash_index_empty(&tags->index, hash_of(tags, line->address));
            way = line->next;
            *line = (struct tags_line){0};
        }
}

/* Few lines are cleared one by one, many at once. */
static void empty_lines(struct tags *tags)
{
    size_t lines = (size_t)tags->spec.sets * tags->spec.ways, unused = 0;
    for (uint32_t set = 0; set < tags->spec.sets; set++)
        unused += tags->free_count[set];
    if ((lines - unused) * 4 < lines) {
        for (uint32_t set = 0; set < tags->spec.sets; set++)
            empty_set(tags, set);
        return;
    }
    memset(tags->lines, 0, (size_t)tags->spec.sets * tags->max_ways * sizeof *tags->lines);
    hash_index_clear(&tags->index);
}

/* All ways become free, in their order. Unless lines have been invalidated since, they are in
 * that order already. */
static void free_ways(struct tags *tags)
{
    for (uint32_t i = 0; tags->shuffled && i < tags->spec.sets * tags->max_ways; i++)
        tags->free[i] = i;
    tags->shuffled = false;
}

void tags_clear(struct tags *tags, uint32_t ways)
{
    if (!tags->used && ways == tags->spec.ways)
        return;
    if (tags->used)
        empty_lines(tags);
    if (tags->state != NULL)
        memset(tags->state, 0,
               (size_t)tags->spec.sets * tags->max_ways * tags->spec.replacement->state_size);
    free_ways(tags);
    tags->spec.ways = ways;
    tags->used = false;
    tags->dirty_lines = 0;
    for (uint32_t set = 0; set < tags->spec.sets; set++) {
        tags->lists[2 * set] = tags->lists[2 * set + 1] =
            (struct tags_list){TAGS_END, TAGS_END};
        tags->free_count[set] = ways;
    }
}

uint32_t tags_set_of(const struct tags_spec *spec, uint64_t hashed)
{
    uint32_t line_log2 = (uint32_t)__builtin_ctz(spec->line_bytes);
    uint32_t index = (uint32_t)(hashed >> line_log2) & (spec->sets - 1);
    uint64_t high = hashed >> (line_log2 + (uint32_t)__builtin_ctz(spec->sets));
    if (spec->sets == 1)
        return 0;
    switch (spec->set_index) {
    case 'P':
        return hash_ipoly(high, index, spec->sets);
    case 'X':
        return hash_xor(high, index, spec->sets);
    case 'H':
        return hash_fermi(hashed, line_log2, spec->sets);
    default:
        return index;
    }
}

/* ---- the hash of line addresses ---- */

void tags_prefetch(const struct tags *tags, uint64_t address)
{
    hash_index_prefetch(&tags->index, hash_of(tags, tags_line_address(tags, address)));
}

void tags_expect(const struct tags *tags, uint64_t address)
{
    struct hash_index_search search =
        hash_index_begin(&tags->index, hash_of(tags, tags_line_address(tags, address)));
    if (search.found != 0)
        __builtin_prefetch(&tags->lines[hash_index_next(&tags->index, &search)], 1);
}

static uint32_t find(const struct tags *tags, uint64_t line_address)
{
    struct hash_index_search search =
        hash_index_begin(&tags->index, hash_of(tags, line_address));
    uint32_t line;
    while ((line = hash_index_next(&tags->index, &search)) != HASH_INDEX_NONE)
        if (tags->lines[line].address == line_address)
            return line;
    return TAGS_NONE;
}

static void table_add(struct tags *tags, uint32_t line)
{
    hash_index_add(&tags->index, hash_of(tags, tags->lines[line].address), line);
}

static void table_remove(struct tags *tags, uint32_t line)
{
    hash_index_remove(&tags->index, hash_of(tags, tags->lines[line].address), line);
}

uint32_t tags_find(const struct tags *tags, uint64_t address)
{
    return find(tags, tags_line_address(tags, address));
}

/* ---- the order of lines ---- */

/* The line of SET in WAY. */
static struct tags_line *way_of(const struct tags *tags, uint32_t set, uint16_t way)
{
    return &tags->lines[set * tags->max_ways + way];
}

static void unlink_line(struct tags *tags, uint32_t set, uint32_t index)
{
    struct tags_line *line = &tags->lines[index];
    if (line->listed == LIST_NONE)
        return;
    struct tags_list *list = &tags->lists[2 * set + (line->listed == LIST_DIRTY)];
    if (line->prev == TAGS_END)
        list->head = line->next;
    else
        way_of(tags, set, line->prev)->next = line->next;
    if (line->next == TAGS_END)
        list->tail = line->prev;
    else
        way_of(tags, set, line->next)->prev = line->prev;
    line->listed = LIST_NONE;
}

static void append_line(struct tags *tags, uint32_t set, uint32_t index)
{
    struct tags_line *line = &tags->lines[index];
    uint16_t way = (uint16_t)(index - set * tags->max_ways);
    line->listed = line->dirty ? LIST_DIRTY : LIST_CLEAN;
    struct tags_list *list = &tags->lists[2 * set + (line->listed == LIST_DIRTY)];
    line->prev = list->tail;
    line->next = TAGS_END;
    if (list->tail == TAGS_END)
        list->head = way;
    else
        way_of(tags, set, list->tail)->next = way;
    list->tail = way;
}

/* Of lines that were last used in the same cycle, the first one of the set comes first. */
static bool is_before(const struct tags *tags, uint32_t a, uint32_t b)
{
    uint64_t last_a = tags->lines[a].last, last_b = tags->lines[b].last;
    return last_a < last_b || (last_a == last_b && a < b);
}

uint32_t tags_walk_next(struct tags_walk *walk)
{
    const uint16_t *way = walk->way;
    if (way[0] == TAGS_END && way[1] == TAGS_END)
        return TAGS_NONE;
    uint32_t clean = walk->first + way[0], dirty = walk->first + way[1];
    const struct tags_line *lines = walk->tags->lines;
    int which =
        way[0] == TAGS_END ||
        (way[1] != TAGS_END && (walk->clean_first ? lines[dirty].last < lines[clean].last
                                                  : is_before(walk->tags, dirty, clean)));
    uint32_t line = walk->first + way[which];
    walk->way[which] = walk->tags->lines[line].next;
    return line;
}

uint64_t tags_last_use(const struct tags *tags, uint32_t set)
{
    uint64_t last = 0;
    for (int dirty = 0; dirty < 2; dirty++) {
        uint16_t tail = tags->lists[2 * set + dirty].tail;
        if (tail != TAGS_END && way_of(tags, set, tail)->last > last)
            last = way_of(tags, set, tail)->last;
    }
    return last;
}

/* Moves a line that became dirty or clean to the other list. */
static void relist(struct tags *tags, uint32_t set, uint32_t index)
{
    struct tags_line *line = &tags->lines[index];
    bool was = line->listed == LIST_DIRTY, is = line->dirty != 0;
    if (line->listed == LIST_NONE || was == is)
        return;
    tags->dirty_lines += is ? 1 : -1u;
    unlink_line(tags, set, index);
    append_line(tags, set, index);
}

/* The first line of a list that waits for no data, or TAGS_NONE. */
static uint32_t oldest_of(const struct tags *tags, uint32_t set, uint16_t head)
{
    while (head != TAGS_END && way_of(tags, set, head)->reserved)
        head = way_of(tags, set, head)->next;
    return head == TAGS_END ? TAGS_NONE : set * tags->max_ways + head;
}

uint32_t tags_first(const struct tags *tags, uint32_t set, bool keep_dirty)
{
    uint32_t clean = oldest_of(tags, set, tags->lists[2 * set].head);
    if (keep_dirty)
        return clean;
    uint32_t dirty = oldest_of(tags, set, tags->lists[2 * set + 1].head);
    if (clean == TAGS_NONE || dirty == TAGS_NONE)
        return clean == TAGS_NONE ? dirty : clean;
    return is_before(tags, dirty, clean) ? dirty : clean;
}

uint32_t tags_victim(const struct tags *tags, uint32_t set)
{
    if (tags->free_count[set] != 0)
        return tags->free[set * tags->max_ways + tags->free_count[set] - 1];
    uint64_t lines = (uint64_t)tags->spec.sets * tags->spec.ways;
    bool keep_dirty = (uint64_t)tags->dirty_lines * 100 < tags->spec.dirty_percent * lines;
    return tags->spec.replacement->victim(tags, set, keep_dirty);
}

void tags_expect_miss(const struct tags *tags, uint32_t set)
{
    const struct tags_list *lists = &tags->lists[2 * set];
    uint16_t way = lists[0].head != TAGS_END ? lists[0].head : lists[1].head;
    if (tags->free_count[set] != 0 || way == TAGS_END)
        return;
    const struct tags_line *line = way_of(tags, set, way);
    tags_prefetch(tags, line->address);
    if (line->next != TAGS_END)
        __builtin_prefetch(way_of(tags, set, line->next), 1);
}

enum tags_status tags_sector_status(const struct tags *tags, uint32_t index, uint64_t address,
                                    bool write)
{
    const struct tags_line *line = &tags->lines[index];
    uint8_t bit = (uint8_t)(1u << tags_sector(tags, address));
    if (line->reserved & bit)
        return TAGS_PENDING;
    if (!(line->valid & bit) || (!write && (line->partial & bit)))
        return TAGS_SECTOR_MISS;
    return TAGS_HIT;
}

enum tags_status tags_probe(const struct tags *tags, uint32_t set, uint64_t address, bool write,
                            uint32_t *line)
{
    uint32_t found = find(tags, tags_line_address(tags, address));
    if (found == TAGS_NONE) {
        *line = tags_victim(tags, set);
        return *line == TAGS_NONE ? TAGS_FAIL : TAGS_MISS;
    }
    *line = found;
    return tags_sector_status(tags, found, address, write);
}

bool tags_hit(const struct tags *tags, uint64_t address, bool write)
{
    uint32_t line = find(tags, tags_line_address(tags, address));
    return line != TAGS_NONE && tags_sector_status(tags, line, address, write) == TAGS_HIT;
}

void tags_move_last(struct tags *tags, uint32_t set, uint32_t index)
{
    const struct tags_line *line = &tags->lines[index];
    if (line->next == TAGS_END && line->listed == (line->dirty ? LIST_DIRTY : LIST_CLEAN))
        return; /* it is the last one */
    unlink_line(tags, set, index);
    append_line(tags, set, index);
}

uint8_t tags_allocate(struct tags *tags, uint32_t set, uint32_t index, uint64_t address,
                      uint64_t now, uint64_t *evicted)
{
    struct tags_line *line = &tags->lines[index];
    uint8_t dirty = line->dirty;
    *evicted = line->address;
    if (line->listed != LIST_NONE) {
        tags->dirty_lines -= dirty != 0;
        unlink_line(tags, set, index);
        table_remove(tags, index);
    } else {
        tags->free_count[set]--;
    }
    *line = (struct tags_line){
        .address = tags_line_address(tags, address),
        .last = now,
        .reserved = (uint8_t)(1u << tags_sector(tags, address)),
    };
    append_line(tags, set, index);
    table_add(tags, index);
    tags->used = true;
    if (tags->spec.replacement->placed != NULL)
        tags->spec.replacement->placed(tags, set, index);
    return dirty;
}

void tags_reserve(struct tags *tags, uint32_t set, uint32_t index, uint64_t address,
                  uint64_t now)
{
    struct tags_line *line = &tags->lines[index];
    uint8_t bit = (uint8_t)(1u << tags_sector(tags, address));
    line->dirty_on_fill = (uint8_t)((line->dirty_on_fill & ~bit) | (line->dirty & bit));
    line->whole_on_fill &= (uint8_t)~bit;
    line->valid &= (uint8_t)~bit;
    line->dirty &= (uint8_t)~bit;
    line->partial &= (uint8_t)~bit;
    line->reserved |= bit;
    relist(tags, set, index);
    tags_touch(tags, set, index, now);
}

void tags_fill(struct tags *tags, uint32_t set, uint32_t index, uint64_t address)
{
    struct tags_line *line = &tags->lines[index];
    uint8_t bit = (uint8_t)(1u << tags_sector(tags, address));
    line->reserved &= (uint8_t)~bit;
    line->valid |= bit;
    if (line->dirty_on_fill & bit)
        line->dirty |= bit;
    else
        line->dirty &= (uint8_t)~bit;
    if ((line->whole_on_fill & bit) || !(line->dirty & bit))
        line->partial &= (uint8_t)~bit;
    line->whole_on_fill &= (uint8_t)~bit;
    relist(tags, set, index);
}

void tags_write(struct tags *tags, uint32_t set, uint32_t index, uint64_t address,
                uint32_t bytes, bool pending)
{
    struct tags_line *line = &tags->lines[index];
    uint32_t sector = tags_sector(tags, address);
    uint8_t bit = (uint8_t)(1u << sector);
    bool was_there = (line->valid & bit) && !(line->partial & bit);
    uint32_t *written = &tags->bytes[index].of[sector];
    *written = line->written & bit ? *written | bytes : bytes;
    line->written |= bit;
    line->valid |= bit;
    line->dirty |= bit;
    line->reserved &= (uint8_t)~bit;
    if (!was_there && *written != UINT32_MAX)
        line->partial |= bit;
    else
        line->partial &= (uint8_t)~bit;
    if (pending) {
        line->dirty_on_fill |= bit;
        line->whole_on_fill |= bit;
    }
    relist(tags, set, index);
}

void tags_dirty(struct tags *tags, uint32_t set, uint32_t index, uint64_t address)
{
    struct tags_line *line = &tags->lines[index];
    line->dirty |= (uint8_t)(1u << tags_sector(tags, address));
    relist(tags, set, index);
}

/* LINE, which holds nothing, can be used for others. */
static void free_line(struct tags *tags, uint32_t set, uint32_t index)
{
    unlink_line(tags, set, index);
    table_remove(tags, index);
    tags->free[set * tags->max_ways + tags->free_count[set]++] = index;
    tags->shuffled = true;
}

/* Puts the line of INDEX, which is not listed and clean, into its place among those of SET. */
static void insert_clean(struct tags *tags, uint32_t set, uint32_t index)
{
    struct tags_list *list = &tags->lists[2 * set];
    struct tags_line *line = &tags->lines[index];
    uint16_t way = (uint16_t)(index - set * tags->max_ways), before = TAGS_END;
    uint16_t after = list->head;
    for (; after != TAGS_END && way_of(tags, set, after)->last <= line->last;
         after = way_of(tags, set, after)->next)
        before = after;
    line->listed = LIST_CLEAN;
    line->prev = before;
    line->next = after;
    *(before == TAGS_END ? &list->head : &way_of(tags, set, before)->next) = way;
    *(after == TAGS_END ? &list->tail : &way_of(tags, set, after)->prev) = way;
}

uint32_t tags_dirty_beyond(const struct tags *tags, uint32_t set, uint32_t most, uint32_t keep)
{
    uint32_t first = set * tags->max_ways, count = 0, found = TAGS_NONE;
    uint64_t least = UINT64_MAX;
    bool whole = false;
    uint16_t way = tags->lists[2 * set + 1].head;
    for (; way != TAGS_END; way = way_of(tags, set, way)->next, count++) {
        const struct tags_line *line = &tags->lines[first + way];
        uint64_t place = hash_spread(line->address);
        bool is_whole = line->partial == 0;
        if (first + way == keep || line->reserved != 0 || is_whole < whole ||
            (is_whole == whole && place >= least))
            continue;
        whole = is_whole;
        least = place;
        found = first + way;
    }
    return count > most ? found : TAGS_NONE;
}

uint8_t tags_clean(struct tags *tags, uint32_t set, uint32_t index, uint64_t *address)
{
    struct tags_line *line = &tags->lines[index];
    uint8_t dirty = line->dirty;
    if (line->listed != LIST_DIRTY || line->reserved != 0)
        return 0;
    *address = line->address;
    line->valid &= (uint8_t)~line->partial;
    line->written &= (uint8_t)~line->partial;
    line->dirty = line->partial = line->dirty_on_fill = 0;
    tags->dirty_lines--;
    unlink_line(tags, set, index);
    insert_clean(tags, set, index);
    if (line->valid == 0)
        free_line(tags, set, index);
    return dirty;
}

void tags_invalidate(struct tags *tags, uint32_t set, uint32_t index, uint64_t address)
{
    struct tags_line *line = &tags->lines[index];
    uint8_t bit = (uint8_t)(1u << tags_sector(tags, address));
    line->valid &= (uint8_t)~bit;
    line->dirty &= (uint8_t)~bit;
    line->partial &= (uint8_t)~bit;
    line->reserved &= (uint8_t)~bit;
    relist(tags, set, index);
    if (line->valid == 0 && line->reserved == 0)
        free_line(tags, set, index);
}
