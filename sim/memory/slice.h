/* An L2 slice: the cache with the queues around it.
 *
 *   crossbar -> rop (fixed delay) -> in -> cache -> misses -> to_dram -> DRAM
 *   crossbar <- out <- cache <- from_dram <- DRAM
 *
 * and, if L2 has two halves, cache -> misses -> crossing -> cache -> back. Atomics wait for
 * their unit after rop, those of the other half after crossing, and their answers may wait
 * before out.
 */
#ifndef HEARTH_SIM_MEMORY_SLICE_H
#define HEARTH_SIM_MEMORY_SLICE_H

#include <stdbool.h>
#include <stdint.h>

#include "sim/memory/address_table.h"
#include "sim/memory/atomic_unit.h"
#include "sim/memory/cache.h"
#include "sim/memory/halves.h"
#include "sim/memory/network/coalescer.h"
#include "sim/memory/queue.h"

struct slice_spec {
    const struct address_table_map *places;
    uint32_t in_max, to_dram_max, from_dram_max, out_max; /* -gpgpu_dram_partition_queues */
    bool disabled;                                        /* no L2: everything goes to DRAM */
    const struct halves *halves;
    uint32_t far_latency; /* from one half to the other: core cycles, there and back */
    struct atomic_unit_spec atomics;
    struct coalescer_spec coalescer;
};

struct slice {
    struct slice_spec spec;
    struct cache cache;
    struct queue rop; /* ready: the cycle in which the delay is over, or its part before... */
    struct queue lrc; /* ...the coalescer, if there is one: then this is the rest of it */
    struct queue in, to_dram, from_dram, out;
    struct queue crossing; /* to the home, in the other half; ready: the cycle of arrival */
    struct queue back;     /* from there: copies, and answers of what no copy serves */
    struct atomic_unit atomics;
    struct coalescer coalescer;
    uint32_t copies; /* asked for and not yet there */
    uint32_t number; /* among all slices */
    uint64_t tick;   /* the last tick that was simulated */
    /* Nothing moved, and nothing will before `wake` unless a packet comes from the crossbar or
     * from DRAM, or one leaves to either: whatever does that clears it. */
    bool stuck;
    bool waiting;         /* stuck, and the cache refuses the head of `in` in each tick */
    bool crossed_waiting; /* the same of the head of `crossing` */
    uint8_t crossed_kind; /* then: of that access, enum cache_kind */
    bool atomic_waiting;  /* the same of the atomic unit's next one */
    uint64_t wake;        /* core cycle */
    struct cache_refusal refused; /* of the head of `in` */
};

/* The parts of far_latency: half on the way to the home, the rest on the way back. */
static inline uint32_t slice_far_there(const struct slice_spec *spec)
{
    return spec->far_latency / 2;
}

static inline uint32_t slice_far_back(const struct slice_spec *spec)
{
    return spec->far_latency - slice_far_there(spec);
}

/* Returns false when memory is short. */
bool slice_init(struct slice *slice, const struct slice_spec *spec, uint32_t number,
                const struct sim_cache_config *config);
void slice_finish(struct slice *slice);
void slice_reset(struct slice *slice);

/* False when nothing can happen in the L2 cycle within core cycle NOW. */
static inline bool slice_awake(const struct slice *slice, uint64_t now)
{
    return !slice->stuck || now >= slice->wake;
}

/* Passes an L2 cycle in which it is not awake. */
static inline void slice_wait(struct slice *slice)
{
    if (slice->waiting)
        cache_wait(&slice->cache, slice->refused.kind, 1);
    if (slice->crossed_waiting)
        cache_wait(&slice->cache, slice->crossed_kind, 1);
    if (slice->atomic_waiting)
        cache_wait(&slice->cache, CACHE_ATOMIC, 1);
}

enum slice_change {
    SLICE_NOTHING,    /* nothing moved */
    SLICE_MOVED,      /* something moved, or may in the next cycle */
    SLICE_MOVED_DRAM, /* the same, and there is another request for DRAM or more room for its
                       * replies */
};

/* Simulates L2 tick TICK, in core cycle NOW. */
enum slice_change slice_cycle(struct slice *slice, uint64_t now, uint64_t tick);

/* The set of ADDRESS, which is that of a copy, too. */
static inline uint32_t slice_set(const struct slice *slice, uint64_t address)
{
    uint32_t set;
    if (slice->spec.halves->slices != 0)
        address &= ~PACKET_COPIED;
    (void)address_table_of(slice->spec.places, address, &set);
    return set;
}

/* ---- from the crossbar ---- */

/* PACKET arrives; its delay before L2 is over in cycle READY. */
static inline void slice_push(struct slice *slice, const struct packet *packet, uint64_t ready)
{
    queue_push(&slice->rop, packet, ready);
    slice->stuck = false;
}

/* The same for all PACKETS, each with its cycle; leaves that queue empty. */
static inline void slice_append(struct slice *slice, struct queue *packets)
{
    queue_append(&slice->rop, packets);
    slice->stuck = false;
}

