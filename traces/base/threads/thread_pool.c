#include "traces/base/threads/thread_pool.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <time.h>

#include "traces/base/threads/contention.h"
#include "traces/base/threads/host_cores.h"

/* How long a thread polls for work, or for the end of the others' work, before it sleeps. While
 * a launch runs, tasks follow each other within that time, and waking a thread takes nearly as
 * long. A polling thread does not yield its core: a process that computes would keep it for
 * milliseconds, while all other threads wait for this one. */
#define PATIENCE_NS 50000
#define PAUSES_MAX  16 /* between two checks */

#define GATE_OPEN (1u << 31)

/* The threads of all pools, with their callers. */
static atomic_uint all_threads;

struct thread_pool {
    uint32_t threads; /* without the caller */
    pthread_t *handles;
    atomic_uint numbered; /* threads that have taken their number */
    pthread_mutex_t mutex;
    pthread_cond_t wake, idle; /* there is a task; all threads have returned */
    atomic_uint round;         /* number of the task */
    atomic_uint gate;          /* how many threads work, without the caller, and GATE_OPEN */
    atomic_uint sleeping;      /* how many threads wait for a task */
    atomic_bool caller_sleeps; /* until all threads have returned */
    atomic_bool ending;
    unsigned cores;
    struct contention contention;
    struct contention_thread caller; /* who created the pool */
    void (*work)(void *data, struct thread_pool_thread self);
    void *data;
};

static uint64_t now_ns(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}

static void pause_core(void)
{
#if defined(__x86_64__) || defined(__i386__)
    __builtin_ia32_pause();
#endif
}

bool thread_pool_keep_looking(const struct thread_pool *pool, struct thread_pool_wait *wait)
{
    uint32_t pauses = ++wait->looks < PAUSES_MAX ? wait->looks : PAUSES_MAX;
    /* With more threads than cores, polling may keep the other thread from its core. */
    wait->tired = atomic_load_explicit(&all_threads, memory_order_relaxed) > pool->cores;
    for (uint32_t i = 0; !wait->tired && i < pauses; i++)
        pause_core();
    if (wait->tired || pauses < PAUSES_MAX)
        return !wait->tired;
    uint64_t now = now_ns();
    if (wait->until == 0)
        wait->until = now + PATIENCE_NS;
    wait->tired = now >= wait->until;
    return !wait->tired;
}

/* Waits until there is a task after ROUND; returns its number. */
static unsigned await(struct thread_pool *pool, unsigned round)
{
    struct thread_pool_wait wait = {0};
    do {
        unsigned now = atomic_load_explicit(&pool->round, memory_order_acquire);
        if (now != round)
            return now;
    } while (thread_pool_keep_looking(pool, &wait));
    pthread_mutex_lock(&pool->mutex);
    atomic_fetch_add(&pool->sleeping, 1);
    while (atomic_load(&pool->round) == round)
        pthread_cond_wait(&pool->wake, &pool->mutex);
    atomic_fetch_sub(&pool->sleeping, 1);
    pthread_mutex_unlock(&pool->mutex);
    return atomic_load(&pool->round);
}

/* Lets a thread take part in the task, unless the caller has finished it already. */
static bool enter(struct thread_pool *pool)
{
    unsigned gate = atomic_load_explicit(&pool->gate, memory_order_relaxed);
    while (gate & GATE_OPEN)
        if (atomic_compare_exchange_weak_explicit(&pool->gate, &gate, gate + 1,
                                                  memory_order_acquire, memory_order_relaxed))
            return true;
    return false;
}

/* The thread has done its part. */
static void leave(struct thread_pool *pool)
{
    if (atomic_fetch_sub(&pool->gate, 1) != 1 || !atomic_load(&pool->caller_sleeps))
        return;
    pthread_mutex_lock(&pool->mutex);
    pthread_cond_signal(&pool->idle);
    pthread_mutex_unlock(&pool->mutex);
}

