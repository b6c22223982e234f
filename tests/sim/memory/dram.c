/* A DRAM channel alone: each pair of commands is not given a tick too early
 * and is given at the tick that its timing names; the order of requests.
 *
 * A request pushed before tick t is chosen for its bank, and its first command
 * given, in tick t. What a tick did is read off the counters of commands and
 * the state of the banks. */
#include "tests/sim/support.h"

#include "sim/memory/dram/dram.h"
#include "sim/simulator.h"

/* All different, so that no parameter passes for another; 4 groups of 4
 * banks, bank b in group b % 4. Derived ones as sim/spec/memory.c makes them. */
static const struct dram_spec plain = {
    .timing = {.banks = 16,
               .bank_groups = 4,
               .ccd = 3,
               .rrd = 11,
               .rcd = 23,
               .ras = 61,
               .rp = 19,
               .rc = 97,
               .cl = 29,
               .wl = 7,
               .cdlr = 13,
               .wr = 31,
               .ccdl = 5,
               .rtpl = 17},
    .atom = 32,
    .burst = 4,
    .rtw = 29 + 4 + 2 - 7, /* CL + burst + 2 - WL */
    .wtr = 7 + 4 + 13,     /* WL + burst + CDLR */
    .wtp = 7 + 4 + 31,     /* WL + burst + WR */
    .rtp = 4,              /* burst */
    .rcdwr = 23 - (7 + 1), /* RCD - (WL + 1) */
    .queue_max = 64,
    .return_max = 64,
    .scheduler = &dram_scheduler_frfcfs,
};

static struct dram dram;
static uint64_t now; /* last tick */
static struct packet done[64];
static unsigned done_count;

static void start(const struct dram_spec *spec)
{
    ck_assert(dram_init(&dram, spec));
    now = 0;
    done_count = 0;
}

static void stop(void)
{
    dram_finish(&dram);
}

static void push(enum packet_kind kind, uint32_t bank, uint32_t row, uint64_t id)
{
    struct packet packet = packet_of(kind, id);
    dram_push(&dram, &packet, bank, row, 32);
}

static void tick(void)
{
    struct packet packet;
    bool has_done;
    dram_tick(&dram, ++now, &packet, &has_done);
    if (has_done)
        done[done_count++] = packet;
}

static void ticks_to(uint64_t last)
{
    while (now < last)
        tick();
}

/* The first tick from the next one on in which *VALUE changes. */
static uint64_t change(const uint64_t *value)
{
    uint64_t before = *value, limit = now + 1000;
    do
        tick();
    while (*value == before && now < limit);
    ck_assert_uint_lt(now, limit);
    return now;
}

#define activate() change(&dram.stats.activates)
#define reads()    change(&dram.stats.reads)
#define writes()   change(&dram.stats.writes)

static uint64_t precharge(uint32_t bank)
{
    while (dram.banks[bank].active)
        tick();
    return now;
}

/* ACT in the first tick, RD after RCD, WR after RCD - (WL + 1). */
START_TEST(activate_to_column)
{
    start(&plain);
    push(PACKET_READ, 0, 1, 0);
    ck_assert_uint_eq(activate(), 1);
    ck_assert_uint_eq(reads(), 1 + 23);
    stop();
    start(&plain);
    push(PACKET_WRITE, 0, 1, 0);
    ck_assert_uint_eq(activate(), 1);
    ck_assert_uint_eq(writes(), 1 + 15);
    stop();
}
END_TEST

/* Opens rows 1 of banks 0, 1 and 4 and lets all constraints pass: reads until
 * then, the last one long ago. */
static uint64_t open_rows(void)
{
    push(PACKET_READ, 0, 1, 0);
    push(PACKET_READ, 1, 1, 0);
    push(PACKET_READ, 4, 1, 0);
    ticks_to(500);
    ck_assert_uint_eq(dram.stats.reads, 3);
    ck_assert_uint_eq(dram.stats.activates, 3);
    return now;
}

/* A request to an open row is chosen, and served, in the next tick: 501. Then
 * one to another group waits CCD, one to the same group CCDL. */
START_TEST(column_to_column)
{
    const struct {
        uint32_t bank, gap;
    } rows[] = {{1, 3}, {0, 5}, {4, 5}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        start(&plain);
        open_rows();
        push(PACKET_READ, 0, 1, 0);
        ck_assert_uint_eq(reads(), 501);
        push(PACKET_READ, rows[i].bank, 1, 0);
        ck_assert_uint_eq(reads(), 501 + rows[i].gap);
        stop();
    }
}
END_TEST

