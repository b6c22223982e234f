/* Instruction caches (-hearth_icache): when a line is there, and what a launch
 * waits for it. Lines have 128 bytes, 8 instructions; L1 answers after 20
 * cycles, with a line that it does not hold after 120. With a GCC that is so for
 * lines that the GCC lacks, too; those that it has come after 50. */
#define _GNU_SOURCE /* stpcpy */
#include "sim/core/code/code_caches.h"
#include "sim/core/code/loaded_code.h"
#include "tests/sim/support.h"

#define LINE 128u

static struct code_caches *caches;
static struct code_spec spec;
static struct code_place place; /* of the code that is fetched */

static void begin(const char *name, bool fresh)
{
    place.address = code_place_address(name, 0);
    place.number++;
    place.fresh = fresh;
}

static void make(uint32_t l0_lines, uint32_t l1_sets, uint32_t l1_ways, uint32_t stream)
{
    spec = (struct code_spec){.fetches = true,
                              .line = LINE,
                              .sub_cores = 4,
                              .l0_sets = 1,
                              .l0_ways = l0_lines,
                              .stream = stream,
                              .l1_sets = l1_sets,
                              .l1_ways = l1_ways,
                              .l1_latency = 20,
                              .near_latency = 20,
                              .param_latency = 20,
                              .l1_requests = 1,
                              .miss_latency = 100};
    caches = code_caches_create(&spec);
    begin("kernel", false);
}

/* The same with a GCC of one set of LINES. */
static void make_gcc(uint32_t lines, uint32_t ahead)
{
    make(4, 1, 1, 0);
    code_caches_destroy(caches);
    spec.gcc_sets = 1;
    spec.gcc_ways = lines;
    spec.gcc_latency = 30;
    spec.miss_latency = 70;
    spec.load_latency = 300;
    place.brought = place.bytes = ahead;
    caches = code_caches_create(&spec);
}

static void destroy(void)
{
    code_caches_destroy(caches);
}

static uint64_t fetch(uint32_t sub_core, uint32_t line, uint64_t now)
{
    return code_fetch(caches, sub_core, 0, &place, line * LINE, now);
}

START_TEST(miss_and_hit)
{
    make(4, 4, 4, 0);
    ck_assert_uint_eq(fetch(0, 0, 10), 130);
    ck_assert_uint_eq(code_fetch(caches, 0, 0, &place, LINE - 16, 50), 130); /* the same line */
    ck_assert_uint_eq(fetch(0, 0, 130), 130);
    ck_assert_uint_eq(fetch(0, 0, 131), 131);
    ck_assert_uint_eq(fetch(0, 1, 140), 260);
    ck_assert_uint_eq(fetch(1, 0, 300), 320); /* in L1 */
    ck_assert_uint_eq(fetch(1, 0, 321), 321);
    ck_assert_uint_eq(caches->stats.fetches, 7);
    ck_assert_uint_eq(caches->stats.l0_misses, 3);
    ck_assert_uint_eq(caches->stats.l0_pending_hits, 1); /* that of 50 */
    ck_assert_uint_eq(caches->stats.l1_requests, 3);
    ck_assert_uint_eq(caches->stats.l1_pending_hits, 0);
    ck_assert_uint_eq(caches->stats.l1_misses, 2);
    destroy();
}
END_TEST

/* A line on its way to L1 comes for both, but not before L1 can answer. L1
 * takes one request a cycle. */
START_TEST(shared_l1)
{
    make(4, 4, 4, 0);
    ck_assert_uint_eq(fetch(0, 0, 10), 130);
    ck_assert_uint_eq(fetch(1, 0, 50), 130);
    ck_assert_uint_eq(fetch(0, 1, 200), 320);
    ck_assert_uint_eq(fetch(1, 1, 310), 330);
    ck_assert_uint_eq(fetch(0, 2, 400), 520);
    ck_assert_uint_eq(fetch(1, 3, 400), 521);
    ck_assert_uint_eq(caches->stats.l1_requests, 6);
    ck_assert_uint_eq(caches->stats.l1_misses, 4);
    ck_assert_uint_eq(caches->stats.l1_pending_hits, 1); /* that of 50 */
    destroy();
}
END_TEST

/* Four sub-cores ask in the same cycle for lines that L1 has: one, two or four are taken in a
 * cycle, and the requests of the next cycle behind them. */
START_TEST(bandwidth)
{
    /* Requests a cycle, wait of the fourth, when the line of the fifth is there. */
    static const uint64_t last[][3] = {{1, 3, 524}, {2, 1, 522}, {4, 0, 521}};
    for (size_t i = 0; i < sizeof last / sizeof *last; i++) {
        make(4, 4, 4, 0);
        spec.l1_requests = (uint32_t)last[i][0];
        for (uint32_t line = 0; line < 5; line++)
            fetch(0, line, 10 * line);
        begin("kernel", false);
        for (uint32_t sub_core = 1; sub_core < 4; sub_core++)
            ck_assert_uint_eq(fetch(sub_core, sub_core, 500),
                              520 + (sub_core - 1) / last[i][0]);
        ck_assert_uint_eq(fetch(0, 0, 500), 520 + last[i][1]); /* L0 has lost it */
        ck_assert_uint_eq(fetch(1, 4, 501), last[i][2]);
        destroy();
    }
}
END_TEST

/* L0: the least recently used of two lines goes. L1 of two sets of one line:
 * lines 0 and 2 take each other's place, 1 has another. */
START_TEST(replacement)
{
    make(2, 64, 2, 0);
    fetch(0, 0, 0);
    fetch(0, 1, 200);
    fetch(0, 0, 400);
    fetch(0, 2, 600);
    ck_assert_uint_eq(fetch(0, 0, 800), 800);
    ck_assert_uint_eq(fetch(0, 1, 801), 821);
    destroy();
    make(1, 2, 1, 0);
    ck_assert_uint_eq(fetch(0, 0, 0), 120);
    ck_assert_uint_eq(fetch(0, 2, 200), 320);
    ck_assert_uint_eq(fetch(0, 0, 400), 520);
    ck_assert_uint_eq(fetch(0, 1, 600), 720);
    ck_assert_uint_eq(fetch(0, 0, 800), 820);
    destroy();
}
END_TEST

