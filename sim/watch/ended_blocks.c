#include "sim/watch/ended_blocks.h"

#include <stdlib.h>

#include "sim/watch/basic_blocks.h"

enum ended_kind { ENDED_BLOCK, ENDED_WARP, ENDED_BASIC };

/* A block, a warp of it, or a basic block of a warp: with its own cycles. */
struct ended_item {
    struct sm_ended about;
    enum ended_kind kind;
    uint32_t pc, insts; /* of a basic block */
    uint64_t wait;      /* likewise */
};

struct ended_log {
    struct sm_observer observer;
    struct sm *sm;
    struct basic_blocks *basics; /* owned; NULL: not wanted */
    struct ended_item *ended;    /* owned */
    uint32_t count, size;
    uint32_t told;
    bool failed; /* memory ran out; what ended after that is missing */
};

static void keep(struct ended_log *log, const struct ended_item *item)
{
    if (log->count == log->size) {
        uint32_t size = log->size ? 2 * log->size : 16;
        struct ended_item *ended = realloc(log->ended, size * sizeof *ended);
        log->failed |= ended == NULL;
        if (ended == NULL)
            return;
        log->ended = ended;
        log->size = size;
    }
    log->ended[log->count++] = *item;
}

static void keep_block(struct sm_observer *observer, struct sm *sm, uint32_t block)
{
    const struct ended_item item = {.about = sm->blocks[block].about, .kind = ENDED_BLOCK};
    keep((struct ended_log *)observer, &item);
}

static void keep_warp(struct sm_observer *observer, struct sm *sm, uint32_t warp,
                      uint32_t block)
{
    struct ended_item item = {.about = sm->blocks[block].about, .kind = ENDED_WARP};
    (void)warp;
    item.about.end = sm->now;
    keep((struct ended_log *)observer, &item);
}

static void keep_basic(void *data, const struct sim_basic_block *basic)
{
    const struct ended_item item = {
        .about = {.order = basic->order, .begin = basic->begin, .end = basic->end},
        .kind = ENDED_BASIC,
        .pc = basic->pc,
        .insts = basic->insts,
        .wait = basic->wait,
    };
    keep(data, &item);
}

/* What HOOKS want to know of blocks and warps. */
static const struct sm_observer_hooks *keeper(const struct sim_hooks *hooks)
{
    static const struct sm_observer_hooks keepers[] = {
        {0},
        {.block_ended = keep_block},
        {.retired = keep_warp},
        {.block_ended = keep_block, .retired = keep_warp},
    };
    return &keepers[(hooks->block_ended != NULL) + 2 * (hooks->warp_ended != NULL)];
}

static bool wants_basics(const struct sim_hooks *hooks)
{
    return hooks->basic_block_ended != NULL || hooks->results_came != NULL;
}

static bool wants_any(const struct sim_hooks *hooks)
{
    return hooks != NULL &&
           (hooks->block_ended != NULL || hooks->warp_ended != NULL || wants_basics(hooks));
}

bool ended_blocks_begin(struct ended_blocks *blocks, struct engine *engine,
                        const struct sim_hooks *hooks, uint64_t start)
{
    *blocks = (struct ended_blocks){.hooks = hooks, .start = start};
    if (!wants_any(hooks))
        return true;
    if ((blocks->logs = calloc(engine->spec.sms, sizeof *blocks->logs)) == NULL)
        return false;
    for (; blocks->sms < engine->spec.sms; blocks->sms++) {
        struct ended_log *log = &blocks->logs[blocks->sms];
        *log = (struct ended_log){.observer = {.hooks = keeper(hooks)},
                                  .sm = engine->sms[blocks->sms]};
        if (wants_basics(hooks) &&
            (log->basics = basic_blocks_create(log->sm, hooks, keep_basic, log)) == NULL)
            return false;
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

static void tell_basic(const struct ended_blocks *blocks, const struct ended_item *item)
{
    const struct sim_basic_block basic = {
        .order = item->about.order,
        .pc = item->pc,
        .insts = item->insts,
        .begin = item->about.begin - blocks->start,
        .end = item->about.end - blocks->start,
        .wait = item->wait,
    };
    if (blocks->hooks->basic_block_ended != NULL)
        blocks->hooks->basic_block_ended(blocks->hooks->data, &basic);
}

static void tell(const struct ended_blocks *blocks, const struct ended_log *log,
                 const struct ended_item *item)
{
    const struct sm_ended *ended = &item->about;
    const struct sim_block block = {
        .order = ended->order,
        .index = {ended->index[0], ended->index[1], ended->index[2]},
        .sm = log->sm->number,
        .begin = ended->begin - blocks->start,
        .end = ended->end - blocks->start,
    };
    if (item->kind == ENDED_BASIC)
        tell_basic(blocks, item);
    else
        (item->kind == ENDED_WARP ? blocks->hooks->warp_ended
                                  : blocks->hooks->block_ended)(blocks->hooks->data, &block);
}

bool ended_blocks_tell(struct ended_blocks *blocks)
{
    struct ended_log *log;
    bool good = true;
    while ((log = next_ended(blocks)) != NULL)
        tell(blocks, log, &log->ended[log->told++]);
    for (uint32_t s = 0; s < blocks->sms; s++)
        if (blocks->logs[s].basics != NULL)
            good &= basic_blocks_tell(blocks->logs[s].basics, blocks->hooks);
    for (uint32_t s = 0; s < blocks->sms; s++) {
        good &= !blocks->logs[s].failed;
        blocks->logs[s].count = blocks->logs[s].told = 0;
    }
    return good;
}

void ended_blocks_finish(struct ended_blocks *blocks)
{
    for (uint32_t s = 0; s < blocks->sms; s++) {
        struct ended_log *log = &blocks->logs[s];
        sm_observers_remove(&log->sm->observers, &log->observer);
        basic_blocks_destroy(log->basics, log->sm);
        free(log->ended);
    }
    free(blocks->logs);
    *blocks = (struct ended_blocks){0};
}