/* Whatever the bank: WR follows RD after CL + burst + 2 - WL = 28, RD follows
 * WR after WL + burst + CDLR = 24. */
START_TEST(turnaround)
{
    for (uint32_t bank = 0; bank <= 1; bank++) {
        start(&plain);
        open_rows();
        push(PACKET_READ, 0, 1, 0);
        ck_assert_uint_eq(reads(), 501);
        push(PACKET_WRITE, bank, 1, 0);
        ck_assert_uint_eq(writes(), 501 + 28);
        push(PACKET_READ, bank, 1, 0);
        ck_assert_uint_eq(reads(), 501 + 28 + 24);
        stop();
    }
}
END_TEST

/* As configured: CL + two ticks of a burst of eight at four transfers a tick + 2 - WL = 12;
 * tRTW; without a turnaround CCD. */
START_TEST(read_to_write)
{
    static const char *const times =
        "gpgpu_dram_timing_opt=nbk=16:CCD=2:RRD=4:RCD=26:RAS=37:RP=22:RC=59:CL=17:WL=9:"
        "CDLR=6:WR=28:nbkgrp=4:CCDL=4:RTPL=8";
    static const struct {
        const char *set;
        uint64_t ticks;
    } rows[] = {{"hearth_dram_rtw=0", 12},
                {"hearth_dram_rtw=17", 17},
                {"hearth_dram_rtw=9", 9},
                {"dram_elimnate_rw_turnaround=1", 2}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct bench bench = bench_create(
            SETS(times, "gpgpu_dram_burst_length=8", "gpgpu_dram_buswidth=4",
                 "gpgpu_n_mem_per_ctrlr=1", "dram_data_command_freq_ratio=4", rows[i].set));
        start(&bench.sim->engine.spec.dram);
        open_rows();
        push(PACKET_READ, 0, 1, 0);
        ck_assert_uint_eq(reads(), 501);
        push(PACKET_WRITE, 1, 1, 0);
        ck_assert_uint_eq(writes(), 501 + rows[i].ticks);
        stop();
        bench_destroy(&bench);
    }
}
END_TEST

/* Two writes keep CCD and CCDL. */
START_TEST(write_to_write)
{
    start(&plain);
    open_rows();
    push(PACKET_WRITE, 0, 1, 0);
    ck_assert_uint_eq(writes(), 501);
    push(PACKET_WRITE, 1, 1, 0);
    ck_assert_uint_eq(writes(), 501 + 3);
    push(PACKET_WRITE, 1, 1, 0);
    ck_assert_uint_eq(writes(), 501 + 3 + 5);
    stop();
}
END_TEST

/* Another row of a bank: PRE not before RAS after ACT (1 + 61) ... */
START_TEST(activate_to_precharge)
{
    start(&plain);
    push(PACKET_READ, 0, 1, 0);
    ck_assert_uint_eq(activate(), 1);
    ck_assert_uint_eq(reads(), 24);
    push(PACKET_READ, 0, 2, 0);
    ck_assert_uint_eq(precharge(0), 1 + 61);
    /* ... ACT RP after PRE, but RC after ACT. */
    ck_assert_uint_eq(activate(), 1 + 97);
    stop();
}
END_TEST

/* Long after ACT: PRE RTPL after a read of the group (17, more than the
 * burst), ACT RP after PRE. */
START_TEST(read_to_precharge)
{
    start(&plain);
    open_rows();
    push(PACKET_READ, 0, 1, 0);
    ck_assert_uint_eq(reads(), 501);
    push(PACKET_READ, 0, 2, 0);
    ck_assert_uint_eq(precharge(0), 501 + 17);
    ck_assert_uint_eq(activate(), 501 + 17 + 19);
    ck_assert_uint_eq(reads(), 501 + 17 + 19 + 23);
    stop();
    /* A read of another bank of the group keeps the precharge off as well. */
    start(&plain);
    open_rows();
    push(PACKET_READ, 4, 1, 0);
    ck_assert_uint_eq(reads(), 501);
    push(PACKET_READ, 0, 2, 0);
    ck_assert_uint_eq(precharge(0), 501 + 17);
    stop();
    /* One of another group does not. */
    start(&plain);
    open_rows();
    push(PACKET_READ, 1, 1, 0);
    ck_assert_uint_eq(reads(), 501);
    push(PACKET_READ, 0, 2, 0);
    ck_assert_uint_eq(precharge(0), 502);
    stop();
    /* Without RTPL the burst counts. */
    struct dram_spec spec = plain;
    spec.timing.rtpl = 0;
    start(&spec);
    open_rows();
    push(PACKET_READ, 0, 1, 0);
    ck_assert_uint_eq(reads(), 501);
    push(PACKET_READ, 0, 2, 0);
    ck_assert_uint_eq(precharge(0), 501 + 4);
    stop();
}
END_TEST

