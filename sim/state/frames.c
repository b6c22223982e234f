/* Each set of L2 is a list of frames, the most recently used one first, as under LRU. Time is
 * the number of accesses. */
#include "sim/state/frames.h"

#include <stdlib.h>
#include <string.h>

#include "sim/simulator.h"
#include "sim/state/l2_filter.h"
#include "traces/base/random.h"

#define NOT_FIRST UINT32_MAX

/* A frame that holds a line. */
struct frames_frame {
    uint64_t line; /* its address */
    uint64_t came, used;
    uint32_t first; /* its number among the lines that came first; NOT_FIRST: it replaced one */
};

/* A line that came to a frame before which nothing was known of the frame. */
struct first_line {
    uint64_t line;
    uint8_t sectors; /* that were accessed before it was replaced */
};

struct sim_frames {
    struct engine *engine;
    uint32_t ways;
    struct frames_frame *frames; /* of each set of each slice */
    struct first_line *firsts;   /* likewise */
    uint32_t *used;              /* of each set: frames that hold a line */
    uint64_t now;
    /* Of each set, the time after the last access that replaced a line, and after the last one
     * that the order of its lines mattered to; 0 if there was none. */
    uint64_t *replaced, *mattered;
    uint64_t *begun; /* the time when each launch began */
    uint32_t launches;
    uint64_t live, dead; /* accesses that passed while frames were so */
};

static uint32_t sets_of(const struct sim_frames *frames)
{
    return frames->engine->spec.places.l2.sets;
}

struct sim_frames *sim_frames_create(struct sim *sim, struct error *err)
{
    if (l2_filter_need_l2(sim, NULL, err) != 0)
        return NULL;
    const struct tags *tags = &engine_slice(&sim->engine, 0)->cache.tags;
    size_t sets = (size_t)sim->engine.spec.slices * tags->spec.sets;
    struct sim_frames *frames = calloc(1, sizeof *frames);
    if (frames != NULL)
        *frames = (struct sim_frames){
            .engine = &sim->engine,
            .ways = tags->spec.ways,
            .frames = calloc(sets * tags->spec.ways, sizeof *frames->frames),
            .firsts = calloc(sets * tags->spec.ways, sizeof *frames->firsts),
            .used = calloc(sets, sizeof *frames->used),
            .replaced = calloc(sets, sizeof *frames->replaced),
            .mattered = calloc(sets, sizeof *frames->mattered),
        };
    if (frames != NULL && frames->frames != NULL && frames->firsts != NULL &&
        frames->used != NULL && frames->replaced != NULL && frames->mattered != NULL)
        return frames;
    sim_frames_destroy(frames);
    error_no_memory(err);
    return NULL;
}

void sim_frames_destroy(struct sim_frames *frames)
{
    if (frames == NULL)
        return;
    free(frames->frames);
    free(frames->firsts);
    free(frames->used);
    free(frames->replaced);
    free(frames->mattered);
    free(frames->begun);
    free(frames);
}

void sim_frames_watch(struct sim *sim, struct sim_frames *frames)
{
    sim->frames = frames;
}

/* LINE comes to a frame of SET, of which all frames so far are LIST; returns the frame. */
static struct frames_frame come(struct sim_frames *frames, size_t set,
                                struct frames_frame *list, uint64_t line)
{
    struct frames_frame new = {line, frames->now, frames->now, NOT_FIRST};
    if (frames->used[set] < frames->ways) {
        new.first = frames->used[set]++;
        frames->firsts[set * frames->ways + new.first] = (struct first_line){.line = line};
        return new;
    }
    const struct frames_frame *old = &list[frames->ways - 1];
    frames->replaced[set] = frames->mattered[set] = frames->now + 1;
    frames->live += old->used - old->came;
    frames->dead += frames->now - old->used;
    return new;
}

/* The launch in which TIME is. */
static uint32_t launch_at(const struct sim_frames *frames, uint64_t time)
{
    uint32_t first = 0, after = frames->launches;
    while (after - first > 1) {
        uint32_t middle = first + (after - first) / 2;
        if (frames->begun[middle] <= time)
            first = middle;
        else
            after = middle;
    }
    return first;
}

/* A line of SET, last used at USED, is used again. In an earlier launch, another order might
 * have replaced it, if a line of the set has been replaced since that launch began. */
static void use(struct sim_frames *frames, size_t set, uint64_t used)
{
    if (frames->launches > 0 && used < frames->begun[frames->launches - 1] &&
        frames->replaced[set] > frames->begun[launch_at(frames, used)])
        frames->mattered[set] = frames->now + 1;
}

