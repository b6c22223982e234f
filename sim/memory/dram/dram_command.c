/* The commands of banks that serve a request, and their timing. */
#include "sim/memory/dram/dram_parts.h"
#include "sim/stats/shares.h"

/* Puts bank B, whose command may be given from tick DUE on, into the wheel. */
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

/* Notes, in TICK, which command bank B's current request needs next, and from which tick on the
 * bank's own timing allows it. */
void dram_want(struct dram *dram, uint32_t b, uint64_t tick)
{
    struct dram_bank *bank = &dram->banks[b];
    const struct dram_request *request = &dram->pool[bank->current];
    dram->ripe[bank->wants] &= ~(1ull << b);
    if (!bank->active)
        bank->wants = DRAM_ACTIVATE;
    else if (bank->row != request->row)
        bank->wants = DRAM_PRECHARGE;
    else
        bank->wants = packet_is_write(&request->packet) && request->reads_left == 0 ? DRAM_WRITE
                                                                                    : DRAM_READ;
    uint64_t due = bank->from[bank->wants];
    if (due <= tick) {
        dram->ripe[bank->wants] |= 1ull << b;
    } else {
        if (dram->wheel_slots == 0)
            dram->wheel_tick = tick;
        into_wheel(dram, b, due);
    }
    due = dram_later(due, dram->from[bank->wants]);
    if (due < dram->next_command)
        dram->next_command = due;
}

/* Counts whole sectors, whatever the commands transfer. */
static void count_bytes(struct dram_stats *stats, bool write, uint32_t bytes)
{
    uint64_t *total = write ? &stats->write_bytes : &stats->read_bytes;
    *total += bytes;
    *(write ? &stats->writes : &stats->reads) = *total / SECTOR_BYTES;
}

void dram_count_read(struct dram *dram, uint32_t slot, uint32_t bytes)
{
    SHARES_CALL(dram, slot, count_bytes, false, bytes);
}

/* A column command of group GROUP in TICK keeps the groups of the other stack ID waiting. */
static void part_stacks(struct dram *dram, uint32_t group, uint64_t tick)
{
    uint32_t half = dram->spec.timing.bank_groups / 2, first = group < half ? half : 0;
    uint64_t from = tick + dram->spec.ccdr;
    for (uint32_t g = first; g < first + half; g++) {
        dram->group_from[g][DRAM_READ] = dram_later(dram->group_from[g][DRAM_READ], from);
        dram->group_from[g][DRAM_WRITE] = dram_later(dram->group_from[g][DRAM_WRITE], from);
    }
    dram->groups_from[DRAM_READ] = dram_later(dram->groups_from[DRAM_READ], from);
    dram->groups_from[DRAM_WRITE] = dram->groups_from[DRAM_READ];
}

static void column_command(struct dram *dram, uint32_t b, uint64_t tick)
{
    const struct dram_spec *spec = &dram->spec;
    struct dram_bank *bank = &dram->banks[b];
    struct dram_request *request = &dram->pool[bank->current];
    uint64_t *group = dram->group_from[bank->group];
    dram->from[DRAM_READ] = dram_later(dram->from[DRAM_READ], tick + spec->timing.ccd);
    dram->from[DRAM_WRITE] = dram_later(dram->from[DRAM_WRITE], tick + spec->timing.ccd);
    group[DRAM_READ] = group[DRAM_WRITE] = tick + spec->timing.ccdl;
    dram->groups_from[DRAM_READ] = dram->groups_from[DRAM_WRITE] = group[DRAM_READ];
    if (spec->ccdr != 0)
        part_stacks(dram, bank->group, tick);
    if (bank->wants == DRAM_WRITE) {
        dram->from[DRAM_READ] = dram_later(dram->from[DRAM_READ], tick + spec->wtr);
        bank->from[DRAM_PRECHARGE] = dram_later(bank->from[DRAM_PRECHARGE], tick + spec->wtp);
    } else {
        dram->from[DRAM_WRITE] = dram_later(dram->from[DRAM_WRITE], tick + spec->rtw);
        bank->from[DRAM_PRECHARGE] = dram_later(bank->from[DRAM_PRECHARGE], tick + spec->rtp);
        dram->groups_from[DRAM_PRECHARGE] = group[DRAM_PRECHARGE] = tick + spec->timing.rtpl;
    }
    uint32_t *left = request->reads_left != 0 ? &request->reads_left : &request->bytes_left;
    uint32_t bytes = *left < spec->atom ? *left : spec->atom;
    SHARES_CALL(dram, request->packet.launch, count_bytes, bank->wants == DRAM_WRITE, bytes);
    bank->used = (uint32_t)tick;
    *left -= bytes;
    if (left == &request->reads_left && *left == 0)
        dram_want(dram, b, tick);
    if (request->bytes_left != 0)
        return;
    dram_onto_pins(dram, request, tick);
    request->next = dram->free;
    dram->free = bank->current;
    bank->current = DRAM_NONE;
    dram->busy &= ~(1ull << b);
    dram->ripe[bank->wants] &= ~(1ull << b);
}

