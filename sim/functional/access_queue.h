/* The accesses of all SMs on their way through the tags of L1 and L2, without time: see
 * sim_functional(). They are executed in the order in which they come, but some steps later, so
 * that what they look up is near by then. */
#ifndef HEARTH_SIM_FUNCTIONAL_ACCESS_QUEUE_H
#define HEARTH_SIM_FUNCTIONAL_ACCESS_QUEUE_H

#include "sim/core/coalesce.h"
#include "sim/engine.h"
#include "sim/functional/compact.h"
#include "sim/handle.h"

#define ACCESS_QUEUE_WAITING 32         /* accesses; a power of two */
#define ACCESS_QUEUE_PAST_L1 UINT32_MAX /* instead of an SM */

/* Whose access it is, and of which kind. */
struct access_queue_access {
    uint32_t sm;  /* its number; ACCESS_QUEUE_PAST_L1: L1 is not asked */
    uint8_t kind; /* enum packet_kind */
    bool local;   /* local memory */
};

/* The sectors of a 128-byte line that an instruction accesses; or one of them, where a line is
 * in several sets. */
struct access_queue_line {
    uint64_t address;         /* of the line, or the sector */
    struct compact_name name; /* this and what follows up to `sets` where caches are compact */
    struct compact *l1, *l2;  /* l1: NULL past L1 */
    uint16_t sets[2];         /* in them */
    uint8_t sectors;          /* as a mask */
    uint8_t whole;            /* of these: accessed with all their bytes */
    struct access_queue_access access;
    uint32_t bytes[4]; /* of sectors that are not whole, as in struct packet; set, as `whole`
                        * is, where they are written */
};

struct access_queue {
    struct sim *sim;
    struct compact_caches *compacts; /* of SIM; NULL: the tags are used themselves */
    const struct tags_spec *l1_spec;
    bool l1_linear; /* sets of L1 follow each other as lines do */
    uint32_t grain; /* bytes that are in one set of L1, and of L2: 128, or a sector */
    uint64_t now;   /* orders accesses of tags, of followers too */
    struct access_queue_line waiting[ACCESS_QUEUE_WAITING];
    uint64_t come, gone; /* accesses so far: in, out */
    uint64_t past_l1;    /* sectors that went to L2, whatever came of them there */
    struct cache_stats l1, l2;
    struct sim_counters counters; /* of DRAM and atomics */
};

/* L1 of each SM has L1_WAYS from now on. Returns 0, or -1 with ERR when memory is short. */
int access_queue_init(struct access_queue *queue, struct sim *sim, uint32_t l1_ways,
                      struct error *err);

/* Takes the accesses of an instruction, the last one of LIST first. */
void access_queue_add(struct access_queue *queue, const struct access_queue_access *access,
                      const struct access_list *list);

/* The same for the bytes from FROM up to END, read or written by lanes side by side. */
void access_queue_add_range(struct access_queue *queue,
                            const struct access_queue_access *access, uint64_t from,
                            uint64_t end);

/* The same for a window (with its bytes, if it is written); only with queue->compacts. */
void access_queue_add_window(struct access_queue *queue,
                             const struct access_queue_access *access,
                             const struct coalesce_window *window);

/* The same for lanes of WIDTH bytes as coalesce_order() gives them; only with
 * queue->compacts. Returns the number of sectors. */
uint32_t access_queue_add_lanes(struct access_queue *queue,
                                const struct access_queue_access *access, const uint64_t *lanes,
                                uint32_t count, uint32_t width);

/* Executes those that wait. */
void access_queue_finish(struct access_queue *queue);

/* Of queue.c: executes LINE. Where caches are compact, a line at a time; else sector by
 * sector, for caches of any kind. */
void access_queue_line(struct access_queue *queue, const struct access_queue_line *line);
void access_queue_packets(struct access_queue *queue, const struct access_queue_line *line);

#endif
