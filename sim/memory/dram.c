#include "sim/memory/dram.h"

#include <string.h>

enum { READS, WRITES };

static uint64_t later(uint64_t a, uint64_t b)
{
    return a > b ? a : b;
}

static uint32_t group_of(const struct dram *dram, uint32_t bank)
{
    const struct sim_dram_timing *timing = &dram->spec.timing;
    if (dram->spec.group_high_bits)
        return bank / (timing->banks / timing->bank_groups);
    return bank & (timing->bank_groups - 1);
}

bool dram_init(struct dram *dram, const struct dram_spec *spec)
{
    memset(dram, 0, sizeof *dram);
    dram->spec = *spec;
    dram->banks = calloc(spec->timing.banks, sizeof *dram->banks);
    if (dram->banks == NULL)
        return false;
    dram->free = DRAM_NONE;
    for (uint32_t b = 0; b < spec->timing.banks; b++)
        dram->groups[group_of(dram, b)] |= 1ull << b;
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
            .group = (uint8_t)group_of(dram, b),
            .current = DRAM_NONE,
            .first = {DRAM_NONE, DRAM_NONE},
            .last = {DRAM_NONE, DRAM_NONE},
        };
    dram->free = DRAM_NONE;
    for (uint32_t i = 0; i < dram->pool_count; i++) {
        dram->pool[i].next = dram->free;
        dram->free = i;
    }
    memset(dram->from, 0, sizeof dram->from);
    memset(dram->group_from, 0, sizeof dram->group_from);
    dram->priority = dram->pending = dram->pending_writes = 0;
    dram->busy = dram->waiting[READS] = dram->waiting[WRITES] = 0;
    memset(dram->ripe, 0, sizeof dram->ripe);
    memset(dram->wheel, 0, sizeof dram->wheel);
    dram->wheel_slots = dram->wheel_tick = 0;
    dram->next_command = UINT64_MAX;
    dram->wake = 0;
    dram->write_drain = dram->hurry = dram->pins_write = false;
    dram->pins.head = dram->pins.count = 0;
    dram->returned.head = dram->returned.count = 0;
}