/* PRE WL + burst + WR after a write. */
START_TEST(write_to_precharge)
{
    start(&plain);
    open_rows();
    push(PACKET_WRITE, 0, 1, 0);
    ck_assert_uint_eq(writes(), 501);
    push(PACKET_READ, 0, 2, 0);
    ck_assert_uint_eq(precharge(0), 501 + 42);
    stop();
}
END_TEST

/* Activates of different banks are RRD apart. */
START_TEST(activate_to_activate)
{
    start(&plain);
    push(PACKET_READ, 0, 1, 0);
    push(PACKET_READ, 1, 1, 0);
    ck_assert_uint_eq(activate(), 1);
    ck_assert_uint_eq(activate(), 1 + 11);
    stop();
}
END_TEST

/* Of six activates, the fifth waits until tFAW after the first, the sixth after the second. */
START_TEST(four_activates)
{
    struct dram_spec spec = plain;
    spec.faw = 50;
    start(&spec);
    for (uint32_t bank = 0; bank < 6; bank++)
        push(PACKET_READ, bank, 1, bank);
    static const uint64_t ticks[] = {1, 12, 23, 34, 51, 62};
    for (int i = 0; i < 6; i++)
        ck_assert_uint_eq(activate(), ticks[i]);
    stop();
}
END_TEST

/* Groups by the high bits of the bank number: 0 and 1 share one, 4 does not. */
START_TEST(groups_of_high_bits)
{
    struct dram_spec spec = plain;
    spec.group_high_bits = true;
    start(&spec);
    open_rows();
    push(PACKET_READ, 0, 1, 0);
    ck_assert_uint_eq(reads(), 501);
    push(PACKET_READ, 1, 1, 0);
    ck_assert_uint_eq(reads(), 501 + 5);
    push(PACKET_READ, 4, 1, 0);
    ck_assert_uint_eq(reads(), 501 + 5 + 3);
    stop();
}
END_TEST

/* Data leave the pins CL after the read, and go to L2; written ones WL after
 * the write: acknowledgements go to L2 too, write-backs to nobody. */
START_TEST(pins)
{
    start(&plain);
    push(PACKET_READ, 0, 1, 7);
    ck_assert_uint_eq(reads(), 24);
    ticks_to(24 + 28);
    ck_assert_uint_eq(dram.returned.count, 0);
    tick();
    ck_assert_uint_eq(dram.returned.count, 1);
    ck_assert_uint_eq(queue_head(&dram.returned)->packet.address, 7);
    push(PACKET_WRITE, 0, 1, 8);
    ck_assert_uint_eq(writes(), 54);
    ticks_to(54 + 6);
    ck_assert_uint_eq(dram.returned.count, 1);
    tick();
    ck_assert_uint_eq(dram.returned.count, 2);
    push(PACKET_WRITE_BACK, 0, 1, 9);
    ck_assert_uint_eq(writes(), 62);
    ticks_to(62 + 6);
    ck_assert_uint_eq(done_count, 0);
    tick();
    ck_assert_uint_eq(done_count, 1);
    ck_assert_uint_eq(done[0].address, 9);
    ck_assert_uint_eq(dram.returned.count, 2);
    stop();
}
END_TEST

/* A request of three sectors takes three column commands, CCDL apart; it
 * leaves the pins once. */
START_TEST(many_bytes)
{
    start(&plain);
    struct packet packet = packet_of(PACKET_WRITE_BACK, 1);
    dram_push(&dram, &packet, 0, 1, 96);
    while (dram.stats.writes < 3)
        tick();
    ck_assert_uint_eq(now, 16 + 5 + 5);
    ticks_to(26 + 6);
    ck_assert_uint_eq(done_count, 0);
    ticks_to(200);
    ck_assert_uint_eq(done_count, 1);
    ck_assert_uint_eq(dram.stats.writes, 3);
    stop();
}
END_TEST

/* A write-back of two sectors, of one of which L2 has only a part: that one is read, and WR
 * follows RD after CL + burst + 2 - WL = 28. */
