/* Files with the contents of L2 are read and checked: sim_restore() and sim_is_saved(). */
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "sim/state/code_file.h"
#include "sim/state/l2_file.h"
#include "sim/state/l2_filter.h"
#include "traces/base/files/sealed.h"

/* In place of the number of a slice: an L1. */
#define IN_L1 UINT32_MAX

/* Whether ENGINE maps the line at ADDRESS, or a part of it, to SET of SLICE. */
static bool is_home(const struct engine *engine, uint32_t slice, uint32_t set, uint64_t address)
{
    for (uint32_t at = 0; at < engine->spec.places.l2.line_bytes; at += SECTOR_BYTES) {
        uint32_t own;
        if (engine_home(engine, address + at, &own) == slice && own == set)
            return true;
    }
    return false;
}

/* Whether ENGINE puts the line at ADDRESS into SET of SLICE. A copy is where its line is
 * (sim/memory/halves.h); what looks like one may also be a line whose address has that bit. */
static bool lives_in(const struct engine *engine, uint32_t slice, uint32_t set,
                     uint64_t address)
{
    if (slice == IN_L1) {
        const struct tags *tags = &engine->sms[0]->l1.tags;
        return tags_set(tags, tags_line_address(tags, address)) == set;
    }
    if (is_home(engine, slice, set, address))
        return true;
    return engine->spec.halves.slices != 0 && (address & PACKET_COPIED) != 0 &&
           is_home(engine, slice, set, address & ~PACKET_COPIED);
}

/* A line as the file has it, in its format. */
struct found {
    uint64_t masks[3]; /* valid, dirty, partial */
    uint64_t address;
    uint64_t bytes[TAGS_SECTORS]; /* of the partial ones */
};

/* Reads the rest of a line, after its first mask. */
static bool get_line(struct sealed_in *in, struct found *found)
{
    bool good = sealed_get(in, &found->masks[1], 1) && sealed_get(in, &found->masks[2], 1) &&
                sealed_get(in, &found->address, 8);
    for (uint32_t sector = 0; sector < TAGS_SECTORS; sector++)
        if (good && found->masks[2] >> sector & 1)
            good =
                sealed_get(in, &found->bytes[sector], 4) && found->bytes[sector] != UINT32_MAX;
    return good;
}

/* Adds a line as the most recently used one of SET. */
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

/* The result of reading the contents. It is only reliable if the file is complete: see
 * explain(). */
enum got {
    GOT_STATE,
    GOT_NO_STATE,
    GOT_VERSION,
    GOT_SHAPE,
    GOT_ELSEWHERE, /* a line that maps to another set or slice */
    GOT_NONSENSE,  /* the end of the file, or something that no L2 can hold */
};

/* A file that is being read. */
struct l2_file_reading {
    struct engine *engine;
    struct sealed_in in;
    uint64_t sectors;      /* that L2 has received so far */
    uint64_t version;      /* of the file */
    const char *of;        /* with GOT_SHAPE: the cache */
    const char *differs;   /* likewise: what of it */
    uint64_t theirs, ours; /* likewise */
    uint64_t last_turn;    /* of a file with L1 */
    uint64_t follows;      /* the byte after L2, as in L2_FILE_WITH_COMING */
};

static enum got get_set(struct l2_file_reading *reading, struct tags *tags, uint32_t slice,
                        uint32_t set)
{
    for (uint64_t now = 0;; now++) {
        struct found found = {0};
        if (!sealed_get(&reading->in, &found.masks[0], 1))
            return GOT_NONSENSE;
        if (found.masks[0] == 0)
            return GOT_STATE;
        if (!get_line(&reading->in, &found))
            return GOT_NONSENSE;
        if (!lives_in(reading->engine, slice, set, found.address))
            return GOT_ELSEWHERE;
        if (!take_line(tags, set, &found, now))
            return GOT_NONSENSE;
        if (slice != IN_L1)
            reading->sectors += (uint64_t)__builtin_popcountll(found.masks[0]);
    }
}

static enum got get_slice(struct l2_file_reading *reading, uint32_t slice)
{
    enum got got = GOT_STATE;
    struct tags *tags = &engine_slice(reading->engine, slice)->cache.tags;
    tags->used = true;
    tags_clear(tags, tags->spec.ways);
    for (uint32_t set = 0; set < tags->spec.sets && got == GOT_STATE; set++)
        got = get_set(reading, tags, slice, set);
    return got;
}

