/* Threads that work on one task at a time, together with their caller. */
#ifndef HEARTH_TRACES_BASE_THREADS_THREAD_POOL_H
#define HEARTH_TRACES_BASE_THREADS_THREAD_POOL_H

#include <stdbool.h>
#include <stdint.h>

struct thread_pool;

/* One of the threads that work on a task: its number (0 is the caller) and how many there are.
 */
struct thread_pool_thread {
    uint32_t number, threads;
};

/* THREADS counts the caller, too; at least 1. Returns NULL if memory or threads are short. */
struct thread_pool *thread_pool_create(uint32_t threads);
/* Accepts NULL. */
void thread_pool_destroy(struct thread_pool *pool);

/* Calls WORK on the caller's thread, and on every other thread that is ready before the caller
 * returns from it. Returns when all threads have returned. The caller must be able to do all of
 * the work, so that it never waits for a thread that gets no core. A thread may call WORK more
 * than once. With POOL NULL only the caller works. */
void thread_pool_run(struct thread_pool *pool,
                     void (*work)(void *data, struct thread_pool_thread self), void *data);

/* How long a thread has waited for another one so far; zeroed at first. */
struct thread_pool_wait {
    uint32_t looks;
    uint64_t until; /* when to give up, in ns; 0: not known yet */
    bool tired;     /* it is time to sleep */
};
/* To be called between two checks of whether the other thread is done. Returns false when it is
 * time to sleep. POOL is not NULL. */
bool thread_pool_keep_looking(const struct thread_pool *pool, struct thread_pool_wait *wait);

#endif
