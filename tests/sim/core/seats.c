/* Which SMs get the first blocks of a launch, and where they are among those of their GPC; all
 * worked out by hand. */
#include "sim/simulator.h"
#include "tests/sim/support.h"

/* A launch of BLOCKS in clusters of CLUSTER blocks; 0: none. An SM holds two blocks. */
static void seat(struct sim *sim, uint64_t blocks, uint32_t cluster, struct code_seat *seats)
{
    struct dispatch_launch launch = {
        .seats = seats, .blocks = blocks, .clusters = {.count = cluster}};
    sim_begin_order(sim, blocks, 2);
    sim_seat_sms(sim, &launch);
}

struct seats {
    unsigned blocks, cluster;
    struct code_seat expected[8]; /* sms, number, before, beside, place */
};

static void check(const char *const *sets, const struct seats *cases, unsigned count)
{
    for (unsigned i = 0; i < count; i++) {
        struct bench bench = bench_create(sets);
        struct code_seat seats[8];
        seat(bench.sim, cases[i].blocks, cases[i].cluster, seats);
        ck_assert_mem_eq(seats, cases[i].expected, sizeof seats);
        bench_destroy(&bench);
    }
}
#define CHECK(sets, cases) check(sets, cases, sizeof cases / sizeof cases[0])

#define ALONE                                                                                  \
    {                                                                                          \
        1, 0, 0, 1, 0                                                                          \
    }
/* The four SMs of a GPC of two TPCs, all of which get a block. */
#define FULL                                                                                   \
    {4, 0, 0, 2, 0}, {4, 1, 2, 2, 0}, {4, 0, 0, 2, 1},                                         \
    {                                                                                          \
        4, 1, 2, 2, 1                                                                          \
    }
#define ALONE8 ALONE, ALONE, ALONE, ALONE, ALONE, ALONE, ALONE, ALONE

/* Two GPCs of two TPCs of two SMs in a row. SMs 0 and 1 come before all others, 2 and 3 last:
 * the order is 0, 1, 4 to 7, 2, 3, but of few blocks each TPC gets one before any gets two. */
START_TEST(in_rows)
{
    static const struct seats cases[] = {
        {1, 0, {ALONE8}},
        {2, 0, {{2, 0, 0, 1, 0}, {2, 1, 1, 1, 0}, ALONE, ALONE, ALONE, ALONE, ALONE, ALONE}},
        /* 0, 1, 4, 6, 2 */
        {5,
         0,
         {{3, 0, 0, 2, 0},
          {3, 1, 2, 1, 0},
          {3, 0, 0, 2, 1},
          ALONE,
          {2, 0, 0, 2, 0},
          ALONE,
          {2, 0, 0, 2, 1},
          ALONE}},
        {8, 0, {FULL, FULL}},
    };
    CHECK(SETS("gpgpu_n_clusters=8", "hearth_gpcs=2", "hearth_tpc=2", "hearth_gpc_blocks=1",
               "hearth_gpc_first=1"),
          cases);
}
END_TEST

/* SMs 0 and 1 come again before 2 and 3 get any: of nine blocks, SM 3 gets none. Of ten all get
 * one. */
START_TEST(first_come_again)
{
    static const struct seats cases[] = {
        {9, 0, {{3, 0, 0, 2, 0}, {3, 1, 2, 1, 0}, {3, 0, 0, 2, 1}, ALONE, FULL}},
        {10, 0, {FULL, FULL}},
    };
    CHECK(SETS("gpgpu_n_clusters=8", "hearth_gpcs=2", "hearth_tpc=2", "hearth_gpc_blocks=1",
               "hearth_gpc_first=1", "hearth_gpc_first_every=2"),
          cases);
}
END_TEST

/* Clusters go to GPCs in turn, to the first SMs there: two of two blocks to SMs 0, 1, 4 and 5,
 * a third one to 2 and 3. Of four of three blocks only two find room at once, in SMs 0 to 2 and
 * 4 to 6. */
