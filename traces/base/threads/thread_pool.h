/* Threads that work on one thing at a time, together with their caller. */
#ifndef HEARTH_TRACES_BASE_THREADS_THREAD_POOL_H
#define HEARTH_TRACES_BASE_THREADS_THREAD_POOL_H

#include <stdbool.h>
#include <stdint.h>

struct thread_pool;

/* One of the threads that do a piece of work: its number, from 0 (the caller's), and how many
 * there are. */
struct thread_pool_thread {
    uint32_t number, threads;
};

/* THREADS in all, the caller's included; at least 1. Returns NULL when memory or threads
 * are short. */
struct thread_pool *thread_pool_create(uint32_t threads);
/* Accepts NULL. */
void thread_pool_destroy(struct thread_pool *pool);

/* Calls WORK on the caller's thread and on every other one that comes before the caller has
 * returned from it, and returns when all have: the caller must be able to do all of it, so that
 * nobody waits for a thread that other processes keep from its core. A thread may be called
 * more than once. POOL may be NULL: then the caller works alone. */
void thread_pool_run(struct thread_pool *pool,
                     void (*work)(void *data, struct thread_pool_thread self), void *data);

/* While a thread waits for what another one does: how it has waited so far, zero at first. */
struct thread_pool_wait {
    uint32_t looks;
    uint64_t until; /* ns; 0: not known yet */
    bool tired;     /* it is time to sleep */
};
/* Between two looks at whether it has been done; false when WAIT has become tired. POOL is
 * there: else nobody would do it. */
bool thread_pool_keep_looking(const struct thread_pool *pool, struct thread_pool_wait *wait);

#endif
