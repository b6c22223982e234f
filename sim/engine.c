#include "sim/engine.h"

#include <stdlib.h>
#include <string.h>

#include "traces/base/prefetch.h"

/* OTHER leaves the crossbar with PACKET. */
static bool join_request(void *data, struct packet *packet, const struct packet *other)
{
    struct engine *engine = data;
    return merges_add(&engine->merges, packet, other);
}

void engine_begin_sweeps(struct engine *engine, uint64_t now)
{
    const struct spec *spec = &engine->spec;
    uint32_t sweep = spec->sm.sweep;
    for (uint32_t s = 0; sweep != 0 && s < spec->sms; s++)
        engine->sms[s]->turn =
            (uint32_t)((now + sweep * spec_gpc(spec, s) / spec->gpcs) % sweep);
}

static bool create_parts(struct engine *engine)
{
    const struct spec *spec = &engine->spec;
    engine->sms = calloc(spec->sms, sizeof *engine->sms);
    engine->partitions = prefetch_alloc(spec->channels, sizeof *engine->partitions);
    engine->arrived = prefetch_alloc(spec->slices, sizeof *engine->arrived);
    engine->aside = prefetch_alloc(spec->slices, sizeof *engine->aside);
    engine->flushed = calloc(spec->slices, sizeof *engine->flushed);
    engine->places = calloc(spec->slices, sizeof *engine->places);
    if (!engine->sms || !engine->partitions || !engine->arrived || !engine->aside ||
        !engine->flushed || !engine->places ||
        !page_walks_init(&engine->page_walks, &spec->page_walks) ||
        !merges_init(&engine->merges, &spec->merges) ||
        !xbar_init(&engine->request, &spec->request) ||
        !xbar_init(&engine->reply, &spec->reply) || !work_shares_init(&engine->crossbars, 2) ||
        !work_shares_init(&engine->ahead, spec->channels))
        return false;
    for (uint32_t s = 0; s < spec->sms; s++) {
        if ((engine->sms[s] = sm_create(&spec->sm, s)) == NULL)
            return false;
        if (engine->sms[s]->code == NULL)
            continue;
        engine->sms[s]->code->supply.sm = s;
        engine->sms[s]->code->supply.distance = spec->sm_distances[s];
        engine->sms[s]->code->supply.half = halves_of_sm(&spec->halves, s);
    }
    engine_begin_sweeps(engine, 0);
    for (uint32_t c = 0; c < spec->channels; c++) {
        struct partition_spec partition = spec->partition;
        partition.number = c;
        if (!partition_init(&engine->partitions[c], &partition, &spec->slice, &spec->config->l2,
                            &spec->dram))
            return false;
        for (uint32_t s = 0; s < partition.slices; s++)
            engine->places[c * partition.slices + s] =
                (struct engine_place){&engine->partitions[c], s};
    }
    return true;
}

int engine_init(struct engine *engine, const struct sim_config *config,
                struct thread_pool *pool, struct error *err)
{
    memset(engine, 0, sizeof *engine);
    engine->pool = pool;
    if (spec_init(&engine->spec, config, err) != 0) {
        spec_finish(&engine->spec);
        return -1;
    }
    if (!create_parts(engine)) {
        engine_finish(engine);
        return error_no_memory(err);
    }
    code_shares_init(&engine->code, &engine->spec.code_shares);
    engine->request.join = engine->spec.merges.max > 1 ? join_request : NULL;
    engine->window_end = engine->spec.window;
    engine->limit = UINT64_MAX;
    engine->launch.start = UINT64_MAX;
    return 0;
}