START_TEST(read_before_write)
{
    start(&plain);
    struct packet packet = packet_of(PACKET_WRITE_BACK, 1);
    packet.op = 1;
    dram_push(&dram, &packet, 0, 1, 64);
    ck_assert_uint_eq(reads(), 24);
    ck_assert_uint_eq(writes(), 24 + 28);
    ck_assert_uint_eq(writes(), 24 + 28 + 5);
    ticks_to(200);
    ck_assert_uint_eq(done_count, 1);
    ck_assert_uint_eq(dram.stats.reads, 1);
    ck_assert_uint_eq(dram.stats.writes, 2);
    stop();
}
END_TEST

/* A row is read in tick 24, and closes 100 ticks later. Until then it is open; a request in
 * that tick waits RP for it, and RCD for the row; one that comes later only for the row. */
START_TEST(closes)
{
    const struct {
        uint64_t asked, read;
        uint32_t row, precharges;
    } rows[] = {{123, 123, 1, 0},
                {124, 124 + 19 + 23, 1, 1},
                {501, 501 + 23, 1, 1},
                {501, 501 + 23, 2, 1}};
    struct dram_spec spec = plain;
    spec.close = 100;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        start(&spec);
        push(PACKET_READ, 0, 1, 0);
        ck_assert_uint_eq(reads(), 24);
        ticks_to(rows[i].asked - 1);
        push(PACKET_READ, 0, rows[i].row, 0);
        ck_assert_uint_eq(reads(), rows[i].read);
        ck_assert_uint_eq(dram.stats.precharges, rows[i].precharges);
        stop();
    }
}
END_TEST

/* 16 banks refresh for 200 ticks every 1600, bank B 100 * B ticks before bank 0, which begins
 * in tick 0. Until then, a bank gives no command; without a row to open, there is nothing else.
 */
START_TEST(refresh_before)
{
    struct dram_spec spec = plain;
    spec.refresh_interval = 1600;
    spec.refresh = 200;
    spec.refresh_banks = true;
    start(&spec);
    push(PACKET_READ, 0, 1, 0);
    push(PACKET_READ, 1, 1, 0);
    push(PACKET_READ, 2, 1, 0);
    ck_assert_uint_eq(activate(), 3); /* bank 2, chosen last: its refresh ended in 0 */
    ck_assert_uint_eq(activate(), 100);
    ck_assert_uint_eq(activate(), 200);
    stop();
}
END_TEST

/* If all channels refresh together, the four groups, of the banks with the same low bits, do so
 * one after the other: bank 1 is the fifth, not the second, and refreshes in 1200. Its row is
 * precharged then (RP 19), and the request activates again. With groups by the high bits, in
 * 1500, and the first request waits for a refresh until 100. */
START_TEST(refresh_of_groups)
{
    for (int high = 0; high < 2; high++) {
        struct dram_spec spec = plain;
        spec.refresh_interval = 1600;
        spec.refresh = 200;
        spec.refresh_banks = spec.refresh_together = true;
        spec.group_high_bits = high;
        uint64_t refresh = high ? 1500 : 1200;
        start(&spec);
        push(PACKET_READ, 1, 1, 0);
        ck_assert_uint_eq(reads(), high ? 100 + 23 : 24);
        ticks_to(refresh - 1);
        push(PACKET_READ, 1, 1, 0);
        ck_assert_uint_eq(reads(), refresh + 19 + 200 + 23);
        stop();
    }
}
END_TEST

/* Bank 4 refreshes in 1200. Its row, open since 24, is precharged then (RP 19), or has been by
 * itself; the request after that activates. A request that is served in 1200, which precharges
 * in 1199, activates in 1218 and reads in 1241, comes before the refresh, which waits RC (97)
 * for the activate, too. After a read in 1199, the precharge waits for the burst (4). */
START_TEST(refresh_of_a_bank)
{
    const struct {
        uint64_t asked, read, next;
        uint32_t close, before; /* before: asked for another row in that tick */
    } rows[] = {{1199, 1199, 1199 + 4 + 19 + 200 + 23, 0, 0},
                {1200, 1200 + 19 + 200 + 23, 1442 + 5, 0, 0},
                {1300, 1200 + 19 + 200 + 23, 1442 + 5, 0, 0},
                {1300, 1200 + 200 + 23, 1423 + 5, 100, 0},
                {1500, 1500 + 23, 1523 + 5, 0, 0},
                {1250, 1218 + 97 + 200 + 23, 1538 + 5, 0, 1199}};
    struct dram_spec spec = plain;
    spec.refresh_interval = 1600;
    spec.refresh = 200;
    spec.refresh_banks = true;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        spec.close = rows[i].close;
        start(&spec);
        push(PACKET_READ, 4, rows[i].before != 0 ? 2 : 1, 0);
        ck_assert_uint_eq(reads(), 24);
        if (rows[i].before != 0) {
            ticks_to(rows[i].before - 1);
            push(PACKET_READ, 4, 1, 0);
            ck_assert_uint_eq(reads(), 1241);
        }
        ticks_to(rows[i].asked - 1);
        push(PACKET_READ, 4, 1, 0);
        ck_assert_uint_eq(reads(), rows[i].read);
        push(PACKET_READ, 4, 1, 0);
        ck_assert_uint_eq(reads(), rows[i].next);
        stop();
    }
}
END_TEST

