#define _GNU_SOURCE /* PTHREAD_MUTEX_ADAPTIVE_NP */
#include "sim/dispatch.h"

#include <stdlib.h>
#include <string.h>

#include "sim/core/hopper/async_op.h"

/* It is held for some tens of instructions: who finds it taken looks a while before it sleeps,
 * where the system can do that. */
static void init_mutex(pthread_mutex_t *mutex)
{
    pthread_mutexattr_t attr;
    pthread_mutexattr_init(&attr);
#ifdef __GLIBC__
    pthread_mutexattr_settype(&attr, PTHREAD_MUTEX_ADAPTIVE_NP);
#endif
    pthread_mutex_init(mutex, &attr);
    pthread_mutexattr_destroy(&attr);
}

bool dispatch_init(struct dispatch *dispatch, struct engine *engine, uint32_t slots,
                   bool shared, uint32_t *last_turn, const uint16_t *visit)
{
    const struct spec *spec = &engine->spec;
    *dispatch = (struct dispatch){
        .engine = engine,
        .launches = calloc(slots, sizeof(struct dispatch_launch *)),
        .slots = slots,
        .shared = shared,
        .states = calloc(spec->sms, sizeof *dispatch->states),
        .posts = calloc(spec->sms, sizeof *dispatch->posts),
        .taken = calloc(spec->sms, sizeof *dispatch->taken),
        .gpcs = calloc(spec->sms, sizeof *dispatch->gpcs),
        .order = {.clusters = spec->clusters,
                  .sms_per_cluster = spec->sms_per_cluster,
                  .visit = visit,
                  .last_turn = last_turn},
    };
    init_mutex(&dispatch->mutex);
    pthread_cond_init(&dispatch->wake, NULL);
    if (!block_order_init(&dispatch->order) || !work_shares_init(&dispatch->sms, spec->sms) ||
        !dispatch->launches || !dispatch->states || !dispatch->posts || !dispatch->taken ||
        !dispatch->gpcs)
        return false;
    for (uint32_t s = 0; s < spec->sms; s++) {
        dispatch->states[s] = DISPATCH_DONE;
        dispatch->gpcs[s] = (uint16_t)spec_gpc(spec, s);
    }
    dispatch->count[DISPATCH_DONE] = spec->sms;
    return true;
}

void dispatch_finish(struct dispatch *dispatch)
{
    pthread_cond_destroy(&dispatch->wake);
    pthread_mutex_destroy(&dispatch->mutex);
    work_shares_finish(&dispatch->sms);
    free(dispatch->launches);
    free(dispatch->states);
    free(dispatch->posts);
    free(dispatch->taken);
    free(dispatch->gpcs);
    free(dispatch->order.last_sm);
}

/* Whether the code of KERNEL, if the trace has it, makes barriers in shared memory. */
static bool makes_barriers(const struct trace_kernel *kernel)
{
    const struct trace_function *function = trace_kernel_function(kernel);
    for (uint32_t i = 0; function != NULL && i < function->count; i++)
        if (async_makes_barrier(&function->code[i]))
            return true;
    return false;
}

bool dispatch_launch_init(struct dispatch_launch *launch, const struct engine *engine,
                          struct trace_kernel *kernel, struct block_reader *feed, uint32_t slot)
{
    const struct trace_header *header = trace_kernel_header(kernel);
    *launch = (struct dispatch_launch){
        .sm = {.kernel = kernel,
               .header = header,
               .slot = slot,
               .makes_barriers = makes_barriers(kernel),
               .reports = calloc(engine->spec.sms, sizeof *launch->sm.reports)},
        .seats = calloc(engine->spec.sms, sizeof *launch->seats),
        .feed = feed != NULL ? feed : block_reader_create(kernel, engine->spec.config),
        .blocks = (uint64_t)header->grid[0] * header->grid[1] * header->grid[2],
    };
    if (launch->feed == NULL)
        return false;
    const uint32_t *cluster = trace_kernel_cluster(kernel);
    launch->sm.cluster = 1;
    if (cluster != NULL && engine->spec.config->options.hearth_clusters &&
        engine->spec.sm.model->hear != NULL) {
        cluster_feed_init(&launch->clusters, header, cluster);
        launch->sm.cluster = launch->clusters.count;
    }
    launch->sm.insts = &launch->feed->insts;
    launch->sm.maps = &launch->feed->maps;
    return launch->sm.reports != NULL && launch->seats != NULL;
}

