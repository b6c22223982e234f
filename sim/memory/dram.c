#include "sim/memory/dram.h"

#include <stdio.h>
#include <string.h>

enum { READS, WRITES };

bool dram_init(struct dram *dram, const struct dram_spec *spec)
{
    memset(dram, 0, sizeof *dram);
    dram->spec = *spec;
    dram->banks = calloc(spec->timing.banks, sizeof *dram->banks);
    if (dram->banks == NULL)
        return false;
    dram->free = DRAM_NONE;
    dram_reset(dram);
    return true;
}

void dram_finish(struct dram *dram)
{
    free(dram->banks);
    free(dram->pool);
    queue_finish(&dram->pins);
    queue_finish(&dram->returned);
    memset(dram, 0, sizeof *dram);
}

void dram_reset(struct dram *dram)
{
    for (uint32_t b = 0; b < dram->spec.timing.banks; b++)
        dram->banks[b] = (struct dram_bank){
            .current = DRAM_NONE,
            .first = {DRAM_NONE, DRAM_NONE},
            .last = {DRAM_NONE, DRAM_NONE},
        };
    dram->free = DRAM_NONE;
    for (uint32_t i = 0; i < dram->pool_count; i++) {
        dram->pool[i].next = dram->free;
        dram->free = i;
    }
    memset(dram->group_column_from, 0, sizeof dram->group_column_from);
    memset(dram->group_precharge_from, 0, sizeof dram->group_precharge_from);
    dram->column_from = dram->read_from = dram->write_from = dram->activate_from = 0;
    dram->priority = dram->pending = dram->pending_writes = 0;
    dram->busy = dram->waiting[READS] = dram->waiting[WRITES] = 0;
    dram->next_command = UINT64_MAX;
    dram->write_drain = dram->pins_write = false;
    dram->pins.head = dram->pins.count = 0;
    dram->returned.head = dram->returned.count = 0;
}

bool dram_full(const struct dram *dram, bool write)
{
    const struct dram_spec *spec = &dram->spec;
    if (spec->queue_max == 0)
        return false;
    if (write && spec->write_queue_max != 0)
        return dram->pending_writes >= spec->write_queue_max;
    return dram->pending >= spec->queue_max;
}

static void grow_pool(struct dram *dram)
{
    uint32_t count = dram->pool_count ? 2 * dram->pool_count : 64;
    struct dram_request *pool = realloc(dram->pool, count * sizeof *pool);
    if (pool == NULL) {
        fputs("hearth: out of memory\n", stderr);
        abort();
    }
    for (uint32_t i = dram->pool_count; i < count; i++) {
        pool[i].next = dram->free;
        dram->free = i;
    }
    dram->pool = pool;
    dram->pool_count = count;
}

/* Which of a bank's queues a request waits in. */
static int queue_of(const struct dram *dram, const struct packet *packet)
{
    return dram->spec.write_queue_max != 0 && packet_is_write(packet) ? WRITES : READS;
}

void dram_push(struct dram *dram, const struct packet *packet, uint32_t bank_number, uint32_t row,
               uint32_t bytes)
{
    if (dram->free == DRAM_NONE)
        grow_pool(dram);
    uint32_t index = dram->free;
    struct dram_request *request = &dram->pool[index];
    dram->free = request->next;
    int which = queue_of(dram, packet);
    struct dram_bank *bank = &dram->banks[bank_number];
    *request = (struct dram_request){.packet = *packet, .row = row, .bank = bank_number,
                                     .bytes_left = bytes, .prev = bank->last[which],
                                     .next = DRAM_NONE};
    if (bank->first[which] == DRAM_NONE)
        bank->first[which] = index;
    else
        dram->pool[bank->last[which]].next = index;
    bank->last[which] = index;
    dram->waiting[which] |= 1ull << bank_number;
    if (which == WRITES)
        dram->pending_writes++;
    else
        dram->pending++;
}

static uint32_t find_row(const struct dram *dram, uint32_t from, uint32_t row)
{
    while (from != DRAM_NONE && dram->pool[from].row != row)
        from = dram->pool[from].next;
    return from;
}

static void take_out(struct dram *dram, struct dram_bank *bank, int which, uint32_t index)
{
    const struct dram_request *request = &dram->pool[index];
    if (request->prev == DRAM_NONE)
        bank->first[which] = request->next;
    else
        dram->pool[request->prev].next = request->next;
    if (request->next == DRAM_NONE)
        bank->last[which] = request->prev;
    else
        dram->pool[request->next].prev = request->prev;
    if (bank->first[which] == DRAM_NONE)
        dram->waiting[which] &= ~(1ull << request->bank);
    if (which == WRITES)
        dram->pending_writes--;
    else
        dram->pending--;
}

/* The bank's next request: the oldest of the row being served out; without
 * one, the oldest of the open row, else the oldest of all, whose row is then
 * served out. */