void engine_finish(struct engine *engine)
{
    const struct spec *spec = &engine->spec;
    for (uint32_t s = 0; engine->sms != NULL && s < spec->sms; s++)
        sm_destroy(engine->sms[s]);
    for (uint32_t c = 0; engine->partitions != NULL && c < spec->channels; c++)
        partition_finish(&engine->partitions[c]);
    for (uint32_t s = 0; engine->arrived != NULL && s < spec->slices; s++)
        queue_finish(&engine->arrived[s]);
    for (uint32_t s = 0; engine->aside != NULL && s < spec->slices; s++)
        queue_finish(&engine->aside[s]);
    code_shares_finish(&engine->code);
    queue_finish(&engine->merged);
    page_walks_finish(&engine->page_walks);
    merges_finish(&engine->merges);
    xbar_finish(&engine->request);
    xbar_finish(&engine->reply);
    work_shares_finish(&engine->crossbars);
    work_shares_finish(&engine->ahead);
    free(engine->flushed);
    free(engine->places);
    free(engine->sms);
    free(engine->partitions);
    free(engine->arrived);
    free(engine->aside);
    free(engine->sm_shares);
    free(engine->flights);
    free(engine->code_shares);
    free(engine->l1_shares);
    free(engine->l2_shares);
    free(engine->dram_shares);
    free(engine->cpi_shares);
    spec_finish(&engine->spec);
    memset(engine, 0, sizeof *engine);
}

bool engine_share(struct engine *engine, uint32_t slots)
{
    const struct spec *spec = &engine->spec;
    if (engine->slots != 0)
        return true;
    engine->sm_shares = calloc((size_t)spec->sms * slots, sizeof *engine->sm_shares);
    engine->flights = calloc((size_t)spec->sms * slots, sizeof *engine->flights);
    engine->code_shares = calloc((size_t)spec->sms * slots, sizeof *engine->code_shares);
    engine->l1_shares = calloc((size_t)spec->sms * slots, sizeof *engine->l1_shares);
    engine->l2_shares = calloc((size_t)spec->slices * slots, sizeof *engine->l2_shares);
    engine->dram_shares = calloc((size_t)spec->channels * slots, sizeof *engine->dram_shares);
    if (!engine->sm_shares || !engine->flights || !engine->code_shares || !engine->l1_shares ||
        !engine->l2_shares || !engine->dram_shares)
        return false;
    size_t stacks = spec->sm.cpi_stack ? (size_t)slots * spec->sm.schedulers : 0;
    engine->cpi_shares = calloc(spec->sms * stacks + 1, sizeof *engine->cpi_shares);
    if (engine->cpi_shares == NULL)
        return false;
    engine->slots = slots;
    for (uint32_t s = 0; s < spec->sms; s++)
        sm_share(engine->sms[s], &engine->sm_shares[s * slots], &engine->code_shares[s * slots],
                 &engine->l1_shares[s * slots], &engine->cpi_shares[s * stacks],
                 &engine->flights[s * slots]);
    for (uint32_t c = 0; c < spec->channels; c++) {
        partition_share(&engine->partitions[c], &engine->dram_shares[c * slots],
                        &engine->l2_shares[c * spec->partition.slices * slots], slots);
    }
    return true;
}

bool engine_has_landed(const struct engine *engine, uint32_t slot, uint64_t *last)
{
    for (uint32_t s = 0; s < engine->spec.sms; s++) {
        const struct sm_flight *flight = &engine->flights[s * engine->slots + slot];
        if (flight->count != 0)
            return false;
        if (flight->last > *last)
            *last = flight->last;
    }
    return true;
}

uint64_t engine_insts(const struct engine *engine)
{
    uint64_t insts = 0;
    for (uint32_t s = 0; s < engine->spec.sms; s++)
        insts += sm_stats(engine->sms[s])->warp_insts;
    return insts;
}

/* ---- replies ---- */

/* From the crossbar a reply passes through the cluster's queue: two cycles later, and those of
 * its slice's distance, the load/store unit may take it. SMs take one reply per cycle, so the
 * queue after the output has no limit here. */
static inline void send_reply(struct engine *engine, const struct packet *packet, uint64_t now)
{
    uint32_t distance = spec_distance(&engine->spec, packet->sm, packet->slice);
    sm_reply(engine->sms[packet->sm], packet, now + 2 + distance);
}

/* The blocks of the cluster for which PACKET's copy is, too, get its sector with it. */
static void send_copies(struct engine *engine, const struct packet *packet, uint64_t now)
{
    const struct cluster_copy *copy = sm_copies(engine->sms[packet->sm], packet->op);
    for (uint32_t rest = copy != NULL ? copy->receivers : 0; rest != 0; rest &= rest - 1) {
        const struct cluster_member *to = &copy->cluster.members[__builtin_ctz(rest)];
        struct packet shared = *packet;
        shared.op = PACKET_SHARED;
        shared.sm = to->sm;
        shared.address = cluster_pack(to, copy->barrier);
        send_reply(engine, &shared, now);
    }
}

