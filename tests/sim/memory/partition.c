/* A memory partition alone: packets go into the rop queues, replies come out.
 *
 * One DRAM channel, two slices of L2, DRAM and L2 clock equal. A packet whose
 * rop delay is over in cycle T enters the slice in T, meets the cache in T+1;
 * a hit's reply enters the reply crossbar in T+2. A miss goes to the queue in
 * front of DRAM in T+2, is taken in T+3 and waits D = dram_latency, here 20:
 * it enters DRAM's queue at the end of the tick of T+23. T+24: activate; with
 * RCD 24 the read is in T+48, with CL 24 the data leave the pins in T+72 and
 * are handed to the slice in T+73, which takes the fill in the same cycle;
 * T+74 the waiting packet is answered, T+75 it leaves. */
#include "tests/sim/support.h"

#include <stdio.h>

#include "sim/spec/spec.h"

static struct sim_config *config;
static struct spec spec;
static struct partition partition;
static uint64_t now;
static char log_text[600]; /* "OP@CYCLE " of every reply */

static void start(const char *const *sets)
{
    struct error err = {0};
    config = test_config(sets);
    ck_assert_msg(spec_init(&spec, config, &err) == 0, "%s", err.text);
    ck_assert(
        partition_init(&partition, &spec.partition, &spec.slice, &config->l2, &spec.dram));
    now = 0;
    log_text[0] = '\0';
}
#define TWO_SLICES                                                                             \
    "gpgpu_n_sub_partition_per_mchannel=2", "dram_latency=20",                                 \
        "gpgpu_memory_partition_indexing=0"

static void stop(void)
{
    partition_finish(&partition);
    spec_finish(&spec);
    sim_config_destroy(config);
}

static void push(enum packet_kind kind, uint64_t address, uint32_t op, uint64_t ready)
{
    struct packet packet = packet_of(kind, address);
    uint32_t set;
    packet.op = op;
    packet.slice = (uint16_t)address_table_of(&spec.places, address, &set);
    slice_push(&partition.slices[packet.slice], &packet, ready);
}

/* The slice whose next reply comes first; -1: there are none. */
static int first_slice(void)
{
    int first = -1;
    for (int s = 0; s < (int)partition.spec.slices; s++) {
        const struct queue *queue = &partition.replies[s];
        if (queue->count != 0 &&
            (first < 0 ||
             queue_head(queue)->ready < queue_head(&partition.replies[first])->ready))
            first = s;
    }
    return first;
}

static void take_replies(void)
{
    for (int s; (s = first_slice()) >= 0;
         queue_pop(partition_replies(&partition, (uint32_t)s))) {
        const struct queue_entry *reply = queue_head(&partition.replies[s]);
        char one[40];
        snprintf(one, sizeof one, "%u@%lu ", reply->packet.op, (unsigned long)reply->ready);
        strcat(log_text, one);
    }
}

/* Up to, not with, END, in windows of at most STEP cycles. */
static void run_by(uint64_t end, uint64_t step)
{
    while (now < end) {
        uint64_t to = now + step < end ? now + step : end;
        partition_run(&partition, now, to);
        take_replies();
        now = to;
    }
}

static void run(uint64_t end)
{
    run_by(end, PARTITION_MAX_WINDOW);
}

static void says(const char *expected)
{
    ck_assert_str_eq(log_text, expected);
    log_text[0] = '\0';
}

/* A channel refreshes in ticks 0 to 199, 1000 to 1199 ... A miss that comes in between is as
 * without. One of another row, which would be precharged in T + 24, 24 before it can be
 * activated, waits for the end of a refresh. Data that a read in T + 72 has asked for come all
 * the same. The second of two channels refreshes half an interval before. */
START_TEST(refresh)
{
    start(SETS(TWO_SLICES, "hearth_dram_refresh_interval=1000", "hearth_dram_refresh=200"));
    push(PACKET_READ, 0x0, 1, 300);
    run(900);
    says("1@375 ");
    push(PACKET_READ, 0x10000, 2, 1050);
    run(1900);
    says("2@1275 ");
    push(PACKET_READ, 0x20000, 3, 1920);
    run(2200);
    says("3@2019 ");
    ck_assert_uint_eq(partition.dram.refresh_phase, 0);
    stop();
    start(SETS("gpgpu_n_mem=2", "hearth_dram_refresh_interval=1000"));
    partition_finish(&partition);
    spec.partition.number = 1;
    ck_assert(
        partition_init(&partition, &spec.partition, &spec.slice, &config->l2, &spec.dram));
    ck_assert_uint_eq(partition.dram.refresh_phase, 500);
    stop();
}
END_TEST

