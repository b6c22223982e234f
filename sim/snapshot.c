/* L2's tags in a file: what a launch finds in L2, without the time it took to
 * get there. */
#include <string.h>

#include "sim/engine.h"
#include "sim/needs.h"
#include "sim/snapshot.h"

static const char magic[8] = "hearthL2";
#define VERSION 2

static bool put(FILE *out, uint64_t value, unsigned bytes)
{
    for (unsigned i = 0; i < bytes; i++)
        if (putc_unlocked((int)(value >> (8 * i) & 0xff), out) == EOF)
            return false;
    return true;
}

static bool get(FILE *in, uint64_t *value, unsigned bytes)
{
    *value = 0;
    for (unsigned i = 0; i < bytes; i++) {
        int byte = getc_unlocked(in);
        if (byte == EOF)
            return false;
        *value |= (uint64_t)byte << (8 * i);
    }
    return true;
}

/* What must be equal for a snapshot to fit. */
static void geometry(const struct engine *engine, uint64_t values[5])
{
    const struct tags_spec *spec = &engine_slice(engine, 0)->cache.tags.spec;
    values[0] = engine->spec.slices;
    values[1] = spec->sets;
    values[2] = spec->ways;
    values[3] = spec->line_bytes;
    values[4] = spec->sector_bytes;
}

/* A line; KEPT says which of its sectors. Behind its address come the bytes that were written
 * of each sector of which not all are there. */
static bool put_line(FILE *out, const struct tags *tags, const struct tags_line *line,
                     uint8_t kept)
{
    const struct tags_bytes *bytes = &tags->bytes[line - tags->lines];
    uint8_t partial = line->partial & kept;
    bool good = put(out, kept, 1) && put(out, line->dirty & kept, 1) && put(out, partial, 1) &&
                put(out, line->address, 8);
    for (; partial != 0; partial &= (uint8_t)(partial - 1))
        good = good && put(out, bytes->of[__builtin_ctz(partial)], 4);
    return good;
}

/* A set's lines, least recently used first, and its end: no sectors. NEEDS as in
 * snapshot_save(). */
static bool put_set(FILE *out, const struct tags *tags, const struct needs *needs,
                    uint32_t slice, uint32_t set)
{
    uint16_t at[2] = {tags->lists[2 * set].head, tags->lists[2 * set + 1].head};
    struct needs_set kept = needs_begin(needs, tags, slice, set);
    while (at[0] != TAGS_END || at[1] != TAGS_END) {
        const struct tags_line *lines = &tags->lines[set * tags->max_ways];
        int which =
            at[0] == TAGS_END || (at[1] != TAGS_END && lines[at[1]].last < lines[at[0]].last);
        const struct tags_line *line = &lines[at[which]];
        uint8_t sectors = needs_keep(&kept, line);
        if (sectors != 0 && !put_line(out, tags, line, sectors))
            return false;
        at[which] = line->next;
    }
    return put(out, 0, 1);
}

int snapshot_save(const struct engine *engine, const struct needs *needs, FILE *out,
                  const char *name, struct error *err)
{
    uint64_t values[5];
    geometry(engine, values);
    bool good = fwrite(magic, sizeof magic, 1, out) == 1 && put(out, VERSION, 4);
    for (int i = 0; i < 5; i++)
        good = good && put(out, values[i], 4);
    for (uint32_t slice = 0; slice < engine->spec.slices; slice++)
        for (uint32_t set = 0; set < engine_slice(engine, slice)->cache.tags.spec.sets; set++)
            good = good &&
                   put_set(out, &engine_slice(engine, slice)->cache.tags, needs, slice, set);
    if (good && fflush(out) == 0)
        return 0;
    return error_set(err, ERROR_OUTPUT, name, 0, 0, "the state of L2 could not be written");
}

static int not_whole(const char *name, struct error *err)
{
    return error_set(err, ERROR_TRACE, name, 0, 0, "the file ends early, or is no state of L2");
}

/* Whether the line at ADDRESS, or a part of it, lives in SET of SLICE here. */
static bool lives_in(const struct engine *engine, uint32_t slice, uint32_t set,
                     uint64_t address)
{
    const struct place_map *places = &engine->spec.places;
    for (uint64_t at = address; at < address + places->l2.line_bytes; at += SECTOR_BYTES) {
        uint32_t own;
        if (place_of(places, at, &own) == slice && own == set)
            return true;
    }
    return false;
}

/* A line as the file has it. */
struct found {
    uint64_t masks[3]; /* valid, dirty, partial */
    uint64_t address;
    uint64_t bytes[TAGS_SECTORS]; /* of the partial ones */
};