void dispatch_launch_finish(struct dispatch_launch *launch)
{
    cluster_feed_finish(&launch->clusters);
    block_reader_destroy(launch->feed);
    warm_blocks_finish(&launch->warm);
    free(launch->sm.reports);
    free(launch->seats);
}

uint64_t dispatch_ended(const struct dispatch *dispatch, const struct dispatch_launch *launch,
                        uint64_t *last_end)
{
    uint64_t ended = 0;
    for (uint32_t s = 0; s < dispatch->engine->spec.sms; s++) {
        const struct sm_report *report = &launch->sm.reports[s];
        ended += report->ended;
        if (report->last_end > *last_end)
            *last_end = report->last_end;
    }
    return ended;
}

uint64_t dispatch_let_go(const struct dispatch *dispatch, const struct dispatch_launch *launch,
                         uint64_t *last)
{
    uint64_t count = 0;
    for (uint32_t s = 0; s < dispatch->engine->spec.sms; s++) {
        const struct sm_report *report = &launch->sm.reports[s];
        count += report->let_go;
        if (report->last_go > *last)
            *last = report->last_go;
    }
    return count;
}

/* ---- which launch comes next ---- */

static bool has_blocks(const struct dispatch_launch *launch)
{
    return launch != NULL && launch->given < launch->blocks;
}

static uint32_t least(uint32_t a, uint32_t b)
{
    return a < b ? a : b;
}

/* What any block that waits needs at least. */
static void find_least(struct dispatch *dispatch)
{
    dispatch->least = (struct sm_needs){UINT32_MAX, UINT32_MAX, UINT32_MAX};
    for (uint32_t i = 0; i < dispatch->slots; i++) {
        if (!has_blocks(dispatch->launches[i]))
            continue;
        const struct sm_needs *needs = &dispatch->launches[i]->sm.needs;
        dispatch->least.warps = least(dispatch->least.warps, needs->warps);
        dispatch->least.regs = least(dispatch->least.regs, needs->regs);
        dispatch->least.shmem = least(dispatch->least.shmem, needs->shmem);
    }
}

/* The launch whose blocks are handed out, from the last one on. */
static void choose_launch(struct dispatch *dispatch)
{
    dispatch->current = NULL;
    for (uint32_t i = 0; i < dispatch->slots && dispatch->current == NULL; i++) {
        uint32_t slot = (dispatch->last + i) % dispatch->slots;
        if (!has_blocks(dispatch->launches[slot]))
            continue;
        dispatch->last = slot;
        dispatch->current = dispatch->launches[slot];
    }
    if (dispatch->shared)
        find_least(dispatch);
}

/* Whether warps may execute reductions before the next step ends: what blocks hold that have
 * not been handed out is not known, or only to threads that have read them ahead. */
static bool may_reduce(const struct dispatch *dispatch)
{
    for (uint32_t i = 0; i < dispatch->slots; i++)
        if (has_blocks(dispatch->launches[i]) ||
            (dispatch->launches[i] != NULL && dispatch->launches[i]->feed->insts.reduces))
            return true;
    return false;
}

void dispatch_add(struct dispatch *dispatch, struct dispatch_launch *launch)
{
    const struct block_order *order = &dispatch->order;
    uint32_t next = block_order_cluster(order, *order->last_turn + 1);
    launch->gpc = dispatch->gpcs[next * order->sms_per_cluster];
    dispatch->launches[launch->sm.slot] = launch;
    dispatch->engine->reduces = may_reduce(dispatch);
    choose_launch(dispatch);
}

