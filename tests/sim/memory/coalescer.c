/* Reads that wait at an L2 slice for the answer to another SM's. */
#include "tests/sim/support.h"

#include "sim/memory/network/coalescer.h"
#include "sim/simulator.h"

static struct coalescer coalescer;
static struct queue out;

static void start(uint32_t entries, uint32_t merged)
{
    ck_assert(coalescer_init(&coalescer, &(struct coalescer_spec){entries, merged, 0}));
}

static void stop(void)
{
    coalescer_finish(&coalescer);
    queue_finish(&out);
}

static struct packet read_of(uint16_t sm, uint64_t address)
{
    struct packet packet = packet_of(PACKET_READ, address);
    packet.sm = sm;
    packet.op = (uint16_t)(100 + sm);
    return packet;
}

/* Whether it waits for another one's answer. */
static bool take(uint16_t sm, uint64_t address)
{
    struct packet packet = read_of(sm, address);
    return coalescer_take(&coalescer, &packet, false);
}

static void answer(uint16_t sm, uint64_t address, uint64_t now)
{
    struct packet packet = read_of(sm, address);
    packet.waited = 7;
    coalescer_answer(&coalescer, &packet, false, &out, now);
}

/* Only SMs of one GPC share an answer; each GPC has one of its own. */
START_TEST(by_gpcs)
{
    static const uint16_t gpcs[] = {0, 0, 1, 1};
    const struct coalescer_spec spec = {.entries = 8, .merged = 4, .gpcs = gpcs};
    ck_assert(coalescer_init(&coalescer, &spec));
    ck_assert(!take(0, 64));
    ck_assert(!take(2, 64));
    ck_assert(take(3, 64));
    ck_assert(take(1, 64));
    answer(2, 64, 50);
    ck_assert_uint_eq(out.count, 1);
    ck_assert_uint_eq(queue_head(&out)->packet.sm, 3);
    queue_pop(&out);
    answer(0, 64, 60);
    ck_assert_uint_eq(out.count, 1);
    ck_assert_uint_eq(queue_head(&out)->packet.sm, 1);
    stop();
}
END_TEST

/* Three share an answer; the fourth goes to L2, and the fifth waits for it. The answers come in
 * the order of arrival. */
START_TEST(shared)
{
    start(8, 3);
    ck_assert(!take(0, 64));
    ck_assert(take(1, 64));
    ck_assert(take(2, 64));
    ck_assert(!take(3, 64));
    ck_assert(take(4, 64));
    answer(3, 64, 50);
    ck_assert_uint_eq(out.count, 1);
    ck_assert_uint_eq(queue_head(&out)->packet.sm, 4);
    ck_assert_uint_eq(queue_head(&out)->packet.waited, 7);
    queue_pop(&out);
    answer(0, 64, 60);
    ck_assert_uint_eq(out.count, 2);
    ck_assert_uint_eq(queue_head(&out)->packet.op, 101);
    ck_assert_uint_eq(queue_at(&out, 1)->packet.op, 102);
    ck_assert_uint_eq(queue_head(&out)->ready, 60);
    stop();
}
END_TEST

/* Only reads of one sector, half, kind and launch, and of the same sectors of their line. */
START_TEST(what_fits)
{
    start(8, 4);
    struct packet past = read_of(1, 64), other = past, local = past, far = past, part = past;
    past.kind = PACKET_READ_L2;
    other.launch = 1;
    local.local = 1;
    part.together = 4;
    ck_assert(!take(0, 64));
    ck_assert(!take(1, 96));
    ck_assert(!coalescer_take(&coalescer, &past, false));
    ck_assert(!coalescer_take(&coalescer, &other, false));
    ck_assert(!coalescer_take(&coalescer, &local, false));
    ck_assert(!coalescer_take(&coalescer, &far, true));
    ck_assert(!coalescer_take(&coalescer, &part, false));
    ck_assert(coalescer_take(&coalescer, &part, false));
    ck_assert(take(2, 64));
    stop();
}
END_TEST