/* PACKET, which has left the crossbar, comes to its SM. */
static void arrive(struct engine *engine, const struct packet *packet, uint64_t now)
{
    if (engine->clusters && packet->kind == PACKET_READ_L2)
        send_copies(engine, packet, now);
    send_reply(engine, packet, now);
}

/* A reply to a merged request comes to all SMs at once. */
static void deliver_reply(void *data, uint32_t output, const struct packet *packet,
                          uint64_t now)
{
    struct engine *engine = data;
    xbar_leave(&engine->reply, output);
    if (packet->kind == PACKET_CODE) {
        code_shares_answer(&engine->code, packet, now);
        return;
    }
    if (engine->request.join == NULL || !packet_may_merge(packet) || packet->merged == 0) {
        arrive(engine, packet, now);
        return;
    }
    const struct packet *members = merges_members(&engine->merges, packet);
    for (uint32_t i = 0; i <= packet->merged; i++) {
        struct packet reply = members[i];
        reply.waited = packet->waited;
        arrive(engine, &reply, now);
    }
    merges_end(&engine->merges, packet);
}

/* The same of code, for one of those that asked for it. */
static void deliver_code(void *data, const struct code_shares_answer *answer, uint32_t sm)
{
    const struct engine *engine = data;
    uint32_t distance = spec_distance(&engine->spec, sm, answer->packet.slice);
    sm_code_came(engine->sms[sm], &answer->packet, answer->cycle + 2 + distance);
}

/* The partitions' replies go to the crossbar's inputs. */
static void collect_replies(struct engine *engine)
{
    uint32_t slices = engine->spec.partition.slices;
    for (uint32_t c = 0; c < engine->spec.channels; c++)
        for (uint32_t s = 0; s < slices; s++)
            xbar_append(&engine->reply, c * slices + s,
                        partition_replies(&engine->partitions[c], s));
}

/* What threads that run the crossbars tell each other. */
enum engine_crossing { REQUESTS_DONE = 1, REPLIES_TAKEN = 2, REPLIES_DONE = 4 };

static void set_crossing(struct engine *engine, enum engine_crossing reached)
{
    atomic_fetch_or_explicit(&engine->crossing, reached, memory_order_release);
}

static bool has_crossed(struct engine *engine, unsigned all)
{
    return (atomic_load_explicit(&engine->crossing, memory_order_acquire) & all) == all;
}

static void run_replies(struct engine *engine)
{
    uint64_t now = engine->window_start;
    xbar_begin(&engine->reply, now);
    collect_replies(engine);
    set_crossing(engine, REPLIES_TAKEN);
    while (engine->reply.packets != 0) {
        now = xbar_next(&engine->reply, now);
        if (now >= engine->window_end)
            return;
        xbar_advance(&engine->reply, now, deliver_reply, engine);
        now++;
    }
}

/* ---- requests ---- */

static void deliver_request(void *data, uint32_t output, const struct packet *packet,
                            uint64_t now)
{
    struct engine *engine = data;
    queue_push(&engine->arrived[output], packet, now + 1);
    engine->arrived_count++;
}

/* The queue with the earliest packet of COUNT SMs' requests, NULL if all are empty. */
static struct queue *earliest(struct sm *const *sms, uint32_t count)
{
    struct queue *first = NULL;
    for (uint32_t s = 0; s < count; s++) {
        struct queue *queue = sm_requests(sms[s]);
        if (queue->count != 0 &&
            (first == NULL || queue_head(queue)->ready < queue_head(first)->ready))
            first = queue;
    }
    return first;
}

/* Takes the requests for code out of QUEUE that others take with them. */
static void drop_joined(struct queue *queue)
{
    for (uint32_t left = queue->count; left != 0; left--) {
        struct queue_entry entry = *queue_head(queue);
        queue_pop(queue);
        if (entry.packet.kind != PACKET_CODE || entry.packet.op != CODE_SHARES_JOINED)
            queue_push(queue, &entry.packet, entry.ready);
    }
}