/* Groups 0 and 1 have one stack ID, 2 and 3 the other: column commands of the same one keep CCD
 * (3), of both CCDR (9), whatever was between them. */
START_TEST(stack_ids)
{
    struct dram_spec spec = plain;
    spec.ccdr = 9;
    start(&spec);
    for (uint32_t bank = 0; bank < 4; bank++)
        push(PACKET_READ, bank, 1, 0);
    ticks_to(500);
    push(PACKET_READ, 0, 1, 0);
    ck_assert_uint_eq(reads(), 501);
    push(PACKET_READ, 1, 1, 0);
    ck_assert_uint_eq(reads(), 501 + 3);
    push(PACKET_READ, 2, 1, 0);
    ck_assert_uint_eq(reads(), 501 + 3 + 9);
    push(PACKET_READ, 0, 1, 0);
    ck_assert_uint_eq(reads(), 501 + 3 + 9 + 9);
    stop();
}
END_TEST

/* Replies wait on the pins while L2 has no room for them. */
START_TEST(full_return_queue)
{
    struct dram_spec spec = plain;
    spec.return_max = 1;
    start(&spec);
    push(PACKET_READ, 0, 1, 1);
    push(PACKET_READ, 0, 1, 2);
    ticks_to(300);
    ck_assert_uint_eq(dram.returned.count, 1);
    queue_pop(&dram.returned);
    tick();
    ck_assert_uint_eq(dram.returned.count, 1);
    ck_assert_uint_eq(queue_head(&dram.returned)->packet.address, 2);
    stop();
}
END_TEST

/* The order in which requests of one bank come back. */
static void assert_order(const struct dram_spec *spec, const uint32_t *rows,
                         const char *expected)
{
    char order[16] = "";
    start(spec);
    for (unsigned i = 0; rows[i] != 0; i++)
        push(PACKET_READ, 0, rows[i], 'a' + i);
    ticks_to(3000);
    while (dram.returned.count != 0) {
        order[strlen(order)] = (char)queue_head(&dram.returned)->packet.address;
        queue_pop(&dram.returned);
    }
    ck_assert_str_eq(order, expected);
    stop();
}

/* First ready, first come, first served: the oldest request opens its row,
 * all waiting requests of this row go before others; then the oldest again.
 * First in, first out does not look at rows. */
START_TEST(order)
{
    struct dram_spec fifo = plain;
    fifo.scheduler = &dram_scheduler_fifo;
    assert_order(&plain, (uint32_t[]){1, 2, 1, 3, 2, 1, 0}, "acfbed");
    assert_order(&fifo, (uint32_t[]){1, 2, 1, 3, 2, 1, 0}, "abcdef");
    assert_order(&plain, (uint32_t[]){1, 1, 1, 0}, "abc");
    assert_order(&plain, (uint32_t[]){3, 2, 1, 3, 0}, "adbc");
}
END_TEST

/* Bank 1 is idle, but first in, first out its request waits behind one that
 * waits for bank 0. */
START_TEST(first_in_first_out_over_banks)
{
    for (int fifo = 0; fifo <= 1; fifo++) {
        struct dram_spec spec = plain;
        spec.scheduler = fifo ? &dram_scheduler_fifo : &dram_scheduler_frfcfs;
        start(&spec);
        push(PACKET_READ, 0, 1, 0);
        push(PACKET_READ, 0, 2, 0);
        push(PACKET_READ, 1, 1, 0);
        ticks_to(1 + 23);
        ck_assert_int_eq(dram.banks[1].active, !fifo);
        ticks_to(500);
        ck_assert_uint_eq(dram.stats.reads, 3);
        stop();
    }
}
END_TEST

/* Four requests of each of two rows: the first of a row finds it closed. */
START_TEST(row_hits)
{
    start(&plain);
    for (int i = 0; i < 4; i++) {
        push(PACKET_READ, 0, 1, 0);
        push(PACKET_READ, 0, 2, 0);
    }
    ticks_to(3000);
    ck_assert_uint_eq(dram.stats.reads, 8);
    ck_assert_uint_eq(dram.stats.activates, 2);
    ck_assert_uint_eq(dram.stats.precharges, 1);
    ck_assert_uint_eq(dram.stats.row_hits, 6);
    ck_assert_uint_eq(dram.stats.row_misses, 2);
    stop();
}
END_TEST

