#include "sim/memory/slice.h"

#include <stdlib.h>
#include <string.h>

#include "sim/memory/halves.h"

bool slice_init(struct slice *slice, const struct slice_spec *spec, uint32_t number,
                const struct sim_cache_config *config)
{
    memset(slice, 0, sizeof *slice);
    slice->spec = *spec;
    slice->number = number;
    return cache_init(&slice->cache, config, 0) &&
           coalescer_init(&slice->coalescer, &spec->coalescer);
}

void slice_finish(struct slice *slice)
{
    cache_finish(&slice->cache);
    coalescer_finish(&slice->coalescer);
    queue_finish(&slice->rop);
    queue_finish(&slice->lrc);
    queue_finish(&slice->in);
    queue_finish(&slice->to_dram);
    queue_finish(&slice->from_dram);
    queue_finish(&slice->out);
    queue_finish(&slice->crossing);
    queue_finish(&slice->back);
    queue_finish(&slice->atomics.in);
    queue_finish(&slice->atomics.answers);
    memset(slice, 0, sizeof *slice);
}

void slice_reset(struct slice *slice)
{
    tags_clear(&slice->cache.tags, slice->cache.tags.spec.ways);
    slice->cache.data_free = slice->cache.fill_free = slice->atomics.free = 0;
    coalescer_reset(&slice->coalescer);
    slice->refused = (struct cache_refusal){0};
    slice->stuck = slice->waiting = slice->crossed_waiting = slice->atomic_waiting = false;
    slice->wake = 0;
}

static bool full(const struct queue *queue, uint32_t max)
{
    return max != 0 && queue->count >= max;
}

/* ---- halves ---- */

static bool is_far(const struct slice *slice, const struct packet *packet)
{
    return halves_crosses(slice->spec.halves, packet, slice->number);
}

/* Only reads can be served by a copy. */
static bool reads_copies(const struct packet *packet)
{
    return packet->kind <= PACKET_CODE;
}

uint32_t slice_awaited_copies(const struct tags *tags, uint32_t set)
{
    const struct tags_line *lines = &tags->lines[set * tags->max_ways];
    uint32_t count = 0;
    for (uint32_t way = 0; way < tags->spec.ways; way++)
        count += (lines[way].address & PACKET_COPIED) != 0 && lines[way].reserved != 0;
    return count;
}

/* Whether the copy of PACKET's sector is there, or may be asked for: copies leave an MSHR and a
 * line of each set to their homes, which else would wait for them. */
static bool may_copy(const struct slice *slice, const struct packet *packet)
{
    const struct cache *cache = &slice->cache;
    if (slice->copies + 1 < cache->mshr.entries_max &&
        slice->copies + 1 < cache->tags.spec.ways)
        return true;
    if (tags_hit(&cache->tags, packet->address, false) || cache_awaits(cache, packet->address))
        return true;
    return slice->copies + 1 < cache->mshr.entries_max &&
           slice_awaited_copies(&cache->tags, slice_set(slice, packet->address)) + 1 <
               cache->tags.spec.ways;
}

/* PACKET is on its way to the home of its line. */
static void cross(struct slice *slice, const struct packet *packet, uint64_t now)
{
    queue_push(&slice->crossing, packet, now + slice_far_there(&slice->spec));
}

/* PACKET, which the home has served, is on its way back. */
static void cross_back(struct slice *slice, const struct packet *packet, uint64_t now)
{
    queue_push(&slice->back, packet, now + slice_far_back(&slice->spec));
}

void slice_drop_copy(struct slice *slice, uint64_t address)
{
    struct tags *tags = &slice->cache.tags;
    uint32_t line = tags_find(tags, address | PACKET_COPIED);
    if (line == TAGS_NONE)
        return;
    uint64_t first = tags->lines[line].address;
    uint32_t there = tags->lines[line].valid & (uint32_t)~tags->lines[line].reserved;
    for (; there != 0; there &= there - 1)
        tags_invalidate(tags, slice_set(slice, address), line,
                        first + (uint64_t)__builtin_ctz(there) * tags->spec.sector_bytes);
}

