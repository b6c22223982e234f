/* Operand collectors: an issued instruction takes a collector, reads its
 * source registers from their banks, one register a bank and step, and goes
 * on to its unit. Writes of results have the banks first. */
#include "sim/core/legacy/legacy.h"

uint32_t legacy_bank(const struct legacy *core, uint32_t reg, uint32_t warp, uint32_t scheduler)
{
    const struct legacy_spec *spec = core->spec;
    uint32_t number = reg + 1 + warp;
    if (!spec->sub_cores)
        return number % spec->banks;
    return number % spec->own_banks + scheduler * spec->own_banks;
}

bool legacy_write_banks(struct legacy *core, const struct sm_op *op)
{
    const struct inst *inst = op->inst;
    for (uint32_t i = 0; i < inst->dst_count; i++) {
        uint64_t bank = 1ull << legacy_bank(core, inst->dst[i], op->warp, op->scheduler);
        if (core->banks_written & bank)
            return false;
        core->banks_written |= bank;
    }
    return true;
}

/* The collectors of a sub-core; all without sub-cores. */
static uint64_t serving(const struct legacy_spec *spec, uint32_t scheduler)
{
    uint32_t count = spec->sub_cores ? spec->own_collectors : spec->collectors;
    uint64_t own = count >= 64 ? ~0ull : (1ull << count) - 1;
    return spec->sub_cores ? own << (scheduler * count) : own;
}

static bool output_free(const struct legacy *core, uint32_t pipe, uint32_t scheduler)
{
    if (core->spec->sub_cores)
        return !(core->oc_ex_full[pipe] >> scheduler & 1);
    return core->oc_ex_full[pipe] != (1u << core->spec->oc_ex[pipe]) - 1;
}

/* The first ready collector in the order of a dispatch unit: round robin from
 * the one after the last it served; with sub-cores, from the next sub-core on. */
static int find_ready(const struct legacy *core, uint64_t ready, uint32_t last)
{
    const struct legacy_spec *spec = core->spec;
    uint32_t own = spec->own_collectors;
    uint32_t step = spec->sub_cores ? own - last % own : 1;
    uint32_t from = (last + step) % spec->collectors;
    uint64_t upper = ready & (~0ull << from);
    return __builtin_ctzll(upper != 0 ? upper : ready);
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
    core->collectors_busy &= ~(1ull << number);
    core->collectors_ready &= ~(1ull << number);
}

static uint64_t can_leave(const struct legacy *core)
{
    uint64_t can = 0;
    for (uint64_t rest = core->collectors_ready; rest != 0; rest &= rest - 1) {
        uint32_t number = (uint32_t)__builtin_ctzll(rest);
        const struct collector *collector = &core->collectors[number];
        if (output_free(core, collector->pipe, core->ops[collector->op].scheduler))
            can |= 1ull << number;
    }
    return can;
}

bool legacy_waits_for_unit(const struct legacy *core, uint32_t scheduler)
{
    return (core->collectors_ready & ~can_leave(core) & serving(core->spec, scheduler)) != 0;
}

static void dispatch_ready(struct legacy *core)
{
    for (uint32_t port = 0; port < core->spec->out_ports && core->collectors_ready != 0;
         port++) {
        uint64_t can = can_leave(core);
        if (can == 0)
            return;
        int number = find_ready(core, can, core->dispatch_last[port]);
        core->dispatch_last[port] = (uint8_t)number;
        core->moved = true;
        dispatch(core, (uint32_t)number);
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
        uint32_t number = queue->ring[queue->head++ % LEGACY_BANK_QUEUE];
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
        uint32_t bank = legacy_bank(core, inst->reads[i], op->warp, op->scheduler);
        struct bank_queue *queue = &core->bank_queues[bank];
        queue->ring[(queue->head + queue->count++) % LEGACY_BANK_QUEUE] = (uint8_t)number;
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
    uint32_t slot = legacy_oldest(core, core->id_oc[pipe], core->id_oc_full[pipe]);
    uint16_t op = core->id_oc[pipe][slot];
    uint64_t free = serving(core->spec, core->ops[op].scheduler) & ~core->collectors_busy;
    if (free == 0)
        return false;
    uint32_t number = (uint32_t)__builtin_ctzll(free);
    core->collectors[number] = (struct collector){.op = op, .pipe = (uint8_t)pipe};
    core->collectors_busy |= 1ull << number;
    core->moved = true;
    core->issue_stuck = 0;
    core->id_oc_full[pipe] &= ~(1u << slot);
    if (core->id_oc_full[pipe] == 0)
        core->id_oc_pipes &= ~(1u << pipe);
    want_operands(core, number);
    return true;
}

static void allocate(struct legacy *core)
{
    for (uint32_t port = 0; port < core->spec->in_ports && core->id_oc_pipes != 0; port++) {
        bool any = false;
        for (uint32_t pipes = core->id_oc_pipes; pipes != 0; pipes &= pipes - 1)
            any |= collect_oldest(core, (uint32_t)__builtin_ctz(pipes));
        if (!any)
            return;
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