/* Packet 1, a read of the first address of the second channel, comes in READY. */
static void push_to_second(uint64_t ready)
{
    struct packet packet = packet_of(PACKET_READ, 0);
    uint32_t set;
    packet.op = 1;
    do
        packet.slice = (uint16_t)address_table_of(&spec.places, packet.address += 32, &set);
    while (packet.slice < 2);
    slice_push(&partition.slices[packet.slice - 2], &packet, ready);
}

/* A read that comes to the second of two channels in 1050 activates in 1074 and is back in
 * 1125. If both refresh together, from 1000 to 1199, it activates in 1200. */
START_TEST(refresh_together)
{
    static const struct {
        const char *set, *says;
    } rows[] = {{"hearth_dram_refresh_together=0", "1@1125 "},
                {"hearth_dram_refresh_together=1", "1@1251 "}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        start(SETS(TWO_SLICES, "gpgpu_n_mem=2", "hearth_dram_refresh_interval=1000",
                   "hearth_dram_refresh=200", rows[i].set));
        partition_finish(&partition);
        spec.partition.number = 1;
        ck_assert(
            partition_init(&partition, &spec.partition, &spec.slice, &config->l2, &spec.dram));
        push_to_second(1050);
        run(1500);
        says(rows[i].says);
        stop();
    }
}
END_TEST

START_TEST(miss_and_hit)
{
    start(SETS(TWO_SLICES));
    push(PACKET_READ, 0x0, 1, 100);
    run(400);
    says("1@175 ");
    push(PACKET_READ, 0x0, 2, 500);
    run(600);
    says("2@502 ");
    ck_assert(!partition_busy(&partition));
    ck_assert_uint_eq(partition.dram.stats.reads, 1);
    stop();
}
END_TEST

/* What the channel had counted before a cycle of the window: the activation is
 * in T+24, the read in T+48. */
START_TEST(counts_by_cycle)
{
    start(SETS(TWO_SLICES));
    push(PACKET_READ, 0x0, 1, 100);
    run(250);
    ck_assert_uint_eq(partition_dram(&partition, 124).activates, 0);
    ck_assert_uint_eq(partition_dram(&partition, 124).row_misses, 0);
    ck_assert_uint_eq(partition_dram(&partition, 125).activates, 1);
    ck_assert_uint_eq(partition_dram(&partition, 125).row_misses, 1);
    ck_assert_uint_eq(partition_dram(&partition, 148).read_bytes, 0);
    ck_assert_uint_eq(partition_dram(&partition, 149).read_bytes, 32);
    ck_assert_uint_eq(partition_dram(&partition, 250).reads, 1);
    run(300); /* behind it nothing happens */
    ck_assert_uint_eq(partition_dram(&partition, 251).reads, 1);
    stop();
}
END_TEST

/* One request a cycle: a second hit comes a cycle later; the other slice does
 * not wait. */
START_TEST(throughput)
{
    start(SETS(TWO_SLICES));
    push(PACKET_READ, 0x0, 1, 100);
    push(PACKET_READ, 0x80, 1, 100);
    run(500);
    log_text[0] = '\0';
    for (uint32_t i = 0; i < 4; i++)
        push(PACKET_READ, 0x0, i, 500);
    push(PACKET_READ, 0x80, 9, 500);
    run(600);
    says("0@502 9@502 1@503 2@504 3@505 ");
    stop();
}
END_TEST

/* Packets for a sector on its way wait with the first: one DRAM read. They are
 * answered one a cycle. */
