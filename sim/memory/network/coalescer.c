#include "sim/memory/network/coalescer.h"

#include <string.h>

#define NONE       UINT32_MAX
#define LINE_BYTES 128u /* of which a request names sectors */

bool coalescer_init(struct coalescer *coalescer, const struct coalescer_spec *spec)
{
    memset(coalescer, 0, sizeof *coalescer);
    coalescer->spec = *spec;
    coalescer->free_entry = coalescer->free_waiter = NONE;
    return spec->entries == 0 ||
           hash_index_init(&coalescer->index, spec->entries, spec->entries);
}

void coalescer_finish(struct coalescer *coalescer)
{
    free(coalescer->entries);
    free(coalescer->waiters);
    hash_index_finish(&coalescer->index);
    memset(coalescer, 0, sizeof *coalescer);
}

void coalescer_reset(struct coalescer *coalescer)
{
    coalescer->free_entry = coalescer->free_waiter = NONE;
    for (uint32_t i = 0; i < coalescer->entry_count; i++) {
        coalescer->entries[i].next = coalescer->free_entry;
        coalescer->free_entry = i;
    }
    for (uint32_t i = 0; i < coalescer->waiter_count; i++) {
        coalescer->waiters[i].next = coalescer->free_waiter;
        coalescer->free_waiter = i;
    }
    if (coalescer->index.buckets != NULL)
        hash_index_clear(&coalescer->index);
}

static uint64_t place_of(const struct packet *packet, bool far)
{
    return far ? packet->address | PACKET_COPIED : packet->address;
}

static uint64_t hash_of(uint64_t place)
{
    return hash_index_hash(place / LINE_BYTES);
}

static void grow_entries(struct coalescer *coalescer)
{
    uint32_t count = coalescer->entry_count != 0 ? 2 * coalescer->entry_count : 16;
    if (count > coalescer->spec.entries)
        count = coalescer->spec.entries;
    struct coalescer_entry *entries =
        realloc(coalescer->entries, count * sizeof *coalescer->entries);
    if (entries == NULL)
        memory_short();
    coalescer->entries = entries;
    while (coalescer->entry_count < count) {
        entries[coalescer->entry_count].next = coalescer->free_entry;
        coalescer->free_entry = coalescer->entry_count++;
    }
}

static void grow_waiters(struct coalescer *coalescer)
{
    uint32_t count = coalescer->waiter_count != 0 ? 2 * coalescer->waiter_count : 16;
    struct coalescer_waiter *waiters =
        realloc(coalescer->waiters, count * sizeof *coalescer->waiters);
    if (waiters == NULL)
        memory_short();
    coalescer->waiters = waiters;
    while (coalescer->waiter_count < count) {
        waiters[coalescer->waiter_count].next = coalescer->free_waiter;
        coalescer->free_waiter = coalescer->waiter_count++;
    }
}

/* Whether the SMs of A and B share answers: those of a GPC do, or all. */
static bool may_share(const struct coalescer *coalescer, const struct packet *a,
                      const struct packet *b)
{
    const uint16_t *gpcs = coalescer->spec.gpcs;
    return gpcs == NULL || gpcs[a->sm] == gpcs[b->sm];
}

static bool fits(const struct coalescer *coalescer, const struct coalescer_entry *entry,
                 const struct packet *packet, uint64_t place)
{
    const struct packet *first = &entry->packet;
    return first->address == place && first->kind == packet->kind &&
           first->local == packet->local && first->launch == packet->launch &&
           first->together == packet->together && may_share(coalescer, first, packet) &&
           entry->count + 1u + packet->merged <= coalescer->spec.merged;
}

/* The entry that PACKET may share; NONE: there is none. */
static uint32_t find(const struct coalescer *coalescer, const struct packet *packet,
                     uint64_t place)
{
    struct hash_index_search search = hash_index_begin(&coalescer->index, hash_of(place));
    uint32_t i;
    while ((i = hash_index_next(&coalescer->index, &search)) != NONE)
        if (fits(coalescer, &coalescer->entries[i], packet, place))
            break;
    return i;
}