/* A request that comes while its row is open goes before older ones of other
 * rows only if the bank is free to choose when it does. */
START_TEST(late_row_hit)
{
    start(&plain);
    push(PACKET_READ, 0, 1, 'a');
    ticks_to(1);
    push(PACKET_READ, 0, 2, 'b');
    ticks_to(10);
    push(PACKET_READ, 0, 1, 'c');
    ticks_to(2000);
    ck_assert_uint_eq(queue_head(&dram.returned)->packet.address, 'a');
    queue_pop(&dram.returned);
    ck_assert_uint_eq(queue_head(&dram.returned)->packet.address, 'c');
    stop();
}
END_TEST

/* One bus gives a column or a row command a tick, two buses both. Bank 0's
 * read comes due in 24, when bank 1, which waits for RRD, may activate as
 * well (RRD 23). */
START_TEST(buses)
{
    for (int two = 0; two <= 1; two++) {
        struct dram_spec spec = plain;
        spec.dual_bus = two;
        spec.timing.rrd = 23;
        start(&spec);
        push(PACKET_READ, 0, 1, 0);
        push(PACKET_READ, 1, 1, 0);
        ticks_to(24);
        ck_assert_uint_eq(dram.stats.reads, 1);
        unsigned in_24 = (unsigned)dram.stats.activates;
        tick();
        ck_assert_uint_eq(dram.stats.activates, 2);
        ck_assert_uint_eq(in_24, two ? 2 : 1);
        stop();
    }
}
END_TEST

/* With two buses a precharge that is due in the tick of a read in its group
 * waits RTPL from this read. */
START_TEST(buses_keep_distance)
{
    struct dram_spec spec = plain;
    spec.dual_bus = true;
    start(&spec);
    open_rows();
    push(PACKET_READ, 0, 1, 0);
    ck_assert_uint_eq(reads(), 501);
    push(PACKET_READ, 4, 2, 0);
    ticks_to(517);
    push(PACKET_READ, 0, 1, 0);
    ck_assert_uint_eq(reads(), 501 + 17);
    ck_assert_uint_eq(precharge(4), 501 + 2 * 17);
    stop();
}
END_TEST

/* A separate queue for writes: they wait until WRITE_HIGH of them are there,
 * then go until less than WRITE_LOW are left; reads wait meanwhile. */
START_TEST(write_queue)
{
    struct dram_spec spec = plain;
    spec.write_queue_max = 8;
    spec.write_high = 4;
    spec.write_low = 2;
    start(&spec);
    for (int i = 0; i < 3; i++)
        push(PACKET_WRITE, 0, 1, i);
    ticks_to(400);
    ck_assert_uint_eq(dram.stats.writes, 0);
    push(PACKET_READ, 0, 2, 0);
    ticks_to(800);
    ck_assert_uint_eq(dram.stats.reads, 1);
    push(PACKET_WRITE, 0, 1, 3);
    ticks_to(1200);
    /* 4, 3 and 2 waiting are enough to go on; 1 is not. */
    ck_assert_uint_eq(dram.stats.writes, 3);
    ck_assert(!dram_full(&dram, true));
    for (int i = 0; i < 7; i++) {
        ck_assert(!dram_full(&dram, true));
        push(PACKET_WRITE, 0, 1, i);
    }
    ck_assert(dram_full(&dram, true));
    ck_assert(!dram_full(&dram, false));
    ticks_to(2000);
    ck_assert_uint_eq(dram.stats.writes, 3 + 7);
    stop();
}
END_TEST

/* The same to the tick. Four writes and a read are there: the writes go first. ACT 1,
 * WR 1 + 15, then CCDL 5 apart. The third is chosen in 22 and leaves one behind, less
 * than WRITE_LOW: from 23 on reads are chosen. ACT in 23, RD not RCD 23 later but
 * after the turnaround, 26 + 24. */
