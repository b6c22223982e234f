#include "sim/pool.h"

#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdlib.h>

/* How often a thread looks for work, or for the end of the others', before it sleeps. Pieces
 * of work follow each other within microseconds while a launch runs; they take longer where
 * other processes have the cores, and a thread that sleeps leaves them its own. */
#define SPINS 2000

struct pool {
    uint32_t threads; /* besides the caller's */
    pthread_t *handles;
    pthread_mutex_t mutex;
    pthread_cond_t wake, idle; /* there is work; all have returned */
    atomic_uint round;         /* counts up with each piece of work */
    atomic_uint busy;          /* threads that have not returned */
    atomic_uint sleeping;      /* threads that wait for work */
    atomic_bool caller_sleeps; /* until all have returned */
    bool ending;
    void (*work)(void *data);
    void *data;
};

/* Waits until there is work newer than ROUND; returns its number. */
static unsigned await(struct pool *pool, unsigned round)
{
    for (int i = 0; i < SPINS; i++) {
        unsigned now = atomic_load_explicit(&pool->round, memory_order_acquire);
        if (now != round)
            return now;
        if (i % 64 == 63)
            sched_yield();
    }
    pthread_mutex_lock(&pool->mutex);
    atomic_fetch_add(&pool->sleeping, 1);
    while (atomic_load(&pool->round) == round)
        pthread_cond_wait(&pool->wake, &pool->mutex);
    atomic_fetch_sub(&pool->sleeping, 1);
    pthread_mutex_unlock(&pool->mutex);
    return atomic_load(&pool->round);
}

/* A thread has done its work. */
static void report_back(struct pool *pool)
{
    if (atomic_fetch_sub(&pool->busy, 1) != 1 || !atomic_load(&pool->caller_sleeps))
        return;
    pthread_mutex_lock(&pool->mutex);
    pthread_cond_signal(&pool->idle);
    pthread_mutex_unlock(&pool->mutex);
}

static void *serve(void *data)
{
    struct pool *pool = data;
    for (unsigned round = 0;;) {
        round = await(pool, round);
        if (pool->ending)
            return NULL;
        pool->work(pool->data);
        report_back(pool);
    }
}

static void start_round(struct pool *pool)
{
    pthread_mutex_lock(&pool->mutex);
    atomic_fetch_add_explicit(&pool->round, 1, memory_order_release);
    if (atomic_load(&pool->sleeping) != 0)
        pthread_cond_broadcast(&pool->wake);
    pthread_mutex_unlock(&pool->mutex);
}

struct pool *pool_create(uint32_t threads)
{
    struct pool *pool = calloc(1, sizeof *pool);
    if (pool == NULL)
        return NULL;
    pthread_mutex_init(&pool->mutex, NULL);
    pthread_cond_init(&pool->wake, NULL);
    pthread_cond_init(&pool->idle, NULL);
    pool->handles = calloc(threads, sizeof *pool->handles);
    while (pool->handles != NULL && pool->threads + 1 < threads) {
        if (pthread_create(&pool->handles[pool->threads], NULL, serve, pool) != 0)
            break;
        pool->threads++;
    }
    if (pool->threads + 1 == threads)
        return pool;
    pool_destroy(pool);
    return NULL;
}

void pool_destroy(struct pool *pool)
{
    if (pool == NULL)
        return;
    pool->ending = true;
    start_round(pool);
    for (uint32_t i = 0; i < pool->threads; i++)
        pthread_join(pool->handles[i], NULL);
    pthread_cond_destroy(&pool->wake);
    pthread_cond_destroy(&pool->idle);
    pthread_mutex_destroy(&pool->mutex);
    free(pool->handles);
    free(pool);
}

/* Waits until every thread has returned. */
static void await_idle(struct pool *pool)
{
    for (int i = 0; i < SPINS; i++) {
        if (atomic_load_explicit(&pool->busy, memory_order_acquire) == 0)
            return;
        if (i % 64 == 63)
            sched_yield();
    }
    pthread_mutex_lock(&pool->mutex);
    atomic_store(&pool->caller_sleeps, true);
    while (atomic_load(&pool->busy) != 0)
        pthread_cond_wait(&pool->idle, &pool->mutex);
    atomic_store(&pool->caller_sleeps, false);
    pthread_mutex_unlock(&pool->mutex);
}

void pool_run(struct pool *pool, void (*work)(void *data), void *data)
{
    if (pool == NULL || pool->threads == 0) {
        work(data);
        return;
    }
    pool->work = work;
    pool->data = data;
    atomic_store(&pool->busy, pool->threads);
    start_round(pool);
    work(data);
    await_idle(pool);
}

struct each {
    void (*item)(void *data, uint32_t number);
    void *data;
    uint32_t count;
    atomic_uint next;
};

static void take_items(void *data)
{
    struct each *each = data;
    uint32_t number;
    while ((number = atomic_fetch_add(&each->next, 1)) < each->count)
        each->item(each->data, number);
}

void pool_each(struct pool *pool, uint32_t count, void (*item)(void *data, uint32_t number),
               void *data)
{
    struct each each = {.item = item, .data = data, .count = count};
    pool_run(pool, take_items, &each);
}