/* PACKET goes to L2: no more reads may share an earlier one of its line, of the same GPC, whose
 * request was for other sectors. */
static void supersede(struct coalescer *coalescer, const struct packet *packet, uint64_t place)
{
    struct hash_index_search search = hash_index_begin(&coalescer->index, hash_of(place));
    uint32_t i;
    while ((i = hash_index_next(&coalescer->index, &search)) != NONE) {
        struct coalescer_entry *entry = &coalescer->entries[i];
        if (entry->packet.address / LINE_BYTES == place / LINE_BYTES &&
            entry->packet.together != packet->together &&
            may_share(coalescer, &entry->packet, packet))
            entry->count = coalescer->spec.merged; /* as if as many shared it as may */
    }
}

/* PACKET goes to L2; others may wait for it, if there is an entry left. */
static void begin(struct coalescer *coalescer, const struct packet *packet, uint64_t place)
{
    if (coalescer->free_entry == NONE && coalescer->entry_count < coalescer->spec.entries)
        grow_entries(coalescer);
    uint32_t i = coalescer->free_entry;
    if (i == NONE)
        return;
    struct coalescer_entry *entry = &coalescer->entries[i];
    coalescer->free_entry = entry->next;
    *entry = (struct coalescer_entry){.packet = *packet,
                                      .count = 1u + packet->merged,
                                      .first = NONE,
                                      .last = NONE,
                                      .next = NONE};
    entry->packet.address = place;
    hash_index_add(&coalescer->index, hash_of(place), i);
}

static void wait_for(struct coalescer *coalescer, struct coalescer_entry *entry,
                     const struct packet *packet)
{
    if (coalescer->free_waiter == NONE)
        grow_waiters(coalescer);
    uint32_t i = coalescer->free_waiter;
    struct coalescer_waiter *waiter = &coalescer->waiters[i];
    coalescer->free_waiter = waiter->next;
    waiter->packet = *packet;
    waiter->next = NONE;
    if (entry->first == NONE)
        entry->first = i;
    else
        coalescer->waiters[entry->last].next = i;
    entry->last = i;
}

bool coalescer_take(struct coalescer *coalescer, const struct packet *packet, bool far)
{
    uint64_t place = place_of(packet, far);
    uint32_t i = find(coalescer, packet, place);
    if (i == NONE) {
        if (coalescer->spec.latest)
            supersede(coalescer, packet, place);
        begin(coalescer, packet, place);
        return false;
    }
    struct coalescer_entry *entry = &coalescer->entries[i];
    entry->count += 1u + packet->merged;
    wait_for(coalescer, entry, packet);
    return true;
}

/* The entry of the read that ANSWER answers; NONE: it has none. */
static uint32_t entry_of(const struct coalescer *coalescer, const struct packet *answer,
                         uint64_t place)
{
    struct hash_index_search search = hash_index_begin(&coalescer->index, hash_of(place));
    uint32_t i;
    while ((i = hash_index_next(&coalescer->index, &search)) != NONE) {
        const struct coalescer_entry *entry = &coalescer->entries[i];
        if (entry->packet.address == place && entry->packet.sm == answer->sm &&
            entry->packet.op == answer->op)
            break;
    }
    return i;
}

void coalescer_answer(struct coalescer *coalescer, const struct packet *answer, bool far,
                      struct queue *out, uint64_t now)
{
    uint32_t i = entry_of(coalescer, answer, place_of(answer, far));
    if (i == NONE)
        return;
    struct coalescer_entry *entry = &coalescer->entries[i];
    for (uint32_t w = entry->first; w != NONE;) {
        struct coalescer_waiter *waiter = &coalescer->waiters[w];
        waiter->packet.waited = answer->waited;
        if (coalescer_rides(&coalescer->spec, &waiter->packet))
            waiter->packet.merged |= PACKET_RIDES;
        queue_push(out, &waiter->packet, now);
        uint32_t next = waiter->next;
        waiter->next = coalescer->free_waiter;
        coalescer->free_waiter = w;
        w = next;
    }
    hash_index_remove(&coalescer->index, hash_of(entry->packet.address), i);
    entry->next = coalescer->free_entry;
    coalescer->free_entry = i;
}
