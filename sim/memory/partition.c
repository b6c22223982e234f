#include "sim/memory/partition.h"

#include <string.h>

#include "sim/stats/shares.h"
#include "traces/base/prefetch.h"

bool partition_init(struct partition *partition, const struct partition_spec *spec,
                    const struct slice_spec *slice, const struct sim_cache_config *l2,
                    const struct dram_spec *dram)
{
    memset(partition, 0, sizeof *partition);
    partition->spec = *spec;
    bool good = dram_init(&partition->dram, dram);
    if (!dram->refresh_together)
        partition->dram.refresh_phase =
            (uint64_t)dram->refresh_interval * spec->number / spec->channels;
    for (uint32_t s = 0; s < spec->slices; s++)
        good = slice_init(&partition->slices[s], slice, spec->number * spec->slices + s, l2) &&
               good;
    if (good)
        partition_reset(partition);
    else
        partition_finish(partition);
    return good;
}

void partition_finish(struct partition *partition)
{
    for (uint32_t s = 0; s < PARTITION_MAX_SLICES; s++) {
        slice_finish(&partition->slices[s]);
        queue_finish(&partition->replies[s]);
    }
    dram_finish(&partition->dram);
    queue_finish(&partition->latency);
}

void partition_reset(struct partition *partition)
{
    for (uint32_t s = 0; s < partition->spec.slices; s++)
        slice_reset(&partition->slices[s]);
    dram_reset(&partition->dram);
    memset(partition->private_credits, 0, sizeof partition->private_credits);
    partition->shared_credits = 0;
    partition->last_borrower = partition->spec.slices - 1;
    partition->borrow_stuck = false;
    partition->end = 0;
    partition->core_clock = ticker_of(partition->spec.core_hz);
    partition->l2_clock = ticker_of(partition->spec.l2_hz);
    partition->dram_clock = ticker_of(partition->spec.dram_hz);
}

void partition_share(struct partition *partition, struct dram_stats *dram,
                     struct cache_stats *l2, uint32_t slots)
{
    partition->dram.shares = dram;
    for (uint32_t s = 0; s < partition->spec.slices; s++)
        partition->slices[s].cache.shares = &l2[s * slots];
}

/* ---- credits: each slice has one private request in the channel; the others are shared ----
 */

static bool has_credit(const struct partition *partition, uint32_t slice)
{
    return partition->private_credits[slice] == 0 || partition->spec.shared_credits == 0 ||
           partition->shared_credits < partition->spec.shared_credits;
}

static void borrow_credit(struct partition *partition, uint32_t slice)
{
    if (partition->private_credits[slice] == 0)
        partition->private_credits[slice] = 1;
    else
        partition->shared_credits++;
    partition->last_borrower = slice;
}

static void return_credit(struct partition *partition, uint32_t slice)
{
    if (partition->private_credits[slice] != 0)
        partition->private_credits[slice] = 0;
    else
        partition->shared_credits--;
    partition->borrow_stuck = false;
}

static uint32_t local_slice(const struct partition *partition, const struct packet *packet)
{
    return packet->slice - partition->spec.number * partition->spec.slices;
}

/* ---- one DRAM tick ---- */

static bool return_data(struct partition *partition, uint64_t now)
{
    const struct packet *packet = dram_reply(&partition->dram), *next;
    if (packet == NULL)
        return false;
    uint32_t number = local_slice(partition, packet);
    struct slice *slice = &partition->slices[number];
    if (!slice_has_room(slice))
        return false;
    slice_fill(slice, packet, now);
    next = dram_next_reply(&partition->dram);
    if (next != NULL)
        slice_expect_fill(&partition->slices[local_slice(partition, next)], next);
    dram_pop_reply(&partition->dram);
    return_credit(partition, number);
    return true;
}

/* Sends one request of one slice towards the DRAM queue. */
static bool take_from_slices(struct partition *partition, uint64_t now)
{
    uint32_t count = partition->spec.slices, number = partition->last_borrower;
    partition->borrow_stuck = true;
    for (uint32_t i = 0; i < count; i++) {
        number = number + 1 < count ? number + 1 : 0;
        struct slice *slice = &partition->slices[number];
        const struct packet *packet = slice_request(slice);
        if (packet == NULL || !slice_has_room(slice) || !has_credit(partition, number))
            continue;
        if (dram_full(&partition->dram, packet_is_write(packet)))
            return false;
        queue_push(&partition->latency, packet, now + partition->spec.latency);
        slice_pop_request(slice);
        borrow_credit(partition, number);
        partition->borrow_stuck = false;
        return true;
    }
    return false;
}

