/* Page walks: the first access to a region of memory waits until the GPU's MMU has read its
 * page-table entries (-hearth_page_walk, -hearth_page_reach).
 *
 * The last level of TLBs is shared by all SMs and never full: a region is walked for once in a
 * simulation, by the first request to leave an SM for it, and stays translated. Requests of
 * other SMs to that region wait for the same walk; the requests of a cluster's SMs leave in the
 * order in which they were sent, so those after one that waits do, too. Walks for different
 * regions run side by side, as many as -hearth_page_walkers; more begin in the order of their
 * first requests. Copies to the GPU use another MMU and translate nothing here. States have the
 * regions (sim/state/l2_file.c), and functional launches add those that they access.
 *
 * Left out: TLBs of SMs and GPCs, whose misses hit in that last level; its capacity, which has
 * not been measured on the cards that use this (512 MB did not exceed it); page faults.
 *
 * Source: on an H100, the first launch that touches 32 MB takes about 800 cycles longer than
 * the rest of its time explains, and chases over 256 MB pay for eight walks, not for 128 pages
 * of 2 MB (docs/studies/silicon.md: warm_1M, warm_8M, warm_z16M, dram_chase_1024,
 * dram_chase_2048). Jia et al., "Dissecting the NVIDIA Volta GPU Architecture via
 * Microbenchmarking" (2018), found TLB entries of 32 MB, too. That walks wait for each other:
 * 16,384 lines of which each is in another page, in 64 to 512 regions that are new, take 137 to
 * 233 cycles a region (sets_262144_b64_0 to sets_2097152_b64_0). */
#ifndef HEARTH_SIM_MEMORY_PAGE_WALKS_H
#define HEARTH_SIM_MEMORY_PAGE_WALKS_H

#include <stdbool.h>
#include <stdint.h>

#include "sim/memory/queue.h"

struct page_walks_spec {
    uint32_t latency; /* core cycles; 0: every address is translated */
    uint32_t shift;   /* log2 of the bytes of a region */
    uint32_t walkers; /* walks at a time; 0: no limit */
};

struct page_walks_region {
    uint64_t number; /* address over the bytes of a region, plus one; 0: an empty entry */
    uint64_t ready;  /* cycle in which it is translated */
};

struct page_walks {
    struct page_walks_spec spec;
    struct page_walks_region *regions; /* hashed, open addressing */
    uint32_t size, count;              /* size: a power of two, more than `count` */
    struct page_walks_region last;     /* that was asked for */
    uint64_t *ends;                    /* of the last `walkers` walks, a ring */
    uint32_t oldest;                   /* of them */
    struct queue_entry **first;        /* requests for regions not yet asked for; owned */
    uint32_t first_count, first_room;
};

/* Returns false when memory is short. */
bool page_walks_init(struct page_walks *walks, const struct page_walks_spec *spec);
void page_walks_finish(struct page_walks *walks);

/* The region of ADDRESS counts as translated. */
void page_walks_know(struct page_walks *walks, uint64_t address);
/* No region does. No request waits. */
void page_walks_forget(struct page_walks *walks);

/* The first addresses of all regions, ascending, in ADDRESSES, which has room for walks->count.
 */
void page_walks_list(const struct page_walks *walks, uint64_t *addresses);

/* The cycle from which a request for ADDRESS, which its SM sends in cycle NOW, may go on: NOW
 * or later. Ends the process with memory_short() without memory for one more region. */
uint64_t page_walks_ready(struct page_walks *walks, uint64_t address, uint64_t now);

/* Sets anew the cycles from which the packets of REQUESTS, which an SM or the SMs of a cluster
 * have sent in a window, in this order, may leave, but for those to regions that nobody had
 * asked for before: page_walks_begin() does that when all SMs have been here, so that the first
 * one in time begins a walk, whatever its number is. */
void page_walks_delay(struct page_walks *walks, struct queue *requests);
void page_walks_begin(struct page_walks *walks);

#endif
