#include "sim/ended_blocks.h"

#include <stdlib.h>

struct ended_log {
    struct sm_observer observer;
    struct sm *sm;
    struct sm_ended *ended; /* owned */
    uint32_t count, size;
    uint32_t told;
};

/* A block is not reported if there is no memory for its record. */
static void keep(struct sm_observer *observer, struct sm *sm, uint32_t block)
{
    struct ended_log *log = (struct ended_log *)observer;
    if (log->count == log->size) {
        uint32_t size = log->size ? 2 * log->size : 16;
        struct sm_ended *ended = realloc(log->ended, size * sizeof *ended);
        if (ended == NULL)
            return;
        log->ended = ended;
        log->size = size;
    }
    log->ended[log->count++] = sm->blocks[block].about;
}

bool ended_blocks_begin(struct ended_blocks *blocks, struct engine *engine,
                        const struct sim_hooks *hooks, uint64_t start)
{
    static const struct sm_observer_hooks keeps = {.block_ended = keep};
    *blocks = (struct ended_blocks){.hooks = hooks, .start = start};
    if (hooks == NULL || hooks->block_ended == NULL)
        return true;
    if ((blocks->logs = calloc(engine->spec.sms, sizeof *blocks->logs)) == NULL)
        return false;
    blocks->sms = engine->spec.sms;
    for (uint32_t s = 0; s < blocks->sms; s++) {
        struct ended_log *log = &blocks->logs[s];
        *log = (struct ended_log){.observer = {.hooks = &keeps}, .sm = engine->sms[s]};
        sm_observers_add(&log->sm->observers, &log->observer);
    }
    return true;
}

/* The SM whose oldest untold end is the earliest, or NULL. */
static struct ended_log *next_ended(const struct ended_blocks *blocks)
{
    struct ended_log *first = NULL;
    for (uint32_t s = 0; s < blocks->sms; s++) {
        struct ended_log *log = &blocks->logs[s];
        if (log->told < log->count &&
            (first == NULL || log->ended[log->told].end < first->ended[first->told].end))
            first = log;
    }
    return first;
}

void ended_blocks_tell(struct ended_blocks *blocks)
{
    struct ended_log *log;
    while ((log = next_ended(blocks)) != NULL) {
        const struct sm_ended *ended = &log->ended[log->told++];
        struct sim_block block = {
            .order = ended->order,
            .index = {ended->index[0], ended->index[1], ended->index[2]},
            .sm = log->sm->number,
            .begin = ended->begin - blocks->start,
            .end = ended->end - blocks->start,
        };
        blocks->hooks->block_ended(blocks->hooks->data, &block);
    }
    for (uint32_t s = 0; s < blocks->sms; s++)
        blocks->logs[s].count = blocks->logs[s].told = 0;
}

void ended_blocks_finish(struct ended_blocks *blocks)
{
    for (uint32_t s = 0; s < blocks->sms; s++) {
        struct ended_log *log = &blocks->logs[s];
        sm_observers_remove(&log->sm->observers, &log->observer);
        free(log->ended);
    }
    free(blocks->logs);
    *blocks = (struct ended_blocks){0};
}
