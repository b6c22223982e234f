#include "sim/memory/page_walks.h"

#include <stdlib.h>
#include <string.h>

#include "sim/memory/hash.h"

#define FIRST_SIZE 64 /* regions */

bool page_walks_init(struct page_walks *walks, const struct page_walks_spec *spec)
{
    memset(walks, 0, sizeof *walks);
    walks->spec = *spec;
    walks->size = FIRST_SIZE;
    walks->regions = calloc(walks->size, sizeof *walks->regions);
    if (spec->walkers != 0)
        walks->ends = calloc(spec->walkers, sizeof *walks->ends);
    return walks->regions != NULL && (spec->walkers == 0 || walks->ends != NULL);
}

void page_walks_finish(struct page_walks *walks)
{
    free(walks->regions);
    free(walks->ends);
    free(walks->first);
    memset(walks, 0, sizeof *walks);
}

/* The entry of region NUMBER, or the empty one where it belongs. */
static struct page_walks_region *entry_of(const struct page_walks *walks, uint64_t number)
{
    uint32_t at = hash_spread(number) & (walks->size - 1);
    while (walks->regions[at].number != 0 && walks->regions[at].number != number)
        at = (at + 1) & (walks->size - 1);
    return &walks->regions[at];
}

static void grow(struct page_walks *walks)
{
    struct page_walks old = *walks;
    walks->size *= 2;
    walks->regions = calloc(walks->size, sizeof *walks->regions);
    if (walks->regions == NULL)
        memory_short();
    for (uint32_t i = 0; i < old.size; i++)
        if (old.regions[i].number != 0)
            *entry_of(walks, old.regions[i].number) = old.regions[i];
    free(old.regions);
}

/* Adds REGION, unless it is there. Returns what is there. */
static struct page_walks_region add(struct page_walks *walks, struct page_walks_region region)
{
    struct page_walks_region *entry = entry_of(walks, region.number);
    if (entry->number != 0)
        return *entry;
    *entry = region;
    if (++walks->count * 2 > walks->size)
        grow(walks);
    return region;
}

void page_walks_know(struct page_walks *walks, uint64_t address)
{
    add(walks, (struct page_walks_region){.number = (address >> walks->spec.shift) + 1});
}

void page_walks_forget(struct page_walks *walks)
{
    memset(walks->regions, 0, walks->size * sizeof *walks->regions);
    walks->count = 0;
    walks->last = (struct page_walks_region){0};
}

static int ascending(const void *a, const void *b)
{
    uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return (x > y) - (x < y);
}

void page_walks_list(const struct page_walks *walks, uint64_t *addresses)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < walks->size; i++)
        if (walks->regions[i].number != 0)
            addresses[count++] = (walks->regions[i].number - 1) << walks->spec.shift;
    qsort(addresses, count, sizeof *addresses, ascending);
}

/* The end of a walk that is asked for in cycle NOW: it begins when a walker is free. All walks
 * take as long, so the one that began first is the first to end. */
static uint64_t walk(struct page_walks *walks, uint64_t now)
{
    const struct page_walks_spec *spec = &walks->spec;
    if (spec->walkers == 0)
        return now + spec->latency;
    uint64_t *end = &walks->ends[walks->oldest];
    walks->oldest = walks->oldest + 1 < spec->walkers ? walks->oldest + 1 : 0;
    *end = (*end > now ? *end : now) + spec->latency;
    return *end;
}

uint64_t page_walks_ready(struct page_walks *walks, uint64_t address, uint64_t now)
{
    uint64_t number = (address >> walks->spec.shift) + 1;
    if (walks->last.number != number) {
        struct page_walks_region *entry = entry_of(walks, number);
        walks->last = entry->number != 0
                          ? *entry
                          : add(walks, (struct page_walks_region){.number = number,
                                                                  .ready = walk(walks, now)});
    }
    return walks->last.ready > now ? walks->last.ready : now;
}

/* ENTRY's region is asked for in page_walks_begin(). */
static void put_off(struct page_walks *walks, struct queue_entry *entry)
{
    if (walks->first_count == walks->first_room) {
        uint32_t room = walks->first_room != 0 ? 2 * walks->first_room : 64;
        struct queue_entry **first = realloc(walks->first, room * sizeof *first);
        if (first == NULL)
            memory_short();
        walks->first = first;
        walks->first_room = room;
    }
    walks->first[walks->first_count++] = entry;
}

/* Whether ADDRESS's region has been asked for; it is the last one then. */
static bool is_known(struct page_walks *walks, uint64_t address)
{
    uint64_t number = (address >> walks->spec.shift) + 1;
    if (walks->last.number == number)
        return true;
    const struct page_walks_region *entry = entry_of(walks, number);
    if (entry->number != 0)
        walks->last = *entry;
    return entry->number != 0;
}

void page_walks_delay(struct page_walks *walks, struct queue *requests)
{
    for (uint32_t i = 0; i < requests->count; i++) {
        struct queue_entry *entry =
            &requests->ring[(requests->head + i) & (requests->size - 1)];
        if (entry->packet.kind == PACKET_CODE)
            continue;
        if (is_known(walks, entry->packet.address))
            entry->ready = page_walks_ready(walks, entry->packet.address, entry->ready);
        else
            put_off(walks, entry);
    }
}

/* The earlier one first, then that of the SM with the lower number. */
static int by_time(const void *left, const void *right)
{
    const struct queue_entry *a = *(struct queue_entry *const *)left,
                             *b = *(struct queue_entry *const *)right;
    if (a->ready != b->ready)
        return a->ready < b->ready ? -1 : 1;
    return (a->packet.sm > b->packet.sm) - (a->packet.sm < b->packet.sm);
}

void page_walks_begin(struct page_walks *walks)
{
    if (walks->first_count == 0)
        return;
    qsort(walks->first, walks->first_count, sizeof *walks->first, by_time);
    for (uint32_t i = 0; i < walks->first_count; i++) {
        struct queue_entry *entry = walks->first[i];
        entry->ready = page_walks_ready(walks, entry->packet.address, entry->ready);
    }
    walks->first_count = 0;
}