START_TEST(of_clusters)
{
    static const struct seats cases[] = {
        {4,
         2,
         {{2, 0, 0, 1, 0},
          {2, 1, 1, 1, 0},
          ALONE,
          ALONE,
          {2, 0, 0, 1, 0},
          {2, 1, 1, 1, 0},
          ALONE,
          ALONE}},
        {6, 2, {FULL, {2, 0, 0, 1, 0}, {2, 1, 1, 1, 0}, ALONE, ALONE}},
        {12,
         3,
         {{3, 0, 0, 2, 0},
          {3, 1, 2, 1, 0},
          {3, 0, 0, 2, 1},
          ALONE,
          {3, 0, 0, 2, 0},
          {3, 1, 2, 1, 0},
          {3, 0, 0, 2, 1},
          ALONE}},
    };
    CHECK(SETS("gpgpu_n_clusters=8", "hearth_gpcs=2", "hearth_tpc=2", "hearth_gpc_blocks=1",
               "hearth_gpc_first=1", "hearth_clusters=1"),
          cases);
}
END_TEST

/* GPCs have even and odd clusters, of one SM: three blocks begin in SMs 0 and 2, a TPC of the
 * first GPC, and in SM 1. With two SMs in each of four clusters, which are TPCs, six blocks
 * take SMs 0, 2, 4, 6, and then 1 and 3. */
START_TEST(in_turn)
{
    static const struct seats one[] = {
        {3, 0, {{2, 0, 0, 1, 0}, ALONE, {2, 1, 1, 1, 0}, ALONE, ALONE, ALONE, ALONE, ALONE}}};
    static const struct seats two[] = {{6,
                                        0,
                                        {{3, 0, 0, 2, 0},
                                         {3, 1, 2, 1, 0},
                                         {3, 0, 0, 2, 0},
                                         {3, 1, 2, 1, 0},
                                         {3, 0, 0, 2, 1},
                                         ALONE,
                                         {3, 0, 0, 2, 1},
                                         ALONE}}};
    CHECK(SETS("gpgpu_n_clusters=8", "hearth_gpcs=2", "hearth_tpc=2"), one);
    CHECK(SETS("gpgpu_n_clusters=4", "gpgpu_n_cores_per_cluster=2", "hearth_gpcs=2"), two);
}
END_TEST

/* Turns go on: after a launch whose last block was SM 5's, three blocks begin in SMs 6, 7 and
 * 0.
 */
START_TEST(turns_go_on)
{
    static const struct code_seat expected[8] = {
        {2, 0, 0, 2, 0}, ALONE, ALONE, ALONE, ALONE, ALONE, {2, 0, 0, 2, 1}, ALONE};
    struct bench bench = bench_create(SETS("gpgpu_n_clusters=8", "hearth_gpcs=2"));
    struct code_seat seats[8];
    bench.sim->last_turn = 5;
    seat(bench.sim, 3, 0, seats);
    ck_assert_mem_eq(seats, expected, sizeof seats);
    bench_destroy(&bench);
}
END_TEST

/* As on h100: six GPCs of eight TPCs and two of nine, and four TPCs of the first one come
 * before all others. Of 18 blocks ten are left, two for GPCs 1 and 2, one for each other. Of
 * 124, 116 are left, but GPC 0 has room for eight: the others get 15 or 14, and what is then
 * left goes to GPCs 1 to 5, which are full with it. */
START_TEST(of_many)
{
    static const struct {
        uint64_t blocks;
        uint16_t sms[4]; /* of SMs 0, 16, 80 and 96, the first ones of GPCs 0, 1, 5 and 6 */
    } cases[] = {{4, {4, 1, 1, 1}},       {8, {8, 1, 1, 1}},       {16, {9, 1, 1, 1}},
                 {18, {9, 2, 1, 1}},      {66, {15, 8, 7, 7}},     {124, {16, 16, 16, 14}},
                 {132, {16, 16, 16, 18}}, {1056, {16, 16, 16, 18}}};
    static const uint32_t sms[4] = {0, 16, 80, 96};
    struct bench bench =
        bench_create(SETS("gpgpu_n_clusters=132", "hearth_gpcs=8", "hearth_tpc=2",
                          "hearth_gpc_blocks=1", "hearth_gpc_first=4", "hearth_first_sm=1"));
    for (unsigned i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct code_seat seats[132];
        seat(bench.sim, cases[i].blocks, 0, seats);
        for (unsigned j = 0; j < 4; j++)
            ck_assert_uint_eq(seats[sms[j]].sms, cases[i].sms[j]);
    }
    bench_destroy(&bench);
}
END_TEST

int main(void)
{
    const TTest *const tests[] = {in_rows, first_come_again, of_clusters,
                                  in_turn, turns_go_on,      of_many};
    return RUN_TESTS("seats", tests);
}
