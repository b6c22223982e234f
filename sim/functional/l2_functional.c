#include "sim/functional/l2_functional.h"

#include "sim/functional/cache_functional.h"
#include "sim/memory/halves.h"
#include "sim/state/frames.h"

/* An access in progress. */
struct l2_functional {
    const struct engine *engine;
    struct cache *cache;
    uint32_t slice, set;
    struct packet *crossed;    /* NULL: nothing takes time to cross */
    struct sim_frames *frames; /* NULL: none */
    uint64_t now;
    struct l2_functional_result result;
};

/* Counts what RESULT evicted. */
static void count_evicted(struct l2_functional *l2,
                          const struct cache_functional_result *result)
{
    uint32_t dirty = (uint32_t)__builtin_popcount(result->evicted);
    l2->result.dirty_lines += dirty != 0;
    l2->result.dirty_sectors += dirty;
    l2->result.written += dirty + (uint32_t)__builtin_popcount(result->cleaned);
}

static void tell_frames(const struct l2_functional *l2, uint64_t address)
{
    if (l2->frames != NULL)
        frames_access(l2->frames, l2->slice, l2->set, address);
}

/* Whether what a read of a copy finds missing comes only when its home has been asked: not if
 * nothing takes time to cross, nor for the last line of the set, which is left to homes. */
static bool comes_later(const struct l2_functional *l2)
{
    const struct tags *tags = &l2->cache->tags;
    return l2->crossed != NULL && slice_awaited_copies(tags, l2->set) + 1 < tags->spec.ways;
}

/* LATER: what a read finds missing comes when its home has been asked. */
static struct cache_functional_result look_up(struct l2_functional *l2,
                                              const struct packet *packet, bool later)
{
    uint32_t line = 0;
    tell_frames(l2, packet->address);
    struct cache_functional_result result =
        later ? cache_functional_ask(l2->cache, packet, l2->set, l2->now++)
              : cache_functional_access(l2->cache, packet, l2->set, l2->now++, &line);
    count_evicted(l2, &result);
    return result;
}

/* The first sector that is not there of those that PACKET asks to be copied; its own if all
 * are. */
static uint64_t missing_sector(const struct cache *cache, const struct packet *packet)
{
    uint32_t block = cache->block_bytes, bytes = cache_fetched_bytes(cache, packet);
    uint64_t at = packet->address & ~(uint64_t)(bytes - 1), end = at + bytes;
    for (; at < end; at += block) {
        uint64_t sector = cache_missing_sector(cache, at);
        if (!tags_hit(&cache->tags, sector, false))
            return sector;
    }
    return packet->address;
}

/* The line's home serves PACKET. */
static void ask_home(struct l2_functional *l2, const struct packet *packet)
{
    struct packet asked = *packet;
    if (packet->kind == PACKET_COPY)
        asked.address = missing_sector(l2->cache, packet);
    struct cache_functional_result result = look_up(l2, &asked, false);
    l2->result.fetched += result.fetched;
    l2->result.written += result.sent;
    if (halves_drop_copy(&l2->engine->spec.halves, packet, l2->slice))
        slice_drop_copy(engine_slice(l2->engine, l2->slice), packet->address);
    if (packet->kind == PACKET_COPY)
        return;
    l2->result.status = result.status;
    l2->result.counts = true;
    l2->result.slow = result.fetched != 0;
}

/* PACKET crosses to its line's home. */
static void cross(struct l2_functional *l2, const struct packet *packet)
{
    l2->result.crosses = l2->crossed != NULL;
    if (l2->crossed != NULL)
        *l2->crossed = *packet;
    else
        ask_home(l2, packet);
}

/* A read from the other half than the home's: of a copy if there is one. */
static void read_copy(struct l2_functional *l2, const struct packet *packet)
{
    struct packet copy = *packet, home = *packet;
    copy.address |= PACKET_COPIED;
    struct cache_functional_result result = look_up(l2, &copy, comes_later(l2));
    l2->result.status = result.status;
    l2->result.counts = true;
    if (result.fetched == 0)
        return;
    home.kind = PACKET_COPY;
    l2->result.slow = !tags_hit(&l2->cache->tags, packet->address, false);
    cross(l2, &home);
}

/* A sector that is written as a whole from the other half becomes a copy there. */
static void place_copy(struct l2_functional *l2, const struct packet *packet)
{
    if (packet->kind != PACKET_WRITE || packet->bytes != UINT32_MAX)
        return;
    struct packet copy = *packet;
    copy.address |= PACKET_COPIED;
    tell_frames(l2, copy.address);
    struct cache_functional_result result =
        cache_functional_place(l2->cache, &copy, l2->set, l2->now++);
    count_evicted(l2, &result);
}

/* Finds where PACKET's line is. */
static void find(struct l2_functional *l2, const struct packet *packet)
{
    l2->slice = engine_home(l2->engine, packet->address, &l2->set);
    l2->result.slice = l2->slice;
    l2->cache = &engine_slice(l2->engine, l2->slice)->cache;
}

struct l2_functional_result l2_functional_access(const struct engine *engine,
                                                 struct sim_frames *frames,
                                                 const struct packet *packet, uint64_t now,
                                                 struct packet *crossed)
{
    struct l2_functional l2 = {
        .engine = engine, .now = now, .frames = frames, .crossed = crossed};
    find(&l2, packet);
    if (!halves_crosses(&engine->spec.halves, packet, l2.slice)) {
        ask_home(&l2, packet);
    } else if (packet->kind == PACKET_READ || packet->kind == PACKET_READ_L2) {
        read_copy(&l2, packet);
    } else {
        place_copy(&l2, packet);
        cross(&l2, packet);
    }
    return l2.result;
}

struct l2_functional_result l2_functional_arrive(const struct engine *engine,
                                                 struct sim_frames *frames,
                                                 const struct packet *packet, uint64_t now)
{
    struct l2_functional l2 = {.engine = engine, .now = now, .frames = frames};
    find(&l2, packet);
    ask_home(&l2, packet);
    if (packet->kind == PACKET_COPY) {
        struct packet copy = *packet;
        copy.address |= PACKET_COPIED;
        cache_functional_come(l2.cache, &copy, l2.set);
    }
    return l2.result;
}
