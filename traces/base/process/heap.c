#define _DEFAULT_SOURCE /* madvise(), sbrk() */
#include "traces/base/process/heap.h"

#include <stdint.h>
#include <stdlib.h>

#if defined(__linux__) && defined(__GLIBC__)

#include <malloc.h>
#include <sys/mman.h>
#include <unistd.h>

#define HUGE_PAGE ((uintptr_t)2 << 20)
/* What most simulations need; address space only, until it is touched. */
#define HEAP_BYTES ((uintptr_t)64 << 20)
#define HEAP_STEP  (1 << 20)          /* by which it grows beyond */
#define HEAP_FREE  ((size_t)64 << 20) /* of memory that is free and not given back */
/* From this size on memory is not of the heap: larger than all arrays of simulators. Lists of a
 * million launches then grow without copies and leave no holes behind. */
#define HEAP_LARGEST (8 << 20)

void heap_use_huge_pages(void)
{
    mallopt(M_MMAP_THRESHOLD, HEAP_LARGEST);
    mallopt(M_TRIM_THRESHOLD, 2 * HEAP_BYTES);
    uintptr_t start = (uintptr_t)sbrk(0);
    mallopt(M_TOP_PAD, HEAP_BYTES);
    void *volatile grow = malloc(HUGE_PAGE); /* which the compiler must not leave out */
    free(grow);
    mallopt(M_TOP_PAD, HEAP_STEP);
    uintptr_t end = (uintptr_t)sbrk(0);
    start = (start + HUGE_PAGE - 1) & ~(HUGE_PAGE - 1);
    if (end > start && end - start <= 2 * HEAP_BYTES)
        madvise((void *)start, end - start, MADV_HUGEPAGE);
}

void heap_give_back(void)
{
    if (mallinfo2().fordblks > HEAP_FREE)
        malloc_trim(0);
}

void *heap_sparse(size_t bytes)
{
    void *memory =
        mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (memory == MAP_FAILED)
        return NULL;
    madvise(memory, bytes, MADV_NOHUGEPAGE);
    return memory;
}

void heap_free_sparse(void *memory, size_t bytes)
{
    if (memory != NULL)
        munmap(memory, bytes);
}

#else

void heap_use_huge_pages(void)
{
}

void heap_give_back(void)
{
}

void *heap_sparse(size_t bytes)
{
    return calloc(1, bytes);
}

void heap_free_sparse(void *memory, size_t bytes)
{
    free(memory);
}

#endif