/* Two lines ahead. The requests of a miss in 10 are taken in 10, 11, 12. */
START_TEST(stream)
{
    make(16, 64, 2, 2);
    ck_assert_uint_eq(fetch(0, 0, 10), 130);
    ck_assert_uint_eq(fetch(0, 1, 20), 131); /* asks for 3 in 20 */
    ck_assert_uint_eq(fetch(0, 2, 200), 200);
    ck_assert_uint_eq(fetch(0, 3, 200), 200);
    ck_assert_uint_eq(caches->stats.stream_hits, 3);
    ck_assert_uint_eq(caches->stats.l1_requests, 6); /* 0 to 5 */
    /* The other sub-core has a buffer of its own. */
    ck_assert_uint_eq(fetch(1, 4, 300), 320); /* in L1 */
    ck_assert_uint_eq(caches->stats.stream_hits, 3);
    destroy();
}
END_TEST

/* A taken branch out of the stream: only the first line of the buffer is taken. Line 2 is on
 * its way in L1, and 3 behind it; another line restarts, too. */
START_TEST(branch)
{
    make(16, 64, 2, 2);
    fetch(0, 0, 10);
    ck_assert_uint_eq(fetch(0, 2, 20), 132);
    ck_assert_uint_eq(caches->stats.stream_hits, 0);
    ck_assert_uint_eq(fetch(0, 3, 200), 200); /* of the new stream */
    ck_assert_uint_eq(fetch(0, 20, 400), 520);
    ck_assert_uint_eq(fetch(0, 0, 530), 530); /* backwards, in L0: the stream stays */
    ck_assert_uint_eq(fetch(0, 21, 700), 700);
    ck_assert_uint_eq(caches->stats.stream_hits, 2);
    destroy();
}
END_TEST

/* The stream stops in front of line 2, which L0 has: 3 is no part of it. */
START_TEST(stream_meets_l0)
{
    make(16, 64, 2, 4);
    spec.stream = 0;
    fetch(0, 2, 0);
    spec.stream = 4;
    ck_assert_uint_eq(fetch(0, 0, 200), 320);
    ck_assert_uint_eq(caches->stats.l1_requests, 3); /* 2, 0, 1 */
    ck_assert_uint_eq(fetch(0, 1, 400), 400);
    ck_assert_uint_eq(fetch(0, 2, 400), 400);
    ck_assert_uint_eq(fetch(0, 3, 400), 520);
    destroy();
}
END_TEST

/* L0s that ask for a line every 9 cycles, with stream buffers of AHEAD lines. */
static void make_l0_port(uint32_t ahead)
{
    make(16, 64, 2, ahead);
    spec.l1_requests = 8;
    spec.l0_interval = 9;
}

/* An L0 and its stream buffer ask for a line every 9 cycles: those of a miss in 10 in 10, 19
 * and 28, whether L1 has them or not. The next one is asked for in 200. */
START_TEST(l0_port)
{
    make_l0_port(2);
    ck_assert_uint_eq(fetch(0, 0, 10), 130);
    ck_assert_uint_eq(fetch(0, 1, 135), 139);
    ck_assert_uint_eq(fetch(0, 2, 140), 148);
    ck_assert_uint_eq(fetch(1, 0, 300), 320); /* another L0 */
    ck_assert_uint_eq(fetch(1, 1, 325), 329);
    destroy();
}
END_TEST

/* A miss elsewhere drops the lines of the stream that have not been sent for: those of a miss
 * in 10 would be in 10, 19, 28, 37 and 46, and the next one goes in 28, when the port is free.
 */
START_TEST(l0_port_after_jump)
{
    make_l0_port(4);
    ck_assert_uint_eq(fetch(0, 0, 10), 130);
    ck_assert_uint_eq(fetch(0, 8, 20), 28 + 120);
    destroy();
}
END_TEST

/* Two lines on their way: 0 and 1 are asked for in 10, 2 and 3 when these come, in 130, though
 * that is found out in 140, and 4 when 2 comes. */
START_TEST(requests)
{
    make(16, 64, 2, 8);
    spec.l0_requests = 2;
    spec.l1_requests = 8;
    ck_assert_uint_eq(fetch(0, 0, 10), 130);
    ck_assert_uint_eq(caches->stats.l1_requests, 2);
    ck_assert_uint_eq(fetch(0, 1, 140), 140);
    ck_assert_uint_eq(caches->stats.l1_requests, 4);
    ck_assert_uint_eq(fetch(0, 2, 150), 250);
    ck_assert_uint_eq(fetch(0, 3, 260), 260);
    ck_assert_uint_eq(fetch(0, 4, 270), 370);
    ck_assert_uint_eq(caches->stats.stream_hits, 4);
    destroy();
}
END_TEST

/* Three lines on their way: 0 to 2 in 10, 3 to 5 in 130. Jumps to lines 2 and 4 find them in
 * the buffer. Line 1 has been dropped, but L1 has it; line 9 has not been asked for, and 10 and
 * 11 follow it. A launch does not find what another one's buffer has. */
START_TEST(jumps)
{
    make(16, 64, 2, 8);
    spec.l0_requests = 3;
    spec.l1_requests = 8;
    ck_assert_uint_eq(fetch(0, 0, 10), 130);
    ck_assert_uint_eq(fetch(0, 2, 140), 140);
    ck_assert_uint_eq(fetch(0, 4, 150), 250);
    ck_assert_uint_eq(caches->stats.stream_hits, 2);
    ck_assert_uint_eq(caches->stats.l1_requests, 6);
    ck_assert_uint_eq(fetch(0, 1, 160), 180);
    ck_assert_uint_eq(fetch(0, 9, 300), 420);
    ck_assert_uint_eq(fetch(0, 11, 310), 420);
    ck_assert_uint_eq(caches->stats.stream_hits, 3);
    begin("kernel", false);
    ck_assert_uint_eq(fetch(0, 13, 430), 550);
    ck_assert_uint_eq(caches->stats.stream_hits, 3);
    destroy();
}
END_TEST

/* A buffer of one line: line 2 is asked for when line 1 is taken, in 200. */
START_TEST(full_buffer)
{
    make(16, 64, 2, 1);
    spec.l0_requests = 4;
    spec.l1_requests = 8;
    ck_assert_uint_eq(fetch(0, 0, 10), 130);
    ck_assert_uint_eq(fetch(0, 1, 200), 200);
    ck_assert_uint_eq(fetch(0, 2, 210), 320);
    destroy();
}
END_TEST

/* Jumps among lines that L0 has take 8 cycles, but to the last two lines, or to the one after
 * them. What a launch has used is none of the next one's. */