void dispatch_remove(struct dispatch *dispatch, const struct dispatch_launch *launch)
{
    dispatch->launches[launch->sm.slot] = NULL;
}

static void set_state(struct dispatch *dispatch, uint32_t number, enum dispatch_state state)
{
    dispatch->count[dispatch->states[number]]--;
    dispatch->count[state]++;
    dispatch->states[number] = (uint8_t)state;
    dispatch->changes++;
}

/* Those that could not go on look again. */
static void wake_others(struct dispatch *dispatch)
{
    if (dispatch->sleeping != 0)
        pthread_cond_broadcast(&dispatch->wake);
}

void dispatch_begin(struct dispatch *dispatch, uint64_t first)
{
    for (uint32_t s = 0; s < dispatch->engine->spec.sms; s++) {
        sm_set_clock(dispatch->engine->sms[s], first + 1);
        set_state(dispatch, s, DISPATCH_POSTED);
        dispatch->posts[s] = first;
    }
}

/* ---- handing out ---- */

/* What the hooks make of a block. */
static enum sim_block_choice ask(const struct dispatch_launch *launch,
                                 const struct trace_block *block, const struct sm *sm,
                                 uint64_t cycle, uint64_t *cycles)
{
    if (launch->hooks == NULL || launch->hooks->block_begins == NULL)
        return SIM_BLOCK_RUN;
    struct sim_block about = {
        .order = launch->given,
        .index = {block->index[0], block->index[1], block->index[2]},
        .sm = sm->number,
        .begin = cycle - launch->start,
        .trace = block,
    };
    return launch->hooks->block_begins(launch->hooks->data, &about, cycles);
}

/* Leaves out all blocks that have not been handed out. */
static void end_early(struct dispatch_launch *launch)
{
    launch->skipped += launch->blocks - launch->given;
    launch->given = launch->blocks;
    launch->ended_early = true;
    block_reader_stop(launch->feed);
}

static bool takes_place(enum sim_block_choice choice)
{
    return choice == SIM_BLOCK_RUN || choice == SIM_BLOCK_TIMED ||
           choice == SIM_BLOCK_TIMED_WARM;
}

/* BLOCK, number ORDER, is left out, but L2 shall know it. Its SM is not known: they take turns.
 */
static int warm(struct dispatch *dispatch, struct dispatch_launch *launch,
                struct trace_block *block, uint64_t order)
{
    const struct warm_launch about = {dispatch->engine, launch->sm.header,
                                      &launch->feed->insts};
    return warm_blocks_add(&launch->warm, &about, block,
                           (uint32_t)(order % dispatch->engine->spec.sms), &dispatch->error);
}

/* Gives the next block of the trace that is not left out to an SM at the end
 * of CYCLE. */
static int give_block(struct dispatch *dispatch, struct dispatch_launch *launch, struct sm *sm,
                      uint64_t cycle)
{
    while (has_blocks(launch)) {
        struct trace_block *block = block_reader_take(launch->feed, &dispatch->error);
        uint64_t cycles = 1;
        if (block == NULL)
            return -1;
        enum sim_block_choice choice = ask(launch, block, sm, cycle, &cycles);
        if (choice == SIM_BLOCK_END) {
            trace_block_release(block);
            end_early(launch);
            return 0;
        }
        uint64_t order = launch->given++;
        if (choice == SIM_BLOCK_RUN) {
            sm_take_block(sm, &launch->sm, block, order, cycle);
        } else {
            if (takes_place(choice))
                sm_take_timed(sm, &launch->sm, block->index, order, cycles, cycle);
            bool warms = choice == SIM_BLOCK_WARM || choice == SIM_BLOCK_TIMED_WARM;
            int warmed = warms ? warm(dispatch, launch, block, order) : 0;
            trace_block_release(block);
            if (warmed != 0)
                return -1;
        }
        if (takes_place(choice)) {
            launch->last_given = dispatch->serving;
            return 0;
        }
        launch->skipped++;
    }
    return 0;
}