START_TEST(merge)
{
    start(SETS(TWO_SLICES));
    for (uint32_t i = 1; i <= 3; i++)
        push(PACKET_READ, 0x0, i, 100);
    run(400);
    says("1@175 2@176 3@177 ");
    ck_assert_uint_eq(partition.dram.stats.reads, 1);
    const struct cache_stats *stats = &partition.slices[0].cache.stats;
    ck_assert_uint_eq(stats->counts[CACHE_GLOBAL_READ][CACHE_MISS], 1);
    ck_assert_uint_eq(stats->counts[CACHE_GLOBAL_READ][CACHE_PENDING], 2);
    stop();
}
END_TEST

/* Two sectors of a row: the second read follows CCDL (6) after the first. */
START_TEST(row_hit)
{
    start(SETS(TWO_SLICES));
    push(PACKET_READ, 0x0, 1, 100);
    push(PACKET_READ, 0x20, 2, 100);
    run(400);
    says("1@175 2@181 ");
    ck_assert_uint_eq(partition.dram.stats.activates, 1);
    stop();
}
END_TEST

/* Slices take turns on the way to DRAM: slice 0 first, then the one behind the
 * last. The second activate follows RRD = 12 after the first. */
START_TEST(turns)
{
    start(SETS(TWO_SLICES));
    push(PACKET_READ, 0x0, 1, 100);
    push(PACKET_READ, 0x80, 2, 100);
    run(400);
    says("1@175 2@187 ");
    push(PACKET_READ, 0x1000, 3, 400);
    run(700);
    says("3@475 ");
    push(PACKET_READ, 0x2000, 4, 700);
    push(PACKET_READ, 0x3080, 5, 700);
    run(1000);
    says("5@775 4@787 ");
    stop();
}
END_TEST

/* A write is taken and acknowledged like a hit, without DRAM; a read of what
 * it did not write fetches the sector; a read of a whole sector does not. */
START_TEST(lazy_fetch)
{
    start(SETS(TWO_SLICES));
    push(PACKET_WRITE, 0x20, 1, 100);
    run(200);
    says("1@102 ");
    push(PACKET_READ, 0x20, 2, 200);
    run(300);
    says("2@202 ");
    struct packet part = packet_of(PACKET_WRITE, 0x40);
    part.bytes = 0xf;
    part.op = 3;
    slice_push(&partition.slices[0], &part, 300);
    run(400);
    says("3@302 ");
    ck_assert_uint_eq(partition.dram.stats.reads, 0);
    push(PACKET_READ, 0x40, 4, 400);
    run(600);
    says("4@475 ");
    ck_assert_uint_eq(partition.dram.stats.reads, 1);
    push(PACKET_READ, 0x40, 5, 600);
    run(700);
    says("5@602 ");
    ck_assert_uint_eq(partition.dram.stats.writes, 0);
    stop();
}
END_TEST

/* L2 of one set of one line: the second line pushes the first one out, whose
 * three dirty sectors go to DRAM as one request of three writes. */
START_TEST(dirty_eviction)
{
    start(SETS(TWO_SLICES, "gpgpu_cache:dl2=S:1:128:1,L:B:m:L:L,A:192:4,32:0,32"));
    push(PACKET_WRITE, 0x0, 1, 100);
    push(PACKET_WRITE, 0x40, 2, 100);
    push(PACKET_WRITE, 0x60, 3, 100);
    run(200);
    says("1@102 2@103 3@104 ");
    push(PACKET_WRITE, 0x100, 4, 200);
    run(600);
    /* It misses, and takes the line: acknowledged as any. */
    says("4@202 ");
    ck_assert_uint_eq(partition.dram.stats.writes, 3);
    ck_assert_uint_eq(partition.dram.stats.activates, 1);
    ck_assert_uint_eq(partition.slices[0].cache.stats.dirty_sectors, 3);
    ck_assert_uint_eq(partition.slices[0].cache.stats.dirty_lines, 1);
    ck_assert_uint_eq(partition.private_credits[0], 0);
    ck_assert(!partition_busy(&partition));
    stop();
}
END_TEST

/* Under write and fetch the write goes to DRAM, and its acknowledgement comes from there;
 * nobody is told of the fetch. */
