/* Reads of several SMs that go to L2 as one request. */
#include "tests/sim/support.h"

#include "sim/memory/network/merges.h"
#include "sim/simulator.h"

static struct packet read_of(uint16_t sm, uint64_t address)
{
    struct packet packet = packet_of(PACKET_READ, address);
    packet.sm = sm;
    packet.op = (uint16_t)(100 + sm);
    return packet;
}

static struct merges make(uint32_t max, uint32_t half)
{
    static struct halves halves;
    struct merges merges;
    halves_init(&halves, half, (const uint32_t[]){1}, 1);
    ck_assert(merges_init(&merges, &(struct merges_spec){.max = max, .halves = &halves}));
    return merges;
}

/* A request stands for all that were added, in their order, and for no more than it may. */
START_TEST(members)
{
    struct merges merges = make(3, 0);
    struct packet packet = read_of(0, 64), reply;
    for (uint16_t sm = 1; sm <= 2; sm++)
        ck_assert(merges_add(&merges, &packet,
                             &(struct packet){.address = 64, .sm = sm, .op = 100 + sm}));
    struct packet fourth = read_of(3, 64);
    ck_assert(!merges_add(&merges, &packet, &fourth));
    ck_assert_uint_eq(packet.merged, 2);
    ck_assert_uint_eq(packet.sm, 0);
    reply = packet;
    for (uint16_t i = 0; i <= 2; i++) {
        ck_assert_uint_eq(merges_members(&merges, &reply)[i].sm, i);
        ck_assert_uint_eq(merges_members(&merges, &reply)[i].op, 100 + i);
    }
    merges_finish(&merges);
}
END_TEST

/* Only reads of one kind, launch and sector, of SMs of one half, and of the same sectors of
 * their line. */
START_TEST(what_fits)
{
    struct merges merges = make(4, 2);
    struct packet packet = read_of(0, 64), near = read_of(2, 64), far = read_of(1, 64);
    struct packet sector = read_of(2, 96), past = near, other = near, local = near, part = near;
    past.kind = PACKET_READ_L2;
    other.launch = 1;
    local.local = 1;
    part.together = 1;
    ck_assert(!merges_add(&merges, &packet, &far));
    ck_assert(!merges_add(&merges, &packet, &sector));
    ck_assert(!merges_add(&merges, &packet, &past));
    ck_assert(!merges_add(&merges, &packet, &other));
    ck_assert(!merges_add(&merges, &packet, &local));
    ck_assert(!merges_add(&merges, &packet, &part));
    ck_assert_uint_eq(packet.merged, 0);
    ck_assert_uint_eq(packet.op, 100);
    ck_assert(merges_add(&merges, &packet, &near));
    merges_finish(&merges);
}
END_TEST

/* Groups are used again once they have been collected, and when there is none, requests go by
 * themselves. */
START_TEST(groups)
{
    struct merges merges = make(2, 0);
    struct packet first = {0};
    for (uint32_t i = 0; i < MERGES_GROUPS; i++) {
        struct packet packet = read_of(0, 64), other = read_of(1, 64);
        ck_assert(merges_add(&merges, &packet, &other));
        ck_assert_uint_eq(packet.op, i);
        if (i == 0)
            first = packet;
    }
    struct packet packet = read_of(0, 64), other = read_of(1, 64);
    ck_assert(!merges_add(&merges, &packet, &other));
    ck_assert_uint_eq(packet.op, 100);
    merges_end(&merges, &first);
    ck_assert(!merges_add(&merges, &packet, &other));
    merges_collect(&merges);
    ck_assert(merges_add(&merges, &packet, &other));
    ck_assert_uint_eq(packet.op, first.op);
    merges_finish(&merges);
}
END_TEST

#define FOUR_SMS(...) SETS("gpgpu_n_clusters=4", "gpgpu_flush_l1_cache=1", __VA_ARGS__)

static struct sim_result read_by_all(struct bench *bench, const char *opcode)
{
    char program[100];
    snprintf(program, sizeof program, "@000000ff R1 = %s R2 [ 4 1 0x10000 4 ]; EXIT", opcode);
    return bench_launch(bench, &(struct launch_text){.blocks = 4, .program = program});
}

/* Four SMs read one sector that L2 holds, and L1 does not. One after the other their requests
 * take four cycles of the slice, and their answers four cycles of its port; by twos, two; at
 * once, one. */
START_TEST(launches)
{
    const char *const opcodes[] = {"LDG.E", "LDG.E.STRONG.GPU"};
    for (size_t i = 0; i < 2; i++) {
        struct bench apart = bench_create(FOUR_SMS("hearth_l2_merge=1"));
        struct bench twos = bench_create(FOUR_SMS("hearth_l2_merge=2"));
        struct bench once = bench_create(FOUR_SMS("hearth_l2_merge=4"));
        read_by_all(&apart, "LDG.E.STRONG.GPU");
        read_by_all(&twos, "LDG.E.STRONG.GPU");
        read_by_all(&once, "LDG.E.STRONG.GPU");
        struct sim_result result = read_by_all(&apart, opcodes[i]);
        uint64_t cycles = result_cycles(&result);
        ck_assert_uint_eq(result.counters.l2_reads, 4);
        result = read_by_all(&twos, opcodes[i]);
        ck_assert_uint_eq(result_cycles(&result), cycles - 2);
        ck_assert_uint_eq(result.counters.l2_reads, 2);
        result = read_by_all(&once, opcodes[i]);
        ck_assert_uint_eq(result_cycles(&result), cycles - 3);
        ck_assert_uint_eq(result.counters.l2_reads, 1);
        ck_assert_uint_eq(result.counters.l2_read_hits, 1);
        bench_destroy(&apart);
        bench_destroy(&twos);
        bench_destroy(&once);
    }
}
END_TEST

/* Stores and atomics go by themselves. */
START_TEST(other_kinds)
{
    const char *const programs[] = {"@000000ff STG.E R2 R3 [ 4 1 0x10000 4 ]; EXIT",
                                    "@00000001 R1 = ATOMG.E.ADD R2 R3 [ 4 0 0x10000 ]; EXIT"};
    for (size_t i = 0; i < 2; i++) {
        struct bench bench = bench_create(FOUR_SMS("hearth_l2_merge=4"));
        struct sim_result result =
            bench_launch(&bench, &(struct launch_text){.blocks = 4, .program = programs[i]});
        ck_assert_uint_eq(result.counters.l2_reads + result.counters.l2_writes, 4);
        bench_destroy(&bench);
    }
}
END_TEST

int main(void)
{
    const TTest *const tests[] = {members, what_fits, groups, launches, other_kinds};
    return RUN_TESTS("merges", tests);
}