static bool take_part(uint16_t sm, uint64_t address, uint8_t together)
{
    struct packet packet = read_of(sm, address);
    packet.together = together & 15;
    return coalescer_take(&coalescer, &packet, false);
}

/* SM 0 asks for sectors 0 and 1 of a line, SM 1 for 2 and 3: only these can be shared then,
 * until SM 2 asks for the others again. SM 4 of the other GPC, and another line, change
 * nothing; nor do reads that share an answer. */
START_TEST(latest)
{
    static const uint16_t gpcs[] = {0, 0, 0, 0, 1};
    const struct coalescer_spec spec = {
        .entries = 16, .merged = 4, .gpcs = gpcs, .latest = true};
    ck_assert(coalescer_init(&coalescer, &spec));
    ck_assert(!take_part(0, 0, 3));
    ck_assert(!take_part(0, 32, 3));
    ck_assert(!take_part(4, 64, 12));
    ck_assert(!take_part(3, 192, 12));
    ck_assert(take_part(3, 0, 3));
    ck_assert(!take_part(1, 64, 12));
    ck_assert(!take_part(3, 32, 3));
    ck_assert(take_part(2, 32, 3));
    ck_assert(!take_part(2, 64, 12));
    ck_assert(take_part(3, 64, 12));
    ck_assert(!take_part(0, 32, 3));
    stop();
}
END_TEST

/* Nobody shares an answer that has left. */
START_TEST(answered)
{
    start(8, 4);
    ck_assert(!take(0, 64));
    answer(0, 64, 100);
    ck_assert_uint_eq(out.count, 0);
    ck_assert(!take(1, 64));
    ck_assert(take(2, 64));
    stop();
}
END_TEST

/* Without an entry a read goes by itself, and nobody waits for it; entries are used again. */
START_TEST(full)
{
    start(1, 4);
    ck_assert(!take(0, 64));
    ck_assert(!take(1, 96));
    ck_assert(!take(2, 96));
    answer(1, 96, 20);
    answer(0, 64, 20);
    ck_assert(!take(3, 96));
    ck_assert(take(4, 96));
    coalescer_reset(&coalescer);
    ck_assert(!take(5, 96));
    stop();
}
END_TEST

#define FOUR_SMS(...) SETS("gpgpu_n_clusters=4", "gpgpu_flush_l1_cache=1", __VA_ARGS__)

static struct sim_result read_by_all(struct bench *bench)
{
    const char *program = "@000000ff R1 = LDG.E.STRONG.GPU R2 [ 4 1 0x10000 4 ]; EXIT";
    return bench_launch(bench, &(struct launch_text){.blocks = 4, .program = program});
}

/* Four SMs read one sector, of DRAM and of L2: L2 counts one request, or two for two each. The
 * requests and the answers, one a cycle each, take the same time. */
START_TEST(launches)
{
    struct bench apart = bench_create(FOUR_SMS("gpgpu_lrc_enabled=0"));
    struct bench twos = bench_create(FOUR_SMS("gpgpu_lrc_enabled=1", "gpgpu_lrc_max_merged=2"));
    struct bench once = bench_create(FOUR_SMS("gpgpu_lrc_enabled=1", "gpgpu_lrc_max_merged=4"));
    for (int warm = 0; warm <= 1; warm++) {
        struct sim_result result = read_by_all(&apart);
        uint64_t cycles = result_cycles(&result);
        ck_assert_uint_eq(result.counters.l2_reads, 4);
        result = read_by_all(&twos);
        ck_assert_uint_eq(result.counters.l2_reads, 2);
        result = read_by_all(&once);
        ck_assert_uint_eq(result.counters.l2_reads, 1);
        ck_assert_uint_eq(result.counters.dram_reads, !warm);
        ck_assert_uint_eq(result_cycles(&result), cycles);
    }
    bench_destroy(&apart);
    bench_destroy(&twos);
    bench_destroy(&once);
}
END_TEST

