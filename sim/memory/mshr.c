#include "sim/memory/mshr.h"

#include <stdlib.h>
#include <string.h>

#include "sim/memory/queue.h"

bool mshr_init(struct mshr *mshr, uint32_t entries, uint32_t merge)
{
    memset(mshr, 0, sizeof *mshr);
    mshr->entries_max = entries;
    mshr->merge_max = merge;
    uint32_t slots = 8;
    while (slots < 4 * entries)
        slots *= 2;
    mshr->pool = aligned_alloc(_Alignof(struct mshr_entry), entries * sizeof *mshr->pool);
    mshr->table = malloc(slots * sizeof *mshr->table);
    mshr->table_mask = slots - 1;
    if (mshr->pool == NULL || mshr->table == NULL) {
        mshr_finish(mshr);
        return false;
    }
    memset(mshr->pool, 0, entries * sizeof *mshr->pool);
    memset(mshr->table, 0xff, slots * sizeof *mshr->table);
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
    free(mshr->table);
    free(mshr->waiters);
    memset(mshr, 0, sizeof *mshr);
}

static uint64_t hash_of(uint64_t address)
{
    return (address >> 5) * 0x9e3779b97f4a7c15ull;
}

/* The low bits of a table entry are the entry, the others those of the hash. */
static uint64_t slot_for(uint64_t hash, uint32_t entry)
{
    return (hash & ~(uint64_t)UINT32_MAX) | entry;
}

static uint32_t slot_of(const struct mshr *mshr, uint64_t hash)
{
    return (uint32_t)(hash >> 32) & mshr->table_mask;
}

void mshr_prefetch(const struct mshr *mshr, uint64_t address)
{
    __builtin_prefetch(&mshr->table[slot_of(mshr, hash_of(address))]);
}

uint32_t mshr_find(const struct mshr *mshr, uint64_t address)
{
    uint64_t hash = hash_of(address);
    for (uint32_t slot = slot_of(mshr, hash);; slot = (slot + 1) & mshr->table_mask) {
        uint64_t held = mshr->table[slot];
        if (held == MSHR_EMPTY)
            return MSHR_NONE;
        if (held == slot_for(hash, (uint32_t)held) &&
            mshr->pool[(uint32_t)held].address == address)
            return (uint32_t)held;
    }
}

bool mshr_has_room(const struct mshr *mshr, uint32_t entry)
{
    if (entry == MSHR_NONE)
        return mshr->entries < mshr->entries_max;
    return mshr->pool[entry].count < mshr->merge_max;
}

/* More room for waiters; memory_short() if there is none. */
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
    mshr->entries++;
    *entry = (struct mshr_entry){
        .address = address, .first = MSHR_NONE, .last = MSHR_NONE, .next = MSHR_NONE};
    uint64_t hash = hash_of(address);
    uint32_t slot = slot_of(mshr, hash);
    while (mshr->table[slot] != MSHR_EMPTY)
        slot = (slot + 1) & mshr->table_mask;
    mshr->table[slot] = slot_for(hash, index);
    return index;
}

/* Puts PACKET behind the others that wait for ENTRY. */
static void queue_behind(struct mshr *mshr, struct mshr_entry *entry,
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
        queue_behind(mshr, entry, packet);
    entry->atomic |= packet->kind == PACKET_ATOMIC;
    return index;
}

void mshr_ready(struct mshr *mshr, uint32_t entry)
{
    if (mshr->ready_first == MSHR_NONE)
        mshr->ready_first = entry;
    else
        mshr->pool[mshr->ready_last].next = entry;
    mshr->ready_last = entry;
    mshr->pool[entry].next = MSHR_NONE;
}

static void free_entry(struct mshr *mshr, uint32_t index)
{
    uint32_t mask = mshr->table_mask, hole = slot_of(mshr, hash_of(mshr->pool[index].address));
    while ((uint32_t)mshr->table[hole] != index)
        hole = (hole + 1) & mask;
    for (uint32_t slot = (hole + 1) & mask; mshr->table[slot] != MSHR_EMPTY;
         slot = (slot + 1) & mask) {
        uint32_t home = slot_of(mshr, mshr->table[slot]);
        if (((slot - home) & mask) >= ((slot - hole) & mask)) {
            mshr->table[hole] = mshr->table[slot];
            hole = slot;
        }
    }
    mshr->table[hole] = MSHR_EMPTY;
    mshr->pool[index].next = mshr->free_entry;
    mshr->free_entry = index;
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
