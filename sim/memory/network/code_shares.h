/* Requests for code of the SMs of a GPC, which share its cache of instructions (GCC): those for
 * the same sector travel to L2 as one, if they leave their SMs within `cycles` of the first.
 * Its answer goes to all of them. Later ones ask again: each SM has its own view of what the
 * GCC holds (sim/core/code/code_supply.h), so that nobody answers them before L2.
 *
 * `cycles` is at most half the delay before L2: an answer comes when all that share it are
 * known, whatever the windows are in which the parts of the model run. */
#ifndef HEARTH_SIM_MEMORY_NETWORK_CODE_SHARES_H
#define HEARTH_SIM_MEMORY_NETWORK_CODE_SHARES_H

#include <stdbool.h>
#include <stdint.h>

#include "sim/packet.h"

#define CODE_SHARES_BUCKETS 1024 /* a power of two */
#define CODE_SHARES_NONE    UINT32_MAX
/* `op` of a packet that another one takes with it. */
#define CODE_SHARES_JOINED 1u

struct code_shares_spec {
    const uint16_t *gpcs; /* of each SM; NULL: each SM asks by itself */
    uint32_t cycles;      /* that a request waits for others, in effect */
};

/* A sector on its way. */
struct code_share {
    uint64_t address;
    uint64_t asked;   /* cycle in which the first SM's request left it */
    uint32_t gpc;     /* or the SM, without GPCs */
    uint32_t sm;      /* that asked first */
    uint32_t members; /* the others: the first of a list; CODE_SHARES_NONE: none */
    uint32_t next;    /* of the same bucket, or of the free list */
};

/* An SM that shares one. */
struct code_share_member {
    uint32_t sm;
    uint32_t next;
};

/* A request that leaves its SM. */
struct code_shares_request {
    struct packet *packet;
    uint64_t ready;
    uint32_t order; /* of the calls */
};

/* An answer. */
struct code_shares_answer {
    struct packet packet;
    uint64_t cycle;
};

struct code_shares {
    struct code_shares_spec spec;
    uint32_t buckets[CODE_SHARES_BUCKETS];
    struct code_share *shares; /* owned */
    uint32_t share_count, share_room, free_share;
    struct code_share_member *members; /* owned */
    uint32_t member_count, member_room, free_member;
    struct code_shares_request *requests; /* owned; empty between calls of the engine */
    uint32_t request_count, request_room;
    struct code_shares_answer *answers; /* the same */
    uint32_t answer_count, answer_room;
};

void code_shares_init(struct code_shares *shares, const struct code_shares_spec *spec);
void code_shares_finish(struct code_shares *shares);

/* PACKET, of kind PACKET_CODE, leaves its SM in cycle READY. It stays where it is until
 * code_shares_join(). memory_short() if there is no memory, as in all functions below. */
void code_shares_offer(struct code_shares *shares, struct packet *packet, uint64_t ready);
/* Of the packets offered, those that go with earlier ones get CODE_SHARES_JOINED as their `op`,
 * the others 0. No packet that is offered later leaves its SM before these. */
void code_shares_join(struct code_shares *shares);

/* PACKET, the answer, comes out of the crossbar in CYCLE. */
void code_shares_answer(struct code_shares *shares, const struct packet *packet,
                        uint64_t cycle);

/* ANSWER is for SM, too. */
typedef void code_shares_deliver(void *data, const struct code_shares_answer *answer,
                                 uint32_t sm);
/* Hands the answers to all SMs that share them. */
void code_shares_take(struct code_shares *shares, code_shares_deliver *deliver, void *data);

#endif