START_TEST(latency_of_l0)
{
    make(16, 64, 2, 0);
    code_caches_destroy(caches);
    spec.l0_latency = 8;
    spec.l0_recent = 2;
    caches = code_caches_create(&spec);
    for (uint32_t line = 0; line < 4; line++)
        ck_assert_uint_eq(fetch(0, line, 200 * line), 200 * line + 120);
    ck_assert_uint_eq(fetch(0, 3, 800), 800);
    ck_assert_uint_eq(fetch(0, 2, 810), 810);
    ck_assert_uint_eq(fetch(0, 0, 820), 828);
    ck_assert_uint_eq(fetch(0, 0, 828), 828);
    ck_assert_uint_eq(fetch(0, 1, 840), 840);
    ck_assert_uint_eq(fetch(0, 3, 850), 858);
    begin("kernel", false);
    ck_assert_uint_eq(fetch(0, 3, 900), 908);
    destroy();
}
END_TEST

/* L1 sends for a line every 17 cycles: line 2 waits 16, and line 0, which the launch has
 * brought to L1, not. */
START_TEST(l1_port)
{
    make_gcc(8, 8 * LINE);
    spec.gcc_interval = 17;
    ck_assert_uint_eq(fetch(0, 0, 0), 20);
    ck_assert_uint_eq(fetch(0, 1, 0), 21 + 30);
    ck_assert_uint_eq(fetch(0, 2, 0), 22 + 16 + 30);
    ck_assert_uint_eq(fetch(0, 3, 200), 220 + 30);
    destroy();
}
END_TEST

/* Eight SMs of a GPC take turns of two cycles: line 2 waits 15 for the next one, in 37. */
START_TEST(turns_of_sms)
{
    make_gcc(8, 8 * LINE);
    spec.l0_requests = 3;
    spec.gcc_interval = 2;
    place.seats = &(struct code_seat){.sms = 8, .beside = 4};
    ck_assert_uint_eq(fetch(0, 0, 0), 20);
    ck_assert_uint_eq(fetch(0, 1, 0), 21 + 30);
    ck_assert_uint_eq(fetch(0, 2, 0), 22 + 15 + 30);
    ck_assert_uint_eq(fetch(0, 3, 200), 220 + 30);
    place.seats = NULL;
    destroy();
}
END_TEST

/* The first line of a launch is near in 33, whatever L1 takes; others are not. */
START_TEST(near)
{
    make_gcc(8, 8 * LINE);
    spec.near_latency = spec.param_latency = 33;
    ck_assert_uint_eq(fetch(0, 0, 0), 33);
    ck_assert_uint_eq(fetch(0, 1, 100), 150);
    destroy();
}
END_TEST

/* The GCC lacks line 1 in 50, and sends for 2 and 3, too; asked for 2, in 60, for 4; for 4, in
 * 70, for 5 and 6. Line 3 is behind these then. */
START_TEST(stream_of_gcc)
{
    make_gcc(8, 0);
    spec.gcc_stream = 2;
    ck_assert_uint_eq(fetch(0, 1, 0), 50 + 70);
    ck_assert_uint_eq(fetch(0, 2, 10), 50 + 70);
    ck_assert_uint_eq(fetch(0, 4, 20), 60 + 70);
    ck_assert_uint_eq(fetch(0, 6, 30), 80 + 60);
    ck_assert_uint_eq(fetch(0, 3, 500), 550);
    ck_assert_uint_eq(fetch(0, 9, 600), 720);
    destroy();
    make_gcc(8, 0);
    spec.gcc_stream = 2;
    spec.l2_latency = 24;
    place.in_memory = true;
    ck_assert_uint_eq(fetch(0, 1, 0), CODE_ON_ITS_WAY + 24);
    ck_assert_uint_eq(caches->supply.requests.count, 3);
    place.in_memory = false;
    destroy();
}
END_TEST

/* L1 of one line, a GCC of two: hit in the GCC, the least recently used line gone from it. */
START_TEST(gcc)
{
    make_gcc(2, 0);
    ck_assert_uint_eq(fetch(0, 1, 0), 120);
    ck_assert_uint_eq(fetch(0, 2, 200), 320);
    ck_assert_uint_eq(fetch(1, 1, 400), 450);
    ck_assert_uint_eq(fetch(0, 3, 600), 720);
    ck_assert_uint_eq(fetch(2, 2, 800), 920);
    /* A line on its way to the GCC that L1 has lost comes no earlier. */
    ck_assert_uint_eq(fetch(0, 8, 1000), 1120);
    ck_assert_uint_eq(fetch(0, 9, 1001), 1121);
    ck_assert_uint_eq(fetch(1, 8, 1002), 1120);
    destroy();
}
END_TEST

/* With a GCC, the first line of a function is as if in L1, and two more as if in the GCC, but
 * only once a launch: then both have lost them. */
START_TEST(begin_of_launch)
{
    make_gcc(1, 3 * LINE);
    for (uint64_t now = 0; now <= 10000; now += 10000) {
        begin(now == 0 ? "kernel" : "other", false);
        ck_assert_uint_eq(fetch(0, 0, now), now + 20);
        ck_assert_uint_eq(fetch(0, 1, now + 200), now + 250);
        ck_assert_uint_eq(fetch(0, 2, now + 400), now + 450);
        ck_assert_uint_eq(fetch(0, 3, now + 600), now + 720);
        ck_assert_uint_eq(fetch(1, 0, now + 800), now + 920);
        ck_assert_uint_eq(fetch(1, 1, now + 1000), now + 1120);
    }
    destroy();
}
END_TEST

/* A warp that has jumped to line 3 changes nothing for one that asks for lines 1 and 2, which
 * are as if in the GCC. Line 4 is not brought. A second time, line 2 is in the GCC, line 1 not.
 */
START_TEST(behind_a_jump)
{
    make_gcc(2, 4 * LINE);
    ck_assert_uint_eq(fetch(0, 0, 0), 20);
    ck_assert_uint_eq(fetch(1, 3, 100), 150);
    ck_assert_uint_eq(fetch(0, 1, 200), 250);
    ck_assert_uint_eq(fetch(1, 4, 300), 420);
    ck_assert_uint_eq(fetch(0, 2, 500), 550);
    ck_assert_uint_eq(fetch(1, 0, 600), 720); /* L1 has lost it */
    ck_assert_uint_eq(fetch(2, 2, 800), 850);
    ck_assert_uint_eq(fetch(2, 1, 1000), 1120);
    begin("kernel", false);
    ck_assert_uint_eq(fetch(3, 1, 2000), 2020); /* in L1 */
    ck_assert_uint_eq(fetch(3, 3, 2100), 2150);
    destroy();
}
END_TEST

