/* The heap of the process. */
#ifndef HEARTH_TRACES_BASE_PROCESS_HEAP_H
#define HEARTH_TRACES_BASE_PROCESS_HEAP_H

#include <stddef.h>

/* Asks for the heap to be in huge pages, where the system offers them on request: a simulation
 * touches some megabytes of state every few hundred simulated cycles, more than the processor
 * knows the addresses of in small pages. To be called before anything large is allocated; does
 * nothing where it cannot. */
void heap_use_huge_pages(void);

/* Gives free memory back to the system if there is much of it. A program that builds and drops
 * simulators many times was seen to use little of its heap again, and so to take ever more
 * (glibc 2.36). */
void heap_give_back(void);

/* BYTES (at least 1) of zeros, most of which will never be used: apart from the heap, in small
 * pages, so that what is not touched takes no memory. NULL if memory is short. To be freed with
 * heap_free_sparse(), with the same BYTES. */
void *heap_sparse(size_t bytes);
/* MEMORY may be NULL. */
void heap_free_sparse(void *memory, size_t bytes);

#endif