/* The cycle in which the delay of the next packet, from an SM, from the other half or of an
 * atomic's answer, is over; UINT64_MAX: there is none. */
static inline uint64_t slice_next_arrival(const struct slice *slice)
{
    const struct queue *const delays[] = {&slice->rop, &slice->lrc, &slice->crossing,
                                          &slice->back, &slice->atomics.answers};
    uint64_t next = UINT64_MAX;
    for (uint32_t i = 0; i < sizeof delays / sizeof *delays; i++)
        if (queue_next(delays[i]) < next)
            next = queue_next(delays[i]);
    return next;
}

/* ---- to and from DRAM ---- */

/* The oldest request to DRAM; NULL: there is none. */
static inline const struct packet *slice_request(const struct slice *slice)
{
    return slice->to_dram.count != 0 ? &queue_head(&slice->to_dram)->packet : NULL;
}

/* Takes it off. */
static inline void slice_pop_request(struct slice *slice)
{
    queue_pop(&slice->to_dram);
    slice->stuck = false;
}

/* The bytes that DRAM transfers for PACKET. */
static inline uint32_t slice_request_bytes(const struct slice *slice,
                                           const struct packet *packet)
{
    if (packet->kind == PACKET_WRITE_BACK)
        return packet->bytes;
    if (slice->spec.disabled)
        return SECTOR_BYTES;
    return packet_is_write(packet) ? slice->cache.tags.spec.sector_bytes
                                   : slice->cache.mshr.pool[packet->mshr].bytes;
}

/* Whether it has room for a reply of DRAM. */
static inline bool slice_has_room(const struct slice *slice)
{
    return slice->spec.from_dram_max == 0 || slice->from_dram.count < slice->spec.from_dram_max;
}

/* Prefetches what slice_fill() with PACKET will need. */
static inline void slice_expect_fill(const struct slice *slice, const struct packet *packet)
{
    if (!packet_is_write(packet) && !slice->spec.disabled)
        cache_expect_fill(&slice->cache, packet);
}

/* DRAM has answered PACKET in cycle NOW; only with slice_has_room(). */
static inline void slice_fill(struct slice *slice, const struct packet *packet, uint64_t now)
{
    queue_push(&slice->from_dram, packet, now);
    if (!packet_is_write(packet) && !slice->spec.disabled)
        cache_expect_line(&slice->cache, packet);
    slice->stuck = false;
}

/* ---- to the crossbar ---- */

/* The oldest reply; NULL: there is none. */
static inline const struct packet *slice_reply(const struct slice *slice)
{
    return slice->out.count != 0 ? &queue_head(&slice->out)->packet : NULL;
}

/* Takes it off. */
static inline void slice_pop_reply(struct slice *slice)
{
    queue_pop(&slice->out);
    slice->stuck = false;
}

/* ---- as a whole ---- */

/* True while packets are in it, apart from those in the delay. */
static inline bool slice_busy(const struct slice *slice)
{
    return slice->in.count || slice->to_dram.count || slice->from_dram.count ||
           slice->out.count || slice->cache.misses.count || slice->atomics.in.count ||
           mshr_has_ready(&slice->cache.mshr);
}

/* True if the crossbar may deliver a packet. Room for all sectors of a line is kept free, as in
 * the reference. */
static inline bool slice_accepts(const struct slice *slice)
{
    return (slice->spec.in_max == 0 ||
            slice->in.count + TAGS_SECTORS - 1 < slice->spec.in_max) &&
           (slice->atomics.waiting == 0 ||
            slice->atomics.waiting + TAGS_SECTORS - 1 < slice->spec.atomics.queue);
}

/* Empties the tags of slice number NUMBER, which is idle. With DROP dirty data are lost, else
 * they are sent to DRAM. Returns the number of sectors sent. */
uint64_t slice_flush(struct slice *slice, uint32_t number, bool drop);

/* Drops all lines with dirty sectors of a slice, which is idle; their data are lost. */
void slice_drop_dirty(struct slice *slice);
/* The lines of SET that wait for a copy. */
uint32_t slice_awaited_copies(const struct tags *tags, uint32_t set);
/* The copy of the line of ADDRESS that the other half holds, but for sectors on their way, is
 * gone (sim/memory/halves.h). One that the home has served, and that is on its way back, stays:
 * a simplification. */
void slice_drop_copy(struct slice *slice, uint64_t address);

/* Dirty lines have been written back while the GPU was idle, whichever: no more are left than
 * -hearth_l2_dirty_kept says. */
void slice_clean(struct slice *slice);

/* Whether the sector at ADDRESS is there. */
bool slice_holds(const struct slice *slice, uint64_t address);
/* Puts a sector that the host copies to the device into the tags; takes no time. Returns the
 * number of dirty sectors evicted. */
uint32_t slice_copy(struct slice *slice, uint64_t address);

#endif