/* Whether the SM posted the cycle that is served, and has a place for the current launch. */
static bool has_place(void *data, uint32_t number)
{
    const struct dispatch *dispatch = data;
    return dispatch->states[number] == DISPATCH_POSTED &&
           dispatch->posts[number] == dispatch->serving &&
           sm_fits(dispatch->engine->sms[number], &dispatch->current->sm);
}

/* Whether the SM, at the begin of a launch, can hold another block that begins later. */
static bool has_room(void *data, uint32_t number)
{
    const struct dispatch *dispatch = data;
    const struct sm *sm = dispatch->engine->sms[number];
    return dispatch->states[number] == DISPATCH_POSTED &&
           dispatch->posts[number] == dispatch->serving && sm->blocks_used < sm->blocks_max;
}

/* An SM gets its first blocks at once, but they begin when it may have them. */
static int give(void *data, uint32_t number)
{
    struct dispatch *dispatch = data;
    struct sm *sm = dispatch->engine->sms[number];
    uint64_t cycle = dispatch->serving > sm->next_block ? dispatch->serving : sm->next_block;
    if (give_block(dispatch, dispatch->current, sm, cycle) != 0)
        return -1;
    if (!has_blocks(dispatch->current))
        choose_launch(dispatch);
    return dispatch->current != NULL;
}

/* ---- handing out clusters ---- */

/* The first COUNT SMs of GPC that have a place and have not taken a block in this cycle; false:
 * there are fewer. */
static bool find_sms(struct dispatch *dispatch, uint32_t gpc, uint32_t count, uint32_t *sms)
{
    uint32_t found = 0;
    for (uint32_t s = 0; s < dispatch->engine->spec.sms && found < count; s++)
        if (dispatch->gpcs[s] == gpc && !dispatch->taken[s] && has_place(dispatch, s))
            sms[found++] = s;
    return found == count;
}

static struct cluster *copy_of(const struct cluster *cluster)
{
    struct cluster *copy = malloc(sizeof *copy);
    if (copy == NULL)
        memory_short();
    else
        *copy = *cluster;
    return copy;
}

/* Tells the blocks of a cluster where the others are. */
static void introduce(struct engine *engine, const struct cluster *cluster)
{
    for (uint32_t r = 0; r < cluster->count; r++) {
        const struct cluster_member *member = &cluster->members[r];
        struct cluster *own = copy_of(cluster);
        own->rank = (uint8_t)r;
        engine->sms[member->sm]->blocks[member->block].cluster = own;
    }
}

/* Gives the next cluster of the current launch to SMS, a block each. */
static bool give_cluster(struct dispatch *dispatch, const uint32_t *sms)
{
    struct dispatch_launch *launch = dispatch->current;
    struct engine *engine = dispatch->engine;
    struct cluster cluster = {.count = (uint8_t)launch->clusters.count};
    struct cluster_block blocks[CLUSTER_MOST];
    if (cluster_feed_take(&launch->clusters, launch->feed, blocks, &dispatch->error) != 0)
        return false;
    for (uint32_t r = 0; r < cluster.count; r++) {
        uint32_t slot = sm_take_block(engine->sms[sms[r]], &launch->sm, blocks[r].trace,
                                      blocks[r].order, dispatch->serving);
        cluster.members[r] = (struct cluster_member){
            .order = blocks[r].order, .sm = (uint16_t)sms[r], .block = (uint8_t)slot};
        dispatch->taken[sms[r]] = true;
    }
    uint32_t last = sms[cluster.count - 1] / engine->spec.sms_per_cluster;
    *dispatch->order.last_turn = block_order_turn(&dispatch->order, last);
    introduce(engine, &cluster);
    engine->clusters = true;
    launch->given += cluster.count;
    launch->last_given = dispatch->serving;
    return true;
}

/* Gives the current launch's clusters to GPCs in turn, as long as one of these has room. If
 * none has, the turn stays where it was. */