START_TEST(write_and_fetch)
{
    start(SETS(TWO_SLICES, "gpgpu_cache:dl2=S:64:128:16,L:B:m:W:L,A:192:4,32:0,32"));
    push(PACKET_WRITE, 0x0, 1, 100);
    run(600);
    ck_assert_uint_eq(strspn(log_text, "1@0123456789 "), strlen(log_text));
    ck_assert_ptr_eq(strchr(log_text, '@'), strrchr(log_text, '@'));
    ck_assert_uint_eq(partition.dram.stats.reads, 1);
    ck_assert_uint_eq(partition.dram.stats.writes, 1);
    ck_assert(!partition_busy(&partition));
    log_text[0] = '\0';
    push(PACKET_READ, 0x0, 2, 600);
    run(700);
    says("2@602 ");
    stop();
}
END_TEST

/* What L1 writes back is taken in full, and answered to nobody, by whichever policy. */
START_TEST(from_l1)
{
    const char *const l2[] = {"none", "S:64:128:16,L:B:m:L:L,A:192:4,32:0,32",
                              "S:64:128:16,L:B:m:F:L,A:192:4,32:0,32",
                              "S:64:128:16,L:B:m:W:L,A:192:4,32:0,32",
                              "S:64:128:16,L:T:m:N:L,A:192:4,32:0,32"};
    const unsigned writes[] = {1, 0, 0, 1, 1};
    for (size_t i = 0; i < sizeof l2 / sizeof *l2; i++) {
        char set[80];
        snprintf(set, sizeof set, "gpgpu_cache:dl2=%s", l2[i]);
        start(SETS(TWO_SLICES, set));
        struct packet packet = packet_of(PACKET_WRITE_BACK, 0x20);
        packet.bytes = SECTOR_BYTES;
        slice_push(&partition.slices[0], &packet, 100);
        run(600);
        says("");
        ck_assert(!partition_busy(&partition));
        ck_assert_uint_eq(partition.dram.stats.writes, writes[i]);
        stop();
    }
}
END_TEST

/* The coalescer is 40 cycles before L2. A read that comes to it 40 cycles after another one of
 * the same sector shares the answer and leaves right after it; a cycle later, it is answered
 * already, so one that comes then asks L2 itself. A write waits as long as a read. */
START_TEST(coalesced)
{
    start(SETS(TWO_SLICES, "gpgpu_lrc_enabled=1", "hearth_lrc_delay=40"));
    push(PACKET_READ, 0, 1, 0);
    run(400);
    take_replies();
    log_text[0] = '\0';
    now = 1000;
    push(PACKET_READ, 0, 2, 1000);
    push(PACKET_READ, 0, 3, 1040);
    push(PACKET_READ, 0, 4, 1041);
    push(PACKET_WRITE, 0, 5, 1100);
    run(1300);
    says("2@1042 3@1043 4@1083 5@1142 ");
    stop();
}
END_TEST

/* Room for a line's four sectors is kept in the queue of a slice: of a queue
 * of 4 the crossbar may use one place. Blocked in every cycle in which a
 * packet stood in it. */
START_TEST(back_pressure)
{
    start(SETS(TWO_SLICES, "gpgpu_dram_partition_queues=4:64:64:64"));
    ck_assert(slice_accepts(&partition.slices[0]));
    push(PACKET_WRITE, 0x0, 1, 100);
    run(200);
    /* In 100 it enters, behind the look; in 101 it is there at the look. */
    for (uint64_t cycle = 0; cycle < 200; cycle++) {
        ck_assert(partition_blocked(&partition, 0, cycle) == (cycle == 101));
        ck_assert(!partition_blocked(&partition, 1, cycle));
    }
    stop();
}
END_TEST

/* A slice waits when the queue to DRAM is full, and hands on when there is
 * room: nothing is lost. The DRAM queue of one request and one credit of its
 * own a slice let the channel take little at a time. */