/* A write of a far SM, or an atomic if there is no unit for them, passes the near half. */
static void cross_over(struct slice *slice, const struct packet *packet, uint64_t now,
                       uint64_t tick)
{
    cross(slice, packet, now);
    if (packet->kind != PACKET_WRITE || packet->bytes != UINT32_MAX)
        return;
    struct packet copy = *packet;
    copy.address |= PACKET_COPIED;
    cache_place(&slice->cache, &copy, slice_set(slice, packet->address), tick);
}

/* What PACKET, from the home, asked for is copied. */
static void take_copy(struct slice *slice, const struct packet *packet, uint64_t tick)
{
    struct mshr_entry *entry = &slice->cache.mshr.pool[packet->mshr];
    struct packet copy = *packet;
    entry->home_waited = packet->waited;
    copy.kind = PACKET_READ;
    copy.address = entry->address;
    slice->copies--;
    cache_fill(&slice->cache, &copy, tick);
}

/* What PACKET, which has crossed, asks of the home. */
static void arrive_at_home(const struct slice *slice, struct packet *packet)
{
    if (packet->kind == PACKET_COPY)
        packet->address = cache_missing_sector(&slice->cache, packet->address & ~PACKET_COPIED);
}

/* ---- answers ---- */

/* Those that the coalescer has let wait for REPLY, which is on its way to the crossbar. */
static void answer_others(struct slice *slice, const struct packet *reply, uint64_t now)
{
    if (slice->spec.coalescer.entries != 0 && packet_may_merge(reply))
        coalescer_answer(&slice->coalescer, reply, is_far(slice, reply), &slice->out, now);
}

/* REPLY is on its way to the crossbar, one for which somebody waits after its latency, and one
 * of the other half's home after it has crossed back. */
static void answer(struct slice *slice, const struct packet *reply, uint64_t now)
{
    uint32_t latency = slice->spec.atomics.latency;
    bool crosses = !reads_copies(reply) && is_far(slice, reply);
    if (reply->kind == PACKET_ATOMIC && latency != 0 && !packet_is_posted(reply))
        queue_push_in_order(&slice->atomics.answers, reply,
                            now + latency + (crosses ? slice_far_back(&slice->spec) : 0));
    else if (crosses)
        cross_back(slice, reply, now);
    else
        queue_push(&slice->out, reply, now);
    answer_others(slice, reply, now);
}

/* What has come back from the home goes on. */
static bool take_back(struct slice *slice, uint64_t now, uint64_t tick)
{
    if (!queue_ready(&slice->back, now))
        return false;
    struct packet packet = queue_head(&slice->back)->packet;
    if (packet.kind != PACKET_COPY && full(&slice->out, slice->spec.out_max))
        return false;
    queue_pop(&slice->back);
    if (packet.kind == PACKET_COPY)
        take_copy(slice, &packet, tick);
    else
        queue_push(&slice->out, &packet, now);
    return true;
}

/* The oldest answer of an atomic whose latency is over. */
static bool answer_atomic(struct slice *slice, uint64_t now)
{
    struct queue *answers = &slice->atomics.answers;
    if (!queue_ready(answers, now) || full(&slice->out, slice->spec.out_max))
        return false;
    queue_push(&slice->out, &queue_head(answers)->packet, now);
    queue_pop(answers);
    return true;
}

/* Takes the next packet whose sector has arrived, and sets for how long it waited for DRAM. */
static struct packet take_ready(struct slice *slice, uint64_t now)
{
    const struct mshr_entry *entry = &slice->cache.mshr.pool[slice->cache.mshr.ready_first];
    bool copy = entry->copy;
    uint16_t home_waited = entry->home_waited;
    struct packet packet = cache_take_ready(&slice->cache);
    packet.waited = (now - packet.waited) & PACKET_WAIT_MASK;
    if (!copy)
        return packet;
    packet.address &= ~PACKET_COPIED;
    if (packet.waited > home_waited)
        packet.waited = home_waited & PACKET_WAIT_MASK;
    return packet;
}

/* Answers one packet whose sector has arrived. */
static bool answer_waiter(struct slice *slice, uint64_t now)
{
    if (!mshr_has_ready(&slice->cache.mshr) || full(&slice->out, slice->spec.out_max))
        return false;
    struct packet packet = take_ready(slice, now);
    if (packet.kind == PACKET_COPY)
        cross_back(slice, &packet, now);
    else if (packet.kind != PACKET_WRITE_BACK)
        answer(slice, &packet, now);
    return true;
}

