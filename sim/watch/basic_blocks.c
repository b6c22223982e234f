#include "sim/watch/basic_blocks.h"

#include <stdlib.h>
#include <string.h>

#include "sim/core/op.h"

/* The basic block that a warp is in. */
struct warp_at {
    uint64_t begin;
    uint32_t pc, last; /* of its first and its last instruction so far */
    uint32_t insts;    /* 0: none */
    bool ended;
    bool later; /* not the first one of the warp */
};

struct basic_blocks {
    struct sm_observer observer;
    basic_blocks_keep *keep;
    void *data;
    struct warp_at warps[SM_MAX_WARPS];
    uint64_t *issued; /* of instructions in flight, by number; owned */
    uint32_t size;    /* of `issued` */
    bool failed;      /* memory ran out for `issued`; results are missing */
    struct {
        uint64_t count, cycles;
    } results[TRACE_INST_TYPES];
};

static void end(struct basic_blocks *basics, const struct sm *sm, uint32_t warp, uint32_t block)
{
    struct warp_at *at = &basics->warps[warp];
    const struct sim_basic_block basic = {
        .order = sm->blocks[block].about.order,
        .pc = at->pc,
        .insts = at->insts,
        .begin = at->begin,
        .end = sm->now,
        .wait = at->later ? 0 : at->begin - sm->blocks[block].about.begin,
    };
    basics->keep(basics->data, &basic);
    at->insts = 0;
    at->later = true;
}

static void add_result(struct basic_blocks *basics, uint8_t type, uint64_t cycles)
{
    basics->results[type].count++;
    basics->results[type].cycles += cycles;
}

static void on_stepped(struct sm_observer *observer, struct sm *sm, uint32_t warp,
                       uint32_t block, const struct inst *inst, uint32_t mask)
{
    (void)mask;
    struct basic_blocks *basics = (struct basic_blocks *)observer;
    struct warp_at *at = &basics->warps[warp];
    uint32_t bytes = trace_inst_bytes(sm->blocks[block].launch->header->binary_version);
    if (at->insts > 0 && (at->ended || !trace_inst_follows(bytes, at->last, inst->pc)))
        end(basics, sm, warp, block);
    if (at->insts++ == 0) {
        at->begin = sm->now;
        at->pc = inst->pc;
    }
    at->last = inst->pc;
    at->ended = inst->ends;
    if (inst->issue.latency != 0 && inst->access == TRACE_ACCESS_NONE) /* not reported */
        add_result(basics, inst->type, inst->issue.latency);
}

static void on_retired(struct sm_observer *observer, struct sm *sm, uint32_t warp,
                       uint32_t block)
{
    struct basic_blocks *basics = (struct basic_blocks *)observer;
    if (basics->warps[warp].insts > 0)
        end(basics, sm, warp, block);
    basics->warps[warp].later = false;
}

static void on_issued(struct sm_observer *observer, struct sm *sm, uint32_t number,
                      const struct sm_op *op)
{
    struct basic_blocks *basics = (struct basic_blocks *)observer;
    (void)op;
    if (number >= basics->size) {
        uint32_t size = 2 * number + 64;
        uint64_t *issued = realloc(basics->issued, size * sizeof *issued);
        basics->failed |= issued == NULL;
        if (issued == NULL)
            return;
        memset(issued + basics->size, 0, (size - basics->size) * sizeof *issued);
        basics->issued = issued;
        basics->size = size;
    }
    basics->issued[number] = sm->now;
}

static void on_result(struct sm_observer *observer, struct sm *sm, uint32_t number,
                      const struct sm_op *op)
{
    struct basic_blocks *basics = (struct basic_blocks *)observer;
    if (number < basics->size && basics->issued[number] != 0 && op->inst != NULL)
        add_result(basics, op->inst->type, sm->now - basics->issued[number]);
}

struct basic_blocks *basic_blocks_create(struct sm *sm, const struct sim_hooks *hooks,
                                         basic_blocks_keep *keep, void *data)
{
    static const struct sm_observer_hooks blocks_only = {.stepped = on_stepped,
                                                         .retired = on_retired},
                                          both = {.stepped = on_stepped,
                                                  .retired = on_retired,
                                                  .issued = on_issued,
                                                  .result = on_result};
    struct basic_blocks *basics = calloc(1, sizeof *basics);
    if (basics == NULL)
        return NULL;
    basics->observer.hooks = hooks->results_came != NULL ? &both : &blocks_only;
    basics->keep = keep;
    basics->data = data;
    sm_observers_add(&sm->observers, &basics->observer);
    return basics;
}

bool basic_blocks_tell(struct basic_blocks *basics, const struct sim_hooks *hooks)
{
    for (unsigned type = 0; hooks->results_came != NULL && type < TRACE_INST_TYPES; type++)
        if (basics->results[type].count > 0)
            hooks->results_came(hooks->data, (uint8_t)type, basics->results[type].count,
                                basics->results[type].cycles);
    memset(basics->results, 0, sizeof basics->results);
    return !basics->failed;
}

void basic_blocks_destroy(struct basic_blocks *basics, struct sm *sm)
{
    if (basics == NULL)
        return;
    sm_observers_remove(&sm->observers, &basics->observer);
    free(basics->issued);
    free(basics);
}
