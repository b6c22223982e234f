#include "sim/functional/access_queue.h"

#include <stdlib.h>
#include <string.h>

#include "sim/functional/compact_access.h"
#include "sim/functional/compact_caches.h"

#define LINE_BYTES 128u

/* Most ways of a set. */
#define WAYS_MOST UINT16_MAX

/* A time after the last use of any line, on the clocks of L1 and L2. */
static uint64_t last_now(const struct sim *sim)
{
    const struct partition_spec *partition = &sim->engine.spec.partition;
    uint64_t now = (sim->now + 1) * (1 + (uint64_t)(partition->l2_hz / partition->core_hz)) + 1;
    /* below that, cache_functional_settle() would number lines from 0 on */
    return now > WAYS_MOST ? now : WAYS_MOST + 1;
}

/* Moves what SIM's caches hold to its compact caches if they FIT, else to its tags. */
static int hand_over(struct sim *sim, bool fit, struct error *err)
{
    if (fit)
        return compact_caches_take(sim, err);
    compact_caches_give(sim);
    return 0;
}

/* Sets the ways of each L1; one whose ways change becomes empty. */
static void set_ways(const struct access_queue *queue, uint32_t ways)
{
    const struct sim *sim = queue->sim;
    for (uint32_t s = 0; sim->engine.spec.sm.l1_enabled && s < sim->engine.spec.sms; s++) {
        struct tags *tags = &sim->engine.sms[s]->l1.tags;
        if (queue->compacts != NULL && queue->compacts->l1[s].ways != ways)
            compact_clear(&queue->compacts->l1[s], ways);
        else if (queue->compacts == NULL && tags->spec.ways != ways)
            tags_clear(tags, ways);
    }
}

int access_queue_init(struct access_queue *queue, struct sim *sim, uint32_t l1_ways,
                      struct error *err)
{
    const struct engine *engine = &sim->engine;
    const struct tags_spec *l1 = &engine->sms[0]->l1.tags.spec;
    bool whole = (!engine->spec.sm.l1_enabled || l1->line_bytes >= LINE_BYTES) &&
                 engine->spec.places.whole;
    bool fit = sim->frames == NULL && compact_caches_fit(sim);
    memset(queue, 0, sizeof *queue);
    queue->sim = sim;
    queue->l1_spec = l1;
    queue->l1_linear = l1->set_index == 'L';
    queue->grain = whole ? LINE_BYTES : SECTOR_BYTES;
    queue->walks = engine->page_walks.spec.latency != 0 ? &sim->engine.page_walks : NULL;
    queue->spread = engine->spec.l2_spread != 0 || sim->config->options.hearth_tpc_step != 0 ||
                    sim->config->options.hearth_cpc_step != 0;
    queue->channel_slices = engine->spec.slices / engine->spec.channels;
    queue->channels = calloc(engine->spec.channels, sizeof *queue->channels);
    if (queue->channels == NULL)
        return error_no_memory(err);
    if (hand_over(sim, fit, err) != 0) {
        free(queue->channels);
        queue->channels = NULL;
        return -1;
    }
    if (fit)
        queue->compacts = sim->compacts;
    set_ways(queue, l1_ways);
    engine_clean(&sim->engine);
    queue->now = last_now(sim);
    return 0;
}

/* ---- the order ---- */

static void execute_oldest(struct access_queue *queue)
{
    const struct access_queue_line *line =
        &queue->waiting[queue->executed++ % ACCESS_QUEUE_WAITING];
    if (queue->compacts != NULL)
        access_queue_line(queue, line);
    else
        access_queue_packets(queue, line);
}

static uint32_t l1_set(const struct access_queue *queue, uint64_t address)
{
    const struct tags_spec *l1 = queue->l1_spec;
    return queue->l1_linear ? (uint32_t)(address >> COMPACT_LINE) & (l1->sets - 1)
                            : tags_set_of(l1, address);
}

/* Finds the sets of LINE, and prefetches what a lookup in them needs. */
static inline void find(const struct access_queue *queue, struct access_queue_line *line)
{
    uint32_t set,
        slice = address_table_of(&queue->sim->engine.spec.places, line->address, &set);
    line->name = compact_name(line->address);
    line->l2 = &queue->compacts->l2[slice];
    line->sets[1] = (uint16_t)compact_set(line->l2, set);
    compact_prefetch(line->l2, line->sets[1], line->name);
    line->l1 = NULL;
    if (line->access.past_l1)
        return;
    line->l1 = &queue->compacts->l1[line->access.sm];
    line->sets[0] = (uint16_t)compact_set(line->l1, l1_set(queue, line->address));
    compact_prefetch(line->l1, line->sets[0], line->name);
}

/* What the SMs access is translated from now on. */
static void translate(struct access_queue *queue, uint64_t address)
{
    uint64_t region = (address >> queue->walks->spec.shift) + 1;
    if (region == queue->known)
        return;
    queue->known = region;
    page_walks_know(queue->walks, address);
}

/* Appends an access of the line at ADDRESS; the caller sets its sectors. */
static inline struct access_queue_line *begin_line(struct access_queue *queue,
                                                   const struct access_queue_access *access,
                                                   uint64_t address)
{
    if (queue->appended - queue->executed == ACCESS_QUEUE_WAITING)
        execute_oldest(queue);
    if (queue->walks != NULL)
        translate(queue, address);
    struct access_queue_line *line = &queue->waiting[queue->appended++ % ACCESS_QUEUE_WAITING];
    line->address = queue->compacts != NULL ? address & COMPACT_ADDRESS : address;
    line->access = *access;
    line->sectors = line->whole = 0;
    if (queue->compacts != NULL)
        find(queue, line);
    return line;
}