static bool take_fill(struct slice *slice, uint64_t now, uint64_t tick)
{
    if (slice->from_dram.count == 0)
        return false;
    struct packet packet = queue_head(&slice->from_dram)->packet;
    if (!slice->spec.disabled && !packet_is_write(&packet)) {
        if (slice->cache.fill_free > tick)
            return false;
        cache_fill(&slice->cache, &packet, tick);
    } else if (!slice->spec.disabled && is_far(slice, &packet)) {
        cross_back(slice, &packet, now);
    } else {
        if (full(&slice->out, slice->spec.out_max))
            return false;
        queue_push(&slice->out, &packet, tick);
        answer_others(slice, &packet, now);
    }
    queue_pop(&slice->from_dram);
    return true;
}

static bool send_miss(struct slice *slice, uint64_t now)
{
    if (slice->cache.misses.count == 0 || full(&slice->to_dram, slice->spec.to_dram_max))
        return false;
    struct packet *packet = &queue_head(&slice->cache.misses)->packet;
    if (!packet_is_write(packet) && slice->cache.mshr.pool[packet->mshr].copy) {
        packet->kind = PACKET_COPY;
        cross(slice, packet, now);
    } else {
        queue_push(&slice->to_dram, packet, now);
    }
    cache_pop_miss(&slice->cache);
    return true;
}

/* ---- requests ---- */

/* Whether PACKET waits for the atomic unit, and for nothing before it. */
static bool for_unit(const struct slice *slice, const struct packet *packet)
{
    return packet->kind == PACKET_ATOMIC && slice->spec.atomics.lanes != 0 &&
           !slice->spec.disabled;
}

/* If the cache has taken ENTRY since it had asked for ASKED blocks, this waits for a copy. */
static void await_copy(struct slice *slice, uint32_t entry, uint64_t asked)
{
    if (slice->cache.asked == asked)
        return;
    slice->cache.mshr.pool[entry].copy = true;
    slice->copies++;
}

/* PACKET looks for a copy. */
static struct cache_result access_copy(struct slice *slice, const struct packet *packet,
                                       uint64_t tick)
{
    struct cache *cache = &slice->cache;
    uint32_t entry = mshr_next(&cache->mshr);
    uint64_t asked = cache->asked;
    if (!may_copy(slice, packet)) {
        cache_wait(cache, cache_kind(packet), 1);
        return (struct cache_result){.status = CACHE_FAIL};
    }
    struct cache_result result =
        cache_access(cache, packet, slice_set(slice, packet->address), tick);
    await_copy(slice, entry, asked);
    return result;
}

/* After PACKET, or a COPY, has missed: the rest of what it says, too. */
static void prefetch(struct slice *slice, const struct packet *packet, bool copy, uint64_t tick)
{
    struct cache *cache = &slice->cache;
    struct packet block = *packet;
    uint32_t bytes = cache_fetched_bytes(cache, packet),
             set = slice_set(slice, packet->address);
    uint64_t own = packet->address & ~(uint64_t)(cache->block_bytes - 1);
    uint64_t at = packet->address & ~(uint64_t)(bytes - 1), end = at + bytes;
    for (; at < end; at += cache->block_bytes) {
        uint32_t entry = mshr_next(&cache->mshr);
        uint64_t asked = cache->asked;
        block.address = cache_missing_sector(cache, at);
        if (at == own || (copy && !may_copy(slice, &block)))
            continue;
        cache_prefetch(cache, &block, set, tick);
        if (copy)
            await_copy(slice, entry, asked);
    }
}

/* PACKET accesses the cache, or a COPY in it; hits and completed writes are answered at once.
 */
static struct cache_result serve(struct slice *slice, struct packet *packet, bool copy,
                                 uint64_t now, uint64_t tick)
{
    uint64_t asked = slice->cache.asked;
    packet->waited = now & PACKET_WAIT_MASK;
    struct cache_result result =
        copy ? access_copy(slice, packet, tick)
             : cache_access(&slice->cache, packet, slice_set(slice, packet->address), tick);
    if (!result.accepted)
        return result;
    if (packet->ahead != 0 && slice->cache.asked != asked)
        prefetch(slice, packet, copy, tick);
    if (halves_drop_copy(slice->spec.halves, packet, slice->number))
        slice_drop_copy(slice, packet->address);
    struct packet reply = *packet;
    reply.waited = 0; /* a hit */
    if (copy)
        reply.address &= ~PACKET_COPIED;
    bool taken = reply.kind == PACKET_WRITE && !result.sent && !result.fetching;
    if (reply.kind == PACKET_COPY && result.hit)
        cross_back(slice, &reply, now);
    else if (taken || (!packet_is_write(&reply) && result.hit))
        answer(slice, &reply, now);
    return result;
}