START_TEST(write_queue_ticks)
{
    struct dram_spec spec = plain;
    spec.write_queue_max = 8;
    spec.write_high = 4;
    spec.write_low = 2;
    start(&spec);
    for (int i = 0; i < 4; i++)
        push(PACKET_WRITE, 0, 1, i);
    push(PACKET_READ, 1, 1, 0);
    ck_assert_uint_eq(writes(), 16);
    ck_assert_uint_eq(writes(), 21);
    ck_assert_uint_eq(dram.stats.activates, 1);
    ck_assert_uint_eq(change(&dram.stats.activates), 23);
    ck_assert_uint_eq(writes(), 26);
    ck_assert_uint_eq(reads(), 26 + 24);
    /* Three wait, between the marks: reads alone, which come at once. */
    push(PACKET_WRITE, 0, 1, 4);
    push(PACKET_WRITE, 0, 1, 5);
    ticks_to(500);
    push(PACKET_READ, 1, 1, 0);
    ck_assert_uint_eq(reads(), 501);
    ck_assert_uint_eq(dram.stats.writes, 3);
    /* The fourth: read to write 28. */
    push(PACKET_WRITE, 0, 1, 6);
    ck_assert_uint_eq(writes(), 501 + 28);
    stop();
}
END_TEST

/* In a hurry writes go as soon as no read waits, without regard to the marks. */
START_TEST(write_queue_in_a_hurry)
{
    struct dram_spec spec = plain;
    spec.write_queue_max = 8;
    spec.write_high = 4;
    spec.write_low = 2;
    start(&spec);
    push(PACKET_WRITE, 0, 1, 0);
    push(PACKET_READ, 0, 1, 0);
    ticks_to(400);
    ck_assert_uint_eq(dram.stats.reads, 1);
    ck_assert_uint_eq(dram.stats.writes, 0);
    ck_assert_uint_eq(dram.wake, UINT64_MAX);
    push(PACKET_READ, 0, 1, 1);
    dram_hurry(&dram, true);
    ck_assert_uint_eq(reads(), 401);
    ck_assert_uint_eq(writes(), 401 + 28);
    push(PACKET_WRITE, 0, 1, 1);
    dram_hurry(&dram, false);
    ticks_to(1000);
    ck_assert_uint_eq(dram.stats.writes, 1);
    stop();
}
END_TEST

/* Stacked memory: column commands in consecutive ticks over groups, rows opened
 * beside them. */
static const struct dram_spec stacked = {
    .timing = {.banks = 16,
               .bank_groups = 4,
               .ccd = 1,
               .rrd = 3,
               .rcd = 12,
               .ras = 28,
               .rp = 12,
               .rc = 40,
               .cl = 12,
               .wl = 2,
               .cdlr = 3,
               .wr = 10,
               .ccdl = 2,
               .rtpl = 3},
    .atom = 32,
    .burst = 1,
    .rtw = 12 + 1 + 2 - 2,
    .wtr = 2 + 1 + 3,
    .wtp = 2 + 1 + 10,
    .rtp = 1,
    .rcdwr = 12 - (2 + 1),
    .queue_max = 64,
    .return_max = 64,
    .dual_bus = true,
    .scheduler = &dram_scheduler_frfcfs,
};

/* Reads A of bank 0, B of bank 1, C of bank 0 again, the same row. ACT 1 and, RRD
 * later, 4. A: 1 + RCD = 13. C: bank 0 is free in 14, its group CCDL later, in 15.
 * B: 4 + RCD = 16, CCD after C. Data CL later. D of bank 2 comes in front of tick
 * 13: its ACT goes beside A. */
START_TEST(stacked_memory)
{
    start(&stacked);
    push(PACKET_READ, 0, 1, 'a');
    push(PACKET_READ, 1, 1, 'b');
    push(PACKET_READ, 0, 1, 'c');
    ck_assert_uint_eq(activate(), 1);
    ck_assert_uint_eq(activate(), 4);
    ticks_to(12);
    ck_assert_uint_eq(dram.stats.reads, 0);
    push(PACKET_READ, 2, 1, 'd');
    tick();
    ck_assert_uint_eq(dram.stats.reads, 1);
    ck_assert_uint_eq(dram.stats.activates, 3);
    ck_assert_uint_eq(reads(), 15);
    ck_assert_uint_eq(reads(), 16);
    static const struct {
        uint64_t tick, id;
    } back[] = {{13 + 12, 'a'}, {15 + 12, 'c'}, {16 + 12, 'b'}, {25 + 12, 'd'}};
    for (size_t i = 0; i < sizeof back / sizeof *back; i++) {
        while (dram.returned.count == 0)
            tick();
        ck_assert_uint_eq(now, back[i].tick);
        ck_assert_uint_eq(queue_head(&dram.returned)->packet.address, back[i].id);
        queue_pop(&dram.returned);
    }
    stop();
}
END_TEST

/* Requests wait for their bank in a queue of queue_max; the one that a bank
 * serves is not in it. */