/* The first launch of a function: lines that no SM's cache has come from memory, once. Another
 * launch on the same SM in between changes nothing. */
START_TEST(fresh)
{
    make_gcc(1, 0);
    begin("kernel", true);
    ck_assert_uint_eq(fetch(0, 1, 0), 420);
    ck_assert_uint_eq(fetch(0, 2, 500), 920);
    ck_assert_uint_eq(fetch(1, 1, 1000), 1120);
    struct code_place kernel = place;
    begin("other", false);
    ck_assert_uint_eq(fetch(0, 1, 2000), 2120);
    place = kernel;
    ck_assert_uint_eq(fetch(2, 1, 3000), 3120);
    ck_assert_uint_eq(fetch(0, 3, 4000), 4420);
    destroy();
}
END_TEST

/* A launch of cycle 1000, after L2 was emptied: line 0, near in 30, comes in 1000 + 200; line
 * 3, in the GCC in 60, in 1000 + 200 + 3 * 10, and for another sub-core then, too. Line 8 is
 * not brought. In a launch that is not cold, or late, nothing waits. */
START_TEST(brought_cold)
{
    make_gcc(8, 8 * LINE);
    spec.cold_latency = 200;
    spec.cold_interval = 10;
    place.cold = true;
    place.begin = 1000;
    ck_assert_uint_eq(fetch(0, 0, 1000), 1200);
    ck_assert_uint_eq(fetch(0, 3, 1010), 1230);
    ck_assert_uint_eq(fetch(1, 3, 1100), 1230);
    ck_assert_uint_eq(fetch(1, 8, 1110), 1230);
    place.number++;
    ck_assert_uint_eq(fetch(2, 4, 1250), 1300);
    begin("other", false);
    place.cold = false;
    ck_assert_uint_eq(fetch(0, 0, 1300), 1320);
    destroy();
}
END_TEST

/* Of a GCC of four lines, two are what a launch brings, asked for or not. Line 2 of a kernel is
 * there, in 50, for the next launch; after those of two others, which bring two lines each, it
 * is not. */
START_TEST(brought_takes_room)
{
    make_gcc(4, 2 * LINE);
    ck_assert_uint_eq(fetch(0, 2, 1000), 1000 + 120);
    ck_assert_uint_eq(fetch(1, 3, 2000), 2000 + 120);
    begin("kernel", false);
    ck_assert_uint_eq(fetch(2, 2, 3000), 3000 + 50);
    begin("other", false);
    ck_assert_uint_eq(fetch(0, 1, 4000), 4000 + 50);
    begin("third", false);
    ck_assert_uint_eq(fetch(0, 1, 5000), 5000 + 50);
    begin("kernel", false);
    ck_assert_uint_eq(fetch(3, 2, 6000), 6000 + 120);
    ck_assert_uint_eq(fetch(3, 1, 7000), 7000 + 50);
    destroy();
}
END_TEST

static void answer(uint64_t address, uint64_t cycle)
{
    queue_push_in_order(&caches->supply.answers, &(struct packet){.address = address}, cycle);
}

/* L1 lacks line 1 in 20, the GCC in 50: then L2 is asked. The line is there 24 cycles after its
 * last sector; a warp of the other sub-core finds it in L1, and a line that has left L0, L1 and
 * the GCC is asked for again. */
START_TEST(from_l2)
{
    uint64_t address, cycle;
    make_gcc(2, 0);
    spec.l2_latency = 24;
    place.in_memory = true;
    uint64_t line = place.address + LINE, ready = CODE_ON_ITS_WAY + 24;
    ck_assert_uint_eq(fetch(0, 1, 0), ready);
    ck_assert_uint_eq(code_supply_next(&caches->supply), 50);
    ck_assert_uint_eq(fetch(1, 1, 60), ready);
    ck_assert_uint_eq(caches->supply.requests.count, 1); /* not twice */
    ck_assert_uint_eq(queue_head(&caches->supply.requests)->packet.address, line);
    queue_pop(&caches->supply.requests);
    ck_assert_uint_eq(code_supply_next(&caches->supply), UINT64_MAX);
    for (uint64_t i = 0; i < 4; i++)
        answer(line + i * SECTOR_BYTES, 300 + (i == 1 ? 10 : i));
    for (int i = 0; i < 3; i++)
        ck_assert(!code_caches_take(caches, &address, &cycle));
    ck_assert_uint_eq(code_supply_next(&caches->supply), 310);
    ck_assert(code_caches_take(caches, &address, &cycle));
    ck_assert_uint_eq(address, line);
    ck_assert_uint_eq(cycle, 310);
    ck_assert_uint_eq(code_came(ready, cycle), 334);
    ck_assert_uint_eq(code_came(333, cycle), 333);
    ck_assert_uint_eq(fetch(0, 1, 320), 334);
    ck_assert_uint_eq(fetch(2, 1, 320), 340); /* from L1 */
    ck_assert_uint_eq(fetch(0, 1, 340), 340);
    fetch(0, 2, 400);
    fetch(0, 3, 500);
    ck_assert_uint_eq(fetch(3, 1, 600), ready);
    ck_assert_uint_eq(caches->supply.requests.count, 3);
    /* Constants have no place in memory. */
    place.in_memory = false;
    ck_assert_uint_eq(fetch(3, 9, 700), 820);
    destroy();
}
END_TEST

/* Two lines ahead: those that the stream buffer has asked for come in their own time. */
START_TEST(stream_from_l2)
{
    uint64_t address, cycle;
    make(16, 64, 2, 2);
    spec.l2_latency = 24;
    place.in_memory = true;
    fetch(0, 0, 0);
    ck_assert_uint_eq(caches->supply.requests.count, 3);
    for (uint64_t i = 0; i < 12; i++)
        answer(place.address + i * SECTOR_BYTES, 300 + 10 * i);
    while (caches->supply.answers.count != 0)
        code_caches_take(caches, &address, &cycle);
    ck_assert_uint_eq(fetch(0, 0, 320), 330 + 24);
    ck_assert_uint_eq(fetch(0, 1, 354), 370 + 24);
    ck_assert_uint_eq(fetch(0, 2, 394), 410 + 24);
    destroy();
}
END_TEST