/* Joins what SMs of a GPC ask for the same code. */
static void share_code(struct engine *engine)
{
    bool any = false;
    for (uint32_t s = 0; s < engine->spec.sms; s++) {
        struct queue *queue = sm_requests(engine->sms[s]);
        if (engine->sms[s]->code_requests == 0)
            continue;
        any = true;
        for (uint32_t i = 0; i < queue->count; i++)
            if (queue_at(queue, i)->packet.kind == PACKET_CODE)
                code_shares_offer(&engine->code, &queue_at(queue, i)->packet,
                                  queue_at(queue, i)->ready);
    }
    if (!any)
        return;
    code_shares_join(&engine->code);
    for (uint32_t s = 0; s < engine->spec.sms; s++) {
        if (engine->sms[s]->code_requests != 0)
            drop_joined(sm_requests(engine->sms[s]));
        engine->sms[s]->code_requests = 0;
    }
}

/* Moves the packets of a cluster's SMs to the first of these SMs, in the order in which they
 * were sent. Only so does it not matter how many windows that takes. */
static void merge_requests(struct engine *engine, struct sm *const *sms, uint32_t count)
{
    struct queue *merged = &engine->merged, sorted;
    for (struct queue *queue; (queue = earliest(sms, count)) != NULL; queue_pop(queue))
        queue_push(merged, &queue_head(queue)->packet, queue_head(queue)->ready);
    sorted = *merged;
    *merged = *sm_requests(sms[0]);
    *sm_requests(sms[0]) = sorted;
}

/* Moves the SMs' packets of the window to the crossbar's inputs, those of a
 * cluster in order of time. */
static void collect_requests(struct engine *engine)
{
    uint32_t per_cluster = engine->spec.sms_per_cluster;
    if (engine->spec.sm.code.l2_latency != 0)
        share_code(engine);
    for (uint32_t s = 0; per_cluster > 1 && s < engine->spec.sms; s += per_cluster)
        merge_requests(engine, &engine->sms[s], per_cluster);
    for (uint32_t s = 0; engine->spec.page_walks.latency != 0 && s < engine->spec.sms;
         s += per_cluster)
        page_walks_delay(&engine->page_walks, sm_requests(engine->sms[s]));
    page_walks_begin(&engine->page_walks);
    for (uint32_t cluster = 0; cluster < engine->spec.clusters; cluster++)
        xbar_append(&engine->request, cluster, sm_requests(engine->sms[cluster * per_cluster]));
}

void engine_know_pages(struct engine *engine)
{
    uint32_t slices = engine->spec.page_walks.latency != 0 ? engine->spec.slices : 0;
    for (uint32_t s = 0; s < slices; s++) {
        const struct tags *tags = &engine_slice(engine, s)->cache.tags;
        for (uint32_t i = 0; i < tags->spec.sets * tags->max_ways; i++)
            if (tags->lines[i].valid != 0)
                page_walks_know(&engine->page_walks, tags->lines[i].address & ~PACKET_COPIED);
    }
}

void engine_settle(struct engine *engine)
{
    for (uint32_t s = 0; s < engine->spec.slices; s++)
        if (engine->aside[s].count != 0)
            slice_append(engine_slice(engine, s), &engine->aside[s]);
}

/* PACKET's delay before slice S is over in cycle READY. */
static void enter_slice(struct engine *engine, uint32_t s, const struct packet *packet,
                        uint64_t ready)
{
    if (engine->beside)
        queue_push(&engine->aside[s], packet, ready);
    else
        slice_push(engine_slice(engine, s), packet, ready);
}

/* The same for the line of an L1 that is not sectored, which a sectored L2 takes by sector.
 * Source: memory_sub_partition::breakdown_request_to_sector_requests() of GPGPU-Sim. */
static void enter_slice_in_pieces(struct engine *engine, uint32_t s,
                                  const struct packet *packet, uint64_t ready)
{
    struct packet piece = *packet;
    uint32_t pieces = engine->spec.config->l1d.pieces;
    if (packet->kind == PACKET_WRITE_BACK)
        piece.bytes /= pieces;
    else if (packet->kind != PACKET_READ)
        pieces = 1;
    for (; pieces-- != 0; piece.address += SECTOR_BYTES)
        enter_slice(engine, s, &piece, ready);
}