/* Without L2, or with one for textures, they wait for the answer of DRAM: one sector, of four.
 */
START_TEST(launches_past_l2)
{
    const char *const past[] = {"gpgpu_cache:dl2=none", "gpgpu_cache:dl2_texture_only=1"};
    for (size_t i = 0; i < sizeof past / sizeof *past; i++) {
        struct bench apart = bench_create(FOUR_SMS("gpgpu_lrc_enabled=0", past[i])),
                     once = bench_create(
                         FOUR_SMS("gpgpu_lrc_enabled=1", "gpgpu_lrc_max_merged=4", past[i]));
        struct sim_result each = read_by_all(&apart), merged = read_by_all(&once);
        ck_assert_uint_eq(each.counters.dram_reads, 4);
        ck_assert_uint_eq(merged.counters.dram_reads, 1);
        ck_assert_uint_le(result_cycles(&merged), result_cycles(&each));
        bench_destroy(&apart);
        bench_destroy(&once);
    }
}
END_TEST

/* Which warp of each SM reads makes no difference. */
START_TEST(launches_of_second_warps)
{
    const char *program = "EXIT | @000000ff R1 = LDG.E.STRONG.GPU R2 [ 4 1 0x10000 4 ]; EXIT";
    struct launch_text text = {.blocks = 4, .threads = 64, .program = program};
    struct bench once = bench_create(FOUR_SMS("gpgpu_lrc_enabled=1", "gpgpu_lrc_max_merged=4"));
    ck_assert_uint_eq(bench_launch(&once, &text).counters.l2_reads, 1);
    bench_destroy(&once);
}
END_TEST

/* Two GPCs, whose SMs are numbered in turn or in a row: a request each. Requests that wait for
 * the crossbar at the same time are merged in the same way. */
START_TEST(launches_of_gpcs)
{
    const char *const blocks[] = {"hearth_gpc_blocks=0", "hearth_gpc_blocks=1"};
    for (int i = 0; i <= 1; i++) {
        struct bench late = bench_create(
            FOUR_SMS("gpgpu_lrc_enabled=1", "hearth_lrc_gpc=1", "hearth_gpcs=2", blocks[i]));
        struct bench early = bench_create(
            FOUR_SMS("hearth_l2_merge=4", "hearth_lrc_gpc=1", "hearth_gpcs=2", blocks[i]));
        struct sim_result result = read_by_all(&late);
        ck_assert_uint_eq(result.counters.l2_reads, 2);
        result = read_by_all(&early);
        ck_assert_uint_eq(result.counters.l2_reads, 2);
        bench_destroy(&late);
        bench_destroy(&early);
    }
}
END_TEST

/* Of each of four SMs a warp reads a line, and another one its third sector: L2 answers four
 * sectors for all, or five if reads of other parts of a line share nothing. */
START_TEST(launches_of_parts)
{
#define READ(bytes) "R1 = LDG.E.STRONG.GPU R2 [ 4 1 " bytes " ]; EXIT"
    const char *program = READ("0x10000 4") " | " READ("0x10040 0");
    struct launch_text text = {.blocks = 4, .threads = 64, .program = program};
    struct bench sectors = bench_create(FOUR_SMS("gpgpu_lrc_enabled=1")),
                 lines = bench_create(FOUR_SMS("gpgpu_lrc_enabled=1", "hearth_lrc_lines=1"));
    ck_assert_uint_eq(bench_launch(&sectors, &text).counters.l2_reads, 4);
    ck_assert_uint_eq(bench_launch(&lines, &text).counters.l2_reads, 5);
    bench_destroy(&sectors);
    bench_destroy(&lines);
}
END_TEST

/* Of each of four SMs a warp reads the same 32 sectors of L2, of four channels. Their GPC gets
 * one answer a cycle: the 128 come one by one, or 32 for all, which then take no longer than
 * the requests, as without this limit. */
