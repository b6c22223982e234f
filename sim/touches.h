/* The accesses of all SMs on their way through the tags of L1 and L2, without time: see
 * sim_functional(). They are executed in the order in which they come, but some steps later, so
 * that what they look up is near by then. */
#ifndef HEARTH_SIM_TOUCHES_H
#define HEARTH_SIM_TOUCHES_H

#include "sim/core/coalesce.h"
#include "sim/engine.h"
#include "sim/handle.h"
#include "sim/memory/touch.h"

#define TOUCHES_WAITING 32 /* accesses; a power of two */

/* The sectors of a 128-byte line that an instruction accesses; or one of them, where a line is
 * in several sets. */
struct touches_line {
    uint64_t address;  /* of the line, or the sector */
    struct cache *l1;  /* NULL: past L1 */
    struct cache *l2;  /* of its slice; NULL: there is none */
    uint32_t sets[2];  /* in them */
    uint32_t near[2];  /* lines in them that were brought near, or TAGS_NONE */
    uint32_t bytes[4]; /* of each sector, as in struct packet */
    uint8_t sectors;   /* as a mask */
    uint8_t kind;      /* enum packet_kind */
    bool local;        /* local memory */
};

struct touches {
    struct sim *sim;
    struct engine *engine;
    uint32_t grain; /* bytes that are in one set of L1, and of L2: 128, or a sector */
    bool has_l2;
    bool reads;                /* of a line's sectors are one access */
    bool l1_writes, l2_writes; /* the same, of L1 and L2 */
    uint64_t now;              /* orders accesses, of followers too */
    struct touches_line waiting[TOUCHES_WAITING];
    uint64_t come, gone; /* accesses so far: in, out */
    uint64_t past_l1;    /* sectors that went to L2, whatever came of them there */
    struct cache_stats l1, l2;
    struct sim_counters counters; /* of DRAM and atomics */
};

void touches_init(struct touches *touches, struct sim *sim);

/* Takes the accesses of an instruction of SM, the last one of LIST first. KIND is that of its
 * packets, LOCAL whether they are of local memory; BYPASS: they go past L1. */
void touches_add(struct touches *touches, struct sm *sm, const struct access_list *list,
                 enum packet_kind kind, bool local, bool bypass);

/* The same for the bytes from FROM up to END, read or written by lanes side by side. */
void touches_add_range(struct touches *touches, struct sm *sm, uint64_t from, uint64_t end,
                       enum packet_kind kind, bool local, bool bypass);

/* Executes those that wait. */
void touches_finish(struct touches *touches);

#endif
