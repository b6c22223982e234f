#include "sim/core/code/code_caches.h"

#include <stdlib.h>
#include <string.h>

#define NO_LINE 1u /* no address of a line: these are even */

static void forget_last(struct code_caches *caches)
{
    for (uint32_t i = 0; i < CODE_MAX_SUB_CORES; i++)
        caches->last[i] = NO_LINE;
}

struct code_caches *code_caches_create(const struct code_spec *spec)
{
    struct code_caches *caches = calloc(1, sizeof *caches);
    if (caches == NULL)
        return NULL;
    caches->spec = spec;
    bool made = code_supply_init(&caches->supply, spec) &&
                (!spec->constants || code_constants_init(&caches->constants, spec));
    for (uint32_t i = 0; spec->fetches && i < spec->sub_cores; i++)
        made =
            line_cache_init(&caches->l0[i], spec->l0_sets, spec->l0_ways, spec->line) && made;
    for (uint32_t i = 0; spec->l0_latency != 0 && i < spec->sub_cores; i++)
        made = line_cache_init(&caches->recent[i], 1, spec->l0_recent, spec->line) && made;
    forget_last(caches);
    if (!made) {
        code_caches_destroy(caches);
        return NULL;
    }
    return caches;
}

void code_caches_destroy(struct code_caches *caches)
{
    if (caches == NULL)
        return;
    for (uint32_t i = 0; i < CODE_MAX_SUB_CORES; i++) {
        line_cache_finish(&caches->l0[i]);
        line_cache_finish(&caches->recent[i]);
    }
    code_constants_finish(&caches->constants);
    code_supply_finish(&caches->supply);
    free(caches);
}

void code_caches_clear(struct code_caches *caches)
{
    for (uint32_t i = 0; i < caches->spec->sub_cores; i++)
        line_cache_clear(&caches->l0[i]);
    for (uint32_t i = 0; caches->spec->l0_latency != 0 && i < caches->spec->sub_cores; i++)
        line_cache_clear(&caches->recent[i]);
    memset(caches->recent_launch, 0, sizeof caches->recent_launch);
    memset(caches->streams, 0, sizeof caches->streams);
    memset(caches->l0_free, 0, sizeof caches->l0_free);
    forget_last(caches);
    code_constants_clear(&caches->constants);
    code_supply_clear(&caches->supply);
}

/* How long an L0's port is taken by earlier requests; it takes another one then. */
static uint64_t wait_for_port(struct code_caches *caches, uint32_t sub_core, uint64_t now)
{
    uint64_t *free = &caches->l0_free[sub_core];
    uint64_t at = *free > now ? *free : now;
    *free = at + caches->spec->l0_interval;
    return at - now;
}

/* Lines of the stream that have not been sent for are not wanted any more. */
static void drop_requests(struct code_caches *caches, uint32_t sub_core, uint64_t now)
{
    uint64_t *free = &caches->l0_free[sub_core];
    if (*free > now)
        *free = now + (*free - now) % caches->spec->l0_interval;
}

static void count_request(struct code_caches *caches, uint32_t slot, enum code_answer answer)
{
    SHARES_ADD(caches, slot, l1_requests, 1);
    SHARES_ADD(caches, slot, l1_pending_hits, answer == CODE_L1_PENDING_HIT);
    SHARES_ADD(caches, slot, l1_misses, answer == CODE_L1_MISS);
}

/* SUB_CORE asks L1 for a line; returns when it is there. */
static uint64_t request(struct code_caches *caches, uint32_t sub_core, uint32_t slot,
                        const struct code_place *place, uint64_t address, uint64_t now)
{
    uint64_t ready;
    enum code_answer answer = code_supply_ask(&caches->supply, place, address, now, &ready);
    count_request(caches, slot, answer);
    return ready + wait_for_port(caches, sub_core, now);
}

/* Asks for further lines until the buffer is full or L0 holds the next one. */
static void fetch_ahead(struct code_caches *caches, uint32_t sub_core, uint32_t slot,
                        const struct code_place *place, uint64_t now)
{
    struct stream_buffer *stream = &caches->streams[sub_core];
    while (stream->count < caches->spec->stream &&
           !line_cache_holds(&caches->l0[sub_core], stream->next))
        stream_buffer_add(stream, caches->spec->line,
                          request(caches, sub_core, slot, place, stream->next, now));
}

/* The same with l0_requests, for lines whose turn has come by NOW: each is asked for when the
 * one that many lines before it has come, in a cycle that may have passed. */
static void go_on(struct code_caches *caches, uint32_t sub_core, uint32_t slot,
                  const struct code_place *place, uint64_t now)
{
    const struct code_spec *spec = caches->spec;
    struct stream_buffer *stream = &caches->streams[sub_core];
    uint64_t *free = &caches->l0_free[sub_core], ready;
    while (stream->launch == place->number && stream->count < spec->stream) {
        uint64_t came = stream_buffer_before(stream, spec->line, spec->l0_requests),
                 at = came > *free ? came : *free;
        if (at > now || line_cache_holds(&caches->l0[sub_core], stream->next))
            return;
        count_request(caches, slot,
                      code_supply_ask_ahead(&caches->supply, place, stream->next, at, &ready));
        stream_buffer_add(stream, spec->line, ready);
        *free = at + spec->l0_interval;
    }
}