START_TEST(kernels)
{
    make(16, 64, 2, 0);
    fetch(0, 0, 0);
    begin("other", false);
    ck_assert_uint_eq(fetch(0, 0, 200), 320);
    begin("kernel", false);
    ck_assert_uint_eq(fetch(0, 0, 400), 400);
    code_caches_clear(caches);
    ck_assert_uint_eq(fetch(0, 0, 0), 120);
    destroy();
    ck_assert_uint_eq(code_place_address("kernel", 0x1080), 0x1080);
}
END_TEST

/* A function that does not begin at a line: instructions 0 and 1 share one with what is in
 * front of them, 2 is in the next. */
START_TEST(place_within_line)
{
    make(4, 4, 4, 0);
    place.address = 0x1060;
    ck_assert(code_together(caches, &place, 0, 16));
    ck_assert(!code_together(caches, &place, 16, 32));
    ck_assert_uint_eq(code_fetch(caches, 0, 0, &place, 0, 0), 120);
    ck_assert_uint_eq(code_fetch(caches, 0, 0, &place, 16, 120), 120);
    ck_assert_uint_eq(code_fetch(caches, 0, 0, &place, 32, 130), 250);
    destroy();
}
END_TEST

/* Constants: the parameters are in L1, other banks behind it. Each sub-core has a cache for
 * operands, of two lines here; LDC has another one, of lines of 64 bytes; launches share none.
 */
START_TEST(constants)
{
    make(4, 4, 4, 0);
    code_caches_destroy(caches);
    spec.constants = true;
    spec.operands_ways = 2;
    spec.loads_sets = spec.loads_ways = 1;
    spec.loads_line = 64;
    caches = code_caches_create(&spec);
    const struct code_constant first = {0, 0x210}, same = {0, 0x27c}, other = {3, 0x210},
                               third = {3, 0};
    ck_assert_uint_eq(code_constant_operand(caches, 0, 0, &place, first, 10), 30);
    ck_assert_uint_eq(code_constant_operand(caches, 0, 0, &place, same, 20), 30);
    ck_assert_uint_eq(code_constant_operand(caches, 0, 0, &place, same, 30), 30);
    ck_assert_uint_eq(code_constant_operand(caches, 1, 0, &place, first, 100), 120);
    ck_assert_uint_eq(code_constant_operand(caches, 0, 0, &place, other, 200), 320);
    ck_assert_uint_eq(code_constant_operand(caches, 0, 0, &place, third, 400), 520);
    ck_assert_uint_eq(code_constant_operand(caches, 0, 0, &place, first, 600), 620);
    ck_assert_uint_eq(code_constant_load(caches, 0, &place, other, 700), 720); /* in L1 */
    ck_assert_uint_eq(code_constant_load(caches, 0, &place, other, 800), 800);
    ck_assert_uint_eq(
        code_constant_load(caches, 0, &place, (struct code_constant){3, 0x240}, 900), 920);
    ck_assert_uint_eq(caches->stats.constant_lookups, 10);
    ck_assert_uint_eq(caches->stats.constant_misses, 7);
    ck_assert_uint_eq(caches->stats.constant_pending_hits, 1);
    begin("kernel", false);
    ck_assert_uint_eq(code_constant_load(caches, 0, &place, other, 1000), 1120);
    destroy();
}
END_TEST

static uint64_t parameter(uint64_t offset, uint64_t now)
{
    return code_constant_load(caches, 0, &place, (struct code_constant){0, offset}, now);
}

static uint64_t operand(uint32_t sub_core, uint64_t offset, uint64_t now)
{
    return code_constant_operand(caches, sub_core, 0, &place, (struct code_constant){0, offset},
                                 now);
}

/* The GCC takes a request in two cycles. This is the second SM of a TPC; another TPC has one
 * SM, and a launch begins on two sub-cores of each: its LDC waits for two others. Its operands
 * come after all three of these, and after those of the two other SMs. A line comes 20 cycles
 * after its turn. When all have been served, others come at once. In the next launch the SM is
 * four cycles late after its LDC, as if it had come four cycles earlier for its operands. */
START_TEST(turns_of_parameters)
{
    make(4, 4, 4, 0);
    code_caches_destroy(caches);
    spec.constants = true;
    spec.l1_requests = 4;
    spec.operands_ways = 2;
    spec.loads_sets = 1;
    spec.loads_ways = 4;
    spec.loads_line = 64;
    spec.constant_interval = 2;
    caches = code_caches_create(&spec);
    const struct code_seat last_of_three = {.sms = 3, .number = 1, .before = 2, .beside = 1},
                           alone = {.sms = 1, .beside = 1};
    place.seats = &last_of_three;
    place.askers = 2;
    ck_assert_uint_eq(parameter(0x28, 10), 34);   /* the turn in 10 + 2 * 2 */
    ck_assert_uint_eq(operand(1, 0x208, 12), 44); /* in 10 + 2 * 3 + 2 * 4 */
    ck_assert_uint_eq(operand(0, 0x208, 14), 46); /* in 10 + 2 * 3 + 2 * 5 */
    ck_assert_uint_eq(parameter(0, 15), 34);      /* it has been asked for */
    ck_assert_uint_eq(operand(1, 0x210, 15), 44);
    ck_assert_uint_eq(operand(1, 0, 30), 56); /* in 10 + 2 * 3 + 2 * 10, after two of each SM */
    ck_assert_uint_eq(parameter(0x210, 100), 120);
    ck_assert_uint_eq(operand(0, 0, 100), 120);
    ck_assert_uint_eq(operand(0, 0x100, 100), 122);
    ck_assert_uint_eq(caches->stats.constant_misses, 7);
    ck_assert_uint_eq(caches->stats.constant_pending_hits, 2);
    begin("kernel", false);
    ck_assert_uint_eq(parameter(0x28, 200), 224);
    ck_assert_uint_eq(operand(1, 0x208, 226), 250); /* in 226 - 4 + 2 * 4 */
    begin("kernel", false);
    place.seats = &alone;
    ck_assert_uint_eq(operand(0, 0x210, 300), 320);
    ck_assert_uint_eq(operand(1, 0x210, 300), 322);
    place.seats = NULL;
    destroy();
}
END_TEST