/* Whether a request that has passed its queues may access the cache in TICK. */
static bool may_access(const struct slice *slice, uint64_t tick)
{
    return !full(&slice->to_dram, slice->spec.to_dram_max) &&
           !full(&slice->out, slice->spec.out_max) && slice->cache.data_free <= tick;
}

/* The oldest request that has crossed accesses the cache. */
static bool take_crossed(struct slice *slice, uint64_t now, uint64_t tick)
{
    if (!queue_ready(&slice->crossing, now) ||
        for_unit(slice, &queue_head(&slice->crossing)->packet) || !may_access(slice, tick))
        return false;
    struct packet packet = queue_head(&slice->crossing)->packet;
    arrive_at_home(slice, &packet);
    if (!serve(slice, &packet, false, now, tick).accepted) {
        slice->crossed_kind = (uint8_t)cache_kind(&packet);
        slice->crossed_waiting = true;
        return false;
    }
    queue_pop(&slice->crossing);
    return true;
}

/* PACKET, an atomic, comes to its unit: from the other half it crosses first. */
static void await_unit(struct slice *slice, const struct packet *packet, uint64_t now)
{
    slice->atomics.waiting++;
    if (is_far(slice, packet))
        cross(slice, packet, now);
    else
        queue_push(&slice->atomics.in, packet, now);
}

/* An atomic that has crossed waits for its unit. */
static bool land_atomic(struct slice *slice, uint64_t now)
{
    if (!queue_ready(&slice->crossing, now) ||
        !for_unit(slice, &queue_head(&slice->crossing)->packet))
        return false;
    queue_push(&slice->atomics.in, &queue_head(&slice->crossing)->packet, now);
    queue_pop(&slice->crossing);
    return true;
}

/* The oldest atomic of the unit accesses the cache. */
static bool take_atomic(struct slice *slice, uint64_t now, uint64_t tick)
{
    if (!atomic_unit_is_free(&slice->atomics, tick) || !may_access(slice, tick))
        return false;
    struct packet packet = queue_head(&slice->atomics.in)->packet;
    if (!serve(slice, &packet, false, now, tick).accepted) {
        slice->atomic_waiting = true;
        return false;
    }
    atomic_unit_begin(&slice->atomics, &slice->spec.atomics, packet.lanes, tick);
    return true;
}

/* The oldest request goes to DRAM as there is no L2. */
static bool pass_by(struct slice *slice, struct packet *packet, uint64_t tick)
{
    queue_push(&slice->to_dram, packet, tick);
    queue_pop(&slice->in);
    return true;
}

static bool take_request(struct slice *slice, uint64_t now, uint64_t tick)
{
    if (slice->in.count == 0)
        return false;
    if (full(&slice->to_dram, slice->spec.to_dram_max))
        return false;
    struct packet packet = queue_head(&slice->in)->packet;
    if (slice->spec.disabled)
        return pass_by(slice, &packet, tick);
    bool far = is_far(slice, &packet);
    if (far && !reads_copies(&packet)) {
        cross_over(slice, &packet, now, tick);
        queue_pop(&slice->in);
        return true;
    }
    if (far)
        packet.address |= PACKET_COPIED;
    if (full(&slice->out, slice->spec.out_max) || slice->cache.data_free > tick)
        return false;
    if (cache_still_refuses(&slice->cache, &slice->refused, &packet)) {
        cache_wait(&slice->cache, slice->refused.kind, 1);
        slice->waiting = true;
        return false;
    }
    struct cache_result result = serve(slice, &packet, far, now, tick);
    if (!result.accepted) {
        cache_note_refusal(&slice->cache, &slice->refused, &packet, &result);
        slice->waiting = true;
        return false;
    }
    slice->refused.stands = false;
    queue_pop(&slice->in);
    return true;
}

/* ---- delays before L2 ---- */

