/* The turns of warps in a functional launch: what a warp issues before other warps continue. */
#include "sim/functional/functional.h"
#include "traces/address.h"
#include "traces/base/prefetch.h"

/* Cycles from an instruction to the next one, and bytes of an instruction. */
#define INST_CYCLES 4
#define INST_BYTES  16
/* The most instructions assumed between two memory instructions. */
#define GAP_MOST 64
/* The fewest instructions of a loop besides memory instructions: a count and the branch. */
#define LOOP_INSTS 2

#define LIST_LANES 32u
/* How many turns ahead the data of a warp is prefetched. */
#define AHEAD 3

/* Longest turn of a warp, in cycles; a warp can wait twice as long for its turn. */
#define CYCLES_MOST (WARP_ORDER_SLOTS / 2)
#define INSTS_MOST  4096 /* the most instructions in a turn, even if they take no cycles */

static inline void count_inst(struct sim_counters *counters, const struct trace_record *record)
{
    counters->warp_insts++;
    counters->thread_insts += (uint64_t)__builtin_popcount(record->mask);
}

/* Advances WARP to its next memory instruction, *FOUND. Returns 1, 0 at the warp's end, or -1
 * on error. */
static inline int find_access(struct functional *launch, struct trace_warp *warp,
                              const struct inst **found)
{
    for (;; warp->at++) {
        if (warp->at == warp->end) {
            int more = warp->total != 0 ? trace_warp_fill(warp, launch->err) : 0;
            if (more <= 0)
                return more;
        }
        const struct inst *inst = inst_table_get(&launch->reader->insts, warp->at->inst);
        *found = inst;
        if (inst->pc > launch->last_pc)
            launch->last_pc = inst->pc;
        if (inst->accesses)
            return 1;
        count_inst(&launch->counters, warp->at);
    }
}

/* The number of instructions from LAST to NEXT. */
static uint32_t gap(const struct inst *last, const struct inst *next)
{
    bool back = next->pc <= last->pc;
    uint32_t bytes = back ? last->pc - next->pc : next->pc - last->pc;
    uint32_t insts = bytes / INST_BYTES + (back ? LOOP_INSTS : 0);
    return insts < GAP_MOST ? insts : GAP_MOST;
}

/* Whether INST needs one of the registers in PENDING. */
static bool needs(const struct inst *inst, const uint64_t pending[4])
{
    for (uint32_t i = 0; i < inst->reg_count; i++)
        if (pending[inst->regs[i] / 64] >> inst->regs[i] % 64 & 1)
            return true;
    return false;
}

/* Whether the code before INST needs one of the registers in PENDING. */
static bool needs_before(const struct inst *inst, const uint64_t pending[4])
{
    uint64_t both = 0;
    for (int i = 0; inst->between != NULL && i < 4; i++)
        both |= inst->between->registers[i] & pending[i];
    return both != 0;
}

/* Whether the block waits at a barrier between LAST and NEXT. */
static bool is_barrier(const struct inst *last, const struct inst *next)
{
    return next->between != NULL && next->between->barrier && next->pc > last->pc;
}

/* Prefetches a list of ADDRESSES, one for each lane or row. */
static void near_list(const uint64_t *addresses)
{
    for (uint32_t i = 0; i < LIST_LANES; i += PREFETCH_LINE / sizeof *addresses)
        __builtin_prefetch(addresses + i);
}

/* Whether INST accesses shared memory, and so no cache, whatever its addresses are. */
static bool is_shared(const struct inst *inst)
{
    return inst->space == TRACE_SPACE_SHARED;
}

/* Issues the memory instruction INST, the next one of warp NUMBER. Returns the number of its
 * sectors. */
static uint32_t issue(struct functional *launch, const struct functional_sm *sm,
                      uint32_t number, const struct inst *inst)
{
    const struct trace_record *record = sm->warps[number]->at++;
    if (address_is_list(record->mode)) /* such instructions tend to follow each other: prefetch
                                        * two full lists ahead */
        near_list(sm->warps[number]->addresses + record->address + 2 * LIST_LANES);
    count_inst(&launch->counters, record);
    if (is_shared(inst))
        return 0;
    uint32_t sectors = functional_access(launch, sm, number, inst, record);
    warp_order_pass(&launch->warp_order, sm->number, sectors);
    return sectors;
}