/* The first SM of the first of four TPCs with two SMs each: its LDC comes after one line of
 * operands, for which each of eight SMs has two sub-cores. */
START_TEST(loads_after_operands)
{
    make(4, 4, 4, 0);
    code_caches_destroy(caches);
    spec.constants = true;
    spec.l1_requests = 4;
    spec.operands_ways = 2;
    spec.loads_sets = spec.loads_ways = 1;
    spec.loads_line = 64;
    spec.constant_interval = 2;
    caches = code_caches_create(&spec);
    const struct code_seat first_of_eight = {.sms = 8, .beside = 4};
    place.seats = &first_of_eight;
    place.askers = 2;
    ck_assert_uint_eq(operand(0, 0x210, 10), 30);
    ck_assert_uint_eq(operand(1, 0x210, 10), 38); /* after those of three other TPCs */
    ck_assert_uint_eq(parameter(0x210, 12), 62);  /* in 10 + 2 * 16 */
    place.seats = NULL;
    destroy();
}
END_TEST

/* Caches of an SM that is not as far from the GCC as the first one; CONSTANT_INTERVAL is that
 * of lines of parameters. */
static void make_distant(uint32_t constant_interval)
{
    make_gcc(8, 0);
    code_caches_destroy(caches);
    spec.gcc_interval = 17;
    spec.constants = true;
    spec.operands_ways = 2;
    spec.loads_sets = spec.loads_ways = 1;
    spec.loads_line = 64;
    spec.constant_interval = constant_interval;
    caches = code_caches_create(&spec);
}

/* An SM 5 cycles further than others: L1's port takes (17 * 5 + 10) / 20 = 4 cycles longer for
 * a line, which comes 5 later; parameters do, too. */
START_TEST(far_from_gcc)
{
    make_distant(0);
    caches->supply.distance = 5;
    ck_assert_uint_eq(fetch(0, 0, 100), 225);
    ck_assert_uint_eq(fetch(1, 1, 100), 246); /* the port takes it in 141 */
    ck_assert_uint_eq(parameter(0x210, 300), 325);
    destroy();
}
END_TEST

/* The GCC takes two cycles for the LDC of an SM that is alone, before its operands. One 40
 * cycles nearer than the first one, more than L1 takes: nothing comes before cycle 0, and its
 * port takes any number of lines. */
START_TEST(near_gcc)
{
    make_distant(2);
    place.seats = &(struct code_seat){.sms = 1, .beside = 1};
    place.askers = 1;
    caches->supply.distance = 30;
    ck_assert_uint_eq(parameter(0x210, 5), 55);
    ck_assert_uint_eq(operand(0, 0x210, 6), 57); /* its turn is in 7 */
    caches->supply.distance = -40;
    begin("kernel", false);
    ck_assert_uint_eq(parameter(0x210, 7), 0);
    ck_assert_uint_eq(fetch(0, 0, 100), 180);
    ck_assert_uint_eq(fetch(1, 1, 100), 181);
    place.seats = NULL;
    destroy();
}
END_TEST

/* LDC brings 256 bytes of another bank to L1, 90 cycles later than L1 has what it holds. */
START_TEST(fetched_constants)
{
    make(4, 4, 4, 0);
    code_caches_destroy(caches);
    spec.constants = true;
    spec.operands_ways = 2;
    spec.loads_sets = 1;
    spec.loads_ways = 8;
    spec.loads_line = 64;
    spec.constant_fetch = 256;
    spec.constant_fetch_latency = 90;
    caches = code_caches_create(&spec);
    uint64_t offsets[] = {0x140, 0x140, 0x1c0, 0x100, 0x200}, now[] = {10, 20, 30, 200, 300},
             there[] = {120, 120, 120, 220, 410};
    for (size_t i = 0; i < sizeof now / sizeof *now; i++)
        ck_assert_uint_eq(code_constant_load(caches, 0, &place,
                                             (struct code_constant){3, offsets[i]}, now[i]),
                          there[i]);
    ck_assert_uint_eq(caches->stats.constant_misses, 4);
    destroy();
}
END_TEST

/* What a launch brings of its parameters' bank is there for LDC at once, and only that: not the
 * first line, and not for operands. */
START_TEST(parameters)
{
    make(4, 4, 4, 0);
    code_caches_destroy(caches);
    spec.constants = true;
    spec.operands_ways = 2;
    spec.loads_sets = 1;
    spec.loads_ways = 4;
    spec.loads_line = 64;
    spec.loads_ahead = 0x240;
    caches = code_caches_create(&spec);
    ck_assert_uint_eq(parameter(0x23c, 10), 10);
    ck_assert_uint_eq(parameter(0x80, 10), 10);
    ck_assert_uint_eq(parameter(0x7c, 10), 30);
    ck_assert_uint_eq(parameter(0x240, 50), 70);
    ck_assert_uint_eq(operand(0, 0x23c, 100), 120);
    ck_assert_uint_eq(
        code_constant_operand(caches, 0, 0, &place, (struct code_constant){3, 0x10}, 200), 320);
    ck_assert_uint_eq(caches->stats.constant_lookups, 6);
    ck_assert_uint_eq(caches->stats.constant_misses, 4);
    destroy();
}
END_TEST

/* In a cold launch of cycle 1000, parameters come in 1000 + 70, those that it brings, too. Of
 * bank 3, 256 bytes that L1 lacks in 20 come 40 later, and yet 300 later. */
START_TEST(cold_constants)
{
    make(4, 4, 4, 0);
    code_caches_destroy(caches);
    spec.constants = true;
    spec.operands_ways = 2;
    spec.loads_ahead = 0x240;
    spec.loads_sets = spec.loads_ways = 2;
    spec.loads_line = 64;
    spec.constant_fetch = 256;
    spec.constant_fetch_latency = 40;
    spec.cold_constants = 70;
    spec.cold_fetch = 300;
    caches = code_caches_create(&spec);
    const struct code_constant ahead = {0, 0x23c}, behind = {0, 0x280}, other = {3, 0};
    static const struct {
        bool cold;
        uint64_t begin, ahead, behind, operand, fetch;
    } rows[] = {{true, 1000, 1070, 1070, 1070, 1460}, {false, 2000, 2010, 2030, 2040, 2160}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++, place.number++) {
        uint64_t begin = place.begin = rows[i].begin;
        place.cold = rows[i].cold;
        ck_assert_uint_eq(code_constant_load(caches, 0, &place, ahead, begin + 10),
                          rows[i].ahead);
        ck_assert_uint_eq(code_constant_load(caches, 0, &place, behind, begin + 10),
                          rows[i].behind);
        ck_assert_uint_eq(code_constant_operand(caches, 0, 0, &place, ahead, begin + 20),
                          rows[i].operand);
        ck_assert_uint_eq(code_constant_load(caches, 0, &place, ahead, begin + 80), begin + 80);
        ck_assert_uint_eq(code_constant_load(caches, 0, &place, other, begin + 100),
                          rows[i].fetch);
    }
    ck_assert_uint_eq(caches->stats.constant_pending_hits, 1);
    place.cold = false;
    destroy();
}
END_TEST

