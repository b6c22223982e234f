/* Operand collectors: an issued instruction takes a collector, reads its
 * source registers from their banks, one register a bank and step, and goes
 * on to its unit. Writes of results have the banks first. */
#include "sim/core/sm.h"

uint32_t sm_bank(const struct sm *sm, uint32_t reg, uint32_t warp, uint32_t scheduler)
{
    const struct sm_spec *spec = sm->spec;
    uint32_t number = reg + 1 + warp;
    if (!spec->sub_cores)
        return number % spec->banks;
    uint32_t own = spec->banks / spec->schedulers;
    return number % own + scheduler * own;
}

bool sm_write_banks(struct sm *sm, const struct sm_op *op)
{
    const struct inst *inst = op->inst;
    for (uint32_t i = 0; i < inst->dst_count; i++) {
        uint64_t bank = 1ull << sm_bank(sm, inst->dst[i], op->warp, op->scheduler);
        if (sm->banks_written & bank)
            return false;
        sm->banks_written |= bank;
    }
    return true;
}

static uint32_t collectors_per_scheduler(const struct sm_spec *spec)
{
    return spec->collectors / spec->schedulers;
}

/* The collectors of a sub-core; all without sub-cores. */
static uint64_t serving(const struct sm_spec *spec, uint32_t scheduler)
{
    uint32_t count = spec->sub_cores ? collectors_per_scheduler(spec) : spec->collectors;
    uint64_t own = count >= 64 ? ~0ull : (1ull << count) - 1;
    return spec->sub_cores ? own << (scheduler * count) : own;
}

static bool output_free(const struct sm *sm, uint32_t pipe, uint32_t scheduler)
{
    if (sm->spec->sub_cores)
        return !(sm->oc_ex_full[pipe] >> scheduler & 1);
    return sm->oc_ex_full[pipe] != (1u << sm->spec->oc_ex[pipe]) - 1;
}

/* The first ready collector in the order of a dispatch unit: behind the last
 * one it served; with sub-cores, from the next sub-core on. */
static int find_ready(const struct sm *sm, uint64_t ready, uint32_t last)
{
    const struct sm_spec *spec = sm->spec;
    uint32_t own = collectors_per_scheduler(spec);
    uint32_t step = spec->sub_cores ? own - last % own : 1;
    uint32_t from = (last + step) % spec->collectors;
    uint64_t upper = ready & (~0ull << from);
    return __builtin_ctzll(upper != 0 ? upper : ready);
}

static void dispatch(struct sm *sm, uint32_t number)
{
    struct collector *collector = &sm->collectors[number];
    uint32_t pipe = collector->pipe;
    uint32_t slot = sm->spec->sub_cores ? sm->ops[collector->op].scheduler
                                        : (uint32_t)__builtin_ctz(~sm->oc_ex_full[pipe]);
    sm->oc_ex[pipe][slot] = collector->op;
    sm->oc_ex_full[pipe] |= 1u << slot;
    sm->oc_ex_pipes |= 1u << pipe;
    sm->collectors_busy &= ~(1ull << number);
    sm->collectors_ready &= ~(1ull << number);
}

static uint64_t can_leave(const struct sm *sm)
{
    uint64_t can = 0;
    for (uint64_t rest = sm->collectors_ready; rest != 0; rest &= rest - 1) {
        uint32_t number = (uint32_t)__builtin_ctzll(rest);
        const struct collector *collector = &sm->collectors[number];
        if (output_free(sm, collector->pipe, sm->ops[collector->op].scheduler))
            can |= 1ull << number;
    }
    return can;
}

bool sm_waits_for_unit(const struct sm *sm, uint32_t scheduler)
{
    return (sm->collectors_ready & ~can_leave(sm) & serving(sm->spec, scheduler)) != 0;
}

static void dispatch_ready(struct sm *sm)
{
    for (uint32_t port = 0; port < sm->spec->out_ports && sm->collectors_ready != 0; port++) {
        uint64_t can = can_leave(sm);
        if (can == 0)
            return;
        int number = find_ready(sm, can, sm->dispatch_last[port]);
        sm->dispatch_last[port] = (uint8_t)number;
        sm->moved = true;
        dispatch(sm, (uint32_t)number);
    }
}