/* Reads COUNT numbers, which must be OURS; NAMES says what they are OF. */
static enum got get_shape(struct l2_file_reading *reading, const uint64_t *ours, int count,
                          const char *of, const char *const *names)
{
    for (int i = 0; i < count; i++) {
        if (!sealed_get(&reading->in, &reading->theirs, 4))
            return GOT_NONSENSE;
        reading->of = of;
        reading->differs = names[i];
        reading->ours = ours[i];
        if (reading->theirs != ours[i])
            return GOT_SHAPE;
    }
    return GOT_STATE;
}

static enum got get_sm(struct l2_file_reading *reading, uint32_t sm)
{
    struct tags *tags = &reading->engine->sms[sm]->l1.tags;
    uint64_t ways;
    enum got got = GOT_STATE;
    if (!sealed_get(&reading->in, &ways, 4) || ways > tags->max_ways)
        return GOT_NONSENSE;
    tags->used = true;
    tags_clear(tags, (uint32_t)ways);
    for (uint32_t set = 0; set < tags->spec.sets && got == GOT_STATE; set++)
        got = get_set(reading, tags, IN_L1, set);
    return got;
}

/* What follows L2. */
static enum got get_follows(struct l2_file_reading *reading)
{
    reading->follows = reading->version == L2_FILE_WITH_L1 ? L2_FILE_HAS_L1 : 0;
    if (reading->version < L2_FILE_WITH_CODE)
        return GOT_STATE;
    if (!sealed_get(&reading->in, &reading->follows, 1) ||
        (reading->follows & ~(uint64_t)l2_file_byte_bits(reading->version)) != 0)
        return GOT_NONSENSE;
    if (reading->version == L2_FILE_WITH_PAGES)
        reading->follows |= L2_FILE_HAS_PAGES;
    if (reading->version == L2_FILE_WITH_CODE)
        reading->follows |= L2_FILE_HAS_CODE;
    bool comes = reading->version == L2_FILE_WITH_COMING;
    return comes && !(reading->follows & L2_FILE_HAS_CODE) ? GOT_NONSENSE : GOT_STATE;
}

/* The contents of each L1. Files without them leave L1 empty. */
static enum got get_l1(struct l2_file_reading *reading)
{
    uint64_t shape[L2_FILE_L1_SHAPE];
    if (!(reading->follows & L2_FILE_HAS_L1))
        return GOT_STATE;
    l2_file_take_l1_shape(reading->engine, shape);
    enum got got = get_shape(reading, shape, L2_FILE_L1_SHAPE, "L1", l2_file_l1_names);
    if (got != GOT_STATE)
        return got;
    if (!sealed_get(&reading->in, &reading->last_turn, 4) ||
        reading->last_turn >= reading->engine->spec.clusters)
        return GOT_NONSENSE;
    for (uint32_t s = 0; s < reading->engine->spec.sms && got == GOT_STATE; s++)
        got = get_sm(reading, s);
    return got;
}

/* The caches of instructions. Files without them leave these empty. */
static enum got get_code(struct l2_file_reading *reading, struct sim *sim)
{
    uint64_t shape[CODE_FILE_SHAPE];
    code_file_forget(sim);
    if (!(reading->follows & L2_FILE_HAS_CODE))
        return GOT_STATE;
    code_file_shape(sim, shape);
    enum got got =
        get_shape(reading, shape, CODE_FILE_SHAPE, "cache of instructions", code_file_names);
    if (got != GOT_STATE)
        return got;
    if (!code_file_get(&reading->in, sim))
        return GOT_NONSENSE;
    bool comes = reading->version == L2_FILE_WITH_COMING;
    return !comes || code_file_get_coming(&reading->in, sim) ? GOT_STATE : GOT_NONSENSE;
}

/* The regions that are translated. With files without them that is what L2 holds. */
static enum got get_pages(struct l2_file_reading *reading)
{
    static const char *const names[] = {"bits of an address"};
    struct page_walks *walks = &reading->engine->page_walks;
    uint64_t shift = walks->spec.shift, count, address;
    if (!(reading->follows & L2_FILE_HAS_PAGES)) {
        engine_know_pages(reading->engine);
        return GOT_STATE;
    }
    enum got got = get_shape(reading, &shift, 1, "region of a page walk", names);
    if (got != GOT_STATE)
        return got;
    page_walks_forget(walks);
    if (!sealed_get(&reading->in, &count, 4))
        return GOT_NONSENSE;
    for (; count > 0; count--) {
        if (!sealed_get(&reading->in, &address, 8))
            return GOT_NONSENSE;
        page_walks_know(walks, address);
    }
    return GOT_STATE;
}

bool sim_is_saved(FILE *in)
{
    char head[sizeof l2_file_magic];
    return fread(head, sizeof head, 1, in) == 1 &&
           memcmp(head, l2_file_magic, sizeof l2_file_magic) == 0;
}