/* Each slice takes one arrived packet a cycle, unless its own queue was
 * short of room. */
static void take_arrived(struct engine *engine, uint64_t now)
{
    uint64_t delay = engine->spec.arrival_delay;
    for (uint32_t s = 0; s < engine->spec.slices; s++) {
        struct queue *queue = &engine->arrived[s];
        if (!queue_ready(queue, now))
            continue;
        const struct engine_place *place = &engine->places[s];
        if (partition_blocked(place->partition, place->slice, now))
            continue;
        const struct packet *packet = &queue_head(queue)->packet;
        if (engine->spec.config->l1d.pieces > 1)
            enter_slice_in_pieces(engine, s, packet, now + delay);
        else
            enter_slice(engine, s, packet, now + delay);
        queue_pop(queue);
        queue_expect(queue);
        engine->arrived_count--;
        xbar_leave(&engine->request, s);
    }
}

/* Runs the crossbar over the cycles before END. */
static void run_requests(struct engine *engine, uint64_t end)
{
    uint64_t now = engine->request_now;
    xbar_begin(&engine->request, now);
    collect_requests(engine);
    while (now < end && (engine->request.packets != 0 || engine->arrived_count != 0)) {
        if (engine->arrived_count == 0) {
            now = xbar_next(&engine->request, now);
            if (now >= end)
                break;
        }
        if (engine->arrived_count != 0)
            take_arrived(engine, now);
        if (engine->request.packets != 0)
            xbar_advance(&engine->request, now, deliver_request, engine);
        now++;
    }
    engine->request_now = end;
    for (uint32_t s = 0; s < engine->spec.sms; s++)
        sm_set_requests_ahead(engine->sms[s],
                              engine->request.in[s / engine->spec.sms_per_cluster].count);
}

/* The caller's thread runs the crossbar, the others partitions until it is done. */
static void run_beside(void *data, struct thread_pool_thread self)
{
    struct engine *engine = data;
    if (self.number == 0) {
        run_requests(engine, engine->request_goal);
        atomic_store_explicit(&engine->reached, true, memory_order_relaxed);
        return;
    }
    while (!atomic_load_explicit(&engine->reached, memory_order_relaxed) &&
           engine_run_ahead(engine, self))
        continue;
}

/* Runs the crossbar over the cycles before END within the open window. */
static void bring_requests(struct engine *engine, uint64_t end)
{
    engine->beside = engine->pool != NULL && end - engine->request_now > 1 &&
                     work_shares_left(&engine->ahead);
    if (!engine->beside) {
        engine_settle(engine);
        run_requests(engine, end);
        return;
    }
    engine->request_goal = end;
    atomic_store_explicit(&engine->reached, false, memory_order_relaxed);
    thread_pool_run(engine->pool, run_beside, engine);
    engine->beside = false;
}

/* Where the window that holds CYCLE would end without limits. */
static uint64_t whole_window_end(const struct engine *engine, uint64_t cycle)
{
    return cycle + engine->spec.window - (cycle - engine->windows) % engine->spec.window;
}

uint64_t engine_step(struct engine *engine, uint64_t now)
{
    const struct sm_spec *sm = &engine->spec.sm;
    uint32_t longest = 0, limit = sm->request_limit;
    if (engine->reduces && sm->posted_max != 0 && sm->posted_max < limit)
        limit = sm->posted_max;
    if (now >= engine->request_now)
        bring_requests(engine, now + 1);
    for (uint32_t c = 0; c < engine->spec.clusters; c++)
        if (engine->request.in[c].count > longest)
            longest = engine->request.in[c].count;
    uint64_t room = limit > longest ? limit - longest : 0;
    uint64_t cycles = room / (sm->sends * engine->spec.sms_per_cluster);
    uint64_t end = whole_window_end(engine, now);
    if (cycles == 0)
        cycles = 1;
    return now + cycles < end ? now + cycles : end;
}

/* ---- windows ---- */

void engine_run_partition(struct engine *engine, uint32_t number)
{
    partition_run(&engine->partitions[number], engine->partitions_end, engine->ahead_end);
}