START_TEST(launches_with_multicast)
{
#define ONE_GPC(...)                                                                           \
    FOUR_SMS("gpgpu_n_mem=4", "gpgpu_lrc_enabled=1", "hearth_gpcs=1", __VA_ARGS__)
    const char *program = "@ffffffff R1 = LDG.E.STRONG.GPU R2 [ 4 1 0x10000 256 ]; EXIT";
    struct launch_text text = {.blocks = 4, .program = program};
    struct bench each = bench_create(ONE_GPC("hearth_gpc_port=32")),
                 once = bench_create(ONE_GPC("hearth_gpc_port=32", "hearth_lrc_multicast=1")),
                 wide = bench_create(ONE_GPC("hearth_gpc_port=0", "hearth_lrc_multicast=1"));
    bench_launch(&each, &text), bench_launch(&once, &text), bench_launch(&wide, &text);
    struct sim_result apart = bench_launch(&each, &text), together = bench_launch(&once, &text),
                      free = bench_launch(&wide, &text);
    ck_assert_uint_eq(apart.counters.l2_reads, 32);
    ck_assert_uint_eq(together.counters.l2_reads, 32);
    ck_assert_uint_eq(result_cycles(&apart), 201 + 128);
    ck_assert_uint_eq(result_cycles(&together), result_cycles(&free));
    ck_assert_uint_lt(result_cycles(&together), 201 + 2 * 32);
    bench_destroy(&each);
    bench_destroy(&once);
    bench_destroy(&wide);
}
END_TEST

/* With replays, these answers come one by one again, as each is for one sector of its line; so
 * do those for two sectors of different halves of 16 lines, but not those for 16 whole halves
 * or for 8 whole lines. */
START_TEST(launches_with_replays)
{
#define PAIRS "32 96 32 96 32 96 32 96 32 96 "
#define HALVES                                                                                 \
    "@ffffffff R1 = LDG.E.STRONG.GPU R2 [ 4 2 0x10000 " PAIRS PAIRS PAIRS "32 ]; EXIT"
#define LINES(...)                                                                             \
    ONE_GPC("hearth_gpc_port=32", "hearth_lrc_lines=1", "hearth_lrc_multicast=1", __VA_ARGS__)
    static const struct {
        const char *program;
        bool once;
    } loads[] = {{"@ffffffff R1 = LDG.E.STRONG.GPU R2 [ 4 1 0x10000 256 ]; EXIT", false},
                 {"@ffffffff R1 = LDG.E.STRONG.GPU R2 [ 4 1 0x10000 64 ]; EXIT", false},
                 {HALVES, true},
                 {"@ffffffff R1 = LDG.E.STRONG.GPU R2 [ 4 1 0x10000 32 ]; EXIT", true}};
    for (size_t i = 0; i < sizeof loads / sizeof *loads; i++) {
        struct launch_text text = {.blocks = 4, .program = loads[i].program};
        struct bench once = bench_create(LINES("hearth_lrc_replays=0")),
                     parts = bench_create(LINES("hearth_lrc_replays=1"));
        bench_launch(&once, &text), bench_launch(&parts, &text);
        struct sim_result together = bench_launch(&once, &text),
                          replayed = bench_launch(&parts, &text);
        ck_assert_uint_eq(together.counters.l2_reads, 32);
        ck_assert_uint_eq(replayed.counters.l2_reads, 32);
        if (loads[i].once)
            ck_assert_uint_eq(result_cycles(&replayed), result_cycles(&together));
        else
            ck_assert_uint_eq(result_cycles(&replayed), 201 + 128);
        bench_destroy(&once);
        bench_destroy(&parts);
    }
}
END_TEST

int main(void)
{
    const TTest *const tests[] = {shared,
                                  by_gpcs,
                                  what_fits,
                                  latest,
                                  answered,
                                  full,
                                  launches,
                                  launches_past_l2,
                                  launches_of_second_warps,
                                  launches_of_gpcs,
                                  launches_of_parts,
                                  launches_with_multicast,
                                  launches_with_replays};
    return RUN_TESTS("coalescer", tests);
}