static enum got get_head(struct l2_file_reading *reading)
{
    char head[sizeof l2_file_magic];
    uint64_t shape[L2_FILE_SHAPE];
    if (!sealed_read(&reading->in, head, sizeof head) ||
        memcmp(head, l2_file_magic, sizeof l2_file_magic) != 0)
        return GOT_NO_STATE;
    if (!sealed_get(&reading->in, &reading->version, 4))
        return GOT_NONSENSE;
    if (reading->version < L2_FILE_OLDEST || reading->version > L2_FILE_WITH_COMING)
        return GOT_VERSION;
    l2_file_take_shape(reading->engine, shape);
    return get_shape(reading, shape, L2_FILE_SHAPE, "L2", l2_file_shape_names);
}

/* Says what is wrong with a complete file, or with one that is no state at all. */
static int refuse(const struct l2_file_reading *reading, enum got got, const char *name,
                  struct error *err)
{
    switch (got) {
    case GOT_VERSION:
        return error_set(err, ERROR_TRACE, name, 0, 0,
                         "the state of L2 has format version %" PRIu64
                         ", but this program reads versions %d to %d: save it again",
                         reading->version, L2_FILE_OLDEST, L2_FILE_WITH_COMING);
    case GOT_SHAPE:
        return error_set(err, ERROR_USAGE, name, 0, 0,
                         "the state belongs to another configuration: its %s has %" PRIu64
                         " %s, not %" PRIu64,
                         reading->of, reading->theirs, reading->differs, reading->ours);
    case GOT_ELSEWHERE:
        return error_set(err, ERROR_USAGE, name, 0, 0,
                         "the state belongs to another configuration: its L2 maps addresses "
                         "differently");
    case GOT_NO_STATE:
        return error_set(err, ERROR_TRACE, name, 0, 0, "the file is not a state of L2");
    default:
        return error_set(err, ERROR_TRACE, name, 0, 0, "the state is inconsistent");
    }
}

/* Says why the file is refused, if it is. END says whether GOT is reliable. LEFT: bytes of
 * contents after what was read. */
static int explain(const struct l2_file_reading *reading, enum got got, enum sealed_end end,
                   uint64_t left, const char *name, struct error *err)
{
    if (end == SEALED_UNREAD)
        return error_set(err, ERROR_TRACE, name, 0, 0, "the state cannot be read: %s",
                         strerror(errno));
    if (end == SEALED_WHOLE && got == GOT_STATE && left == 0)
        return 0;
    /* Versions up to 2 had no seal. */
    bool old = got == GOT_VERSION && reading->version < 3;
    if (end == SEALED_WHOLE || (end == SEALED_CUT && (old || got == GOT_NO_STATE)))
        return refuse(reading, got, name, err);
    if (end == SEALED_CUT && got == GOT_STATE && left > 0)
        return error_set(err, ERROR_TRACE, name, 0, 0,
                         "there are further bytes after the state");
    if (end == SEALED_CUT && got != GOT_STATE)
        return error_set(err, ERROR_TRACE, name, 0, 0, "the file is truncated");
    return error_set(err, ERROR_TRACE, name, 0, 0,
                     "the state is damaged: its checksum differs");
}

/* Replaces the contents of L2, and of L1 if the file has them. After an error they may hold a
 * part of the state. */
static int restore(struct sim *sim, FILE *file, const char *name, struct error *err)
{
    struct engine *engine = &sim->engine;
    struct l2_file_reading reading = {.engine = engine, .last_turn = sim->last_turn};
    uint64_t left;
    sealed_in_init(&reading.in, file);
    enum got got = get_head(&reading);
    for (uint32_t slice = 0; slice < engine->spec.slices && got == GOT_STATE; slice++)
        got = get_slice(&reading, slice);
    if (got == GOT_STATE)
        got = get_follows(&reading);
    if (got == GOT_STATE)
        got = get_l1(&reading);
    if (got == GOT_STATE)
        got = get_code(&reading, sim);
    if (got == GOT_STATE)
        got = get_pages(&reading);
    enum sealed_end end = sealed_in_finish(&reading.in, &left);
    sim->restored = reading.sectors;
    sim->last_turn = (uint32_t)reading.last_turn;
    return explain(&reading, got, end, left, name, err);
}

int sim_restore(struct sim *sim, FILE *in, const char *name, struct error *err)
{
    if (l2_filter_need_l2(sim, name, err) != 0)
        return -1;
    sim_drain(sim);
    sim_flush(sim, SIM_L1, false);
    sim->untimed = true;
    if (restore(sim, in, name, err) == 0)
        return 0;
    sim->restored = 0;
    sim_flush(sim, SIM_L1 | SIM_L2, true);
    return -1;
}
