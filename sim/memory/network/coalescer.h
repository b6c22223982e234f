/* The L2 request coalescer of a slice (-gpgpu_lrc_enabled): a read of a sector for which
 * another one is on its way in L2 does not go there, but waits for the answer to that one.
 *
 * A read comes here some time after it has arrived from the crossbar, so that partitions can
 * run ahead of that, and its delay before L2 goes on afterwards. It is on its way from then on
 * until its answer leaves the slice. Only so many share an answer; the next one goes to L2 by
 * itself, and others may wait for it.
 *
 * With `latest`, a read for other sectors of a line that goes to L2 ends this for earlier ones
 * of its GPC: those that wait for them are answered as usual, but no more can join.
 *
 * Source: L2RequestCoalescer of GPGPU-Sim (2026), whose SM90_H100 has it. That reads of
 * different GPCs do not share an answer is what an H100 shows: two SMs that read the same lines
 * ask L2 half as often if they are in one GPC, and not otherwise (pair_*, lrc_*: counters of
 * L2). */
#ifndef HEARTH_SIM_MEMORY_NETWORK_COALESCER_H
#define HEARTH_SIM_MEMORY_NETWORK_COALESCER_H

#include <stdbool.h>
#include <stdint.h>

#include "sim/memory/queue.h"
#include "traces/base/hash_index.h"

struct coalescer_spec {
    uint32_t entries;     /* 0: there is none */
    uint32_t merged;      /* requests of SMs that share an answer, at most */
    uint32_t delay;       /* from here to L2: core cycles */
    const uint16_t *gpcs; /* of each SM: only SMs of a GPC share an answer; NULL: all may */
    bool latest;          /* of a line, only the latest request can be shared */
    bool multicast;       /* an answer crosses once for all who wait for it, ... */
    bool replays;         /* but only one to a request for whole halves of a line */
};

struct coalescer_entry {
    struct packet packet; /* that went to L2, with the half that it asks in its address */
    uint32_t count;       /* requests of SMs so far */
    uint32_t first, last; /* waiters */
    uint32_t next;        /* in the list of free ones */
};

struct coalescer_waiter {
    struct packet packet;
    uint32_t next;
};

struct coalescer {
    struct coalescer_spec spec;
    struct coalescer_entry *entries;  /* owned; grows up to spec.entries */
    struct coalescer_waiter *waiters; /* owned; grows */
    uint32_t entry_count, waiter_count;
    uint32_t free_entry, free_waiter;
    struct hash_index index; /* entries by their line */
};

/* Whether ANSWER, which shares another one's, crosses with it. With `replays`, its request has
 * to ask for whole halves of its line, of two sectors each. */
static inline bool coalescer_rides(const struct coalescer_spec *spec,
                                   const struct packet *answer)
{
    uint32_t low = answer->together & 5u, high = answer->together >> 1 & 5u;
    return spec->multicast && (!spec->replays || (low == high && low != 0));
}

/* Returns false when memory is short. */
bool coalescer_init(struct coalescer *coalescer, const struct coalescer_spec *spec);
void coalescer_finish(struct coalescer *coalescer);
/* Nothing is on its way, or was. */
void coalescer_reset(struct coalescer *coalescer);

/* PACKET, a read of the half that FAR names, comes. Returns whether it waits for the answer to
 * another one; else it goes to L2 by itself. */
bool coalescer_take(struct coalescer *coalescer, const struct packet *packet, bool far);

/* ANSWER, to a read that went to L2, leaves the slice in cycle NOW: those to the reads that
 * wait for it follow in OUT. */
void coalescer_answer(struct coalescer *coalescer, const struct packet *answer, bool far,
                      struct queue *out, uint64_t now);

#endif
