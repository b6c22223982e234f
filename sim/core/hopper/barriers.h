/* Barriers in shared memory (mbarrier of PTX, SYNCS of the machine code) of a thread block. A
 * phase ends when as many arrivals have come as the barrier was made for, and as many bytes as
 * they announced; the next one begins at once. Source: PTX ISA, "Parallel Synchronization and
 * Communication Instructions: mbarrier"; how SYNCS.EXCH encodes the count is in code that
 * compilers make for mbarrier.init. */
#ifndef HEARTH_SIM_CORE_HOPPER_BARRIERS_H
#define HEARTH_SIM_CORE_HOPPER_BARRIERS_H

#include <stdbool.h>
#include <stdint.h>

#define BARRIERS_MAX   256 /* of a block: more are not known */
#define BARRIER_COPIES 8   /* of a phase whose places are kept */

struct barrier {
    uint32_t address; /* offset in shared memory */
    uint32_t count;   /* arrivals of a phase; 0: not known, then waits do not wait */
    uint32_t left;    /* of the current phase */
    uint32_t copies;  /* on their way to the current phase, whose bytes are not taken yet */
    uint64_t expected, come;         /* bytes of the current phase; */
    uint64_t taken;                  /* those that are coming */
    uint32_t places[BARRIER_COPIES]; /* where its last copies go in shared memory */
    uint32_t place_count;            /* copies of the phase so far */
    uint32_t phases; /* that have ended; its lowest bit is the parity of the current one */
};

struct barriers {
    struct barrier *all; /* owned */
    uint32_t count;
};

void barriers_finish(struct barriers *barriers);

/* The one at ADDRESS; it is added if there is none. NULL: there are too many, or memory is
 * short. */
struct barrier *barriers_at(struct barriers *barriers, uint32_t address);

/* It is made from what SYNCS.EXCH writes; with 0 it becomes unknown. Copies that have been
 * issued stay on their way. */
void barrier_init(struct barrier *barrier, uint64_t value);

/* Arrivals come, announce bytes, bytes come. Return whether a phase has ended with that. */
bool barrier_arrive(struct barrier *barrier, uint32_t arrivals, uint64_t announced);
bool barrier_bytes(struct barrier *barrier, uint64_t bytes);

/* A copy to PLACE is on its way; its first bytes come. Returns how many it brings, as the phase
 * expects and the places say: from its place to the next one of the phase, or STRIDE, from its
 * place to that of the same tensor in the next phase; if neither is less than what is expected,
 * as much as the others. The last copy brings what is left. */
void barrier_copy(struct barrier *barrier, uint32_t place);
uint64_t barrier_first_bytes(struct barrier *barrier, uint32_t place, uint32_t stride);

/* Whether who waits for the end of the phase of PARITY goes on. */
static inline bool barrier_passes(const struct barrier *barrier, uint32_t parity)
{
    return barrier->count == 0 || (barrier->phases & 1) != (parity & 1);
}

#endif