START_TEST(full_queues)
{
    start(SETS(TWO_SLICES, "gpgpu_dram_partition_queues=8:1:1:1",
               "gpgpu_frfcfs_dram_sched_queue_size=1", "gpgpu_dram_return_queue_size=1",
               "gpgpu_cache:dl2=S:64:128:16,L:B:m:L:P,A:192:4,2:0,32"));
    ck_assert_uint_eq(partition.spec.shared_credits, 1 + 1 + 1 - 2);
    for (uint32_t i = 0; i < 20; i++)
        push(PACKET_READ, 0x1000 * i + 0x80 * (i % 2), i, 100);
    run(20000);
    unsigned replies = 0;
    for (const char *at = log_text; (at = strchr(at, '@')) != NULL; at++)
        replies++;
    ck_assert_uint_eq(replies, 20);
    ck_assert_uint_eq(partition.dram.stats.reads, 20);
    ck_assert_uint_eq(partition.shared_credits, 0);
    ck_assert_uint_eq(partition.private_credits[0] + partition.private_credits[1], 0);
    ck_assert(!partition_busy(&partition));
    stop();
}
END_TEST

/* Never more requests in the channel than one a slice and the shared ones. */
START_TEST(credits)
{
    start(SETS(TWO_SLICES, "gpgpu_frfcfs_dram_sched_queue_size=2",
               "gpgpu_dram_return_queue_size=1"));
    ck_assert_uint_eq(partition.spec.shared_credits, 2 + 1 + 1 - 2);
    for (uint32_t i = 0; i < 20; i++)
        push(PACKET_READ, 0x1000 * i, i, 100);
    uint32_t most = 0;
    while (now < 3000) {
        run(now + 1);
        uint32_t taken = partition.shared_credits + partition.private_credits[0];
        if (taken > most)
            most = taken;
        ck_assert_uint_eq(partition.private_credits[1], 0);
    }
    ck_assert_uint_eq(most, 2 + 1);
    stop();
}
END_TEST

/* Without L2, everything goes to DRAM, a cycle earlier than a miss, and the
 * reply leaves a cycle earlier than a fill's. Writes are acknowledged from
 * there: taken in T+2, in DRAM's queue in T+22, ACT in T+23, WR RCD - (WL + 1)
 * = 15 later, off the pins WL = 8 later in T+46; T+47 to the slice, T+48. */
START_TEST(no_l2)
{
    start(SETS(TWO_SLICES, "gpgpu_cache:dl2=none"));
    push(PACKET_READ, 0x0, 1, 100);
    run(400);
    says("1@173 ");
    push(PACKET_WRITE, 0x4000, 2, 400);
    run(800);
    says("2@448 ");
    ck_assert_uint_eq(partition.dram.stats.writes, 1);
    stop();
}
END_TEST

/* The same replies whatever the windows, and with clocks of no simple ratio. */
START_TEST(windows)
{
    char expected[sizeof log_text] = "";
    const uint64_t steps[] = {1, 7, 187, 256};
    for (size_t i = 0; i < 4; i++) {
        start(SETS(TWO_SLICES, "gpgpu_clock_domains=1132:1132:1132:3500.5"));
        for (uint32_t p = 0; p < 30; p++)
            push(p % 3 ? PACKET_READ : PACKET_WRITE, p * 0x9a0 & ~31u, p, 100 + p / 4);
        run_by(3000, steps[i]);
        if (i == 0)
            strcpy(expected, log_text);
        ck_assert_str_eq(log_text, expected);
        ck_assert(!partition_busy(&partition));
        stop();
    }
}
END_TEST

/* L2 at half the core's clock has its ticks in even cycles, where periods are powers of two,
 * which add up without rounding: in odd ones it takes nothing, with anything on its way in it
 * or not. */
START_TEST(slow_l2)
{
    const char *sets[] = {
        TWO_SLICES, "gpgpu_clock_domains=1073.741824:1073.741824:536.870912:536.870912", NULL};
    start(sets);
    push(PACKET_READ, 0, 1, 101);
    run_by(400, 50);
    ck_assert_str_ne(log_text, "");
    for (uint64_t cycle = 400 - PARTITION_HISTORY + 50; cycle < 400; cycle++)
        ck_assert(partition_blocked(&partition, 0, cycle) == (cycle % 2 == 1));
    stop();
}
END_TEST

int main(void)
{
    const TTest *const tests[] = {
        miss_and_hit,     counts_by_cycle, throughput,      merge,       row_hit,   turns,
        lazy_fetch,       dirty_eviction,  back_pressure,   full_queues, credits,   no_l2,
        windows,          slow_l2,         write_and_fetch, from_l1,     coalesced, refresh,
        refresh_together,
    };
    return RUN_TESTS("partition", tests);
}