/* What a warp issues in a turn. */
struct issued {
    const struct inst *last;
    bool loads, stores;
    uint64_t cycles; /* from the first instruction to the next one after the last */
};

/* Executes the accesses of a turn of SM and tells DRAM what they move. Returns where the one
 * that takes longest is found. */
static enum warp_order_level execute(struct functional *launch, uint32_t sm)
{
    struct access_queue *queue = &launch->queue;
    struct functional_found *before = &launch->found;
    access_queue_execute(queue);
    const struct functional_found now = {
        .past_l1 = queue->past_l1,
        .read = queue->slow,
    };
    enum warp_order_level level = now.read != before->read         ? WARP_ORDER_IN_DRAM
                                  : now.past_l1 != before->past_l1 ? WARP_ORDER_IN_L2
                                                                   : WARP_ORDER_IN_L1;
    warp_order_begin(&launch->warp_order, queue->distance);
    queue->distance = 0;
    for (uint32_t sectors; queue->asked != 0;) {
        uint32_t channel = access_queue_take_asked(queue, &sectors);
        warp_order_move(&launch->warp_order, sm, channel, sectors);
    }
    *before = now;
    return level;
}

/* Notes when what SM has sent in a turn has arrived. */
static void send(struct functional *launch, uint32_t sm, const struct issued *issued,
                 struct functional_loads *loads)
{
    struct warp_order *order = &launch->warp_order;
    if (!issued->loads && !issued->stores)
        return;
    enum warp_order_level level = execute(launch, sm);
    if (issued->loads)
        loads->arrival = warp_order_later(loads->arrival, warp_order_loaded(order, sm, level));
    if (issued->stores && order->times.stored != 0)
        loads->stored = warp_order_stored(order, sm);
}

/* Whether NEXT can be issued at once after LAST, with registers PENDING. */
static bool follows(const struct inst *last, const struct inst *next, const uint64_t pending[4])
{
    return gap(last, next) <= 1 && !needs(next, pending);
}

/* Issues consecutive memory instructions of warp NUMBER that do not depend on each other, from
 * *NEXT on, only one where warps take turns; with SHARED, only those of shared memory, which
 * only take time. *NEXT becomes the memory instruction after them. Returns 1, 0 if there is
 * none, or -1 on error. Inlined once for each value of SHARED. */
static inline __attribute__((always_inline)) int
issue_some(struct functional *launch, struct functional_sm *sm, uint32_t number,
           const bool shared, const struct inst **next, struct issued *issued)
{
    struct trace_warp *warp = sm->warps[number];
    uint64_t own[4] = {0}, *pending = shared ? own : sm->loads[number].pending;
    bool one = !shared && launch->warp_order.times.turns;
    const struct inst *inst;
    int more;
    do {
        inst = *next;
        if (shared)
            count_inst(&launch->counters, warp->at++);
        else if (issue(launch, sm, number, inst) != 0)
            *(inst->access == TRACE_ACCESS_STORE ? &issued->stores : &issued->loads) = true;
        for (uint32_t i = 0; i < inst->dst_count; i++)
            pending[inst->dst[i] / 64] |= 1ull << inst->dst[i] % 64;
        more = find_access(launch, warp, next);
    } while (more > 0 && !one && (!shared || is_shared(*next)) &&
             follows(inst, *next, pending));
    issued->cycles += INST_CYCLES * (more > 0 ? gap(inst, *next) : 1);
    issued->last = inst;
    return more;
}

/* Whether a warp goes on from its last instruction to NEXT before its LOADS arrive. Warps issue
 * in order until an instruction needs what has not arrived. Of those between two memory
 * instructions, the trace may say which registers they use. If not, they are taken to compute
 * its address from others before another load; and before a store or an atomic, or in the next
 * iteration of a loop, to use what was loaded. With TURNS, instructions that follow each other
 * at once are left. */