static bool serve_clusters(struct dispatch *dispatch)
{
    struct dispatch_launch *launch = dispatch->current;
    uint32_t gpcs = dispatch->engine->spec.gpcs, sms[CLUSTER_MOST];
    memset(dispatch->taken, 0, dispatch->engine->spec.sms);
    for (uint32_t full = 0; full < gpcs && has_blocks(launch);
         launch->gpc = (launch->gpc + 1) % gpcs) {
        if (!find_sms(dispatch, launch->gpc, launch->clusters.count, sms))
            full++;
        else if (!give_cluster(dispatch, sms))
            return false;
        else
            full = 0;
    }
    if (!has_blocks(launch))
        choose_launch(dispatch);
    return true;
}

/* ---- posts ---- */

/* SMs whose post has been answered go on. */
static void release(struct dispatch *dispatch, uint32_t number)
{
    bool more = sm_now(dispatch->engine->sms[number]) < dispatch->end;
    set_state(dispatch, number, more ? DISPATCH_READY : DISPATCH_DONE);
}

/* Gives blocks to SMs in turn, after the first ones of a launch. Returns 0, or -1 after an
 * error. */
static int serve_blocks(struct dispatch *dispatch)
{
    const struct block_order_taker begin = {has_room, give, dispatch},
                                   later = {has_place, give, dispatch};
    int status = block_order_begin(&dispatch->order, &begin);
    if (status == 0 && dispatch->current != NULL)
        status = block_order_round(&dispatch->order, &later);
    return status;
}

static void serve(struct dispatch *dispatch, uint64_t cycle)
{
    dispatch->serving = cycle;
    if (dispatch_gives_clusters(dispatch->current) ? !serve_clusters(dispatch)
                                                   : serve_blocks(dispatch) != 0) {
        dispatch->failed = true;
        return;
    }
    bool none_left = dispatch->current == NULL;
    if (none_left)
        dispatch->engine->launch.none_left = cycle;
    for (uint32_t s = 0; s < dispatch->engine->spec.sms; s++)
        if (dispatch->states[s] == DISPATCH_POSTED &&
            (none_left || dispatch->posts[s] == cycle))
            release(dispatch, s);
}

/* A ready SM of SELF's share, if there is one. */
static bool find_own(const struct dispatch *dispatch, struct thread_pool_thread self,
                     uint32_t *number)
{
    uint32_t sms = dispatch->engine->spec.sms, end = work_shares_end(self, sms);
    *number = work_shares_first(self, sms);
    while (*number < end && dispatch->states[*number] != DISPATCH_READY)
        ++*number;
    return *number < end;
}

/* A ready SM of another thread's share, one that its thread reaches late. There is one. */
static uint32_t find_others(const struct dispatch *dispatch, struct thread_pool_thread self)
{
    uint32_t sms = dispatch->engine->spec.sms, number = work_shares_first(self, sms);
    do
        number = (number + sms - 1) % sms;
    while (dispatch->states[number] != DISPATCH_READY);
    return number;
}

/* The earliest post, if no SM can post an earlier one any more. */
static bool can_serve(const struct dispatch *dispatch, uint64_t *cycle)
{
    uint64_t first = UINT64_MAX;
    for (uint32_t s = 0; s < dispatch->engine->spec.sms; s++)
        if (dispatch->states[s] == DISPATCH_POSTED && dispatch->posts[s] < first)
            first = dispatch->posts[s];
    if (first == UINT64_MAX)
        return false;
    for (uint32_t s = 0; s < dispatch->engine->spec.sms; s++)
        if (dispatch->states[s] <= DISPATCH_RUNS && sm_clock(dispatch->engine->sms[s]) <= first)
            return false;
    *cycle = first;
    return true;
}

static void run_one(struct dispatch *dispatch, uint32_t number)
{
    struct sm *sm = dispatch->engine->sms[number];
    bool yield = dispatch->current != NULL;
    if (dispatch->shared && yield)
        sm_set_least(sm, &dispatch->least);
    set_state(dispatch, number, DISPATCH_RUNS);
    pthread_mutex_unlock(&dispatch->mutex);
    bool posted = sm_run(sm, dispatch->end, yield);
    pthread_mutex_lock(&dispatch->mutex);
    if (posted && dispatch->current != NULL) {
        set_state(dispatch, number, DISPATCH_POSTED);
        dispatch->posts[number] = sm->now - 1;
    } else {
        release(dispatch, number);
    }
}

