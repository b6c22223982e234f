/* DRAM schedulers: which idle bank of a channel turns to which of the requests that wait. To
 * add one: a file here with a struct dram_scheduler, its line in schedulers.def, and the file's
 * name in sim/meson.build. */
#ifndef HEARTH_SIM_MEMORY_DRAM_SCHEDULERS_DRAM_SCHEDULER_H
#define HEARTH_SIM_MEMORY_DRAM_SCHEDULERS_DRAM_SCHEDULER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "traces/base/policy.h"

struct dram;

/* A bank and a request in its queue, by their numbers in struct dram. */
struct dram_choice {
    uint32_t bank; /* DRAM_NONE: no bank may turn to a request now */
    uint32_t request;
};

/* A scheduler may keep a state for each bank: plain bytes without pointers, as they are saved
 * and restored with the channel. They begin as zeros; dram->state is an array of them. */
struct dram_scheduler {
    struct policy policy;
    size_t state_size;  /* bytes of a bank; 0: none */
    uint32_t queue_max; /* requests that wait at most; 0: as configured */
    bool one_queue; /* reads and writes share a queue, even if a write queue is configured */
    /* Returns which bank of IDLE turns to which of its requests: a mask, not 0, of banks that
     * serve no request and for which some wait in queue WHICH (DRAM_READS or DRAM_WRITES). */
    struct dram_choice (*choose)(struct dram *dram, uint64_t idle, int which);
};

/* All of them: struct dram_scheduler begins with its struct policy. */
extern const struct policy *const dram_schedulers[];

#define SCHEDULER(name) extern const struct dram_scheduler dram_scheduler_##name;
#include "sim/memory/dram/schedulers/schedulers.def"
#undef SCHEDULER

/* NULL if no DRAM scheduler has that name. */
static inline const struct dram_scheduler *dram_scheduler_find(const char *name)
{
    return (const struct dram_scheduler *)policy_find(dram_schedulers, name);
}

#endif