/* Adds BYTES of sector S to LINE. */
static inline void add_sector(struct access_queue_line *line, uint32_t s, uint32_t bytes)
{
    line->sectors |= (uint8_t)(1u << s);
    line->whole |= (uint8_t)((bytes == UINT32_MAX) << s);
    line->bytes[s] = bytes;
}

void access_queue_add(struct access_queue *queue, const struct access_queue_access *access,
                      const struct access_list *list)
{
    for (uint32_t i = list->count; i > 0;) {
        uint64_t address = list->sectors[i - 1].address & ~(uint64_t)(queue->grain - 1);
        struct access_queue_line *line = begin_line(queue, access, address);
        for (; i > 0 && list->sectors[i - 1].address >= address; i--) {
            uint32_t s = (uint32_t)(list->sectors[i - 1].address - address) / SECTOR_BYTES;
            if (line->sectors >> s & 1)
                break; /* atomics: lanes that share bytes */
            add_sector(line, s, list->sectors[i - 1].bytes);
        }
    }
    if (access->kind == PACKET_ATOMIC)
        queue->counters.atomics += list->count;
}

void access_queue_add_window(struct access_queue *queue,
                             const struct access_queue_access *access,
                             const struct coalesce_window *window)
{
    for (uint64_t used = window->used; used != 0;) {
        uint32_t first = (63 - (uint32_t)__builtin_clzll(used)) & ~3u; /* of the last line */
        uint64_t address = window->base + first * SECTOR_BYTES;
        struct access_queue_line *line = begin_line(queue, access, address);
        line->sectors = used >> first & 15;
        used &= ~(15ull << first);
        for (uint32_t s = 0; s < 4 && access->kind == PACKET_WRITE; s++)
            if (line->sectors >> s & 1)
                add_sector(line, s, window->bytes[first + s]);
    }
}

/* A bit for each byte of a line. */
__extension__ typedef unsigned __int128 line_bytes;

/* Adds to LINE the sectors that have any of BYTES. */
static inline void set_bytes(struct access_queue_line *line, line_bytes bytes)
{
    uint32_t used = 0, whole = 0;
    for (uint32_t s = 0; s < TAGS_SECTORS; s++) {
        line->bytes[s] = (uint32_t)(bytes >> SECTOR_BYTES * s);
        used |= (uint32_t)(line->bytes[s] != 0) << s;
        whole |= (uint32_t)(line->bytes[s] == UINT32_MAX) << s;
    }
    line->sectors = (uint8_t)used;
    line->whole = (uint8_t)whole;
}

uint32_t access_queue_add_lanes(struct access_queue *queue,
                                const struct access_queue_access *access, const uint64_t *lanes,
                                uint32_t count, uint32_t width)
{
    uint32_t sectors = 0, ones = coalesce_bytes(0, width);
    for (uint32_t i = count; i > 0;) {
        uint64_t address = lanes[i - 1] & ~(uint64_t)(LINE_BYTES - 1);
        struct access_queue_line *line = begin_line(queue, access, address);
        line_bytes bytes = 0;
        uint32_t used = 0;
        if (access->kind == PACKET_WRITE) {
            for (; i > 0 && lanes[i - 1] >= address; i--)
                bytes |= (line_bytes)ones << (lanes[i - 1] - address);
            set_bytes(line, bytes);
        } else {
            for (; i > 0 && lanes[i - 1] >= address; i--)
                used |= 1u << (lanes[i - 1] - address) / SECTOR_BYTES;
            line->sectors = (uint8_t)used;
        }
        sectors += (uint32_t)__builtin_popcount(line->sectors);
    }
    return sectors;
}

/* Adds the sectors of bytes FROM to END - 1; those that are covered completely are whole. */
static inline void set_range(struct access_queue_line *line, uint32_t from, uint32_t end)
{
    if (from == 0 && end == LINE_BYTES) {
        line->sectors = line->whole = 15;
        return;
    }
    uint32_t first = from / SECTOR_BYTES, last = (end - 1) / SECTOR_BYTES;
    uint32_t head = from % SECTOR_BYTES, tail = (end - 1) % SECTOR_BYTES;
    uint32_t from_head = UINT32_MAX << head, to_tail = UINT32_MAX >> (SECTOR_BYTES - 1 - tail);
    line->sectors = line->whole = (uint8_t)((2u << last) - (1u << first));
    if (head == 0 && tail == SECTOR_BYTES - 1)
        return;
    line->bytes[first] = line->bytes[last] = UINT32_MAX;
    line->bytes[first] &= from_head;
    line->bytes[last] &= to_tail;
    line->whole &= (uint8_t) ~((head != 0) << first | (tail != SECTOR_BYTES - 1) << last);
}

void access_queue_add_range(struct access_queue *queue,
                            const struct access_queue_access *access, uint64_t from,
                            uint64_t end)
{
    uint32_t grain = queue->grain;
    uint64_t first = from & ~(uint64_t)(grain - 1);
    for (uint64_t at = (end - 1) & ~(uint64_t)(grain - 1);; at -= grain) {
        struct access_queue_line *line = begin_line(queue, access, at);
        uint32_t begin = at == first ? (uint32_t)(from - at) : 0;
        set_range(line, begin, end - at < grain ? (uint32_t)(end - at) : grain);
        if (at == first)
            return;
    }
}

void access_queue_execute(struct access_queue *queue)
{
    while (queue->executed != queue->appended)
        execute_oldest(queue);
}

void access_queue_finish(struct access_queue *queue)
{
    access_queue_execute(queue);
    access_queue_arrive(queue, UINT64_MAX);
    queue_finish(&queue->crossing);
    free(queue->channels);
    queue->channels = NULL;
}