static uint32_t choose(struct dram *dram, struct dram_bank *bank, int which)
{
    uint32_t first = bank->first[which];
    if (first == DRAM_NONE || dram->spec.scheduler == DRAM_FIFO)
        return first;
    if (!bank->streak[which]) {
        uint32_t hit = find_row(dram, first, bank->row);
        bank->streak_row[which] = hit == DRAM_NONE ? dram->pool[first].row : bank->row;
        bank->streak[which] = true;
    }
    return find_row(dram, first, bank->streak_row[which]);
}

static void turn_write_drain(struct dram *dram)
{
    if (dram->spec.write_queue_max == 0)
        return;
    if (!dram->write_drain && dram->pending_writes >= dram->spec.write_high)
        dram->write_drain = true;
    else if (dram->write_drain && dram->pending_writes < dram->spec.write_low)
        dram->write_drain = false;
}

/* The first bank of MASK from the priority one on. */
static uint32_t first_bank(const struct dram *dram, uint64_t mask)
{
    uint64_t upper = mask & (~0ull << dram->priority);
    return (uint32_t)__builtin_ctzll(upper != 0 ? upper : mask);
}

/* Gives one idle bank its next request. */
static bool schedule(struct dram *dram)
{
    turn_write_drain(dram);
    int which = dram->write_drain ? WRITES : READS;
    uint64_t idle = dram->waiting[which] & ~dram->busy;
    if (idle == 0)
        return false;
    uint32_t number = first_bank(dram, idle);
    struct dram_bank *bank = &dram->banks[number];
    uint32_t index = choose(dram, bank, which);
    take_out(dram, bank, which, index);
    bank->current = index;
    dram->busy |= 1ull << number;
    bank->streak[which] = bank->streak[which] &&
                          find_row(dram, bank->first[which], bank->streak_row[which]) != DRAM_NONE;
    dram->priority = (dram->priority + 1) % dram->spec.timing.banks;
    return true;
}

static uint32_t group_of(const struct dram *dram, uint32_t bank)
{
    const struct sim_dram_timing *timing = &dram->spec.timing;
    if (dram->spec.group_high_bits)
        return bank / (timing->banks / timing->bank_groups);
    return bank & (timing->bank_groups - 1);
}

static uint64_t later(uint64_t a, uint64_t b)
{
    return a > b ? a : b;
}

/* The tick from which the column command of a bank's request may be given, if
 * its row is open. */
static uint64_t column_tick(const struct dram *dram, uint32_t b)
{
    const struct dram_bank *bank = &dram->banks[b];
    bool write = packet_is_write(&dram->pool[bank->current].packet);
    uint64_t tick = later(dram->column_from, dram->group_column_from[group_of(dram, b)]);
    tick = later(tick, write ? bank->write_from : bank->read_from);
    return later(tick, write ? dram->write_from : dram->read_from);
}

static bool row_open(const struct dram *dram, const struct dram_bank *bank)
{
    return bank->active && bank->row == dram->pool[bank->current].row;
}

/* The same for the activate or precharge that a bank's request needs. */
static uint64_t row_tick(const struct dram *dram, uint32_t b)
{
    const struct dram_bank *bank = &dram->banks[b];
    if (!bank->active)
        return later(dram->activate_from, bank->activate_from);
    return later(bank->precharge_from, dram->group_precharge_from[group_of(dram, b)]);
}

/* The data of REQUEST's last column command leave the pins after the read or
 * write latency, one request a tick, in order. */
static void onto_pins(struct dram *dram, const struct dram_request *request, uint64_t tick)
{
    const struct sim_dram_timing *timing = &dram->spec.timing;
    bool write = packet_is_write(&request->packet);
    uint64_t done = tick + (write ? timing->wl : timing->cl);
    if (dram->pins.count != 0) {
        uint64_t last =
            dram->pins.ring[(dram->pins.head + dram->pins.count - 1) & (dram->pins.size - 1)].ready;
        done = later(done, last + 1);
    }
    queue_push(&dram->pins, &request->packet, done);
}

/* Notes when a command that must wait can be given; true if that is TICK. */
static bool due(struct dram *dram, uint64_t from, uint64_t tick)
{
    if (from <= tick)
        return true;
    if (from < dram->next_command)
        dram->next_command = from;
    return false;
}

static bool column_command(struct dram *dram, uint32_t b, uint64_t tick)
{
    struct dram_bank *bank = &dram->banks[b];
    if (!row_open(dram, bank) || !due(dram, column_tick(dram, b), tick))
        return false;
    const struct dram_spec *spec = &dram->spec;
    struct dram_request *request = &dram->pool[bank->current];
    uint32_t group = group_of(dram, b);
    dram->column_from = tick + spec->timing.ccd;
    dram->group_column_from[group] = tick + spec->timing.ccdl;
    if (packet_is_write(&request->packet)) {
        dram->read_from = tick + spec->wtr;
        bank->precharge_from = later(bank->precharge_from, tick + spec->wtp);
        dram->stats.writes++;
    } else {
        dram->write_from = tick + spec->rtw;
        bank->precharge_from = later(bank->precharge_from, tick + spec->rtp);
        dram->group_precharge_from[group] = tick + spec->timing.rtpl;
        dram->stats.reads++;
    }
    request->bytes_left = request->bytes_left > spec->atom ? request->bytes_left - spec->atom : 0;
    if (request->bytes_left == 0) {
        onto_pins(dram, request, tick);
        request->next = dram->free;
        dram->free = bank->current;
        bank->current = DRAM_NONE;
        dram->busy &= ~(1ull << b);
    }
    return true;
}

