/* Functional accesses of the tags of any cache, with one packet for each sector. */
#include "sim/functional/access_queue.h"
#include "sim/functional/cache_functional.h"
#include "sim/functional/l2_functional.h"

/* PACKET has accessed L2, with this RESULT. */
static void count_l2(struct access_queue *queue, const struct packet *packet,
                     const struct l2_functional_result *result)
{
    const struct engine *engine = &queue->sim->engine;
    uint32_t each = engine_slice(engine, 0)->cache.tags.spec.sector_bytes / SECTOR_BYTES;
    queue->now += L2_FUNCTIONAL_STEP;
    if (result->counts)
        queue->l2.counts[cache_kind(packet)][result->status]++;
    queue->l2.dirty_lines += result->dirty_lines;
    queue->l2.dirty_sectors += result->dirty_sectors;
    queue->l2.written += each * result->written;
    queue->counters.dram_reads += each * result->fetched;
    queue->slow += result->slow;
    access_queue_ask(queue, result->slice,
                     (uint64_t)each * (result->written + result->fetched));
}

void access_queue_arrive(struct access_queue *queue, uint64_t cycle)
{
    while (queue_ready(&queue->crossing, cycle)) {
        struct packet packet = queue_head(&queue->crossing)->packet;
        queue_pop(&queue->crossing);
        struct l2_functional_result result =
            l2_functional_arrive(&queue->sim->engine, queue->sim->frames, &packet, queue->now);
        result.slow = false; /* nobody looks any more */
        count_l2(queue, &packet, &result);
    }
}

static void packet_l2(struct access_queue *queue, const struct packet *packet)
{
    const struct engine *engine = &queue->sim->engine;
    uint32_t set;
    queue->past_l1++;
    if (!engine->spec.config->l2.enabled) {
        queue->counters.dram_reads += !packet_is_write(packet);
        queue->counters.dram_writes += (uint64_t)packet_is_write(packet);
        queue->slow += !packet_is_write(packet);
        access_queue_ask(queue, address_table_of(&engine->spec.places, packet->address, &set),
                         1);
        return;
    }
    struct packet crossed;
    access_queue_arrive(queue, queue->cycle);
    struct l2_functional_result result =
        l2_functional_access(engine, queue->sim->frames, packet, queue->now, &crossed);
    count_l2(queue, packet, &result);
    if (!packet_is_write(packet))
        access_queue_read(queue, packet->sm, result.slice);
    if (result.crosses)
        queue_push(&queue->crossing, &crossed,
                   queue->cycle + slice_far_there(&engine->spec.slice));
}

/* The same for a request for a whole sector of L1, which L2 takes in pieces if it is larger
 * than L2's. */
static void pieces_l2(struct access_queue *queue, const struct packet *packet)
{
    struct packet piece = *packet;
    for (uint32_t i = queue->sim->config->l1d.pieces; i-- != 0; piece.address += SECTOR_BYTES)
        packet_l2(queue, &piece);
}

/* Writes back the dirty SECTORS of the line at VICTIM, which the L1 of SM has evicted, one by
 * one. */
static void write_back(struct access_queue *queue, const struct cache *l1, uint16_t sm,
                       uint64_t victim, uint8_t sectors)
{
    uint32_t bytes = l1->tags.spec.sector_bytes;
    for (; sectors != 0; sectors &= (uint8_t)(sectors - 1)) {
        const struct packet back = {
            .address = victim + (uint64_t)__builtin_ctz(sectors) * bytes,
            .bytes = bytes,
            .sm = sm,
            .kind = PACKET_WRITE_BACK,
        };
        pieces_l2(queue, &back);
    }
}

static void packet_l1(struct access_queue *queue, struct cache *l1, const struct packet *packet)
{
    struct tags *tags = &l1->tags;
    uint32_t line = 0, set = tags_set(tags, tags_line_address(tags, packet->address));
    struct cache_functional_result result =
        cache_functional_access(l1, packet, set, queue->now++, &line);
    queue->l1.counts[cache_kind(packet)][result.status]++;
    if (result.fetched) {
        struct packet fetch = *packet;
        fetch.address &= ~(uint64_t)(tags->spec.sector_bytes - 1);
        fetch.kind = packet_is_write(packet) ? PACKET_READ : packet->kind;
        pieces_l2(queue, &fetch);
    }
    write_back(queue, l1, packet->sm, result.victim, result.evicted);
    if (result.sent)
        packet_l2(queue, packet);
}

void access_queue_packets(struct access_queue *queue, const struct access_queue_line *line)
{
    for (uint32_t s = 4; s-- > 0;) {
        if (!(line->sectors >> s & 1))
            continue;
        const struct packet packet = {
            .address = line->address + s * SECTOR_BYTES,
            .bytes = line->whole >> s & 1 ? UINT32_MAX : line->bytes[s],
            .sm = (uint16_t)line->access.sm,
            .kind = line->access.kind,
            .local = line->access.local,
            .ahead = line->access.ahead & 3,
        };
        if (!line->access.past_l1)
            packet_l1(queue, &queue->sim->engine.sms[line->access.sm]->l1, &packet);
        else
            packet_l2(queue, &packet);
    }
}