/* Reads a block ahead, FACTOR times as many as planned: false when there is none to read. */
static bool read_ahead(struct dispatch *dispatch, uint32_t factor)
{
    for (uint32_t i = 0; i < dispatch->slots; i++) {
        struct dispatch_launch *launch = dispatch->launches[i];
        if (launch != NULL && block_reader_read_ahead(launch->feed, factor * launch->ahead))
            return true;
    }
    return false;
}

/* Until an SM's state changes: one runs on another thread, or this would not wait. */
static void sleep_until_change(struct dispatch *dispatch)
{
    uint64_t changes = dispatch->changes;
    dispatch->sleeping++;
    while (dispatch->changes == changes && !dispatch->failed)
        pthread_cond_wait(&dispatch->wake, &dispatch->mutex);
    dispatch->sleeping--;
}

/* Runs a partition of SELF's share ahead, if one is left. The mutex is released only then: a
 * caller that gets false and goes to sleep must not have missed a change of state. */
static bool run_ahead(struct dispatch *dispatch, struct thread_pool_thread self)
{
    uint32_t number;
    if (!work_shares_own(&dispatch->engine->ahead, self, &number))
        return false;
    pthread_mutex_unlock(&dispatch->mutex);
    engine_run_partition(dispatch->engine, number);
    pthread_mutex_lock(&dispatch->mutex);
    return true;
}

/* While no SM can go on: does what has to be done in this window or the next ones, or waits.
 * WAIT: how long there was nothing of that either. */
static void use_wait(struct dispatch *dispatch, struct thread_pool_thread self,
                     struct thread_pool_wait *wait)
{
    if (wait->tired) {
        sleep_until_change(dispatch);
        *wait = (struct thread_pool_wait){0};
        return;
    }
    pthread_mutex_unlock(&dispatch->mutex);
    if (engine_run_ahead(dispatch->engine, self) || read_ahead(dispatch, 2))
        *wait = (struct thread_pool_wait){0};
    else
        thread_pool_keep_looking(dispatch->engine->pool, wait);
    pthread_mutex_lock(&dispatch->mutex);
}

/* Runs an SM, of SELF's share first, or serves a post. False when nothing of that can be
 * done now. */
static bool run_or_serve(struct dispatch *dispatch, struct thread_pool_thread self)
{
    uint32_t number;
    uint64_t cycle;
    if (find_own(dispatch, self, &number))
        run_one(dispatch, number);
    else if (dispatch->count[DISPATCH_READY] != 0 && run_ahead(dispatch, self))
        return true;
    else if (dispatch->count[DISPATCH_READY] != 0)
        run_one(dispatch, find_others(dispatch, self));
    else if (dispatch->current != NULL && can_serve(dispatch, &cycle))
        serve(dispatch, cycle);
    else
        return false;
    wake_others(dispatch);
    return true;
}

/* What each thread does in a step: runs SMs, serves posts, waits. */
static void run_sms(struct dispatch *dispatch, struct thread_pool_thread self)
{
    uint32_t sms = dispatch->engine->spec.sms;
    struct thread_pool_wait wait = {0};
    pthread_mutex_lock(&dispatch->mutex);
    while (!dispatch->failed && dispatch->count[DISPATCH_DONE] != sms) {
        if (run_or_serve(dispatch, self))
            wait = (struct thread_pool_wait){0};
        else
            use_wait(dispatch, self, &wait);
    }
    pthread_mutex_unlock(&dispatch->mutex);
}

/* The same where no block is handed out: of its share first SMs, then partitions, so that
 * threads do not meet. */