static void grow_pool(struct dram *dram)
{
    uint32_t count = dram->pool_count ? 2 * dram->pool_count : 64;
    struct dram_request *pool = realloc(dram->pool, count * sizeof *pool);
    if (pool == NULL)
        memory_short();
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

void dram_push(struct dram *dram, const struct packet *packet, uint32_t bank_number,
               uint32_t row, uint32_t bytes)
{
    if (dram->free == DRAM_NONE)
        grow_pool(dram);
    uint32_t index = dram->free;
    struct dram_request *request = &dram->pool[index];
    dram->free = request->next;
    int which = queue_of(dram, packet);
    struct dram_bank *bank = &dram->banks[bank_number];
    *request = (struct dram_request){.packet = *packet,
                                     .row = row,
                                     .bank = bank_number,
                                     .bytes_left = bytes,
                                     .prev = bank->last[which],
                                     .next = DRAM_NONE,
                                     .order = dram->arrived++};
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
    /* One more behind a busy bank changes nothing but the marks of the write queue. */
    if (!(dram->busy >> bank_number & 1) || dram->spec.write_queue_max != 0)
        dram->wake = 0;
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
    if (bank->streak[which])
        return find_row(dram, first, bank->streak_row[which]);
    uint32_t hit = find_row(dram, first, bank->row);
    uint32_t chosen = hit == DRAM_NONE ? first : hit;
    bank->streak_row[which] = dram->pool[chosen].row;
    bank->streak[which] = true;
    return chosen;
}

/* Between the marks the direction stays. It is looked at in each tick in which a
 * bank is free. */
static void turn_write_drain(struct dram *dram)
{
    const struct dram_spec *spec = &dram->spec;
    uint32_t banks = spec->timing.banks;
    if (spec->write_queue_max == 0 || (uint32_t)__builtin_popcountll(dram->busy) == banks)
        return;
    bool all = dram->hurry && dram->pending == 0;
    if (dram->write_drain)
        dram->write_drain = dram->pending_writes >= (all ? 1 : spec->write_low);
    else
        dram->write_drain = dram->pending_writes >= (all ? 1 : spec->write_high);
}

void dram_hurry(struct dram *dram, bool hurry)
{
    dram->hurry = hurry;
    dram->wake = 0;
}

static uint32_t next_bank(const struct dram *dram, uint32_t bank)
{
    return bank + 1 < dram->spec.timing.banks ? bank + 1 : 0;
}

/* Puts bank B, which needs its command from tick DUE on, into the wheel. */
static void into_wheel(struct dram *dram, uint32_t b, uint64_t due)
{
    uint64_t last = dram->wheel_tick + DRAM_WHEEL - 1;
    uint32_t slot = (uint32_t)((due < last ? due : last) % DRAM_WHEEL);
    dram->wheel[slot] |= 1ull << b;
    dram->wheel_slots |= 1ull << slot;
}

/* The tick of the first slot of the wheel that holds banks, UINT64_MAX if none does. */
static uint64_t first_slot(const struct dram *dram)
{
    if (dram->wheel_slots == 0)
        return UINT64_MAX;
    uint64_t from = dram->wheel_tick + 1;
    uint32_t turn = (uint32_t)(from % DRAM_WHEEL);
    uint64_t slots = dram->wheel_slots >> turn | dram->wheel_slots << (-turn % DRAM_WHEEL);
    return from + (uint32_t)__builtin_ctzll(slots);
}

/* Notes in TICK what bank B's current request needs next, and from when on its own timing
 * allows it. */
static void set_want(struct dram *dram, uint32_t b, uint64_t tick)
{
    struct dram_bank *bank = &dram->banks[b];
    const struct dram_request *request = &dram->pool[bank->current];
    dram->ripe[bank->wants] &= ~(1ull << b);
    if (!bank->active)
        bank->wants = DRAM_ACTIVATE;
    else if (bank->row != request->row)
        bank->wants = DRAM_PRECHARGE;
    else
        bank->wants = packet_is_write(&request->packet) ? DRAM_WRITE : DRAM_READ;
    uint64_t due = bank->from[bank->wants];
    if (due <= tick) {
        dram->ripe[bank->wants] |= 1ull << b;
    } else {
        if (dram->wheel_slots == 0)
            dram->wheel_tick = tick;
        into_wheel(dram, b, due);
    }
    due = later(due, dram->from[bank->wants]);
    if (due < dram->next_command)
        dram->next_command = due;
}

/* The first bank of MASK from the priority one on. */
static uint32_t first_bank(const struct dram *dram, uint64_t mask)
{
    uint64_t upper = mask & (~0ull << dram->priority);
    return (uint32_t)__builtin_ctzll(upper != 0 ? upper : mask);
}

/* A mask of the bank that the channel's oldest request waits for. */
static uint64_t bank_of_oldest(const struct dram *dram, int which)
{
    uint64_t oldest = UINT64_MAX, mask = 0;
    for (uint64_t rest = dram->waiting[which]; rest != 0; rest &= rest - 1) {
        uint32_t first = dram->banks[__builtin_ctzll(rest)].first[which];
        if (dram->pool[first].order >= oldest)
            continue;
        oldest = dram->pool[first].order;
        mask = rest & -rest;
    }
    return mask;
}

/* Gives one idle bank its next request. */
static bool schedule(struct dram *dram, uint64_t tick)
{
    int which = dram->write_drain ? WRITES : READS;
    uint64_t idle = dram->waiting[which] & ~dram->busy;
    if (idle != 0 && dram->spec.scheduler == DRAM_FIFO)
        idle &= bank_of_oldest(dram, which);
    if (idle == 0)
        return false;
    uint32_t number = first_bank(dram, idle);
    struct dram_bank *bank = &dram->banks[number];
    uint32_t index = choose(dram, bank, which);
    take_out(dram, bank, which, index);
    bank->current = index;
    set_want(dram, number, tick);
    struct dram_stats *stats = &dram->stats;
    *(bank->wants >= DRAM_READ ? &stats->row_hits : &stats->row_misses) += 1;
    dram->busy |= 1ull << number;
    /* Those in front of the chosen one are of other rows. */
    bank->streak[which] = bank->streak[which] && find_row(dram, dram->pool[index].next,
                                                          bank->streak_row[which]) != DRAM_NONE;
    if (dram->spec.scheduler != DRAM_FIFO)
        dram->priority = next_bank(dram, dram->priority);
    return true;
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
            dram->pins.ring[(dram->pins.head + dram->pins.count - 1) & (dram->pins.size - 1)]
                .ready;
        done = later(done, last + 1);
    }
    queue_push(&dram->pins, &request->packet, done);
}

/* Whole sectors are counted, whatever a command transfers. */
static void count_bytes(struct dram_stats *stats, bool write, uint32_t bytes)
{
    uint64_t *total = write ? &stats->write_bytes : &stats->read_bytes;
    *total += bytes;
    *(write ? &stats->writes : &stats->reads) = *total / SECTOR_BYTES;
}