bool engine_run_ahead(struct engine *engine, struct thread_pool_thread self)
{
    uint32_t number;
    if (!work_shares_any(&engine->ahead, self, &number))
        return false;
    engine_run_partition(engine, number);
    return true;
}

static void begin_partitions(struct engine *engine, uint64_t end)
{
    engine->ahead_end = end;
    work_shares_open(&engine->ahead);
}

static void run_partitions(void *data, struct thread_pool_thread self)
{
    while (engine_run_ahead(data, self))
        continue;
}

void engine_finish_partitions(struct engine *engine)
{
    if (work_shares_left(&engine->ahead))
        thread_pool_run(engine->pool, run_partitions, engine);
}

static void end_partitions(struct engine *engine)
{
    engine_finish_partitions(engine);
    engine->partitions_end = engine->ahead_end;
}

/* Those of the window that is over. */
static void finish_requests(struct engine *engine)
{
    engine_settle(engine);
    run_requests(engine, engine->window_start);
}

static void run_crossbar(struct engine *engine, uint32_t number)
{
    if (number == 0)
        finish_requests(engine);
    else
        run_replies(engine);
    set_crossing(engine, number == 0 ? REQUESTS_DONE : REPLIES_DONE);
}

/* Who has done a crossbar runs partitions while the other one is not done: those have their
 * requests, and their replies have been taken. */
static void run_crossbars(void *data, struct thread_pool_thread self)
{
    struct engine *engine = data;
    uint32_t number;
    while (work_shares_any(&engine->crossbars, self, &number))
        run_crossbar(engine, number);
    while (has_crossed(engine, REQUESTS_DONE | REPLIES_TAKEN) &&
           !has_crossed(engine, REPLIES_DONE) && engine_run_ahead(engine, self))
        continue;
}

/* Where a window that begins at START ends. */
static uint64_t window_from(const struct engine *engine, uint64_t start)
{
    uint64_t end = whole_window_end(engine, start);
    return start < engine->limit && engine->limit < end ? engine->limit : end;
}

/* What SMs have sent each other in the last window. */
static void exchange_messages(struct engine *engine)
{
    for (uint32_t s = 0; s < engine->spec.sms; s++) {
        struct sm *sm = engine->sms[s];
        for (uint32_t i = 0; i < sm->messages.count; i++)
            sm_hear(engine->sms[sm->messages.all[i].to.sm], &sm->messages.all[i]);
        sm->messages.count = 0;
    }
}

/* Partitions may run up to the end of the next window, once the requests of the last one have
 * come to them and their replies for this one have been taken. */
static void begin_ahead(struct engine *engine)
{
    uint64_t next_end = window_from(engine, engine->window_end);
    if (engine->spec.run_ahead && engine->window_end != engine->limit &&
        next_end > engine->partitions_end)
        begin_partitions(engine, next_end);
}

static void open_window(struct engine *engine)
{
    if (engine->clusters)
        exchange_messages(engine);
    if (engine->partitions_end < engine->window_end) {
        finish_requests(engine);
        begin_partitions(engine, engine->window_end);
        end_partitions(engine);
        run_replies(engine);
        begin_ahead(engine);
    } else {
        begin_ahead(engine);
        work_shares_open(&engine->crossbars);
        atomic_store_explicit(&engine->crossing, 0, memory_order_relaxed);
        thread_pool_run(engine->pool, run_crossbars, engine);
    }
    code_shares_take(&engine->code, deliver_code, engine);
    engine->opened = true;
}

/* Partitions stand at the end of the same window. */
static void tell_hurry(struct engine *engine)
{
    for (uint32_t c = 0; c < engine->spec.channels; c++)
        if (engine->partitions[c].dram.hurry != engine->hurry)
            partition_hurry(&engine->partitions[c], engine->hurry);
}

void engine_open(struct engine *engine, uint64_t cycle)
{
    for (;;) {
        if (!engine->opened)
            open_window(engine);
        if (cycle < engine->window_end)
            return;
        end_partitions(engine);
        tell_hurry(engine);
        merges_collect(&engine->merges);
        engine->window_start = engine->window_end;
        engine->window_end = window_from(engine, engine->window_start);
        engine->opened = false;
    }
}