static bool may_enter_dram(const struct partition *partition, uint64_t now)
{
    return queue_ready(&partition->latency, now) &&
           !dram_full(&partition->dram,
                      packet_is_write(&queue_head(&partition->latency)->packet));
}

static bool enter_dram(struct partition *partition, uint64_t now)
{
    if (!may_enter_dram(partition, now))
        return false;
    const struct packet *packet = &queue_head(&partition->latency)->packet;
    const struct slice *slice = &partition->slices[local_slice(partition, packet)];
    uint32_t bytes = slice_request_bytes(slice, packet), row;
    uint32_t bank = address_table_bank(partition->spec.places, packet->address, &row);
    dram_push(&partition->dram, packet, bank, row, bytes);
    queue_pop(&partition->latency);
    return true;
}

/* Keeps the counts from before cycle NOW, because the launch may turn out to have ended by
 * then. */
static void keep_stats(struct partition *partition, uint64_t now)
{
    struct partition_log *log = partition->log[partition->log_at];
    uint32_t *count = &partition->log_count[partition->log_at];
    const struct dram_stats *stats = &partition->dram.stats;
    if (*count != 0 && log[*count - 1].cycle == now)
        return;
    log[(*count)++] = (struct partition_log){
        .cycle = now,
        .activates = (uint32_t)stats->activates,
        .precharges = (uint32_t)stats->precharges,
        .row_hits = (uint32_t)stats->row_hits,
        .row_misses = (uint32_t)stats->row_misses,
        .read_bytes = (uint32_t)stats->read_bytes,
        .write_bytes = (uint32_t)stats->write_bytes,
    };
}

/* A tick of the channel itself. */
static bool tick_channel(struct partition *partition, uint64_t tick, uint64_t now)
{
    struct packet done;
    bool has_done;
    keep_stats(partition, now);
    uint32_t waiting = dram_waiting(&partition->dram);
    bool changed = dram_tick(&partition->dram, tick, &done, &has_done);
    if (has_done)
        return_credit(partition, local_slice(partition, &done));
    if (dram_waiting(&partition->dram) < waiting)
        partition->borrow_stuck = false;
    return changed;
}

static bool tick_dram(struct partition *partition, uint64_t tick, uint64_t now)
{
    bool changed = return_data(partition, now);
    if (dram_awake(&partition->dram, tick))
        changed |= tick_channel(partition, tick, now);
    if (!partition->borrow_stuck)
        changed |= take_from_slices(partition, now);
    changed |= enter_dram(partition, now);
    return changed;
}

/* True if something other than the channel itself may move in a DRAM tick of cycle NOW. */
static bool has_traffic(const struct partition *partition, uint64_t now)
{
    return dram_reply(&partition->dram) != NULL || !partition->borrow_stuck ||
           queue_ready(&partition->latency, now);
}

/* Runs the DRAM ticks up to the current L2 tick, which is in core cycle NOW; one at the same
 * time comes first. After a tick in which nothing moved, only the channel itself can start
 * moving again. */
static void run_dram(struct partition *partition, uint64_t now)
{
    uint64_t tick = partition->dram_clock.tick;
    ticker_pass(&partition->dram_clock, partition->l2_clock.time);
    uint64_t end = partition->dram_clock.tick;
    bool moving = has_traffic(partition, now);
    while (tick < end) {
        tick++;
        if (!moving)
            tick = dram_next(&partition->dram, tick - 1);
        if (tick > end)
            break;
        moving = tick_dram(partition, tick, now);
        if (moving)
            partition->active_end = now + 1;
    }
}

/* ---- windows ---- */

/* Keeps the bits KEEP of WORD, which only this thread writes, and sets BITS. */
static void change_bits(_Atomic uint64_t *word, uint64_t keep, uint64_t bits)
{
    uint64_t old = atomic_load_explicit(word, memory_order_relaxed);
    atomic_store_explicit(word, (old & keep) | bits, memory_order_relaxed);
}

static void mark_blocked(struct partition *partition, uint32_t slice, uint64_t cycle)
{
    change_bits(&partition->blocked[slice][cycle % PARTITION_HISTORY / 64], ~0ull,
                1ull << (cycle % 64));
}

/* A core cycle not after the one whose L2 ticks run DRAM tick TICK, a later one. */
static uint64_t cycle_before(const struct partition *partition, uint64_t tick)
{
    const struct ticker *core = &partition->core_clock, *dram = &partition->dram_clock;
    double time = dram->time + (double)(tick - dram->tick) * dram->period;
    double cycles = (time - core->time) * core->hz * (1 - TICKER_ROUNDING) - TICKER_ROUNDING;
    return core->tick + (cycles > 0 ? (uint64_t)cycles + 1 : 0);
}

