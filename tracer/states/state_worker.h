/* A thread that makes states of L2 of what a context has done: it takes copies and launches in
 * their order, and executes them as the functional pass of `hearth warm` does. */
#ifndef HEARTH_TRACER_STATES_STATE_WORKER_H
#define HEARTH_TRACER_STATES_STATE_WORKER_H

#include <stdbool.h>
#include <stdint.h>

#include "tracer/states/state_configs.h"

struct state_worker;

/* A launch whose memory-only trace is the only one in the packed file PATH. */
struct state_launch {
    char *path;   /* on the heap; taken over with the file, which is removed */
    uint64_t id;  /* its number: the state before it is launch-<id>.l2 */
    bool save;    /* the states before it are wanted */
    bool execute; /* others follow */
};

/* The states of configuration N go to FOLDERS.N, those of the first one to FOLDERS, which are
 * made if they are not there. CONFIGS must outlive the worker. Returns NULL with ERR filled. */
struct state_worker *state_worker_create(const struct state_configs *configs,
                                         const char *folders, struct error *err);
/* Accepts NULL. Leaves out what is not done yet. */
void state_worker_destroy(struct state_worker *worker);

/* Both wait while much is to be done. After something failed they do nothing: see
 * state_worker_failed(). Return 0, or -1 when memory ran out. */
int state_worker_copy(struct state_worker *worker, uint64_t address, uint64_t bytes,
                      bool on_device, struct error *err);
int state_worker_launch(struct state_worker *worker, const struct state_launch *launch,
                        struct error *err);
/* Waits until all is done. */
void state_worker_wait(struct state_worker *worker);
/* Whether something failed. Then ERR says what, once. */
bool state_worker_failed(struct state_worker *worker, struct error *err);

#endif