static void run_apart(struct dispatch *dispatch, struct thread_pool_thread self)
{
    struct engine *engine = dispatch->engine;
    uint32_t number;
    while (work_shares_own(&dispatch->sms, self, &number))
        sm_run(engine->sms[number], dispatch->end, false);
    while (work_shares_left(&dispatch->sms)) {
        if (work_shares_own(&engine->ahead, self, &number))
            engine_run_partition(engine, number);
        else if (work_shares_any(&dispatch->sms, self, &number))
            sm_run(engine->sms[number], dispatch->end, false);
    }
}

/* Whether partitions may continue to run beside what follows the step. They may not where a
 * window ends, nor where their results may be read: when a launch ends or an interval is
 * reported. */
static bool partitions_may_wait(const struct dispatch *dispatch)
{
    const struct engine *engine = dispatch->engine;
    return dispatch->end != engine->window_end && dispatch->end != engine->limit &&
           dispatch->current != NULL && !dispatch->shared;
}

/* Blocks of the next launch that are read in a step. */
#define NEXT_A_STEP 4

/* Reading blocks comes first: it is the longest piece that only one thread can do. What the
 * next launch begins with is read meanwhile, or all other threads would wait for it then. */
static void read_blocks(struct dispatch *dispatch)
{
    while (read_ahead(dispatch, 1))
        continue;
    for (int i = 0; i < NEXT_A_STEP && dispatch->next != NULL; i++)
        if (!block_reader_read_ahead(dispatch->next, BLOCK_READER_MAX))
            break;
}

/* Partitions that wait give threads something to do in engine_step(). */
static void work(void *data, struct thread_pool_thread self)
{
    struct dispatch *dispatch = data;
    read_blocks(dispatch);
    if (dispatch->apart)
        run_apart(dispatch, self);
    else
        run_sms(dispatch, self);
    bool wait = partitions_may_wait(dispatch);
    while (!wait && engine_run_ahead(dispatch->engine, self))
        continue;
}

/* As many blocks are read ahead as a step has needed lately, and some more. */
static void plan_reading(struct dispatch *dispatch, struct dispatch_launch *launch)
{
    uint64_t used = launch->given - launch->given_before;
    launch->given_before = launch->given;
    launch->ahead = dispatch->engine->pool == NULL
                        ? 0
                        : (uint32_t)(used < BLOCK_READER_AHEAD ? used : BLOCK_READER_AHEAD) + 2;
}

/* The first error that a reader has met. */
static const struct error *find_error(const struct dispatch *dispatch)
{
    for (uint32_t i = 0; i < dispatch->slots; i++) {
        const struct dispatch_launch *launch = dispatch->launches[i];
        for (uint32_t s = 0; launch != NULL && s < dispatch->engine->spec.sms; s++)
            if (launch->sm.reports[s].error.kind != ERROR_NONE)
                return &launch->sm.reports[s].error;
    }
    return dispatch->error.kind != ERROR_NONE ? &dispatch->error : NULL;
}

/* All SMs are to be run. */
static void begin_step(struct dispatch *dispatch)
{
    uint32_t sms = dispatch->engine->spec.sms;
    dispatch->apart = dispatch->current == NULL && dispatch->count[DISPATCH_DONE] == sms;
    if (dispatch->apart)
        work_shares_open(&dispatch->sms);
    for (uint32_t s = 0; s < sms && !dispatch->apart; s++)
        if (dispatch->states[s] == DISPATCH_DONE)
            set_state(dispatch, s, DISPATCH_READY);
}

int dispatch_run(struct dispatch *dispatch, uint64_t end, struct error *err)
{
    dispatch->end = end;
    for (uint32_t i = 0; i < dispatch->slots; i++)
        if (dispatch->launches[i] != NULL)
            plan_reading(dispatch, dispatch->launches[i]);
    begin_step(dispatch);
    thread_pool_run(dispatch->engine->pool, work, dispatch);
    dispatch->engine->reduces = may_reduce(dispatch);
    const struct error *error = find_error(dispatch);
    if (error == NULL)
        return 0;
    *err = *error;
    return -1;
}