/* The first cycle from NOW on in which the partition, whose slices are empty, has something to
 * do. */
static uint64_t next_cycle(const struct partition *partition, uint64_t now)
{
    uint64_t next = UINT64_MAX;
    for (uint32_t s = 0; s < partition->spec.slices; s++)
        if (slice_next_arrival(&partition->slices[s]) < next)
            next = slice_next_arrival(&partition->slices[s]);
    if (partition->latency.count != 0 && queue_head(&partition->latency)->ready < next)
        next = queue_head(&partition->latency)->ready;
    uint64_t done = partition->dram_clock.tick;
    uint64_t tick =
        dram_reply(&partition->dram) != NULL ? done + 1 : dram_next(&partition->dram, done);
    if (tick != UINT64_MAX) {
        uint64_t at = cycle_before(partition, tick);
        if (at < next)
            next = at;
    }
    return next > now ? next : now;
}

static bool slices_busy(const struct partition *partition)
{
    for (uint32_t s = 0; s < partition->spec.slices; s++)
        if (slice_busy(&partition->slices[s]))
            return true;
    return false;
}

/* L2 has no tick in CYCLE, so it accepts nothing. */
static void block_all(struct partition *partition, uint64_t cycle)
{
    for (uint32_t s = 0; s < partition->spec.slices; s++)
        mark_blocked(partition, s, cycle);
}

/* In cycles FROM to TO - 1 nothing happens: L2 has no tick in some if its clock is slower. */
static void pass_idle(struct partition *partition, uint64_t from, uint64_t to)
{
    struct ticker *core = &partition->core_clock, *l2 = &partition->l2_clock;
    if (partition->spec.l2_hz >= partition->spec.core_hz)
        return;
    for (uint64_t cycle = from; cycle < to; cycle++) {
        uint64_t before = l2->tick;
        ticker_go(core, cycle);
        ticker_pass(l2, core->time);
        if (l2->tick == before && cycle != core->zero)
            block_all(partition, cycle);
    }
    ticker_pass(&partition->dram_clock, l2->time);
}

/* Clocks go on to the end of cycle LAST, up to which nothing has happened. */
static void catch_up(struct partition *partition, uint64_t last)
{
    ticker_go(&partition->core_clock, last);
    ticker_pass(&partition->l2_clock, partition->core_clock.time);
    ticker_pass(&partition->dram_clock, partition->l2_clock.time);
}

static void l2_tick(struct partition *partition, uint64_t now)
{
    ticker_next(&partition->l2_clock);
    run_dram(partition, now);
    uint32_t count = partition->spec.slices;
    for (uint32_t s = 0; s < count; s++) {
        struct slice *slice = &partition->slices[s];
        if (!slice_accepts(slice))
            mark_blocked(partition, s, now);
        if (!slice_awake(slice, now)) {
            slice_wait(slice);
            continue;
        }
        enum slice_change change = slice_cycle(slice, now, partition->l2_clock.tick);
        if (change == SLICE_NOTHING)
            continue;
        partition->active_end = now + 1;
        if (change == SLICE_MOVED_DRAM)
            partition->borrow_stuck = false;
    }
}

/* Clears the history for cycles FROM to END - 1. */
static void forget(struct partition *partition, uint64_t from, uint64_t end)
{
    for (uint64_t cycle = from, next; cycle < end; cycle = next) {
        next = (cycle | 63) + 1 < end ? (cycle | 63) + 1 : end;
        uint64_t bits = (next - cycle == 64 ? ~0ull : (1ull << (next - cycle)) - 1)
                        << cycle % 64;
        for (uint32_t s = 0; s < partition->spec.slices; s++)
            change_bits(&partition->blocked[s][cycle % PARTITION_HISTORY / 64], ~bits, 0);
    }
    partition->log_at = !partition->log_at;
    partition->log_count[partition->log_at] = 0;
    partition->end = end;
}

/* Prefetches what every run looks at and may have left the host's cache since the last one. */
static void prefetch_state(const struct partition *partition)
{
    prefetch_bytes(partition->slices, partition->spec.slices * sizeof partition->slices[0]);
    dram_prefetch(&partition->dram);
    prefetch_bytes(&partition->latency,
                   offsetof(struct partition, blocked) - offsetof(struct partition, latency));
}

void partition_rewind(struct partition *partition, uint64_t now)
{
    partition->end = now;
    partition->log_count[0] = partition->log_count[1] = 0;
    dram_wake(&partition->dram);
    ticker_go(&partition->core_clock, now > 0 ? now - 1 : 0);
    ticker_rewind(&partition->l2_clock, partition->core_clock.time);
    ticker_rewind(&partition->dram_clock, partition->l2_clock.time);
}

