/* The pipeline through which accesses of an SM reach its L1: a queue for each bank. At its end
 * an access that L1 refuses waits until what it lacks may be there. */
#ifndef HEARTH_SIM_CORE_L1_PIPE_H
#define HEARTH_SIM_CORE_L1_PIPE_H

#include "sim/core/coalesce.h"
#include "sim/core/op.h"
#include "sim/core/sm.h"

#define L1_PIPE_BANKS 16 /* at most */

struct serializer;

/* All zero: empty. The fields are private. */
struct l1_pipe {
    struct queue queues[L1_PIPE_BANKS];          /* by bank */
    struct cache_refusal refused[L1_PIPE_BANKS]; /* of their heads */
    uint32_t banks;                              /* mask of banks whose queue is not empty */
    uint64_t waiting; /* heads that are refused every cycle: a byte each enum cache_kind */
    bool conflict;    /* a sector found no place in this cycle; it was of the launch in SLOT */
    uint8_t slot;
};

/* What has come of an access. */
struct l1_access {
    const struct packet *packet; /* until others enter the pipeline */
    struct cache_result result;  /* accepted */
};

void l1_pipe_finish(struct l1_pipe *pipe);
void l1_pipe_serialize(struct l1_pipe *pipe, struct serializer *image);

/* Moves sectors from LIST to the pipeline, in the order of the list: up to one a bank, until
 * the first that finds no place. They reach L1 in cycle READY. OP, INDEX and SLOT as for
 * requests_packet(). Returns how many it moved. */
uint32_t l1_pipe_enter(struct l1_pipe *pipe, struct sm *sm, struct access_list *list,
                       const struct sm_op *op, uint16_t index, uint8_t slot, uint64_t ready);

/* Begins a cycle: returns the mask of banks that hold accesses. l1_pipe_access() follows for
 * each of them. */
static inline uint32_t l1_pipe_begin(struct l1_pipe *pipe)
{
    pipe->waiting = 0;
    pipe->conflict = false;
    return pipe->banks;
}

/* The oldest access of BANK, at the end of its queue, which L1 need not refuse, accesses L1.
 * Returns whether L1 has accepted it: then *ACCESS is set. */
bool l1_pipe_try(struct l1_pipe *pipe, struct sm *sm, uint32_t bank, struct l1_access *access);

/* The same if it is at the end of its queue. */
static inline bool l1_pipe_access(struct l1_pipe *pipe, struct sm *sm, uint32_t bank,
                                  struct l1_access *access)
{
    struct cache_refusal *refused = &pipe->refused[bank];
    const struct queue_entry *head = queue_head(&pipe->queues[bank]);
    if (cache_still_refuses(&sm->l1, refused, &head->packet)) {
        pipe->waiting += 1ull << (8 * refused->kind);
        cache_wait(&sm->l1, refused->kind, 1); /* a fail is counted for each cycle */
        return false;
    }
    return head->ready <= sm->now && l1_pipe_try(pipe, sm, bank, access);
}

/* The earliest cycle from NOW on in which an access comes to the end of its queue; UINT64_MAX:
 * none does. */
static inline uint64_t l1_pipe_next(const struct l1_pipe *pipe, uint64_t now)
{
    uint64_t next = UINT64_MAX;
    for (uint32_t banks = pipe->banks; banks != 0; banks &= banks - 1) {
        uint64_t ready = queue_head(&pipe->queues[__builtin_ctz(banks)])->ready;
        if (ready >= now && ready < next)
            next = ready;
    }
    return next;
}

/* Counts CYCLES that are all as the last one was. */
void l1_pipe_skip(const struct l1_pipe *pipe, struct sm *sm, uint64_t cycles);

#endif