static void *serve(void *data)
{
    struct thread_pool *pool = data;
    uint32_t number = atomic_fetch_add(&pool->numbered, 1) + 1;
    struct contention_thread self;
    contention_begin(&self);
    for (unsigned round = 0;;) {
        round = await(pool, round);
        if (atomic_load_explicit(&pool->ending, memory_order_relaxed))
            break;
        if (!enter(pool))
            continue;
        pool->work(pool->data, (struct thread_pool_thread){number, pool->threads + 1});
        leave(pool);
        contention_note(&pool->contention, &self, now_ns());
    }
    contention_end(&self);
    return NULL;
}

static void start_round(struct thread_pool *pool)
{
    pthread_mutex_lock(&pool->mutex);
    atomic_fetch_add_explicit(&pool->round, 1, memory_order_release);
    if (atomic_load(&pool->sleeping) != 0)
        pthread_cond_broadcast(&pool->wake);
    pthread_mutex_unlock(&pool->mutex);
}

struct thread_pool *thread_pool_create(uint32_t threads)
{
    struct thread_pool *pool = calloc(1, sizeof *pool);
    if (pool == NULL)
        return NULL;
    pthread_mutex_init(&pool->mutex, NULL);
    pthread_cond_init(&pool->wake, NULL);
    pthread_cond_init(&pool->idle, NULL);
    pool->cores = host_cores_usable();
    contention_begin(&pool->caller);
    atomic_fetch_add(&all_threads, 1); /* the caller's */
    pool->handles = calloc(threads, sizeof *pool->handles);
    while (pool->handles != NULL && pool->threads + 1 < threads) {
        if (pthread_create(&pool->handles[pool->threads], NULL, serve, pool) != 0)
            break;
        pool->threads++;
        atomic_fetch_add(&all_threads, 1);
    }
    if (pool->threads + 1 == threads)
        return pool;
    thread_pool_destroy(pool);
    return NULL;
}

void thread_pool_destroy(struct thread_pool *pool)
{
    if (pool == NULL)
        return;
    atomic_store_explicit(&pool->ending, true, memory_order_relaxed);
    start_round(pool);
    for (uint32_t i = 0; i < pool->threads; i++)
        pthread_join(pool->handles[i], NULL);
    contention_end(&pool->caller);
    pthread_cond_destroy(&pool->wake);
    pthread_cond_destroy(&pool->idle);
    pthread_mutex_destroy(&pool->mutex);
    atomic_fetch_sub(&all_threads, pool->threads + 1);
    free(pool->handles);
    free(pool);
}

/* Closes the gate and waits until every thread that entered has left. */
static void await_idle(struct thread_pool *pool)
{
    struct thread_pool_wait wait = {0};
    atomic_fetch_and(&pool->gate, ~GATE_OPEN);
    do {
        if (atomic_load_explicit(&pool->gate, memory_order_acquire) == 0)
            return;
    } while (thread_pool_keep_looking(pool, &wait));
    pthread_mutex_lock(&pool->mutex);
    atomic_store(&pool->caller_sleeps, true);
    while (atomic_load(&pool->gate) != 0)
        pthread_cond_wait(&pool->idle, &pool->mutex);
    atomic_store(&pool->caller_sleeps, false);
    pthread_mutex_unlock(&pool->mutex);
}

void thread_pool_run(struct thread_pool *pool,
                     void (*work)(void *data, struct thread_pool_thread self), void *data)
{
    if (pool == NULL || pool->threads == 0) {
        work(data, (struct thread_pool_thread){0, 1});
        return;
    }
    uint64_t now = now_ns();
    if (contention_alone(&pool->contention, now)) {
        work(data, (struct thread_pool_thread){0, pool->threads + 1});
        return;
    }
    contention_note(&pool->contention, &pool->caller, now);
    pool->work = work;
    pool->data = data;
    atomic_store_explicit(&pool->gate, GATE_OPEN, memory_order_release);
    start_round(pool);
    work(data, (struct thread_pool_thread){0, pool->threads + 1});
    await_idle(pool);
}
