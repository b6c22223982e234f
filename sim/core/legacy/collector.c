/* Operand collectors: an issued instruction takes a collector, reads its
 * source registers from their banks, one register a bank and step, and goes
 * on to its unit. Writes of results have the banks first. */
#include "sim/core/legacy/legacy.h"

/* The bank that holds register REG of OP's warp. */
static uint32_t bank_of(const struct legacy_spec *spec, const struct sm_op *op, uint32_t reg)
{
    return spec->bank[reg + 1 + op->warp] + op->scheduler * spec->bank_step;
}

bool legacy_write_banks(struct legacy *core, const struct sm_op *op)
{
    const struct inst *inst = op->inst;
    for (uint32_t i = 0; i < inst->dst_count; i++) {
        uint64_t bank = 1ull << bank_of(core->spec, op, inst->dst[i]);
        if (core->banks_written & bank)
            return false;
        core->banks_written |= bank;
    }
    return true;
}

static bool output_free(const struct legacy *core, uint32_t pipe, uint32_t scheduler)
{
    if (core->spec->sub_cores)
        return !(core->oc_ex_full[pipe] >> scheduler & 1);
    return core->oc_ex_full[pipe] != (1u << core->spec->oc_ex[pipe]) - 1;
}

/* The first of the READY collectors in the order of a dispatch port that served LAST. */
static uint32_t find_ready(const struct legacy_spec *spec, uint64_t ready, uint32_t last)
{
    uint64_t upper = ready & (~0ull << spec->after_served[last]);
    return (uint32_t)__builtin_ctzll(upper != 0 ? upper : ready);
}

static void dispatch(struct legacy *core, uint32_t number)
{
    struct collector *collector = &core->collectors[number];
    uint32_t pipe = collector->pipe;
    uint32_t slot = core->spec->sub_cores ? core->ops[collector->op].scheduler
                                          : (uint32_t)__builtin_ctz(~core->oc_ex_full[pipe]);
    core->oc_ex[pipe][slot] = collector->op;
    core->oc_ex_full[pipe] |= 1u << slot;
    core->oc_ex_pipes |= 1u << pipe;
    core->id_oc_stuck = 0;
    core->collectors_busy &= ~(1ull << number);
    core->collectors_ready &= ~(1ull << number);
}

/* Those of the READY collectors whose instruction finds a free register to its unit. */
static uint64_t can_leave(const struct legacy *core, uint64_t ready)
{
    uint64_t can = 0;
    for (uint64_t rest = ready; rest != 0; rest &= rest - 1) {
        uint32_t number = (uint32_t)__builtin_ctzll(rest);
        const struct collector *collector = &core->collectors[number];
        if (output_free(core, collector->pipe, core->ops[collector->op].scheduler))
            can |= 1ull << number;
    }
    return can;
}

bool legacy_waits_for_unit(const struct legacy *core, uint32_t scheduler)
{
    uint64_t ready = core->collectors_ready & core->spec->serving[scheduler];
    return can_leave(core, ready) != ready;
}

/* Each port sends one. A collector that cannot leave is not looked at again before a register
 * to a unit is free. */
static void dispatch_ready(struct legacy *core)
{
    uint64_t can = core->collectors_ready & ~core->collectors_stuck;
    for (uint32_t port = 0; port < core->spec->out_ports && can != 0; port++) {
        uint64_t looked_at = can;
        can = can_leave(core, can);
        core->collectors_stuck |= looked_at & ~can;
        if (can == 0)
            return;
        uint32_t number = find_ready(core->spec, can, core->dispatch_last[port]);
        core->dispatch_last[port] = (uint8_t)number;
        core->moved = true;
        can &= ~(1ull << number);
        dispatch(core, number);
    }
}

/* The instructions in COLLECTORS have read all their operands. */
static LEGACY_RARE void tell_read(struct legacy *core, uint64_t collectors)
{
    for (; collectors != 0; collectors &= collectors - 1)
        legacy_operands_read(core,
                             &core->ops[core->collectors[__builtin_ctzll(collectors)].op]);
}

static void read_banks(struct legacy *core)
{
    uint64_t ready = core->collectors_ready;
    for (uint64_t banks = core->banks_waiting & ~core->banks_written; banks != 0;
         banks &= banks - 1) {
        uint32_t bank = (uint32_t)__builtin_ctzll(banks);
        struct bank_queue *queue = &core->bank_queues[bank];
        uint32_t number = queue->ring[queue->head++ & core->spec->bank_queue];
        core->moved = true;
        if (--queue->count == 0)
            core->banks_waiting &= ~(1ull << bank);
        if (--core->collectors[number].waiting == 0)
            core->collectors_ready |= 1ull << number;
    }
    if (core->readers != NULL)
        tell_read(core, core->collectors_ready & ~ready);
}

static void want_operands(struct legacy *core, uint32_t number)
{
    struct collector *collector = &core->collectors[number];
    const struct sm_op *op = &core->ops[collector->op];
    const struct inst *inst = op->inst;
    for (uint32_t i = 0; i < inst->read_count; i++) {
        uint32_t bank = bank_of(core->spec, op, inst->reads[i]);
        struct bank_queue *queue = &core->bank_queues[bank];
        queue->ring[(queue->head + queue->count++) & core->spec->bank_queue] = (uint8_t)number;
        core->banks_waiting |= 1ull << bank;
    }
    collector->waiting = inst->read_count;
    if (collector->waiting == 0)
        core->collectors_ready |= 1ull << number;
}

/* Moves the oldest instruction of a pipe into a free collector of its
 * sub-core. */
static bool collect_oldest(struct legacy *core, uint32_t pipe)
{
    uint32_t slot = core->id_oc_order[pipe] & (LEGACY_MAX_WIDTH - 1);
    uint16_t op = core->id_oc[pipe][slot];
    uint64_t free = core->spec->serving[core->ops[op].scheduler] & ~core->collectors_busy;
    if (free == 0)
        return false;
    uint32_t number = (uint32_t)__builtin_ctzll(free);
    core->collectors[number] = (struct collector){.op = op, .pipe = (uint8_t)pipe};
    core->collectors_busy |= 1ull << number;
    core->moved = true;
    core->issue_stuck = 0;
    core->id_oc_order[pipe] >>= 4;
    core->id_oc_full[pipe] &= ~(1u << slot);
    if (core->id_oc_full[pipe] == 0)
        core->id_oc_pipes &= ~(1u << pipe);
    want_operands(core, number);
    return true;
}

static void allocate(struct legacy *core)
{
    for (uint32_t port = 0; port < core->spec->in_ports; port++) {
        uint32_t pipes = core->id_oc_pipes & ~core->id_oc_stuck;
        if (pipes == 0)
            return;
        for (; pipes != 0; pipes &= pipes - 1)
            if (!collect_oldest(core, (uint32_t)__builtin_ctz(pipes)))
                core->id_oc_stuck |= pipes & -pipes;
    }
}

static void step(struct legacy *core)
{
    if (core->collectors_ready != 0)
        dispatch_ready(core);
    if (core->banks_waiting != 0)
        read_banks(core);
    if (core->id_oc_pipes != 0)
        allocate(core);
    core->banks_written = 0;
}

void legacy_collect(struct legacy *core)
{
    if (core->collect_stuck) {
        core->banks_written = 0;
        return;
    }
    bool moved = core->moved;
    core->moved = false;
    for (uint32_t i = 0; i < core->spec->collect_steps; i++)
        step(core);
    core->collect_stuck = !core->moved && core->banks_waiting == 0;
    core->moved |= moved;
}
