/* One direction of the crossbar between SM clusters and L2 slices: a queue before each input
 * with head-of-line blocking, one packet (or a few) a cycle to each output, and a bounded queue
 * after each output. */
#ifndef HEARTH_SIM_MEMORY_XBAR_H
#define HEARTH_SIM_MEMORY_XBAR_H

#include <stdbool.h>
#include <stdint.h>

#include "sim/memory/queue.h"

#define XBAR_MAX_PORTS 256 /* inputs, outputs */
#define XBAR_WORDS     (XBAR_MAX_PORTS / 64)
#define XBAR_WHEEL     256 /* cycles ahead that heads are sorted by */

enum xbar_arbiter {
    XBAR_ROUND_ROBIN = 0, /* one pointer over the inputs, moves every cycle */
    XBAR_ISLIP = 1,       /* a pointer for each output, moves on a grant (McKeown, "The iSLIP
                           * Scheduling Algorithm for Input-Queued Switches", 1999) */
};

struct xbar_spec {
    uint32_t inputs, outputs;
    uint32_t output_sms; /* replies: SMs of a cluster, which share an output; 0: requests, which
                          * go to the output of their slice */
    uint32_t nodes;      /* ports of both sides together, over which the pointers run */
    uint32_t first_input;     /* number of input 0 among the nodes */
    uint32_t output_limit;    /* packets in the queue after an output */
    uint32_t output_rate;     /* packets a cycle to each output */
    uint32_t groups;          /* of outputs, ... */
    uint32_t group_rate;      /* which get so many packets a cycle together; 0: no such limit */
    const uint16_t *group_of; /* with group_rate: of each output; not owned */
    uint32_t senders;         /* groups of inputs, which ... */
    uint32_t sender_bytes;    /* send so many bytes of writes a cycle together; 0: no limit */
    const uint16_t *sender_of; /* with sender_bytes: of each input; not owned */
    bool riders;               /* packets may travel with others (packet_rides()) */
    enum xbar_arbiter arbiter;
    uint32_t grant_cycles; /* iSLIP: how long an output's pointer stays */
};

/* Whether PACKET, which is about to come out, takes OTHER with it, which waits for the same
 * output with the same address. Only reads are asked for. */
typedef bool xbar_join(void *data, struct packet *packet, const struct packet *other);

struct xbar {
    struct xbar_spec spec;
    struct queue *in;    /* of each input */
    uint32_t *out_count; /* packets in the queue after each output, which the user keeps */
    uint16_t *target;    /* output that an input's eligible head asks for */
    uint32_t *pointer;   /* where each output's search begins (a node) */
    uint32_t grant_count;
    uint64_t (*wants)[XBAR_WORDS]; /* of each output: inputs whose head asks for it */
    uint64_t wanted[XBAR_WORDS];   /* outputs that any head asks for */
    uint64_t riding[XBAR_WORDS];   /* inputs whose eligible head travels with another packet */
    uint64_t due;                  /* the first cycle that is not over */
    /* Inputs whose head is not yet eligible, by the cycle (modulo XBAR_WHEEL) in which it will
     * be, or will be looked at again; and which of these slots are not empty. */
    uint64_t wheel[XBAR_WHEEL][XBAR_WORDS], slots[XBAR_WHEEL / 64];
    uint32_t packets;                /* waiting at inputs */
    int32_t sending[XBAR_MAX_PORTS]; /* with sender_bytes: of each group, bytes that it may
                                      * send; it sends while that is more than 0 */
    uint64_t sent;                   /* cycle up to which these are right */
    uint64_t first;                  /* cycle from which turns that change every cycle count */
    xbar_join *join;                 /* set by the user: NULL: packets are never joined */
    uint64_t *asked;                 /* address of an input's eligible head */
};

/* Returns false when memory is short. SPEC's ports are at most XBAR_MAX_PORTS. */
bool xbar_init(struct xbar *xbar, const struct xbar_spec *spec);
void xbar_finish(struct xbar *xbar);
void xbar_reset(struct xbar *xbar);

/* Cycles before NOW are over; nothing was eligible in them. */
void xbar_begin(struct xbar *xbar, uint64_t now);

/* Queues PACKET at INPUT; it may be granted from cycle READY on. */
void xbar_push(struct xbar *xbar, uint32_t input, const struct packet *packet, uint64_t ready);

/* Queues all PACKETS at INPUT, and leaves that queue empty. */
void xbar_append(struct xbar *xbar, uint32_t input, struct queue *packets);

/* PACKET comes out of OUTPUT in cycle NOW; it is counted there until xbar_leave(). */
typedef void xbar_deliver(void *data, uint32_t output, const struct packet *packet,
                          uint64_t now);

/* One cycle. DATA is also that of `join`. */
void xbar_advance(struct xbar *xbar, uint64_t now, xbar_deliver *deliver, void *data);

/* A packet has left the queue after OUTPUT. */
static inline void xbar_leave(struct xbar *xbar, uint32_t output)
{
    xbar->out_count[output]--;
}

/* iSLIP: the search for OUTPUT's next input begins at node NODE. */
static inline void xbar_set_turn(struct xbar *xbar, uint32_t output, uint32_t node)
{
    xbar->pointer[output] = node;
}

/* Turns that change every cycle begin anew in cycle NOW. Nothing may wait. */
static inline void xbar_restart(struct xbar *xbar, uint64_t now)
{
    xbar->first = now;
}

/* The earliest cycle from NOW on at which a grant may happen; UINT64_MAX when
 * nothing waits. */
uint64_t xbar_next(const struct xbar *xbar, uint64_t now);

#endif