START_TEST(full_queue)
{
    struct dram_spec spec = plain;
    spec.queue_max = 2;
    start(&spec);
    push(PACKET_READ, 0, 1, 0);
    push(PACKET_READ, 0, 1, 0);
    ck_assert(dram_full(&dram, false));
    ck_assert(dram_full(&dram, true));
    tick();
    ck_assert(!dram_full(&dram, false));
    spec.queue_max = 0;
    stop();
    start(&spec);
    for (int i = 0; i < 200; i++)
        push(PACKET_READ, 0, 1, 0);
    ck_assert(!dram_full(&dram, false));
    stop();
}
END_TEST

/* Requests come at random ticks, replies leave some time later. Returns a number made of what
 * happened and when; with SKIP only the ticks in which the channel is awake are given. */
static uint64_t random_run(const struct dram_spec *spec, bool skip)
{
    uint64_t trail = 0, given = 0;
    uint32_t random = 11, count = 0;
    struct packet packet;
    bool has_done;
    start(spec);
    for (uint64_t at = 1; at < 30000; at++) {
        if (dram.returned.count != 0 && at % 64 < 32)
            dram_pop_reply(&dram);
        if (!skip || dram_awake(&dram, at)) {
            given++;
            if (dram_tick(&dram, at, &packet, &has_done) || has_done)
                trail = trail * 31 + at * 4 + dram.returned.count * 2 + has_done;
        }
        random = random * 1664525 + 1013904223;
        enum packet_kind kind = random >> 16 & 1 ? PACKET_READ : PACKET_WRITE_BACK;
        if (at % 4096 < 2048 && (random >> 17) % 23 == 0 && !dram_full(&dram, kind != 0))
            push(kind, (random >> 20) % 16, (random >> 25) % 3, count++);
        if (at % 4096 == 3000)
            dram_hurry(&dram, at % 8192 < 4096);
    }
    ck_assert_uint_gt(count, 400);
    if (skip)
        ck_assert_uint_lt(given, 15000);
    trail = trail * 31 + dram.stats.reads + 100 * dram.stats.writes + dram.stats.activates;
    stop();
    return trail;
}

/* Leaving out the ticks in which nothing can happen changes nothing. */
START_TEST(quiet_ticks)
{
    struct dram_spec specs[8];
    for (int i = 0; i < 8; i++)
        specs[i] = plain;
    specs[1].dual_bus = true;
    specs[2].scheduler = &dram_scheduler_fifo;
    specs[3].write_queue_max = 16;
    specs[3].write_high = 9;
    specs[3].write_low = 4;
    specs[4].return_max = 2;
    specs[4].timing.rc = 150; /* longer than the wheel */
    specs[5].close = 20;
    specs[6].refresh_interval = 700;
    specs[6].refresh = 90;
    specs[6].refresh_banks = true;
    specs[7] = specs[6];
    specs[7].dual_bus = true;
    specs[7].ccdr = 9;
    for (int i = 0; i < 8; i++)
        ck_assert_uint_eq(random_run(&specs[i], false), random_run(&specs[i], true));
}
END_TEST

/* Idle: nothing to wait for. Reset: empty, and rows are closed. */
START_TEST(reset)
{
    start(&plain);
    ticks_to(5);
    ck_assert_uint_eq(dram.wake, UINT64_MAX);
    push(PACKET_READ, 0, 1, 0);
    push(PACKET_READ, 0, 2, 0);
    ticks_to(30);
    dram_reset(&dram);
    ticks_to(31);
    ck_assert_uint_eq(dram.wake, UINT64_MAX);
    ck_assert(!dram.banks[0].active);
    uint64_t before = dram.stats.reads;
    ticks_to(300);
    ck_assert_uint_eq(dram.stats.reads, before);
    ck_assert_uint_eq(dram.returned.count, 0);
    stop();
}
END_TEST

int main(void)
{
    const TTest *const tests[] = {
        activate_to_column,
        column_to_column,
        turnaround,
        read_to_write,
        write_to_write,
        activate_to_precharge,
        read_to_precharge,
        write_to_precharge,
        activate_to_activate,
        four_activates,
        groups_of_high_bits,
        pins,
        many_bytes,
        read_before_write,
        closes,
        refresh_before,
        refresh_of_groups,
        refresh_of_a_bank,
        stack_ids,
        full_return_queue,
        order,
        first_in_first_out_over_banks,
        row_hits,
        late_row_hit,
        buses,
        buses_keep_distance,
        write_queue,
        write_queue_ticks,
        write_queue_in_a_hurry,
        stacked_memory,
        full_queue,
        quiet_ticks,
        reset,
    };
    return RUN_TESTS("dram", tests);
}
