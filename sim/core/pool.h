/* Pools: arrays whose elements have 16-bit numbers and, while they are free, are linked by a
 * member for the number of the next free one. */
#ifndef HEARTH_SIM_CORE_POOL_H
#define HEARTH_SIM_CORE_POOL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define POOL_NONE 0xffffu /* no element */

/* Enlarges the pool *ITEMS (realloc()) of *COUNT elements of SIZE bytes, all in use, with the
 * link (a uint16_t) at LINK bytes: twice as many, or the first. *FREE becomes the first new
 * element. Returns false when memory or numbers are short; nothing has changed then. */
bool pool_grow(void **items, uint32_t *count, uint16_t *free, size_t size, size_t link);

#endif