/* Behind its first mask. */
static bool get_line(FILE *in, struct found *found)
{
    bool good = get(in, &found->masks[1], 1) && get(in, &found->masks[2], 1) &&
                get(in, &found->address, 8);
    for (uint32_t sector = 0; sector < TAGS_SECTORS; sector++)
        if (good && found->masks[2] >> sector & 1)
            good = get(in, &found->bytes[sector], 4) && found->bytes[sector] != UINT32_MAX;
    return good;
}

/* Takes a line as the most recently used one of SET. */
static bool take_line(struct tags *tags, uint32_t set, const struct found *found, uint64_t now)
{
    uint64_t evicted;
    const uint64_t *masks = found->masks;
    uint32_t index, all = (1u << tags->spec.line_bytes / tags->spec.sector_bytes) - 1;
    if (found->address != tags_line_address(tags, found->address) || masks[0] > all ||
        (masks[1] & ~masks[0]) || (masks[2] & ~masks[1]) || tags->free_count[set] == 0 ||
        tags_probe(tags, set, found->address, false, &index) != TAGS_MISS)
        return false;
    tags_allocate(tags, set, index, found->address, now, &evicted);
    struct tags_line *line = &tags->lines[index];
    line->reserved = 0;
    line->valid = (uint8_t)masks[0];
    line->partial = line->written = (uint8_t)masks[2];
    for (uint32_t sector = 0; sector < TAGS_SECTORS; sector++) {
        tags->bytes[index].of[sector] = (uint32_t)found->bytes[sector];
        if (masks[1] >> sector & 1)
            tags_dirty(tags, set, index, found->address + sector * tags->spec.sector_bytes);
    }
    return true;
}

/* What came of reading a set. */
enum got { GOT_SET, GOT_NONE, GOT_ELSEWHERE /* a line that lives in another set or slice */ };

/* Adds the sectors that it holds to *SECTORS. */
static enum got get_set(FILE *in, struct engine *engine, uint32_t slice, uint32_t set,
                        uint64_t *sectors)
{
    struct tags *tags = &engine_slice(engine, slice)->cache.tags;
    for (uint64_t now = 0;; now++) {
        struct found found = {0};
        if (!get(in, &found.masks[0], 1))
            return GOT_NONE;
        if (found.masks[0] == 0)
            return GOT_SET;
        if (!get_line(in, &found))
            return GOT_NONE;
        if (!lives_in(engine, slice, set, found.address))
            return GOT_ELSEWHERE;
        if (!take_line(tags, set, &found, now))
            return GOT_NONE;
        *sectors += (uint64_t)__builtin_popcountll(found.masks[0]);
    }
}

/* Reads the sets of SLICE. */
static int get_slice(FILE *in, struct engine *engine, uint32_t slice, uint64_t *sectors,
                     const char *name, struct error *err)
{
    for (uint32_t set = 0; set < engine_slice(engine, slice)->cache.tags.spec.sets; set++) {
        enum got got = get_set(in, engine, slice, set, sectors);
        if (got == GOT_NONE)
            return not_whole(name, err);
        if (got == GOT_ELSEWHERE)
            return error_set(err, ERROR_USAGE, name, 0, 0,
                             "the state is of an L2 that spreads addresses in another way");
    }
    return 0;
}

int snapshot_restore(struct engine *engine, FILE *in, uint64_t *sectors, const char *name,
                     struct error *err)
{
    *sectors = 0;
    char head[sizeof magic];
    uint64_t version, expected[5], found;
    if (fread(head, sizeof head, 1, in) != 1 || memcmp(head, magic, sizeof magic) != 0 ||
        !get(in, &version, 4) || version != VERSION)
        return not_whole(name, err);
    geometry(engine, expected);
    for (int i = 0; i < 5; i++) {
        if (!get(in, &found, 4))
            return not_whole(name, err);
        if (found != expected[i])
            return error_set(err, ERROR_USAGE, name, 0, 0,
                             "the state is of an L2 of another size or shape");
    }
    for (uint32_t slice = 0; slice < engine->spec.slices; slice++) {
        struct tags *tags = &engine_slice(engine, slice)->cache.tags;
        tags->used = true;
        tags_clear(tags, tags->spec.ways);
        if (get_slice(in, engine, slice, sectors, name, err) != 0)
            return -1;
    }
    if (getc_unlocked(in) != EOF)
        return error_set(err, ERROR_TRACE, name, 0, 0, "the file goes on behind the state");
    return 0;
}