static void column_command(struct dram *dram, uint32_t b, uint64_t tick)
{
    const struct dram_spec *spec = &dram->spec;
    struct dram_bank *bank = &dram->banks[b];
    struct dram_request *request = &dram->pool[bank->current];
    uint64_t *group = dram->group_from[bank->group];
    dram->from[DRAM_READ] = later(dram->from[DRAM_READ], tick + spec->timing.ccd);
    dram->from[DRAM_WRITE] = later(dram->from[DRAM_WRITE], tick + spec->timing.ccd);
    group[DRAM_READ] = group[DRAM_WRITE] = tick + spec->timing.ccdl;
    if (bank->wants == DRAM_WRITE) {
        dram->from[DRAM_READ] = later(dram->from[DRAM_READ], tick + spec->wtr);
        bank->from[DRAM_PRECHARGE] = later(bank->from[DRAM_PRECHARGE], tick + spec->wtp);
    } else {
        dram->from[DRAM_WRITE] = later(dram->from[DRAM_WRITE], tick + spec->rtw);
        bank->from[DRAM_PRECHARGE] = later(bank->from[DRAM_PRECHARGE], tick + spec->rtp);
        group[DRAM_PRECHARGE] = tick + spec->timing.rtpl;
    }
    uint32_t bytes = request->bytes_left < spec->atom ? request->bytes_left : spec->atom;
    count_bytes(&dram->stats, bank->wants == DRAM_WRITE, bytes);
    request->bytes_left -= bytes;
    if (request->bytes_left != 0)
        return;
    onto_pins(dram, request, tick);
    request->next = dram->free;
    dram->free = bank->current;
    bank->current = DRAM_NONE;
    dram->busy &= ~(1ull << b);
    dram->ripe[bank->wants] &= ~(1ull << b);
}

static void row_command(struct dram *dram, uint32_t b, uint64_t tick)
{
    const struct dram_spec *spec = &dram->spec;
    struct dram_bank *bank = &dram->banks[b];
    if (bank->wants == DRAM_PRECHARGE) {
        bank->active = false;
        dram->stats.precharges++;
        bank->from[DRAM_ACTIVATE] = later(bank->from[DRAM_ACTIVATE], tick + spec->timing.rp);
    } else {
        bank->active = true;
        bank->row = dram->pool[bank->current].row;
        dram->from[DRAM_ACTIVATE] = tick + spec->timing.rrd;
        bank->from[DRAM_READ] = tick + spec->timing.rcd;
        bank->from[DRAM_WRITE] = tick + spec->rcdwr;
        bank->from[DRAM_PRECHARGE] = later(bank->from[DRAM_PRECHARGE], tick + spec->timing.ras);
        bank->from[DRAM_ACTIVATE] = tick + spec->timing.rc;
        dram->stats.activates++;
    }
    set_want(dram, b, tick);
    dram->priority = next_bank(dram, b);
}

/* Banks whose own timing allows their command in TICK come under its `ripe`. */
static void ripen(struct dram *dram, uint64_t tick)
{
    for (uint64_t at; (at = first_slot(dram)) <= tick;) {
        uint32_t slot = (uint32_t)(at % DRAM_WHEEL);
        uint64_t rest = dram->wheel[slot];
        dram->wheel[slot] = 0;
        dram->wheel_slots &= ~(1ull << slot);
        dram->wheel_tick = at;
        for (; rest != 0; rest &= rest - 1) {
            uint32_t b = (uint32_t)__builtin_ctzll(rest);
            const struct dram_bank *bank = &dram->banks[b];
            uint64_t due = bank->from[bank->wants];
            if (due <= tick)
                dram->ripe[bank->wants] |= 1ull << b;
            else
                into_wheel(dram, b, due);
        }
    }
}

/* The banks of RIPE whose group lets COMMAND pass in TICK; *NEXT comes down to when the first
 * of the others may. */
static uint64_t pass_groups(const struct dram *dram, enum dram_command command, uint64_t ripe,
                            uint64_t tick, uint64_t *next)
{
    for (uint32_t g = 0; g < dram->spec.timing.bank_groups; g++) {
        uint64_t from = dram->group_from[g][command];
        if (from <= tick || !(ripe & dram->groups[g]))
            continue;
        ripe &= ~dram->groups[g];
        if (from < *next)
            *next = from;
    }
    return ripe;
}

/* Busy banks whose next command can be given in TICK: column and row commands.
 * Notes a tick before which none of the others can. */
