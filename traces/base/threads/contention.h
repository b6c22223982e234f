/* Whether other processes want the cores that the threads of a pool run on. Threads that work
 * in step then wait for the one that has lost its core, and one thread alone is faster.
 *
 * Measured by the time for which threads could run and had no core, as Linux counts it in
 * /proc/PID/schedstat. Where there is no such file, they always work together. */
#ifndef HEARTH_TRACES_BASE_THREADS_CONTENTION_H
#define HEARTH_TRACES_BASE_THREADS_CONTENTION_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

/* Of a pool; zeroed at first. Times are in ns. */
struct contention {
    atomic_uint_least64_t lost; /* by all threads in the period */
    /* The caller's: */
    uint64_t began;       /* of the period */
    uint64_t alone_until; /* 0: the threads work together */
    uint64_t together;    /* since when the threads work together */
    uint32_t tries;       /* to work together that went wrong in a row */
};

/* Of a thread. */
struct contention_thread {
    int file;        /* where the system tells it; -1: it does not */
    uint64_t next;   /* time of the next look */
    uint64_t waited; /* for a core, until the last one */
    bool known;      /* there was one */
};

/* THREAD is of the calling thread; contention_end() follows. */
void contention_begin(struct contention_thread *thread);
void contention_end(struct contention_thread *thread);

/* What a thread notes now and then, at NOW, while it works. */
void contention_note(struct contention *contention, struct contention_thread *thread,
                     uint64_t now);

/* Whether the caller of the pool shall work alone from NOW on; it asks again and again. */
bool contention_alone(struct contention *contention, uint64_t now);

#endif
