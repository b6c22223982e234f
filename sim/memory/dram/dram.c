#include "sim/memory/dram/dram.h"

#include <string.h>

#include "sim/memory/dram/dram_parts.h"
#include "traces/base/prefetch.h"

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
    if (spec->scheduler->state_size != 0)
        dram->state = calloc(spec->timing.banks, spec->scheduler->state_size);
    if (dram->banks == NULL || (spec->scheduler->state_size != 0 && dram->state == NULL)) {
        dram_finish(dram);
        return false;
    }
    dram->free = DRAM_NONE;
    for (uint32_t b = 0; b < spec->timing.banks; b++)
        dram->groups[group_of(dram, b)] |= 1ull << b;
    dram_reset(dram);
    return true;
}

void dram_finish(struct dram *dram)
{
    free(dram->banks);
    free(dram->state);
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
    if (dram->state != NULL)
        memset(dram->state, 0, dram->spec.timing.banks * dram->spec.scheduler->state_size);
    dram->free = DRAM_NONE;
    for (uint32_t i = 0; i < dram->pool_count; i++) {
        dram->pool[i].next = dram->free;
        dram->free = i;
    }
    dram->refresh_from = dram->refresh_passed = 0;
    memset(dram->activates, 0, sizeof dram->activates);
    dram->activate = 0;
    memset(dram->from, 0, sizeof dram->from);
    memset(dram->group_from, 0, sizeof dram->group_from);
    memset(dram->groups_from, 0, sizeof dram->groups_from);
    dram->priority = dram->pending = dram->pending_writes = 0;
    dram->busy = dram->waiting[DRAM_READS] = dram->waiting[DRAM_WRITES] = 0;
    memset(dram->ripe, 0, sizeof dram->ripe);
    memset(dram->wheel, 0, sizeof dram->wheel);
    dram->wheel_slots = dram->wheel_tick = 0;
    dram->next_command = UINT64_MAX;
    dram->wake = 0;
    dram->write_drain = dram->hurry = false;
    dram->pins.head = dram->pins.count = 0;
    dram->returned.head = dram->returned.count = 0;
}

void dram_leave_row(struct dram *dram, uint32_t bank, bool open, uint32_t row)
{
    dram->banks[bank].active = open;
    dram->banks[bank].row = row;
}

void dram_restart_refresh(struct dram *dram, uint64_t tick, uint32_t passed)
{
    dram->refresh_from = tick;
    dram->refresh_passed = passed;
    for (uint32_t b = 0; b < dram->spec.timing.banks; b++) {
        struct dram_bank *bank = &dram->banks[b];
        bank->refreshes = 0;
        bank->used = (uint32_t)tick;
        for (int command = 0; command < DRAM_COMMANDS; command++)
            if (bank->from[command] > tick)
                bank->from[command] = tick;
    }
}

void dram_prefetch(const struct dram *dram)
{
    prefetch_bytes(dram, sizeof *dram);
    if (!dram_busy(dram))
        return;
    prefetch_bytes(dram->banks, dram->spec.timing.banks * sizeof *dram->banks);
    if (dram->state != NULL)
        prefetch_bytes(dram->state, dram->spec.timing.banks * dram->spec.scheduler->state_size);
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
    return dram->spec.write_queue_max != 0 && packet_is_write(packet) ? DRAM_WRITES
                                                                      : DRAM_READS;
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
                                     .reads_left = packet_partial(packet) * SECTOR_BYTES,
                                     .prev = bank->last[which],
                                     .next = DRAM_NONE,
                                     .order = dram->arrived++};
    if (bank->first[which] == DRAM_NONE)
        bank->first[which] = index;
    else
        dram->pool[bank->last[which]].next = index;
    bank->last[which] = index;
    dram->waiting[which] |= 1ull << bank_number;
    if (which == DRAM_WRITES)
        dram->pending_writes++;
    else
        dram->pending++;
    /* Another request for a busy bank only matters for the marks of the write queue. */
    if (!(dram->busy >> bank_number & 1) || dram->spec.write_queue_max != 0)
        dram_wake(dram);
}

void dram_hurry(struct dram *dram, bool hurry)
{
    dram->hurry = hurry;
    dram_wake(dram);
}

/* The data of REQUEST's last column command leave the pins after the read or write latency, one
 * request a tick and in order. */
void dram_onto_pins(struct dram *dram, const struct dram_request *request, uint64_t tick)
{
    const struct sim_dram_timing *timing = &dram->spec.timing;
    bool write = packet_is_write(&request->packet);
    uint64_t done = tick + (write ? timing->wl : timing->cl);
    if (dram->pins.count != 0)
        done = dram_later(done, queue_last(&dram->pins)->ready + 1);
    queue_push(&dram->pins, &request->packet, done);
}

/* One finished request leaves the pins. A write-back is done, others are answered to L2. */
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

/* The first tick after TICK in which something can happen without another request. CHANGED:
 * something happened in TICK; the marks of the write queue are checked after each change. */
static uint64_t next_wake(const struct dram *dram, uint64_t tick, bool changed)
{
    uint64_t idle = (dram->waiting[DRAM_READS] | dram->waiting[DRAM_WRITES]) & ~dram->busy;
    if (changed && (idle != 0 || dram->spec.write_queue_max != 0))
        return tick + 1;
    uint64_t next = dram->busy != 0 ? dram->next_command : UINT64_MAX;
    if (dram->pins.count != 0 && queue_head(&dram->pins)->ready < next)
        next = queue_head(&dram->pins)->ready;
    return dram_later(next, tick + 1);
}

/* The tick in which the refresh that goes on in TICK is over; TICK if there is none. */
static uint64_t refresh_end(const struct dram *dram, uint64_t tick)
{
    const struct dram_spec *spec = &dram->spec;
    if (spec->refresh_interval == 0 || spec->refresh_banks)
        return tick;
    uint64_t since = (tick - dram->refresh_from + dram->refresh_passed + dram->refresh_phase) %
                     spec->refresh_interval;
    return since < spec->refresh ? tick + spec->refresh - since : tick;
}

/* During a refresh, which is over in END: the first tick after TICK in which something can
 * happen without another request. */
static uint64_t wake_after(const struct dram *dram, uint64_t tick, uint64_t end)
{
    uint64_t next = dram->busy != 0 || dram_waiting(dram) != 0 ? end : UINT64_MAX;
    uint64_t done = queue_next(&dram->pins);
    return dram_later(done < next ? done : next, tick + 1);
}

bool dram_tick(struct dram *dram, uint64_t tick, struct packet *done, bool *has_done)
{
    *has_done = false;
    bool changed = leave_pins(dram, tick, done, has_done), drain = dram->write_drain;
    uint64_t end = refresh_end(dram, tick);
    if (end > tick) {
        dram->wake = wake_after(dram, tick, end);
        return changed;
    }
    dram_turn(dram);
    if (dram_waiting(dram) != 0)
        changed |= dram_schedule(dram, tick);
    if (dram->busy != 0 && tick >= dram->next_command)
        changed |= dram_give_command(dram, tick);
    dram->wake = next_wake(dram, tick, changed || drain != dram->write_drain);
    return changed;
}
