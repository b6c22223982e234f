/* The heap of the process. */
#ifndef HEARTH_TRACES_BASE_PROCESS_HEAP_H
#define HEARTH_TRACES_BASE_PROCESS_HEAP_H

/* Asks for the heap to be in huge pages, where the system offers them on request: a simulation
 * touches some megabytes of state every few hundred simulated cycles, more than the processor
 * knows the addresses of in small pages. To be called before anything large is allocated; does
 * nothing where it cannot. */
void heap_use_huge_pages(void);

/* Gives free memory back to the system if there is much of it. What aligned_alloc() took is
 * hardly ever used again in glibc up to 2.37: programs that build and drop simulators many
 * times would take ever more. */
void heap_give_back(void);

#endif