void frames_access(struct sim_frames *frames, uint32_t slice, uint32_t in_slice,
                   uint64_t address)
{
    const struct tags *tags = &engine_slice(frames->engine, slice)->cache.tags;
    uint64_t line = tags_line_address(tags, address);
    size_t set = (size_t)slice * sets_of(frames) + in_slice;
    struct frames_frame *list = &frames->frames[set * frames->ways], found;
    uint32_t held = frames->used[set], at = 0;
    while (at < held && list[at].line != line)
        at++;
    if (at < held)
        use(frames, set, list[at].used);
    found = at < held ? list[at] : come(frames, set, list, line);
    at = at < frames->ways ? at : frames->ways - 1;
    memmove(list + 1, list, at * sizeof *list);
    found.used = frames->now++;
    list[0] = found;
    if (found.first != NOT_FIRST)
        frames->firsts[set * frames->ways + found.first].sectors |=
            (uint8_t)(1u << (address - line) / SECTOR_BYTES);
}

int sim_frames_begin(struct sim_frames *frames, struct error *err)
{
    const struct cache_replacement *replacement = frames->engine->spec.places.l2.replacement;
    if (!replacement->compact)
        return error_set(
            err, ERROR_USAGE, NULL, 0, 0,
            "auto after a state: L2 replaces lines by policy %s, and which launches "
            "decide their order is known of LRU only",
            replacement->policy.name);
    uint32_t count = frames->launches;
    if ((count & (count - 1)) == 0) { /* a power of two, or none */
        uint64_t *more =
            realloc(frames->begun, (count != 0 ? 2 * (size_t)count : 1) * sizeof *more);
        if (more == NULL)
            return error_no_memory(err);
        frames->begun = more;
    }
    frames->begun[frames->launches++] = frames->now;
    return 0;
}

size_t sim_frames_sets(const struct sim_frames *frames)
{
    return (size_t)frames->engine->spec.slices * sets_of(frames);
}

uint32_t sim_frames_back(const struct sim_frames *frames, size_t set)
{
    uint32_t held = frames->used[set], spared = frames->ways > 1;
    if (held <= spared)
        return 0;
    uint64_t time = frames->frames[set * frames->ways + held - 1 - spared].used;
    return frames->launches - 1 - launch_at(frames, time);
}

bool sim_frames_matters(const struct sim_frames *frames, size_t set)
{
    return frames->mattered[set] > frames->begun[frames->launches - 1];
}

double sim_frames_dead(const struct sim_frames *frames)
{
    uint64_t all = frames->live + frames->dead;
    return all > 0 ? (double)frames->dead / (double)all : 0;
}

/* A number from 0 to below 1 that only depends on the line: a copy is there if its line is. */
static double chance_of(uint64_t line)
{
    struct random random;
    random_init(&random, line & ~PACKET_COPIED, 0);
    return random_real(&random);
}

/* Puts a sector into SET of TAGS, which has room for it. */
static void place(struct tags *tags, uint32_t set, uint64_t address, uint64_t now)
{
    uint64_t evicted;
    uint32_t line;
    switch (tags_probe(tags, set, address, false, &line)) {
    case TAGS_MISS:
        tags_allocate(tags, set, line, address, now, &evicted);
        break;
    case TAGS_SECTOR_MISS:
        tags_reserve(tags, set, line, address, now);
        break;
    default:
        return;
    }
    tags_fill(tags, set, line, address);
}

/* Of the first lines of SET of SLICE, those that are not among the dead. */
static void place_set(const struct sim_frames *frames, struct slice *slice, uint32_t set,
                      const struct first_line *firsts, uint32_t count)
{
    double dead = sim_frames_dead(frames);
    for (uint32_t i = 0; i < count; i++)
        for (uint32_t s = 0; s < 8 && chance_of(firsts[i].line) >= dead; s++)
            if (firsts[i].sectors >> s & 1)
                place(&slice->cache.tags, set, firsts[i].line + s * SECTOR_BYTES, i);
}

void sim_frames_place(const struct sim_frames *frames, struct sim *sim)
{
    uint32_t sets = sets_of(frames);
    sim_flush(sim, SIM_L1 | SIM_L2, true);
    for (uint32_t slice = 0; slice < sim->engine.spec.slices; slice++)
        for (uint32_t set = 0; set < sets; set++) {
            size_t at = (size_t)slice * sets + set;
            place_set(frames, engine_slice(&sim->engine, slice), set,
                      &frames->firsts[at * frames->ways], frames->used[at]);
        }
    page_walks_forget(&sim->engine.page_walks); /* what the launch itself has accessed */
    engine_know_pages(&sim->engine);
    sim->untimed = true;
}
