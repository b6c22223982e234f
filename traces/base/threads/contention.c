#define _GNU_SOURCE /* pread() */
#include "traces/base/threads/contention.h"

#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <unistd.h>

#define MS         1000000u
#define LOOK       (2u * MS)  /* between two looks of a thread */
#define PERIOD     (20u * MS) /* in which lost time counts */
#define LOST_MAX   (2u * MS)  /* of this, that is borne */
#define ALONE      (50u * MS) /* for how long the caller works alone at first */
#define ALONE_MORE 4          /* so many times longer after each try that fails */
#define TRIES_MAX  4
#define GOOD       (200u * MS) /* working together for so long was right */

void contention_begin(struct contention_thread *thread)
{
    *thread = (struct contention_thread){
        .file = open("/proc/thread-self/schedstat", O_RDONLY | O_CLOEXEC)};
}

void contention_end(struct contention_thread *thread)
{
    if (thread->file >= 0)
        close(thread->file);
}

/* For how long the thread has waited for a core since it began, in ns: the second number of
 * the file. */
static bool read_waited(const struct contention_thread *thread, uint64_t *waited)
{
    char text[80];
    ssize_t length = thread->file < 0 ? -1 : pread(thread->file, text, sizeof text - 1, 0);
    if (length <= 0)
        return false;
    text[length] = '\0';
    return sscanf(text, "%*u %" SCNu64, waited) == 1;
}

void contention_note(struct contention *contention, struct contention_thread *thread,
                     uint64_t now)
{
    uint64_t waited;
    if (now < thread->next)
        return;
    thread->next = now + LOOK;
    if (!read_waited(thread, &waited))
        return;
    if (thread->known)
        atomic_fetch_add_explicit(&contention->lost, waited - thread->waited,
                                  memory_order_relaxed);
    thread->waited = waited;
    thread->known = true;
}

static void begin_period(struct contention *contention, uint64_t now)
{
    contention->began = now;
    atomic_store_explicit(&contention->lost, 0, memory_order_relaxed);
}

static void begin_alone(struct contention *contention, uint64_t now)
{
    uint64_t time = ALONE;
    if (now - contention->together >= GOOD)
        contention->tries = 0;
    for (uint32_t i = 0; i < contention->tries; i++)
        time *= ALONE_MORE;
    contention->alone_until = now + time;
    contention->tries += contention->tries < TRIES_MAX;
}

bool contention_alone(struct contention *contention, uint64_t now)
{
    if (contention->alone_until != 0) {
        if (now < contention->alone_until)
            return true;
        contention->alone_until = 0;
        contention->together = now;
        begin_period(contention, now);
    }
    if (atomic_load_explicit(&contention->lost, memory_order_relaxed) > LOST_MAX) {
        begin_alone(contention, now);
        return true;
    }
    if (now - contention->began >= PERIOD)
        begin_period(contention, now);
    return false;
}