static bool row_command(struct dram *dram, uint32_t b, uint64_t tick)
{
    struct dram_bank *bank = &dram->banks[b];
    if (row_open(dram, bank) || !due(dram, row_tick(dram, b), tick))
        return false;
    const struct dram_spec *spec = &dram->spec;
    if (bank->active) {
        bank->active = false;
        bank->activate_from = later(bank->activate_from, tick + spec->timing.rp);
    } else {
        bank->active = true;
        bank->row = dram->pool[bank->current].row;
        dram->activate_from = tick + spec->timing.rrd;
        bank->read_from = tick + spec->timing.rcd;
        bank->write_from = tick + spec->rcdwr;
        bank->precharge_from = later(bank->precharge_from, tick + spec->timing.ras);
        bank->activate_from = tick + spec->timing.rc;
        dram->stats.activates++;
    }
    dram->priority = (b + 1) % spec->timing.banks;
    return true;
}

/* MASK of banks with the priority one as bit 0. */
static uint64_t turn_of(const struct dram *dram, uint64_t mask)
{
    uint32_t banks = dram->spec.timing.banks, at = dram->priority;
    uint64_t all = banks < 64 ? (1ull << banks) - 1 : ~0ull;
    return at == 0 ? mask : (mask >> at | mask << (banks - at)) & all;
}

/* One bus: banks in turn from the priority one; a column command ends the
 * turn, a row command only the row commands. A row command moves the priority
 * to the bank behind at once, and with it the rest of the turn. */
static bool commands_one_bus(struct dram *dram, uint64_t tick)
{
    uint32_t banks = dram->spec.timing.banks;
    bool row = false;
    for (uint64_t turn = turn_of(dram, dram->busy); turn != 0;) {
        uint32_t i = (uint32_t)__builtin_ctzll(turn);
        uint32_t b = (i + dram->priority) % banks;
        turn &= turn - 1;
        if (column_command(dram, b, tick))
            return true;
        if (!row && row_command(dram, b, tick)) {
            row = true;
            turn = i < 63 ? turn_of(dram, dram->busy) & (~0ull << (i + 1)) : 0;
        }
    }
    return row;
}

static bool commands_two_buses(struct dram *dram, uint64_t tick)
{
    uint32_t banks = dram->spec.timing.banks, start = dram->priority;
    bool column = false, row = false;
    for (uint32_t i = 0; i < banks && !column; i++)
        if (dram->busy >> (start + i) % banks & 1)
            column = column_command(dram, (start + i) % banks, tick);
    for (uint32_t i = 0; i < banks && !row; i++)
        if (dram->busy >> (start + i) % banks & 1)
            row = row_command(dram, (start + i) % banks, tick);
    return column || row;
}

/* One finished request leaves the pins: to L2, or, written back, to nobody. */
static bool leave_pins(struct dram *dram, uint64_t tick, struct packet *done, bool *has_done)
{
    if (!queue_ready(&dram->pins, tick) ||
        (dram->spec.return_max != 0 && dram->returned.count >= dram->spec.return_max))
        return false;
    struct packet packet = queue_head(&dram->pins)->packet;
    queue_pop(&dram->pins);
    if (packet.kind == PACKET_WRITE_BACK) {
        *done = packet;
        *has_done = true;
    } else {
        queue_push(&dram->returned, &packet, tick);
    }
    return true;
}

bool dram_tick(struct dram *dram, uint64_t tick, struct packet *done, bool *has_done)
{
    *has_done = false;
    bool left = leave_pins(dram, tick, done, has_done);
    bool scheduled = dram->pending + dram->pending_writes != 0 && schedule(dram);
    bool commanded = false;
    if (dram->busy != 0 && (scheduled || tick >= dram->next_command)) {
        dram->next_command = UINT64_MAX;
        commanded = dram->spec.dual_bus ? commands_two_buses(dram, tick)
                                        : commands_one_bus(dram, tick);
        if (commanded)
            dram->next_command = tick + 1;
    }
    return left || scheduled || commanded;
}

uint64_t dram_next(const struct dram *dram, uint64_t tick)
{
    uint64_t next = dram->busy != 0 ? dram->next_command : UINT64_MAX;
    if (dram->pins.count != 0 && queue_head(&dram->pins)->ready < next)
        next = queue_head(&dram->pins)->ready;
    return next > tick ? next : tick + 1;
}
