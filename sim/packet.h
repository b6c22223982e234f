/* What travels between an SM, L2 and DRAM: one 32-byte sector's request or
 * its reply. Every packet takes one crossbar slot, whatever its size. */
#ifndef HEARTH_SIM_PACKET_H
#define HEARTH_SIM_PACKET_H

#include <stdint.h>

#define SECTOR_BYTES     32u
#define PACKET_WAIT_MASK 0xfffu /* of `waited` */

/* In L2, this bit of an address names the copy of a line (sim/memory/halves.h). GPUs have 57
 * bits of addresses at most. */
#define PACKET_COPIED (1ull << 57)

enum packet_kind {
    PACKET_READ,       /* fills L1 */
    PACKET_READ_L2,    /* bypasses L1 */
    PACKET_CODE,       /* a sector of instructions; `op` is the request of the SM's GPC
                        * (sim/memory/network/code_shares.h) */
    PACKET_ATOMIC,     /* served at L2; travels like a read */
    PACKET_COPY,       /* one half of L2 asks the other for a block; travels like a read */
    PACKET_WRITE,      /* the reply is an acknowledgement */
    PACKET_WRITE_BACK, /* dirty data of an evicted line, to the next level; no reply */
};

/* `op` of a write or an atomic for which nobody waits. */
#define PACKET_POSTED 0xffffu
/* `op` of a sector that a copy of another block brings to this SM, too
 * (sim/core/hopper/cluster.h). */
#define PACKET_SHARED 0xfffeu

/* In `merged` of a read's answer: it travels with the one in front of it, which takes the ports
 * for both (sim/memory/network/coalescer.h). */
#define PACKET_RIDES 0x80u

struct packet {
    uint64_t address; /* of the sector; for write-backs of L2, and in L1's queue, of the line */
    union {
        uint32_t
            bytes; /* writes: mask of the bytes written; write-backs: number of dirty bytes */
        uint32_t mshr; /* fetches: the MSHR, of the cache that sent it, that waits for them */
    };
    uint16_t op;    /* the SM's instruction in flight that waits for it, or PACKET_POSTED; of a
                     * merged read its group (sim/memory/network/merges.h); of a write-back of L2
                     * see packet_partial() */
    uint16_t sm;    /* who sent it */
    uint16_t slice; /* L2 slice that it goes to */
    union {
        uint8_t lanes;  /* atomics: lanes that take part */
        uint8_t warp;   /* writes: hardware warp to acknowledge */
        uint8_t dirty;  /* write-backs: sectors of the line, as a mask */
        uint8_t merged; /* reads beyond the crossbar: other requests that it stands for; of an
                         * answer that another one takes with it, PACKET_RIDES */
    };
    uint8_t launch;       /* slot of the launch that caused it, for counting */
    uint8_t together : 4; /* reads: sectors of its line of 128 bytes that its warp asked for at
                           * once, as a mask; 0: not noted */
    uint8_t ahead : 2;    /* reads: logarithm of the sectors, aligned, that L2 fetches if it
                           * misses (-hearth_load_prefetch); 0: those of any read */
    uint8_t masked : 1;   /* writes: it also says which bytes of its line its warp writes, not
                           * all of all its sectors */
    uint16_t kind : 3;    /* enum packet_kind */
    uint16_t local : 1;   /* local memory, not global */
    uint16_t waited : 12; /* of a read's reply: core cycles that L2 waited for DRAM; while it
                           * waits there: the cycle since when; both modulo 4096 */
};

static inline int packet_is_write(const struct packet *packet)
{
    return packet->kind >= PACKET_WRITE;
}

/* Whether reads of several SMs may go on as this one. */
static inline int packet_may_merge(const struct packet *packet)
{
    return packet->kind <= PACKET_READ_L2;
}

/* Whether it comes out with the packet in front of it. */
static inline int packet_rides(const struct packet *packet)
{
    return packet_may_merge(packet) && (packet->merged & PACKET_RIDES) != 0;
}

/* Whether it brings what another SM has asked for. */
static inline int packet_is_shared(const struct packet *packet)
{
    return packet->op == PACKET_SHARED && packet->kind == PACKET_READ_L2;
}

/* Whether the SM only counts that it is on its way. */
static inline int packet_is_posted(const struct packet *packet)
{
    return packet->op == PACKET_POSTED &&
           (packet->kind == PACKET_ATOMIC || packet->kind == PACKET_WRITE);
}

/* Of a write-back of L2: its sectors that DRAM has to read before, as L2 holds a part of them.
 * Write-backs of L1 have none. */
static inline uint32_t packet_partial(const struct packet *packet)
{
    return packet->kind == PACKET_WRITE_BACK ? packet->op : 0;
}

#endif