/* The instructions in COLLECTORS have read all their operands. */
static SM_RARE void tell_read(struct sm *sm, uint64_t collectors)
{
    for (; collectors != 0; collectors &= collectors - 1)
        sm_operands_read(sm, &sm->ops[sm->collectors[__builtin_ctzll(collectors)].op]);
}

static void read_banks(struct sm *sm)
{
    uint64_t ready = sm->collectors_ready;
    for (uint64_t banks = sm->banks_waiting & ~sm->banks_written; banks != 0;
         banks &= banks - 1) {
        uint32_t bank = (uint32_t)__builtin_ctzll(banks);
        struct bank_queue *queue = &sm->bank_queues[bank];
        uint32_t number = queue->ring[queue->head++ % SM_BANK_QUEUE];
        sm->moved = true;
        if (--queue->count == 0)
            sm->banks_waiting &= ~(1ull << bank);
        if (--sm->collectors[number].waiting == 0)
            sm->collectors_ready |= 1ull << number;
    }
    if (sm->readers != NULL)
        tell_read(sm, sm->collectors_ready & ~ready);
}

static void want_operands(struct sm *sm, uint32_t number)
{
    struct collector *collector = &sm->collectors[number];
    const struct sm_op *op = &sm->ops[collector->op];
    const struct inst *inst = op->inst;
    for (uint32_t i = 0; i < inst->read_count; i++) {
        uint32_t bank = sm_bank(sm, inst->reads[i], op->warp, op->scheduler);
        struct bank_queue *queue = &sm->bank_queues[bank];
        queue->ring[(queue->head + queue->count++) % SM_BANK_QUEUE] = (uint8_t)number;
        sm->banks_waiting |= 1ull << bank;
    }
    collector->waiting = inst->read_count;
    if (collector->waiting == 0)
        sm->collectors_ready |= 1ull << number;
}

/* Moves the oldest instruction of a pipe into a free collector of its
 * sub-core. */
static bool collect_oldest(struct sm *sm, uint32_t pipe)
{
    uint32_t slot = sm_oldest(sm, sm->id_oc[pipe], sm->id_oc_full[pipe]);
    uint16_t op = sm->id_oc[pipe][slot];
    uint64_t free = serving(sm->spec, sm->ops[op].scheduler) & ~sm->collectors_busy;
    if (free == 0)
        return false;
    uint32_t number = (uint32_t)__builtin_ctzll(free);
    sm->collectors[number] = (struct collector){.op = op, .pipe = (uint8_t)pipe};
    sm->collectors_busy |= 1ull << number;
    sm->moved = true;
    sm->issue_stuck = 0;
    sm->id_oc_full[pipe] &= ~(1u << slot);
    if (sm->id_oc_full[pipe] == 0)
        sm->id_oc_pipes &= ~(1u << pipe);
    want_operands(sm, number);
    return true;
}

static void allocate(struct sm *sm)
{
    for (uint32_t port = 0; port < sm->spec->in_ports && sm->id_oc_pipes != 0; port++) {
        bool any = false;
        for (uint32_t pipes = sm->id_oc_pipes; pipes != 0; pipes &= pipes - 1)
            any |= collect_oldest(sm, (uint32_t)__builtin_ctz(pipes));
        if (!any)
            return;
    }
}

static void step(struct sm *sm)
{
    if (sm->collectors_ready != 0)
        dispatch_ready(sm);
    if (sm->banks_waiting != 0)
        read_banks(sm);
    if (sm->id_oc_pipes != 0)
        allocate(sm);
    sm->banks_written = 0;
}

void sm_collect(struct sm *sm)
{
    if (sm->collect_stuck) {
        sm->banks_written = 0;
        return;
    }
    bool moved = sm->moved;
    sm->moved = false;
    for (uint32_t i = 0; i < sm->spec->collect_steps; i++)
        step(sm);
    sm->collect_stuck = !sm->moved && sm->banks_waiting == 0;
    sm->moved |= moved;
}