static bool has_coalescer(const struct slice *slice)
{
    return slice->spec.coalescer.entries != 0;
}

/* Prefetches what the next packets in a DELAY will look for in the tags: first the part of the
 * hash, later the line. */
static void expect_requests(const struct slice *slice, const struct queue *delay)
{
    if (delay->count > 3)
        tags_prefetch(&slice->cache.tags, queue_at(delay, 3)->packet.address);
    if (delay->count > 1)
        tags_expect(&slice->cache.tags, queue_at(delay, 1)->packet.address);
}

/* The oldest packet whose DELAY, the last one, is over comes to L2. */
static bool come_to_l2(struct slice *slice, struct queue *delay, uint64_t now)
{
    if (!queue_ready(delay, now) || full(&slice->in, slice->spec.in_max))
        return false;
    const struct packet *packet = &queue_head(delay)->packet;
    if (!slice->spec.disabled)
        expect_requests(slice, delay);
    if (for_unit(slice, packet))
        await_unit(slice, packet, now);
    else
        queue_push(&slice->in, packet, now);
    queue_pop(delay);
    queue_expect(delay);
    return true;
}

/* The oldest packet comes to the coalescer, which lets it wait for another one's answer or
 * go on. */
static bool come_to_coalescer(struct slice *slice, uint64_t now)
{
    if (!queue_ready(&slice->rop, now))
        return false;
    const struct packet *packet = &queue_head(&slice->rop)->packet;
    if (!packet_may_merge(packet) ||
        !coalescer_take(&slice->coalescer, packet, is_far(slice, packet)))
        queue_push(&slice->lrc, packet, now + slice->spec.coalescer.delay);
    queue_pop(&slice->rop);
    queue_expect(&slice->rop);
    return true;
}

/* One access of the cache: atomics first, whose unit is slow, then what has crossed. */
static bool take_turn(struct slice *slice, uint64_t now, uint64_t tick)
{
    if (slice->atomics.in.count != 0 && take_atomic(slice, now, tick))
        return true;
    if (slice->crossing.count != 0 && take_crossed(slice, now, tick))
        return true;
    return take_request(slice, now, tick);
}

/* Whether nothing waits for a port, or the atomic unit, to become free. */
static bool ports_are_free(const struct slice *slice, uint64_t tick)
{
    return slice->cache.fill_free <= tick && slice->cache.data_free <= tick &&
           (slice->atomics.in.count == 0 || atomic_unit_is_free(&slice->atomics, tick));
}

/* When a delay is over next whose queue can go on then. */
static void set_wake(struct slice *slice)
{
    bool stands = full(&slice->in, slice->spec.in_max);
    uint64_t rop = stands && !has_coalescer(slice) ? UINT64_MAX : queue_next(&slice->rop);
    uint64_t lrc = stands ? UINT64_MAX : queue_next(&slice->lrc);
    uint64_t far = queue_next(&slice->crossing), next = queue_next(&slice->atomics.answers),
             back = queue_next(&slice->back);
    next = far < next ? far : next;
    next = back < next ? back : next;
    next = lrc < next ? lrc : next;
    slice->wake = rop < next ? rop : next;
}

enum slice_change slice_cycle(struct slice *slice, uint64_t now, uint64_t tick)
{
    uint32_t sent = slice->to_dram.count, come = slice->from_dram.count;
    slice->tick = tick;
    slice->waiting = slice->crossed_waiting = slice->atomic_waiting = false;
    bool changed = slice->atomics.answers.count != 0 && answer_atomic(slice, now);
    changed |= answer_waiter(slice, now);
    changed |= slice->back.count != 0 && take_back(slice, now, tick);
    changed |= take_fill(slice, now, tick);
    changed |= send_miss(slice, now);
    changed |= take_turn(slice, now, tick);
    changed |= slice->atomics.waiting != 0 && land_atomic(slice, now);
    changed |= come_to_l2(slice, has_coalescer(slice) ? &slice->lrc : &slice->rop, now);
    changed |= has_coalescer(slice) && come_to_coalescer(slice, now);
    slice->stuck = !changed && ports_are_free(slice, tick);
    set_wake(slice);
    if (!changed)
        return SLICE_NOTHING;
    bool dram = slice->to_dram.count > sent || slice->from_dram.count < come;
    return dram ? SLICE_MOVED_DRAM : SLICE_MOVED;
}
