#include "sim/ended_blocks.h"

#include <stdlib.h>

/* A block, or a warp of it. */
struct ended_item {
    struct sm_ended about;
    bool warp;
};

struct ended_log {
    struct sm_observer observer;
    struct sm *sm;
    struct ended_item *ended; /* owned */
    uint32_t count, size;
    uint32_t told;
};

/* Nothing is reported if there is no memory for its record. */
static void keep(struct ended_log *log, const struct sm_ended *about, bool warp)
{
    if (log->count == log->size) {
        uint32_t size = log->size ? 2 * log->size : 16;
        struct ended_item *ended = realloc(log->ended, size * sizeof *ended);
        if (ended == NULL)
            return;
        log->ended = ended;
        log->size = size;
    }
    log->ended[log->count++] = (struct ended_item){*about, warp};
}

static void keep_block(struct sm_observer *observer, struct sm *sm, uint32_t block)
{
    keep((struct ended_log *)observer, &sm->blocks[block].about, false);
}

static void keep_warp(struct sm_observer *observer, struct sm *sm, uint32_t warp,
                      uint32_t block)
{
    struct sm_ended about = sm->blocks[block].about;
    (void)warp;
    about.end = sm->now;
    keep((struct ended_log *)observer, &about, true);
}

/* What HOOKS want to know. */
static const struct sm_observer_hooks *keeper(const struct sim_hooks *hooks)
{
    static const struct sm_observer_hooks keepers[] = {
        {.block_ended = keep_block},
        {.retired = keep_warp},
        {.block_ended = keep_block, .retired = keep_warp},
    };
    if (hooks == NULL || (hooks->block_ended == NULL && hooks->warp_ended == NULL))
        return NULL;
    return &keepers[hooks->warp_ended == NULL ? 0 : hooks->block_ended == NULL ? 1 : 2];
}

bool ended_blocks_begin(struct ended_blocks *blocks, struct engine *engine,
                        const struct sim_hooks *hooks, uint64_t start)
{
    const struct sm_observer_hooks *keeps = keeper(hooks);
    *blocks = (struct ended_blocks){.hooks = hooks, .start = start};
    if (keeps == NULL)
        return true;
    if ((blocks->logs = calloc(engine->spec.sms, sizeof *blocks->logs)) == NULL)
        return false;
    blocks->sms = engine->spec.sms;
    for (uint32_t s = 0; s < blocks->sms; s++) {
        struct ended_log *log = &blocks->logs[s];
        *log = (struct ended_log){.observer = {.hooks = keeps}, .sm = engine->sms[s]};
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
            (first == NULL ||
             log->ended[log->told].about.end < first->ended[first->told].about.end))
            first = log;
    }
    return first;
}

void ended_blocks_tell(struct ended_blocks *blocks)
{
    struct ended_log *log;
    while ((log = next_ended(blocks)) != NULL) {
        const struct ended_item *item = &log->ended[log->told++];
        const struct sm_ended *ended = &item->about;
        struct sim_block block = {
            .order = ended->order,
            .index = {ended->index[0], ended->index[1], ended->index[2]},
            .sm = log->sm->number,
            .begin = ended->begin - blocks->start,
            .end = ended->end - blocks->start,
        };
        (item->warp ? blocks->hooks->warp_ended
                    : blocks->hooks->block_ended)(blocks->hooks->data, &block);
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