void partition_restart_clocks(struct partition *partition, uint64_t now)
{
    ticker_restart(&partition->core_clock, now);
    ticker_restart(&partition->l2_clock, partition->l2_clock.tick + 1);
    ticker_restart(&partition->dram_clock, partition->dram_clock.tick + 1);
}

void partition_set_turn(struct partition *partition, uint32_t slice)
{
    partition->last_borrower = slice;
}

/* One reply of each slice leaves for the crossbar, with those that travel with it. */
static void send_replies(struct partition *partition, uint64_t now)
{
    for (uint32_t s = 0; s < partition->spec.slices; s++) {
        const struct packet *reply;
        bool sent = false;
        while ((reply = slice_reply(&partition->slices[s])) != NULL) {
            if (!packet_rides(reply)) {
                if (sent)
                    break;
                sent = true;
            }
            queue_push(&partition->replies[s], reply, now);
            slice_pop_reply(&partition->slices[s]);
            partition->active_end = now + 1;
        }
    }
}

/* The L2 ticks of core cycle NOW. Replies leave for the crossbar before one at the same time as
 * the cycle. */
static void run_cycle(struct partition *partition, uint64_t now)
{
    struct ticker *core = &partition->core_clock, *l2 = &partition->l2_clock;
    if (core->tick < now)
        ticker_next(core);
    if (ticker_next_time(l2) > core->time && now != core->zero)
        block_all(partition, now);
    while (ticker_next_time(l2) < core->time)
        l2_tick(partition, now);
    send_replies(partition, now);
    if (ticker_next_time(l2) == core->time)
        l2_tick(partition, now);
}

void partition_run(struct partition *partition, uint64_t from, uint64_t end)
{
    prefetch_state(partition);
    forget(partition, from, end);
    for (uint64_t now = from; now < end; now++) {
        uint64_t next = slices_busy(partition) ? now : next_cycle(partition, now);
        if (next > now)
            pass_idle(partition, now, next < end ? next : end);
        if (next >= end)
            return;
        now = next;
        if (partition->core_clock.tick + 1 < now)
            catch_up(partition, now - 1);
        run_cycle(partition, now);
    }
}

void partition_hurry(struct partition *partition, bool hurry)
{
    dram_hurry(&partition->dram, hurry);
}

/* The first logged cycle from END on; NULL if there is none. */
static const struct partition_log *first_from(const struct partition *partition, uint64_t end)
{
    for (uint32_t i = 0; i < 2; i++) {
        uint32_t which = i == 0 ? !partition->log_at : partition->log_at;
        for (uint32_t k = 0; k < partition->log_count[which]; k++)
            if (partition->log[which][k].cycle >= end)
                return &partition->log[which][k];
    }
    return NULL;
}

/* The earlier value of a count that is NOW by now; BEFORE is that value modulo 2^32. */
static uint64_t earlier(uint64_t now, uint32_t before)
{
    return now - (uint32_t)((uint32_t)now - before);
}

struct dram_stats partition_dram(const struct partition *partition, uint64_t end)
{
    struct dram_stats stats = partition->dram.stats;
    const struct partition_log *log = first_from(partition, end);
    if (log == NULL)
        return stats;
    stats.activates = earlier(stats.activates, log->activates);
    stats.precharges = earlier(stats.precharges, log->precharges);
    stats.row_hits = earlier(stats.row_hits, log->row_hits);
    stats.row_misses = earlier(stats.row_misses, log->row_misses);
    stats.read_bytes = earlier(stats.read_bytes, log->read_bytes);
    stats.write_bytes = earlier(stats.write_bytes, log->write_bytes);
    stats.reads = stats.read_bytes / SECTOR_BYTES;
    stats.writes = stats.write_bytes / SECTOR_BYTES;
    return stats;
}

void partition_count_code(struct partition *partition, uint32_t slice, uint32_t slot)
{
    struct cache *l2 = &partition->slices[slice].cache;
    SHARES_ADD(l2, slot, counts[CACHE_CODE][CACHE_MISS], 1);
    dram_count_read(&partition->dram, slot, SECTOR_BYTES);
}

bool partition_busy(const struct partition *partition)
{
    for (uint32_t s = 0; s < partition->spec.slices; s++)
        if (slice_next_arrival(&partition->slices[s]) != UINT64_MAX ||
            slice_busy(&partition->slices[s]) || partition->replies[s].count != 0)
            return true;
    return partition->latency.count != 0 || dram_busy(&partition->dram);
}