/* Constants are no part of how far a launch has come in its code. */
START_TEST(constants_and_code)
{
    make_gcc(4, 4 * LINE);
    code_caches_destroy(caches);
    spec.constants = true;
    spec.operands_ways = spec.loads_sets = spec.loads_ways = 1;
    spec.loads_line = 64;
    caches = code_caches_create(&spec);
    code_constant_operand(caches, 0, 0, &place, (struct code_constant){3, 0}, 0);
    ck_assert_uint_eq(fetch(0, 0, 200), 220);
    ck_assert_uint_eq(fetch(0, 1, 300), 350);
    destroy();
}
END_TEST

START_TEST(loaded)
{
    struct loaded_code code = {0};
    for (int round = 0; round < 2; round++)
        for (uint64_t i = 0; i < 100; i++)
            ck_assert_int_eq(loaded_code_add(&code, i * 37 % 100), round == 1);
    ck_assert_uint_eq(code.count, 100);
    loaded_code_finish(&code);
    ck_assert(!loaded_code_add(&code, 5));
    loaded_code_finish(&code);
}
END_TEST

/* ---- launches ---- */

#define CACHES(l0, lines)                                                                      \
    SETS("hearth_icache=1", "hearth_icache_l0=" l0, "hearth_icache_stream=" lines,             \
         "hearth_icache_l1_latency=20", "hearth_icache_miss_latency=100")

static uint64_t launched_cycles(struct bench *bench, const struct launch_text *text)
{
    struct sim_result result = bench_launch(bench, text);
    return result_cycles(&result);
}

/* Asked for in 1, there in 121, issued in 122. */
START_TEST(first_fetch)
{
    ck_assert_uint_eq(cycles_of(NO_SETS, "EXIT"), 2 + 6);
    ck_assert_uint_eq(cycles_of(CACHES("2048", "0"), "EXIT"), 122 + 6);
    ck_assert_uint_eq(cycles_of(CACHES("2048", "8"), "EXIT"), 122 + 6);
}
END_TEST

/* Ten lines in a row, 80 instructions. A line that is there in r is issued in
 * r+1 to r+8; in r+8 the next one is looked up. Without a stream buffer it
 * comes in r+128. With one of 8 lines, lines 1 to 8 are there in 122 to 129
 * and are looked up in 129, 137 ... 185. Line 9 is asked for when line 1 is
 * taken, in 129: it is looked up in 193 and there in 249. */
START_TEST(straight_code)
{
    char program[1000];
    strcpy(program, repeated("%EXIT", 79, "FFMA;"));
    ck_assert_uint_eq(cycles_of(NO_SETS, program), 81 + 6);
    ck_assert_uint_eq(cycles_of(CACHES("2048", "0"), program), 121 + 9 * 128 + 8 + 6);
    ck_assert_uint_eq(cycles_of(CACHES("2048", "8"), program), 249 + 8 + 6);
    /* All ten as one stream. */
    ck_assert_uint_eq(cycles_of(CACHES("2048", "9"), program), 121 + 80 + 6);
}
END_TEST

/* The same launch again: code stays in the caches, and time is that of perfect ones. */
START_TEST(warm)
{
    struct launch_text text = {.program = repeated("%EXIT", 79, "FFMA;")};
    struct bench bench = bench_create(CACHES("2048", "0"));
    bench_launch(&bench, &text);
    struct sim_result again = bench_launch(&bench, &text);
    ck_assert_uint_eq(result_cycles(&again), 81 + 6);
    sim_reset(bench.sim);
    struct sim_result cold = bench_launch(&bench, &text);
    ck_assert_uint_eq(result_cycles(&cold), 121 + 9 * 128 + 8 + 6);
    bench_destroy(&bench);
}
END_TEST

/* A launch whose code is in no cache; the same again; and after L2 was emptied, on an SM whose
 * L0 and L1 have lost it to another kernel. */
START_TEST(loading)
{
    const struct launch_text one = {.program = "EXIT"}, other = {.program = ":8 EXIT"};
    struct bench bench =
        bench_create(SETS("hearth_icache=1", "hearth_icache_l0=128",
                          "gpgpu_cache:il1=N:1:128:1,L:R:f:N:L,S:2:48,4",
                          "hearth_icache_stream=0", "hearth_icache_l1_latency=20",
                          "hearth_icache_miss_latency=100", "hearth_icache_load_latency=300"));
    ck_assert_uint_eq(launched_cycles(&bench, &one), 422 + 6);
    ck_assert_uint_eq(launched_cycles(&bench, &one), 2 + 6);
    /* The tests' launches have one name: this is the same function, further back. */
    ck_assert_uint_eq(launched_cycles(&bench, &other), 122 + 6);
    sim_flush(bench.sim, SIM_L2, true);
    ck_assert_uint_eq(launched_cycles(&bench, &one), 422 + 6);
    sim_reset(bench.sim);
    ck_assert_uint_eq(launched_cycles(&bench, &one), 422 + 6);
    bench_destroy(&bench);
}
END_TEST

/* A loop of four lines, three times. Cold lines come every 128 cycles, the
 * last one in 505. Where L0 holds the loop, the other rounds take 8 cycles a
 * line. Where it holds two lines, none is ever there: 20 more from L1. A
 * stream buffer hides that but for the jump back: the first round ends in 121
 * + 32, each of the others takes 20 + 32, and 4 more: it stops in front of line
 * 3, which L0 holds until line 1 comes. */