bool engine_busy(const struct engine *engine)
{
    if (engine->request.packets != 0 || engine->reply.packets != 0 ||
        engine->arrived_count != 0)
        return true;
    for (uint32_t s = 0; s < engine->spec.sms; s++)
        if (sm_busy(engine->sms[s]))
            return true;
    for (uint32_t s = 0; s < engine->spec.slices; s++)
        if (engine->aside[s].count != 0)
            return true;
    for (uint32_t c = 0; c < engine->spec.channels; c++)
        if (partition_busy(&engine->partitions[c]))
            return true;
    return false;
}

/* With nothing on its way: begins a window at cycle NOW. */
static void restart(struct engine *engine, uint64_t now)
{
    for (uint32_t c = 0; c < engine->spec.channels; c++)
        partition_rewind(&engine->partitions[c], now);
    engine->window_start = engine->partitions_end = engine->request_now = now;
    engine->windows = now;
    engine->window_end = now + engine->spec.window;
    engine->opened = false;
}

void engine_hurry(struct engine *engine, bool hurry)
{
    engine->hurry = hurry;
}

uint64_t engine_drain(struct engine *engine, uint64_t now)
{
    engine_open(engine, now);
    engine_hurry(engine, true);
    for (;;) {
        for (uint32_t s = 0; s < engine->spec.sms; s++)
            sm_drain_posted(engine->sms[s], engine->window_start);
        if (!engine_busy(engine))
            break;
        engine_open(engine, engine->window_end);
    }
    end_partitions(engine);
    engine_hurry(engine, false);
    tell_hurry(engine);
    for (uint32_t c = 0; c < engine->spec.channels; c++)
        if (engine->partitions[c].active_end > now)
            now = engine->partitions[c].active_end;
    restart(engine, now);
    return now;
}

void engine_clean(struct engine *engine)
{
    if (engine->spec.config->l2.dirty_kept == 0 || engine->spec.slice.disabled)
        return;
    engine_finish_partitions(engine);
    for (uint32_t s = 0; s < engine->spec.slices; s++)
        slice_clean(engine_slice(engine, s));
}

bool engine_holds(struct engine *engine, uint64_t address, uint64_t bytes)
{
    uint64_t end = address + bytes;
    engine_finish_partitions(engine);
    for (address &= ~(uint64_t)(SECTOR_BYTES - 1); address < end; address += SECTOR_BYTES) {
        uint32_t set, number = address_table_of(&engine->spec.places, address, &set);
        if (!slice_holds(engine_slice(engine, number), address))
            return false;
    }
    return true;
}

void engine_bring(struct engine *engine, uint64_t address, uint64_t bytes)
{
    uint64_t end = address + bytes;
    engine_finish_partitions(engine);
    for (address &= ~(uint64_t)(SECTOR_BYTES - 1); address < end; address += SECTOR_BYTES) {
        uint32_t set, number = address_table_of(&engine->spec.places, address, &set);
        struct slice *slice = engine_slice(engine, number);
        engine->flushed[number] += slice_copy(slice, address);
        if (engine->spec.halves.slices != 0)
            engine->flushed[number] += slice_copy(slice, address | PACKET_COPIED);
    }
}

void engine_count_code(struct engine *engine, uint32_t slot, uint64_t address, uint64_t bytes)
{
    uint64_t end = address + bytes;
    for (address &= ~(uint64_t)(SECTOR_BYTES - 1); address < end; address += SECTOR_BYTES) {
        uint32_t set, number = address_table_of(&engine->spec.places, address, &set);
        const struct engine_place *place = &engine->places[number];
        partition_count_code(place->partition, place->slice, slot);
    }
}

bool engine_storing(const struct engine *engine)
{
    for (uint32_t s = 0; s < engine->spec.sms; s++)
        if (sm_storing(engine->sms[s]))
            return true;
    return false;
}

uint64_t engine_pass(struct engine *engine, uint64_t now, uint64_t end)
{
    engine_open(engine, now);
    if (end > engine->window_end)
        end = engine->window_end;
    for (uint32_t s = 0; s < engine->spec.sms; s++)
        sm_run(engine->sms[s], end, false);
    return end;
}
