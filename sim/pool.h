/* Threads that work on one thing at a time, together with their caller. */
#ifndef HEARTH_SIM_POOL_H
#define HEARTH_SIM_POOL_H

#include <stdbool.h>
#include <stdint.h>

struct pool;

/* THREADS in all, the caller's included; at least 1. Returns NULL when memory or threads
 * are short. */
struct pool *pool_create(uint32_t threads);
/* Accepts NULL. */
void pool_destroy(struct pool *pool);

/* Calls WORK on every thread at once and returns when all have returned. POOL
 * may be NULL: then the caller works alone. */
void pool_run(struct pool *pool, void (*work)(void *data), void *data);

/* Calls ITEM for each number below COUNT, on whatever thread is free. */
void pool_each(struct pool *pool, uint32_t count, void (*item)(void *data, uint32_t number),
               void *data);

#endif