static bool goes_on(const struct issued *issued, const struct inst *next,
                    const struct functional_loads *loads, bool turns)
{
    const struct inst *last = issued->last;
    if (turns && !is_shared(last) && !is_shared(next) && follows(last, next, loads->pending))
        return true;
    return last->access == TRACE_ACCESS_LOAD && next->access == TRACE_ACCESS_LOAD &&
           !is_shared(last) && !is_shared(next) && next->pc > last->pc &&
           !needs(next, loads->pending) && !needs_before(next, loads->pending);
}

/* Waits for the LOADS of a warp: returns the cycle from which it continues. Before its end,
 * when there is no MORE, it also waits for its stores. */
static uint64_t wait_for(const struct functional *launch, struct functional_loads *loads,
                         bool more)
{
    uint64_t from = warp_order_later(launch->warp_order.now, loads->arrival);
    uint64_t stored = loads->stored;
    *loads = (struct functional_loads){.stored = stored};
    return more ? from : warp_order_later(from, stored);
}

/* A turn of warp NUMBER: it issues consecutive instructions, then, unless it goes on to another
 * load, those of shared memory that follow up to a barrier, whose order among warps does not
 * matter, and then waits. Returns 1, 0 at the warp's end, or -1 on error. */
static int run_warp(struct functional *launch, struct functional_sm *sm, uint32_t number)
{
    struct issued issued = {0};
    struct functional_loads *loads = &sm->loads[number];
    uint64_t before = launch->counters.warp_insts;
    const struct inst *next;
    int more = find_access(launch, sm->warps[number], &next);
    if (more <= 0)
        return more;
    more = issue_some(launch, sm, number, false, &next, &issued);
    send(launch, sm->number, &issued, loads);
    bool waits = more <= 0 || !goes_on(&issued, next, loads, launch->warp_order.times.turns);
    bool barrier = more > 0 && is_barrier(issued.last, next);
    while (more > 0 && !barrier && is_shared(next) && issued.cycles < CYCLES_MOST &&
           launch->counters.warp_insts - before < INSTS_MOST) {
        more = issue_some(launch, sm, number, true, &next, &issued);
        barrier = more > 0 && is_barrier(issued.last, next);
    }
    if (more < 0)
        return -1;
    uint64_t until =
        issued.cycles + (waits ? wait_for(launch, loads, more > 0) : launch->warp_order.now);
    if (barrier)
        functional_reach_barrier(launch, sm, number, until);
    else
        warp_order_wait(&launch->warp_order, functional_warp_id(sm, number), until);
    return 1;
}

/* Prefetches what a warp that will soon have its turn needs: first the warp itself, a turn
 * later its next record, and then that record's addresses. */
static void look_ahead(struct functional *launch)
{
    uint32_t soon = warp_order_soon(&launch->warp_order, AHEAD);
    const struct trace_warp **coming = launch->coming;
    if (coming[1] != NULL && coming[1]->at < coming[1]->end) {
        const uint64_t *addresses = coming[1]->addresses + coming[1]->at->address;
        if (address_is_list(coming[1]->at->mode))
            near_list(addresses);
        else
            __builtin_prefetch(addresses);
    }
    coming[1] = coming[0];
    if (coming[1] != NULL)
        __builtin_prefetch(coming[1]->at);
    coming[0] = soon == WARP_ORDER_NONE
                    ? NULL
                    : launch->sms[soon / SM_MAX_WARPS].warps[soon % SM_MAX_WARPS];
    if (coming[0] != NULL)
        __builtin_prefetch(coming[0]);
}

int functional_turn(struct functional *launch)
{
    uint32_t warp = warp_order_take(&launch->warp_order), number = warp % SM_MAX_WARPS, called;
    if (warp_order_is_place(&launch->warp_order, warp, &called)) {
        functional_offer_place(launch, called);
        return 0;
    }
    struct functional_sm *sm = &launch->sms[warp / SM_MAX_WARPS];
    look_ahead(launch);
    launch->queue.cycle = launch->warp_order.now;
    int result = run_warp(launch, sm, number);
    if (result == 0)
        functional_end_warp(launch, sm, number);
    return result < 0 ? -1 : 0;
}
