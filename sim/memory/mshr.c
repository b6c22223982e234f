#include "sim/memory/mshr.h"

#include <stdlib.h>
#include <string.h>

#include "sim/memory/queue.h"

bool mshr_init(struct mshr *mshr, uint32_t entries, uint32_t merge)
{
    memset(mshr, 0, sizeof *mshr);
    mshr->entries_max = entries;
    mshr->merge_max = merge;
    mshr->pool = aligned_alloc(_Alignof(struct mshr_entry), entries * sizeof *mshr->pool);
    if (!hash_index_init(&mshr->index, entries, entries) || mshr->pool == NULL) {
        mshr_finish(mshr);
        return false;
    }
    memset(mshr->pool, 0, entries * sizeof *mshr->pool);
    for (uint32_t i = 0; i < entries; i++)
        mshr->pool[i].next = i + 1 < entries ? i + 1 : MSHR_NONE;
    mshr->free_entry = 0;
    mshr->free_waiter = MSHR_NONE;
    mshr->ready_first = mshr->ready_last = MSHR_NONE;
    return true;
}

void mshr_finish(struct mshr *mshr)
{
    free(mshr->pool);
    hash_index_finish(&mshr->index);
    free(mshr->waiters);
    memset(mshr, 0, sizeof *mshr);
}

static uint64_t hash_of(uint64_t address)
{
    return hash_index_hash(address >> 5);
}

void mshr_prefetch(const struct mshr *mshr, uint64_t address)
{
    hash_index_prefetch(&mshr->index, hash_of(address));
}

uint32_t mshr_find(const struct mshr *mshr, uint64_t address)
{
    struct hash_index_search search = hash_index_begin(&mshr->index, hash_of(address));
    uint32_t entry;
    while ((entry = hash_index_next(&mshr->index, &search)) != HASH_INDEX_NONE)
        if (mshr->pool[entry].address == address)
            return entry;
    return MSHR_NONE;
}

bool mshr_has_room(const struct mshr *mshr, uint32_t entry)
{
    if (entry == MSHR_NONE)
        return mshr->entries < mshr->entries_max;
    return mshr->pool[entry].count < mshr->merge_max;
}

/* The sector of ADDRESS in its line, as a mask. */
static unsigned sector_bit(uint64_t address)
{
    return 1u << address / SECTOR_BYTES % 4;
}

bool mshr_is_first(const struct mshr *mshr, uint32_t entry, uint64_t address)
{
    return entry == MSHR_NONE || !(mshr->pool[entry].asked & sector_bit(address));
}

/* Makes room for more waiters; memory_short() if there is no memory. */
static void grow_waiters(struct mshr *mshr)
{
    uint32_t count = mshr->waiter_count ? mshr->waiter_count * 2 : 64;
    struct mshr_waiter *waiters = realloc(mshr->waiters, count * sizeof *waiters);
    if (waiters == NULL)
        memory_short();
    for (uint32_t i = mshr->waiter_count; i < count; i++)
        waiters[i].next = i + 1 < count ? i + 1 : MSHR_NONE;
    mshr->free_waiter = mshr->waiter_count;
    mshr->waiters = waiters;
    mshr->waiter_count = count;
}

static uint32_t new_entry(struct mshr *mshr, uint64_t address)
{
    uint32_t index = mshr->free_entry;
    struct mshr_entry *entry = &mshr->pool[index];
    mshr->free_entry = entry->next;
    if (entry->next != MSHR_NONE)
        __builtin_prefetch(&mshr->pool[entry->next], 1);
    mshr->entries++;
    *entry = (struct mshr_entry){
        .address = address, .first = MSHR_NONE, .last = MSHR_NONE, .next = MSHR_NONE};
    hash_index_add(&mshr->index, hash_of(address), index);
    return index;
}

/* Adds PACKET after the others that wait for ENTRY. */
static void queue_after(struct mshr *mshr, struct mshr_entry *entry,
                        const struct packet *packet)
{
    if (mshr->free_waiter == MSHR_NONE)
        grow_waiters(mshr);
    uint32_t waiter = mshr->free_waiter;
    mshr->free_waiter = mshr->waiters[waiter].next;
    mshr->waiters[waiter] = (struct mshr_waiter){.packet = *packet, .next = MSHR_NONE};
    if (entry->first == MSHR_NONE)
        entry->first = waiter;
    else
        mshr->waiters[entry->last].next = waiter;
    entry->last = waiter;
}

uint32_t mshr_add(struct mshr *mshr, uint32_t index, uint64_t address,
                  const struct packet *packet)
{
    if (index == MSHR_NONE)
        index = new_entry(mshr, address);
    struct mshr_entry *entry = &mshr->pool[index];
    if (entry->count++ == 0)
        entry->packet = *packet;
    else
        queue_after(mshr, entry, packet);
    entry->asked |= sector_bit(packet->address) & 15;
    if (packet->kind == PACKET_ATOMIC)
        entry->atomic |= sector_bit(packet->address) & 15;
    return index;
}

bool mshr_awaits(const struct mshr *mshr, uint64_t address)
{
    uint32_t entry = mshr_find(mshr, address);
    return entry != MSHR_NONE && !mshr->pool[entry].ready;
}

void mshr_ready(struct mshr *mshr, uint32_t entry)
{
    mshr->pool[entry].ready = true;
    if (mshr->ready_first == MSHR_NONE)
        mshr->ready_first = entry;
    else
        mshr->pool[mshr->ready_last].next = entry;
    mshr->ready_last = entry;
    mshr->pool[entry].next = MSHR_NONE;
}

static void free_entry(struct mshr *mshr, uint32_t entry)
{
    hash_index_remove(&mshr->index, hash_of(mshr->pool[entry].address), entry);
    mshr->pool[entry].next = mshr->free_entry;
    mshr->free_entry = entry;
    mshr->entries--;
}

/* The next of ENTRY's waiters becomes its oldest. */
static void move_up(struct mshr *mshr, struct mshr_entry *entry)
{
    uint32_t waiter = entry->first;
    entry->packet = mshr->waiters[waiter].packet;
    entry->first = mshr->waiters[waiter].next;
    mshr->waiters[waiter].next = mshr->free_waiter;
    mshr->free_waiter = waiter;
}

struct packet mshr_take(struct mshr *mshr)
{
    uint32_t index = mshr->ready_first;
    struct mshr_entry *entry = &mshr->pool[index];
    struct packet packet = entry->packet;
    if (--entry->count != 0) {
        move_up(mshr, entry);
        return packet;
    }
    mshr->ready_first = entry->next;
    if (mshr->ready_first == MSHR_NONE)
        mshr->ready_last = MSHR_NONE;
    free_entry(mshr, index);
    return packet;
}