/* Takes a line from the stream of SUB_CORE, if that has it. */
static bool take(struct code_caches *caches, uint32_t sub_core, const struct code_place *place,
                 uint64_t address, uint64_t now, uint64_t *ready)
{
    const struct code_spec *spec = caches->spec;
    struct stream_buffer *stream = &caches->streams[sub_core];
    if (spec->l0_requests == 0)
        return stream_buffer_take(stream, spec->line, address, false, ready);
    bool full = stream->count == spec->stream;
    if (stream->launch != place->number ||
        !stream_buffer_take(stream, spec->line, address, true, ready))
        return false;
    if (full && caches->l0_free[sub_core] < now)
        caches->l0_free[sub_core] = now;
    return true;
}

/* A line that L0 lacks: returns when it is there. */
static uint64_t miss(struct code_caches *caches, uint32_t sub_core, uint32_t slot,
                     const struct code_place *place, uint64_t address, uint64_t now)
{
    const struct code_spec *spec = caches->spec;
    struct stream_buffer *stream = &caches->streams[sub_core];
    uint64_t ready;
    SHARES_ADD(caches, slot, l0_misses, 1);
    if (spec->l0_requests != 0)
        go_on(caches, sub_core, slot, place, now);
    if (take(caches, sub_core, place, address, now, &ready)) {
        SHARES_ADD(caches, slot, stream_hits, 1);
    } else {
        drop_requests(caches, sub_core, now);
        ready = request(caches, sub_core, slot, place, address, now);
        stream_buffer_restart(stream, spec->line, address, ready);
        stream->launch = place->number;
    }
    line_cache_put(&caches->l0[sub_core], address, ready);
    if (spec->l0_requests != 0)
        go_on(caches, sub_core, slot, place, now);
    else
        fetch_ahead(caches, sub_core, slot, place, now);
    return ready;
}

/* Notes that SUB_CORE fetches the line at ADDRESS. Returns how long L0 takes for it, if it
 * holds it. */
static uint32_t l0_latency(struct code_caches *caches, uint32_t sub_core,
                           const struct code_place *place, uint64_t address)
{
    struct line_cache *recent = &caches->recent[sub_core];
    if (caches->spec->l0_latency == 0)
        return 0;
    if (place->number > caches->recent_launch[sub_core]) {
        caches->recent_launch[sub_core] = place->number;
        line_cache_clear(recent);
    }
    bool goes_on = line_cache_holds(recent, address - caches->spec->line);
    if (line_cache_find(recent, address) != NULL)
        return 0;
    line_cache_put(recent, address, 0);
    return goes_on ? 0 : caches->spec->l0_latency;
}

uint64_t code_fetch_line(struct code_caches *caches, uint32_t sub_core, uint32_t slot,
                         const struct code_place *place, uint64_t address, uint64_t now)
{
    const struct cached_line *line = line_cache_find(&caches->l0[sub_core], address);
    uint32_t latency = l0_latency(caches, sub_core, place, address);
    uint64_t ready = now;
    if (line == NULL) {
        ready = miss(caches, sub_core, slot, place, address, now);
    } else {
        ready = line->ready > now + latency ? line->ready : now + latency;
        SHARES_ADD(caches, slot, l0_pending_hits, line->ready > now);
    }
    caches->last[sub_core] = ready > now ? NO_LINE : address;
    return ready > now ? ready : now;
}

bool code_caches_take(struct code_caches *caches, uint64_t *address, uint64_t *cycle)
{
    if (!code_supply_take(&caches->supply, address, cycle))
        return false;
    for (uint32_t i = 0; i < caches->spec->sub_cores; i++) {
        struct line_cache *l0 = &caches->l0[i];
        if (line_cache_holds(l0, *address))
            line_cache_came(l0, *address, code_came(line_cache_ready(l0, *address), *cycle));
        stream_buffer_came(&caches->streams[i], caches->spec->line, *address, *cycle);
    }
    return true;
}

static void count_constant(struct code_caches *caches, uint32_t slot,
                           enum code_constant_answer answer)
{
    SHARES_ADD(caches, slot, constant_lookups, 1);
    SHARES_ADD(caches, slot, constant_pending_hits, answer == CODE_CONSTANT_PENDING_HIT);
    SHARES_ADD(caches, slot, constant_misses, answer == CODE_CONSTANT_MISS);
}

uint64_t code_constant_operand(struct code_caches *caches, uint32_t sub_core, uint32_t slot,
                               const struct code_place *place, struct code_constant constant,
                               uint64_t now)
{
    uint64_t ready;
    count_constant(caches, slot,
                   code_constants_operand(&caches->constants, &caches->supply, sub_core, place,
                                          constant, now, &ready));
    return ready;
}

uint64_t code_constant_load(struct code_caches *caches, uint32_t slot,
                            const struct code_place *place, struct code_constant constant,
                            uint64_t now)
{
    uint64_t ready;
    count_constant(
        caches, slot,
        code_constants_load(&caches->constants, &caches->supply, place, constant, now, &ready));
    return ready;
}

uint64_t code_constant_lanes(struct code_caches *caches, uint32_t slot,
                             const struct code_place *place, uint32_t bank,
                             const uint64_t *lanes, uint32_t count, uint64_t now)
{
    uint64_t last = now, line = caches->spec->loads_line;
    uint32_t looked_up = 0;
    for (uint32_t lane = 0; lane < count; lane++) {
        uint32_t before = 0;
        while (lanes[before] / line != lanes[lane] / line)
            before++;
        if (before < lane)
            continue;
        uint64_t there = code_constant_load(
            caches, slot, place, (struct code_constant){bank, lanes[lane]}, now + looked_up++);
        if (there > last)
            last = there;
    }
    return last;
}