static void find_due(struct dram *dram, uint64_t tick, uint64_t *columns, uint64_t *rows)
{
    ripen(dram, tick);
    uint64_t next = first_slot(dram);
    *columns = *rows = 0;
    for (int command = 0; command < DRAM_COMMANDS; command++) {
        uint64_t ripe = dram->ripe[command];
        if (ripe == 0)
            continue;
        if (dram->from[command] > tick) {
            next = dram->from[command] < next ? dram->from[command] : next;
            continue;
        }
        ripe = pass_groups(dram, command, ripe, tick, &next);
        *(command >= DRAM_READ ? columns : rows) |= ripe;
    }
    dram->next_command = next;
}

/* After the commands of TICK: the tick before which there cannot be another. */
static uint64_t next_command(const struct dram *dram, uint64_t tick)
{
    uint64_t next = first_slot(dram);
    for (int command = 0; command < DRAM_COMMANDS; command++)
        if (dram->ripe[command] != 0 && dram->from[command] < next)
            next = dram->from[command];
    return later(next, tick + 1);
}

/* MASK of banks with the priority one as bit 0. */
static uint64_t turn_of(const struct dram *dram, uint64_t mask)
{
    uint32_t banks = dram->spec.timing.banks, at = dram->priority;
    uint64_t all = banks < 64 ? (1ull << banks) - 1 : ~0ull;
    return at == 0 ? mask : (mask >> at | mask << (banks - at)) & all;
}

/* The bank that bit I of turn_of() stands for. */
static uint32_t bank_in_turn(const struct dram *dram, uint32_t i)
{
    uint32_t b = i + dram->priority;
    return b < dram->spec.timing.banks ? b : b - dram->spec.timing.banks;
}

/* One bus: banks in turn from the priority one; a column command ends the
 * turn, a row command only the row commands. A row command moves the priority
 * to the bank behind at once, and with it the rest of the turn. */
static bool commands_one_bus(struct dram *dram, uint64_t tick)
{
    uint64_t columns, rows;
    find_due(dram, tick, &columns, &rows);
    if ((columns | rows) == 0)
        return false;
    uint32_t i = (uint32_t)__builtin_ctzll(turn_of(dram, columns | rows));
    uint32_t b = bank_in_turn(dram, i);
    if (!(columns >> b & 1)) {
        row_command(dram, b, tick);
        uint64_t left = i < 63 ? turn_of(dram, columns) & (~0ull << (i + 1)) : 0;
        if (left == 0)
            return true;
        b = bank_in_turn(dram, (uint32_t)__builtin_ctzll(left));
    }
    column_command(dram, b, tick);
    return true;
}

/* Two buses: a column and a row command a tick, each for the first bank. The row
 * command keeps its distance from the column command of the same tick. */
static bool commands_two_buses(struct dram *dram, uint64_t tick)
{
    uint64_t columns, rows;
    find_due(dram, tick, &columns, &rows);
    if ((columns | rows) == 0)
        return false;
    uint64_t column_turn = turn_of(dram, columns);
    uint32_t banks = dram->spec.timing.banks, start = dram->priority;
    if (column_turn != 0) {
        column_command(dram, ((uint32_t)__builtin_ctzll(column_turn) + start) % banks, tick);
        uint64_t ignored;
        find_due(dram, tick, &ignored, &rows);
    }
    uint64_t row_turn = turn_of(dram, rows);
    if (row_turn != 0)
        row_command(dram, ((uint32_t)__builtin_ctzll(row_turn) + start) % banks, tick);
    return true;
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

/* After TICK, in which something CHANGED or not: the first later tick in which something can
 * happen, without a push. The write queue's marks are looked at once after each change. */
static uint64_t next_wake(const struct dram *dram, uint64_t tick, bool changed)
{
    uint64_t idle = (dram->waiting[READS] | dram->waiting[WRITES]) & ~dram->busy;
    if (changed && (idle != 0 || dram->spec.write_queue_max != 0))
        return tick + 1;
    uint64_t next = dram->busy != 0 ? dram->next_command : UINT64_MAX;
    if (dram->pins.count != 0 && queue_head(&dram->pins)->ready < next)
        next = queue_head(&dram->pins)->ready;
    return later(next, tick + 1);
}

bool dram_tick(struct dram *dram, uint64_t tick, struct packet *done, bool *has_done)
{
    *has_done = false;
    bool changed = leave_pins(dram, tick, done, has_done), drain = dram->write_drain;
    turn_write_drain(dram);
    if (dram->pending + dram->pending_writes != 0)
        changed |= schedule(dram, tick);
    if (dram->busy != 0 && tick >= dram->next_command) {
        bool commanded =
            dram->spec.dual_bus ? commands_two_buses(dram, tick) : commands_one_bus(dram, tick);
        if (commanded)
            dram->next_command = next_command(dram, tick);
        changed |= commanded;
    }
    dram->wake = next_wake(dram, tick, changed || drain != dram->write_drain);
    return changed;
}