/* A row is activated in TICK: the fourth one after it has to wait. */
static void note_activate(struct dram *dram, uint64_t tick)
{
    const struct dram_spec *spec = &dram->spec;
    uint64_t *oldest = &dram->activates[(dram->activate + 1) % DRAM_FAW];
    dram->activates[dram->activate] = tick;
    dram->activate = (dram->activate + 1) % DRAM_FAW;
    dram->from[DRAM_ACTIVATE] = tick + spec->timing.rrd;
    if (spec->faw != 0 && *oldest != 0)
        dram->from[DRAM_ACTIVATE] = dram_later(dram->from[DRAM_ACTIVATE], *oldest + spec->faw);
}

static void row_command(struct dram *dram, uint32_t b, uint64_t tick)
{
    const struct dram_spec *spec = &dram->spec;
    struct dram_bank *bank = &dram->banks[b];
    if (bank->wants == DRAM_PRECHARGE) {
        bank->active = false;
        dram->stats.precharges++;
        bank->from[DRAM_ACTIVATE] =
            dram_later(bank->from[DRAM_ACTIVATE], tick + spec->timing.rp);
    } else {
        bank->active = true;
        bank->row = dram->pool[bank->current].row;
        note_activate(dram, tick);
        bank->from[DRAM_READ] = tick + spec->timing.rcd;
        bank->from[DRAM_WRITE] = tick + spec->rcdwr;
        bank->from[DRAM_PRECHARGE] =
            dram_later(bank->from[DRAM_PRECHARGE], tick + spec->timing.ras);
        bank->from[DRAM_ACTIVATE] = tick + spec->timing.rc;
        dram->stats.activates++;
    }
    dram_want(dram, b, tick);
    dram_pass_turn(dram, b);
}

/* Moves banks whose own timing allows their command in TICK from the wheel to `ripe`. Returns
 * the tick of the first slot that is left. */
static uint64_t ripen(struct dram *dram, uint64_t tick)
{
    uint64_t at;
    while ((at = first_slot(dram)) <= tick) {
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
    return at;
}

/* Returns the banks of RIPE whose group allows COMMAND in TICK; *NEXT is lowered to the first
 * tick at which another one may. */
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

/* Finds the busy banks whose next command can be given in TICK, a column or a row command. If
 * there are none, next_command becomes a tick before which no command can be given. */
static void find_due(struct dram *dram, uint64_t tick, uint64_t *columns, uint64_t *rows)
{
    uint64_t next = ripen(dram, tick);
    *columns = *rows = 0;
    for (int command = 0; command < DRAM_COMMANDS; command++) {
        uint64_t ripe = dram->ripe[command];
        if (ripe == 0)
            continue;
        if (dram->from[command] > tick) {
            next = dram->from[command] < next ? dram->from[command] : next;
            continue;
        }
        if (dram->groups_from[command] > tick)
            ripe = pass_groups(dram, command, ripe, tick, &next);
        *(command >= DRAM_READ ? columns : rows) |= ripe;
    }
    dram->next_command = next;
}

/* After the commands of TICK: a tick before which no other command can be given. */
static uint64_t next_command(const struct dram *dram, uint64_t tick)
{
    uint64_t next = first_slot(dram);
    for (int command = 0; command < DRAM_COMMANDS; command++)
        if (dram->ripe[command] != 0 && dram->from[command] < next)
            next = dram->from[command];
    return dram_later(next, tick + 1);
}

/* MASK of banks, rotated so that the bank with priority is bit 0. */
static uint64_t turn_of(const struct dram *dram, uint64_t mask)
{
    uint32_t banks = dram->spec.timing.banks, at = dram->priority;
    uint64_t all = banks < 64 ? (1ull << banks) - 1 : ~0ull;
    return at == 0 ? mask : (mask >> at | mask << (banks - at)) & all;
}

/* The bank of bit I of turn_of(). */
static uint32_t bank_in_turn(const struct dram *dram, uint32_t i)
{
    uint32_t b = i + dram->priority;
    return b < dram->spec.timing.banks ? b : b - dram->spec.timing.banks;
}

/* One bus: banks take turns from the one with priority. A tick has at most one row command and
 * one column command, which ends it. A row command at once gives priority to the next bank,
 * which changes the order of the rest of the tick. */
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

/* Two buses: in each tick a column and a row command, each for the first bank in turn. The row
 * command observes the timing after the column command of the same tick. */
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

bool dram_give_command(struct dram *dram, uint64_t tick)
{
    bool given =
        dram->spec.dual_bus ? commands_two_buses(dram, tick) : commands_one_bus(dram, tick);
    if (given)
        dram->next_command = next_command(dram, tick);
    return given;
}