START_TEST(loop)
{
    char program[1000], *end = program;
    for (int round = 0; round < 3; round++) {
        end = stpcpy(end, ":0 FFMA;");
        for (int i = 1; i < 32; i++)
            end = stpcpy(end, round == 2 && i == 31 ? "EXIT" : "FFMA;");
    }
    ck_assert_uint_eq(cycles_of(NO_SETS, program), 1 + 96 + 6);
    ck_assert_uint_eq(cycles_of(CACHES("512", "0"), program), 505 + 8 + 8 * 8 + 6);
    ck_assert_uint_eq(cycles_of(CACHES("256", "0"), program), 505 + 8 + 8 * 28 + 6);
    ck_assert_uint_eq(cycles_of(CACHES("256", "8"), program), 121 + 32 + 2 * (20 + 32 + 4) + 6);
}
END_TEST

/* Instructions of different lines are fetched one by one. With one fetch step
 * a cycle a pair takes three cycles (see issue.c), one alone two. */
START_TEST(single_fetches)
{
    uint64_t cycles[2][2];
    for (int on = 0; on < 2; on++) {
        for (int more = 0; more < 2; more++) {
            struct bench bench =
                bench_create(on ? SETS("gpgpu_inst_fetch_throughput=1", "hearth_icache=1")
                                : SETS("gpgpu_inst_fetch_throughput=1"));
            struct launch_text text = {
                .program = repeated("%:9 EXIT", more ? 20 : 10, ":0 FFMA; :9 FFMA;")};
            bench_launch(&bench, &text);
            struct sim_result second = bench_launch(&bench, &text);
            cycles[on][more] = result_cycles(&second);
            bench_destroy(&bench);
        }
    }
    ck_assert_uint_eq(cycles[0][1] - cycles[0][0], 10 * 3);
    ck_assert_uint_eq(cycles[1][1] - cycles[1][0], 20 * 2);
}
END_TEST

/* All ask for the line in 1 or 2 and have it in 121. In the four steps of 121
 * warps 1, 2 and 3 are decoded, in 122 the others: 4, if there is one, and 0,
 * of one scheduler. */
START_TEST(warps)
{
    static const struct {
        unsigned warps, last_issue;
    } rows[] = {{1, 122}, {4, 123}, {5, 124}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct sim_result result =
            launch_on(CACHES("2048", "0"),
                      &(struct launch_text){.threads = 32 * rows[i].warps, .program = "EXIT"});
        ck_assert_uint_eq(result_cycles(&result), rows[i].last_issue + 6);
    }
}
END_TEST

#define COUNTS(c, prefix, all, hits, pending, misses)                                          \
    do {                                                                                       \
        ck_assert_uint_eq((c).prefix##_accesses, all);                                         \
        ck_assert_uint_eq((c).prefix##_hits, hits);                                            \
        ck_assert_uint_eq((c).prefix##_pending_hits, pending);                                 \
        ck_assert_uint_eq((c).prefix##_misses, misses);                                        \
    } while (0)

/* Two warps of a scheduler and two of another one run two lines, eleven instructions: pairs,
 * a single EXIT. Each line is missed by one warp in each L0, and found on its way by the other;
 * of the two requests for it L1 takes the second while the line is on its way. The other
 * fetches, 3 and 1 more of each warp, hit. Again, all hit. */
START_TEST(counters)
{
    struct launch_text text = {.threads = 4 * 32, .program = repeated("%EXIT", 10, "FFMA;")};
    struct bench bench = bench_create(SETS("gpgpu_num_sched_per_core=2",
                                           "gpgpu_sub_core_model=0", "hearth_icache=1",
                                           "hearth_icache_l0=2048", "hearth_icache_stream=0"));
    struct sim_counters c = bench_launch(&bench, &text).counters;
    COUNTS(c, l0i, 4 * 6, 4 * 4, 2 * 2, 2 * 2);
    COUNTS(c, l1i, 4, 0, 2, 2);
    ck_assert_uint_eq(c.l0i_stream_hits, 0);
    c = bench_launch(&bench, &text).counters;
    COUNTS(c, l0i, 4 * 6, 4 * 6, 0, 0);
    COUNTS(c, l1i, 0, 0, 0, 0);
    bench_destroy(&bench);
    /* The second line comes out of the stream buffer, which asks for it and the third at once,
     * and then for a fourth. */
    text.threads = 32;
    c = launch_on(CACHES("2048", "2"), &text).counters;
    COUNTS(c, l0i, 6, 4, 0, 2);
    COUNTS(c, l1i, 4, 0, 0, 4);
    ck_assert_uint_eq(c.l0i_stream_hits, 1);
    c = launch_on(NO_SETS, &text).counters;
    COUNTS(c, l0i, 0, 0, 0, 0);
    COUNTS(c, l1i, 0, 0, 0, 0);
}
END_TEST

START_TEST(refused)
{
    const char *const *const rows[] = {
        SETS("hearth_icache=1", "gpgpu_cache:il1=none"),
        SETS("hearth_icache=1", "hearth_icache_l0=64"),
        SETS("hearth_icache=1", "hearth_icache_l0=2048", "hearth_icache_l0_ways=3"),
        SETS("hearth_icache=1", "hearth_gcc=64"),
        SETS("hearth_icache=1", "hearth_gcc=6144", "hearth_gcc_ways=16"),
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct error err = {0};
        struct sim_config *config = test_config(rows[i]);
        ck_assert_ptr_null(sim_create(config, &err));
        ck_assert_int_eq(err.kind, ERROR_USAGE);
        ck_assert_ptr_nonnull(strstr(err.text, "-gpgpu_cache:il1"));
        sim_config_destroy(config);
    }
}
END_TEST

int main(void)
{
    const TTest *const tests[] = {
        miss_and_hit,
        shared_l1,
        bandwidth,
        replacement,
        stream,
        branch,
        stream_meets_l0,
        gcc,
        begin_of_launch,
        fresh,
        behind_a_jump,
        brought_cold,
        brought_takes_room,
        requests,
        jumps,
        full_buffer,
        latency_of_l0,
        turns_of_sms,
        near,
        stream_of_gcc,
        kernels,
        place_within_line,
        constants,
        turns_of_parameters,
        loads_after_operands,
        far_from_gcc,
        near_gcc,
        fetched_constants,
        constants_and_code,
        loaded,
        first_fetch,
        straight_code,
        warm,
        loading,
        loop,
        single_fetches,
        warps,
        counters,
        refused,
        l0_port,
        l0_port_after_jump,
        l1_port,
        parameters,
        cold_constants,
        from_l2,
        stream_from_l2,
    };
    return RUN_TESTS("code", tests);
}
