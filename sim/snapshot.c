/* L2's tags in a file: what a launch finds in L2, without the time it took to
 * get there. */
#include <string.h>

#include "sim/engine.h"
#include "sim/snapshot.h"

static const char magic[8] = "hearthL2";
#define VERSION 1

static bool put(FILE *out, uint64_t value, unsigned bytes)
{
    for (unsigned i = 0; i < bytes; i++)
        if (putc((int)(value >> (8 * i) & 0xff), out) == EOF)
            return false;
    return true;
}

static bool get(FILE *in, uint64_t *value, unsigned bytes)
{
    *value = 0;
    for (unsigned i = 0; i < bytes; i++) {
        int byte = getc(in);
        if (byte == EOF)
            return false;
        *value |= (uint64_t)byte << (8 * i);
    }
    return true;
}

static struct tags *tags_of(const struct engine *engine, uint32_t slice)
{
    uint32_t per_channel = engine->spec.partition.slices;
    return &engine->partitions[slice / per_channel].slices[slice % per_channel].cache.tags;
}

/* What must be equal for a snapshot to fit. */
static void geometry(const struct engine *engine, uint64_t values[5])
{
    const struct tags_spec *spec = &tags_of(engine, 0)->spec;
    values[0] = engine->spec.slices;
    values[1] = spec->sets;
    values[2] = spec->ways;
    values[3] = spec->line_bytes;
    values[4] = spec->sector_bytes;
}

/* A line of a set, or the end of the set: sectors 0. */
static bool put_line(FILE *out, const struct tags_line *line)
{
    return put(out, line->valid, 1) && put(out, line->dirty, 1) && put(out, line->partial, 1) &&
           put(out, line->address, 8);
}

/* A set's lines, least recently used first. */
static bool put_set(FILE *out, const struct tags *tags, uint32_t set)
{
    uint16_t at[2] = {tags->lists[2 * set].head, tags->lists[2 * set + 1].head};
    while (at[0] != TAGS_END || at[1] != TAGS_END) {
        const struct tags_line *lines = &tags->lines[set * tags->max_ways];
        int which =
            at[0] == TAGS_END || (at[1] != TAGS_END && lines[at[1]].last < lines[at[0]].last);
        const struct tags_line *line = &lines[at[which]];
        if (line->valid != 0 && !put_line(out, line))
            return false;
        at[which] = line->next;
    }
    return put(out, 0, 1);
}

int snapshot_save(const struct engine *engine, FILE *out, const char *name, struct error *err)
{
    uint64_t values[5];
    geometry(engine, values);
    bool good = fwrite(magic, sizeof magic, 1, out) == 1 && put(out, VERSION, 4);
    for (int i = 0; i < 5; i++)
        good = good && put(out, values[i], 4);
    for (uint32_t slice = 0; slice < engine->spec.slices; slice++)
        for (uint32_t set = 0; set < tags_of(engine, slice)->spec.sets; set++)
            good = good && put_set(out, tags_of(engine, slice), set);
    if (good && fflush(out) == 0)
        return 0;
    return error_set(err, ERROR_OUTPUT, name, 0, 0, "the state of L2 could not be written");
}

static int not_whole(const char *name, struct error *err)
{
    return error_set(err, ERROR_TRACE, name, 0, 0, "the file ends early, or is no state of L2");
}

/* Whether lines of ADDRESS live in SET of SLICE here. */
static bool lives_in(const struct engine *engine, uint32_t slice, uint32_t set,
                     uint64_t address)
{
    const struct address_spec *map = &engine->spec.address;
    return address_slice(map, address) == slice &&
           tags_set(tags_of(engine, slice), address_in_slice(map, address)) == set;
}

/* Takes a line as the most recently used one of SET. */
static bool take_line(struct tags *tags, uint32_t set, uint64_t masks[3], uint64_t address,
                      uint64_t now)
{
    uint64_t evicted;
    uint32_t index, all = (1u << tags->spec.line_bytes / tags->spec.sector_bytes) - 1;
    if (address != tags_line_address(tags, address) || masks[0] > all ||
        (masks[1] & ~masks[0]) || (masks[2] & ~masks[1]) || tags->free_count[set] == 0 ||
        tags_probe(tags, set, address, false, &index) != TAGS_MISS)
        return false;
    tags_allocate(tags, set, index, address, now, &evicted);
    struct tags_line *line = &tags->lines[index];
    line->reserved = 0;
    line->valid = (uint8_t)masks[0];
    line->partial = (uint8_t)masks[2];
    for (uint32_t sector = 0; sector < TAGS_SECTORS; sector++)
        if (masks[1] >> sector & 1)
            tags_dirty(tags, set, index, address + sector * tags->spec.sector_bytes);
    return true;
}

/* What came of reading a set. */
enum got { GOT_SET, GOT_NONE, GOT_ELSEWHERE /* a line that lives in another set or slice */ };

static enum got get_set(FILE *in, struct engine *engine, uint32_t slice, uint32_t set)
{
    struct tags *tags = tags_of(engine, slice);
    for (uint64_t now = 0;; now++) {
        uint64_t masks[3], address;
        if (!get(in, &masks[0], 1))
            return GOT_NONE;
        if (masks[0] == 0)
            return GOT_SET;
        if (!get(in, &masks[1], 1) || !get(in, &masks[2], 1) || !get(in, &address, 8))
            return GOT_NONE;
        if (!lives_in(engine, slice, set, address))
            return GOT_ELSEWHERE;
        if (!take_line(tags, set, masks, address, now))
            return GOT_NONE;
    }
}

/* Reads the sets of SLICE. */
static int get_slice(FILE *in, struct engine *engine, uint32_t slice, const char *name,
                     struct error *err)
{
    for (uint32_t set = 0; set < tags_of(engine, slice)->spec.sets; set++) {
        enum got got = get_set(in, engine, slice, set);
        if (got == GOT_NONE)
            return not_whole(name, err);
        if (got == GOT_ELSEWHERE)
            return error_set(err, ERROR_USAGE, name, 0, 0,
                             "the state is of an L2 that spreads addresses in another way");
    }
    return 0;
}

int snapshot_restore(struct engine *engine, FILE *in, const char *name, struct error *err)
{
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
        struct tags *tags = tags_of(engine, slice);
        tags->used = true;
        tags_clear(tags, tags->spec.ways);
        if (get_slice(in, engine, slice, name, err) != 0)
            return -1;
    }
    return 0;
}
