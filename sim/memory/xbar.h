/* One direction of the crossbar between SM clusters and L2 slices: a queue in
 * front of each input with head-of-line blocking, one packet a cycle into
 * each output, a bounded queue behind each output. */
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
    uint32_t nodes;        /* over which the pointers run: both sides' ports together */
    uint32_t first_input;  /* number of input 0 among the nodes */
    uint32_t output_limit; /* packets behind an output */
    enum xbar_arbiter arbiter;
    uint32_t grant_cycles; /* iSLIP: how long an output's pointer stays */
};

struct xbar {
    struct xbar_spec spec;
    struct queue *in;    /* of each input */
    uint32_t *out_count; /* packets behind each output; its user keeps the queue */
    uint16_t *target;    /* output that an input's eligible head asks for */
    uint32_t *pointer;   /* where each output's search begins (a node) */
    uint32_t next;       /* round robin: where the search begins */
    uint32_t grant_count;
    uint64_t (*wants)[XBAR_WORDS]; /* of each output: inputs whose head asks for it */
    uint64_t wanted[XBAR_WORDS];   /* outputs that any head asks for */
    uint64_t due;                  /* cycles before it are over */
    /* Inputs whose head is not yet eligible: by the cycle in which it is, or is to be looked at
     * again, modulo XBAR_WHEEL; and which of these are not empty. */
    uint64_t wheel[XBAR_WHEEL][XBAR_WORDS], slots[XBAR_WHEEL / 64];
    uint32_t packets; /* waiting in front of inputs */
};

/* Returns false when memory is short. SPEC's ports are at most XBAR_MAX_PORTS. */
bool xbar_init(struct xbar *xbar, const struct xbar_spec *spec);
void xbar_finish(struct xbar *xbar);
void xbar_reset(struct xbar *xbar);

/* Cycles before NOW are over, and nothing was eligible in them. */
void xbar_begin(struct xbar *xbar, uint64_t now);

/* Queues PACKET at INPUT; it may be granted from cycle READY on. */
void xbar_push(struct xbar *xbar, uint32_t input, const struct packet *packet, uint64_t ready);

/* Queues all PACKETS at INPUT, and leaves that queue empty. */
void xbar_append(struct xbar *xbar, uint32_t input, struct queue *packets);

/* One cycle. OUTPUT_OF tells where a packet goes; each granted packet is
 * handed to DELIVER, and out_count of its output goes up. */
void xbar_advance(struct xbar *xbar, uint64_t now,
                  uint32_t (*output_of)(void *data, const struct packet *packet),
                  void (*deliver)(void *data, uint32_t output, const struct packet *packet,
                                  uint64_t now),
                  void *data);

/* The earliest cycle from NOW on at which a grant may happen; UINT64_MAX when
 * nothing waits. */
uint64_t xbar_next(const struct xbar *xbar, uint64_t now);

#endif
