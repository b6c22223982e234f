/* The queue of accesses that the SMs of a functional launch make to the tags of L1 and L2 (see
 * sim_functional()). Accesses are executed in their order, but some steps later, so that what
 * they look up has been prefetched by then. */
#ifndef HEARTH_SIM_FUNCTIONAL_ACCESS_QUEUE_H
#define HEARTH_SIM_FUNCTIONAL_ACCESS_QUEUE_H

#include "sim/core/coalesce.h"
#include "sim/engine.h"
#include "sim/functional/compact.h"
#include "sim/simulator.h"

#define ACCESS_QUEUE_WAITING 32 /* accesses; a power of two */

/* What accesses since the last turn ask of a channel of DRAM. */
struct access_queue_channel {
    uint32_t sectors; /* that it moves */
    bool asked;       /* one of its slices was accessed */
    uint16_t list;    /* element I of this array: the Ith channel that was asked */
};

/* Who makes an access, and its kind. */
struct access_queue_access {
    uint32_t sm;   /* its number */
    bool past_l1;  /* the access bypasses L1 */
    uint8_t kind;  /* enum packet_kind */
    bool local;    /* local memory */
    uint8_t ahead; /* as in struct packet */
};

/* The sectors of a 128-byte line that an instruction accesses; or one of them if the line is in
 * several sets. */
struct access_queue_line {
    uint64_t address;         /* of the line or the sector */
    struct compact_name name; /* this, and the members up to `sets`, only with compact caches */
    struct compact *l1, *l2;  /* l1: NULL past L1 */
    uint16_t sets[2];         /* in them */
    uint8_t sectors;          /* as a mask */
    uint8_t whole;            /* those of them that are accessed completely */
    struct access_queue_access access;
    uint32_t bytes[4]; /* bytes written of sectors that are not whole, as in struct packet; this
                        * and `whole` are only set for writes */
};

struct access_queue {
    struct sim *sim;
    struct compact_caches *compacts; /* of SIM; NULL: the tags themselves are used */
    const struct tags_spec *l1_spec;
    bool l1_linear;           /* L1 has linear set indexing */
    struct page_walks *walks; /* of SIM; NULL: every address is translated */
    uint64_t known;           /* the region of the last access, plus one; 0: none */
    uint32_t grain;           /* bytes that always share a set in L1 and L2: 128, or a sector */
    uint64_t now;             /* orders uses of tags */
    uint64_t cycle;           /* in which accesses are sent, on the clock of their order */
    struct access_queue_line waiting[ACCESS_QUEUE_WAITING];
    uint64_t appended, executed; /* accesses appended and executed so far */
    uint64_t past_l1;            /* sectors that went to L2, whether they hit or not */
    uint64_t slow;               /* sectors whose readers wait for DRAM */
    bool spread;                 /* answers of L2 take longer to some SMs than to others */
    uint32_t distance;           /* the most by which an answer since the last turn does */
    struct queue crossing;       /* on their way to the other half of L2 */
    struct cache_stats l1, l2;
    struct sim_counters counters;          /* of DRAM and atomics */
    uint32_t channel_slices;               /* slices of L2 that share a channel */
    uint32_t asked;                        /* channels, listed in `channels` */
    struct access_queue_channel *channels; /* of DRAM; owned */
};

/* Each L1 has L1_WAYS ways from now on. Returns 0, or -1 with ERR when memory is short. */
int access_queue_init(struct access_queue *queue, struct sim *sim, uint32_t l1_ways,
                      struct error *err);

/* Appends the accesses of an instruction, the last one of LIST first. */
void access_queue_add(struct access_queue *queue, const struct access_queue_access *access,
                      const struct access_list *list);

/* The same for bytes FROM to END - 1, which adjacent lanes access. */
void access_queue_add_range(struct access_queue *queue,
                            const struct access_queue_access *access, uint64_t from,
                            uint64_t end);

/* The same for a window, with its bytes if it is written; only with queue->compacts. */
void access_queue_add_window(struct access_queue *queue,
                             const struct access_queue_access *access,
                             const struct coalesce_window *window);

/* The same for lanes of WIDTH bytes as coalesce_order() gives them; only with
 * queue->compacts. Returns the number of sectors. */
uint32_t access_queue_add_lanes(struct access_queue *queue,
                                const struct access_queue_access *access, const uint64_t *lanes,
                                uint32_t count, uint32_t width);

/* SLICE of L2 was accessed, because of which its channel moves SECTORS. */
static inline void access_queue_ask(struct access_queue *queue, uint32_t slice,
                                    uint64_t sectors)
{
    uint32_t number = slice / queue->channel_slices;
    struct access_queue_channel *channel = &queue->channels[number];
    channel->sectors += (uint32_t)sectors;
    if (channel->asked)
        return;
    channel->asked = true;
    queue->channels[queue->asked++].list = (uint16_t)number;
}

/* SM reads from SLICE of L2. */
static inline void access_queue_read(struct access_queue *queue, uint32_t sm, uint32_t slice)
{
    uint32_t distance = queue->spread ? spec_distance(&queue->sim->engine.spec, sm, slice) : 0;
    if (distance > queue->distance)
        queue->distance = distance;
}

/* Takes a channel that was asked, while queue->asked is not 0: its number, and in *SECTORS what
 * it moves. */
static inline uint32_t access_queue_take_asked(struct access_queue *queue, uint32_t *sectors)
{
    uint32_t number = queue->channels[--queue->asked].list;
    struct access_queue_channel *channel = &queue->channels[number];
    *sectors = channel->sectors;
    channel->sectors = 0;
    channel->asked = false;
    return number;
}

/* Executes all accesses that wait. */
void access_queue_execute(struct access_queue *queue);

/* What is on its way between the halves of L2 and takes until CYCLE arrives. */
void access_queue_arrive(struct access_queue *queue, uint64_t cycle);

/* Executes everything, and frees the queue. */
void access_queue_finish(struct access_queue *queue);

/* Execute LINE: a line at a time in compact caches (apply_compact.c), or sector by sector in
 * the tags of any cache (apply_tags.c). */
void access_queue_line(struct access_queue *queue, const struct access_queue_line *line);
void access_queue_packets(struct access_queue *queue, const struct access_queue_line *line);

#endif
