#include "sim/core/sm.h"

#include <stdlib.h>

#include "sim/core/cpi.h"
#include "sim/core/observers/activity.h"
#include "sim/core/requests.h"
#include "traces/base/prefetch.h"

struct sm *sm_create(const struct sm_spec *spec, uint32_t number)
{
    struct sm *sm = prefetch_alloc(1, spec->model->size);
    if (sm == NULL)
        return NULL;
    uint32_t dirty_percent = (uint32_t)spec->config->options.gpgpu_l1_cache_write_ratio;
    sm->model = spec->model;
    sm->spec = spec;
    sm->number = number;
    sm->l1.mshr.ready_first = MSHR_NONE; /* read even where there is no L1 */
    if (((spec->code.fetches || spec->code.constants) &&
         (sm->code = code_caches_create(&spec->code)) == NULL) ||
        (spec->l1_enabled && !cache_init(&sm->l1, &spec->config->l1d, dirty_percent)) ||
        (spec->activity && !activity_observe(sm)) ||
        (sm->model->init != NULL && !sm->model->init(sm))) {
        sm_destroy(sm);
        return NULL;
    }
    sm_reset(sm);
    return sm;
}

void sm_destroy(struct sm *sm)
{
    if (sm == NULL)
        return;
    if (sm->model->finish != NULL)
        sm->model->finish(sm);
    for (uint32_t b = 0; b < SM_MAX_BLOCKS; b++) {
        trace_block_release(sm->blocks[b].trace);
        free(sm->blocks[b].cluster);
    }
    queue_finish(&sm->replies);
    queue_finish(&sm->taken);
    queue_finish(&sm->requests);
    cache_finish(&sm->l1);
    code_caches_destroy(sm->code);
    sm_observers_finish(&sm->observers);
    free(sm->messages.all);
    free(sm);
}

void sm_reset(struct sm *sm)
{
    if (sm->spec->l1_enabled)
        tags_clear(&sm->l1.tags, sm->l1.tags.spec.ways);
    sm->l1.data_free = sm->l1.fill_free = 0;
    if (sm->code != NULL)
        code_caches_clear(sm->code);
    sm->timed_end = UINT64_MAX;
    sm_set_clock(sm, 0);
    if (sm->model->reset != NULL)
        sm->model->reset(sm);
}

static void begin(struct sm *sm, bool shared, uint64_t start)
{
    sm->shared = shared;
    sm->place = true;
    sm->last_end = start;
    sm->next_block = 0;
    sm->waits = 0;
    sm->blocks_given = 0;
    sm_set_clock(sm, start);
    if (sm->model->begin != NULL)
        sm->model->begin(sm);
}

void sm_begin(struct sm *sm, const struct sm_launch *launch, uint64_t start)
{
    begin(sm, false, start);
    sm_tell_launch_begun(sm);
    sm->blocks_max = launch->blocks_max;
    sm->l1.allocate_on_fill = launch->l1_on_fill;
    if (sm->spec->l1_enabled && launch->l1_ways != sm->l1.tags.spec.ways)
        tags_clear(&sm->l1.tags, launch->l1_ways);
}

void sm_resume_shared(struct sm *sm, uint64_t start)
{
    begin(sm, true, start);
}

void sm_begin_shared(struct sm *sm, bool flush_l1, uint64_t start)
{
    begin(sm, true, start);
    sm->blocks_max = sm->spec->blocks;
    sm->flush_l1 = flush_l1;
    sm->last_launch = 0;
    sm->least = sm->used = (struct sm_needs){0};
}

void sm_end(struct sm *sm, uint64_t last_given)
{
    if (sm->model->end != NULL)
        sm->model->end(sm, sm->last_end > last_given ? sm->last_end : last_given);
}

static bool awaits_code(const struct sm *sm)
{
    return sm->code != NULL && sm->code->supply.missing_count != 0;
}

bool sm_busy(const struct sm *sm)
{
    return awaits_code(sm) || sm->requests.count != 0 || sm->replies.count != 0 ||
           sm->taken.count != 0;
}

/* Sends all requests for code and takes the answers that have come. */
static void drain_code(struct sm *sm, uint64_t now)
{
    struct code_supply *supply = &sm->code->supply;
    uint64_t address, cycle;
    if (sm->requests.count != 0 && queue_last(&sm->requests)->ready > now)
        now = queue_last(&sm->requests)->ready;
    while (supply->requests.count != 0)
        requests_send_code(sm, now);
    while (supply->answers.count != 0)
        code_caches_take(sm->code, &address, &cycle);
}

void sm_drain_posted(struct sm *sm, uint64_t now)
{
    if (awaits_code(sm))
        drain_code(sm, now);
    while (sm->replies.count != 0) {
        const struct packet *packet = &queue_head(&sm->replies)->packet;
        if (packet_is_posted(packet))
            sm_take_posted(sm);
        else if (packet_is_shared(packet))
            queue_pop(&sm->replies);
        else
            return;
    }
}

void sm_count_wait(struct sm *sm, const struct packet *packet, uint64_t last_moved)
{
    if (packet->waited == 0 || sm->now <= last_moved + 1)
        return;
    uint64_t idle = sm->now - last_moved - 1;
    uint64_t cycles = idle < packet->waited ? idle : packet->waited;
    SHARES_ADD(sm, packet->launch, dram_waits, cycles);
}

void sm_take_reply(struct sm *sm, uint64_t last_moved)
{
    const struct packet *packet = &queue_head(&sm->replies)->packet;
    if (packet_is_posted(packet)) {
        sm_take_posted(sm);
        return;
    }
    sm_count_wait(sm, packet, last_moved);
    queue_push(&sm->taken, packet, sm->now);
    queue_pop(&sm->replies);
}

bool sm_fill_l1(struct sm *sm, const struct packet *packet)
{
    if (sm->l1.fill_free > sm->now)
        return false;
    if (cache_is_last_piece(&sm->l1, packet)) {
        sm_tell_filled(sm, packet);
        cache_fill(&sm->l1, packet, sm->now);
    }
    return true;
}

void sm_flush_l1(struct sm *sm)
{
    tags_clear(&sm->l1.tags, sm->l1.tags.spec.ways);
}

void sm_share(struct sm *sm, struct sm_stats *stats, struct code_stats *code,
              struct cache_stats *l1, struct sim_cpi *stacks, struct sm_flight *flights)
{
    sm->shares = stats;
    sm->flights = flights;
    sm->l1.shares = l1;
    if (sm->code != NULL)
        sm->code->shares = code;
    if (sm->cpi != NULL)
        sm->cpi->shares = stacks;
}
