/* What copies of tensors and blocks move: sectors of boxes, worked out by hand, and launches.
 */
#include "sim/core/hopper/boxes.h"
#include "tests/sim/support.h"

#define FIRST 3

/* A tensor of 3 rows of 40 elements of 2 bytes, 96 bytes apart, boxes of 2 by 32 of them. */
static const struct trace_tensor_map rows = {
    .type = 6,
    .address = 0x1000,
    .rank = 2,
    .dims = {40, 3},
    .strides = {2, 96},
    .steps = {1, 1},
    .box = {32, 2},
};

static void expect(struct copy_box *box, const uint64_t *sectors, const uint32_t *bytes,
                   size_t count)
{
    uint64_t sector;
    uint32_t mask;
    for (size_t i = 0; i < count; i++) {
        ck_assert(box_next(box, &sector, &mask));
        ck_assert_uint_eq(sector, sectors[i]);
        ck_assert_uint_eq(mask, bytes[i]);
    }
    ck_assert(!box_next(box, &sector, &mask));
}
#define EXPECT(box, sectors, bytes) expect(box, sectors, bytes, sizeof(sectors) / 8)

/* 64 bytes of each of two rows, all inside. */
START_TEST(box_inside)
{
    struct copy_box box;
    const struct trace_async asks = {.dimensions = 2};
    ck_assert(box_tensor(&box, &rows, &asks));
    ck_assert_uint_eq(box.bytes, 2 * 64);
    EXPECT(&box, ((const uint64_t[]){0x1000, 0x1020, 0x1060, 0x1080}),
           ((const uint32_t[]){~0u, ~0u, ~0u, ~0u}));
}
END_TEST

/* A swizzle changes where bytes lie in shared memory, not which are asked for. */
START_TEST(box_swizzled)
{
    const struct trace_async asks = {.dimensions = 2};
    for (uint32_t swizzle = 0; swizzle <= 3; swizzle++) { /* none, of 32, 64 and 128 bytes */
        struct trace_tensor_map map = rows;
        struct copy_box box;
        map.swizzle = swizzle;
        ck_assert(box_tensor(&box, &map, &asks));
        ck_assert_uint_eq(box.bytes, 2 * 64);
        EXPECT(&box, ((const uint64_t[]){0x1000, 0x1020, 0x1060, 0x1080}),
               ((const uint32_t[]){~0u, ~0u, ~0u, ~0u}));
    }
}
END_TEST

/* From element 32 of the last row on: 8 elements are in the tensor, and no further row; all of
 * the box counts. Before the first element nothing is asked for either. */
START_TEST(box_at_the_edge)
{
    struct copy_box box;
    struct trace_async asks = {.dimensions = 2, .coordinates = {32, 2}};
    ck_assert(box_tensor(&box, &rows, &asks));
    ck_assert_uint_eq(box.bytes, 2 * 64);
    EXPECT(&box, ((const uint64_t[]){0x1000 + 2 * 96 + 64}), ((const uint32_t[]){0xffff}));
    asks = (struct trace_async){.dimensions = 2, .coordinates = {-24, -1}};
    ck_assert(box_tensor(&box, &rows, &asks));
    EXPECT(&box, ((const uint64_t[]){0x1000}), ((const uint32_t[]){0xffff}));
    asks.dimensions = 3;
    ck_assert(!box_tensor(&box, &rows, &asks));
}
END_TEST

/* Of 16 x 16 x 16 x 16 rows two are in the tensor, or none: the others take no time. What no
 * shared memory has room for is not copied. */
START_TEST(box_far_outside)
{
    struct trace_tensor_map map = {
        .address = 0x1000,
        .rank = 5,
        .dims = {32, 1, 1, 1, 2},
        .strides = {1, 32, 32, 32, 32},
        .steps = {1, 1, 1, 1, 1},
        .box = {4, 16, 16, 16, 16},
    };
    struct copy_box box;
    struct trace_async asks = {.dimensions = 5, .coordinates = {0, -15, -15, 0, -14}};
    ck_assert(box_tensor(&box, &map, &asks));
    ck_assert_uint_eq(box.bytes, 4 << 16);
    ck_assert_uint_eq(box.left, 2);
    EXPECT(&box, ((const uint64_t[]){0x1000, 0x1020}), ((const uint32_t[]){0xf, 0xf}));
    asks.coordinates[0] = 32;
    ck_assert(box_tensor(&box, &map, &asks));
    ck_assert_uint_eq(box.left, 0);
    expect(&box, NULL, NULL, 0);
    asks.coordinates[0] = 0;
    asks.coordinates[1] = -16;
    ck_assert(box_tensor(&box, &map, &asks));
    ck_assert_uint_eq(box.left, 0);
    for (uint32_t d = 0; d < 5; d++)
        map.box[d] = 256;
    ck_assert(!box_tensor(&box, &map, &asks));
}
END_TEST

/* Every third row, from the second on of those that are in the tensor. */
START_TEST(box_with_steps)
{
    struct trace_tensor_map map = rows;
    map.dims[1] = 6;
    map.steps[1] = 3;
    map.box[1] = 8;
    struct copy_box box;
    const struct trace_async asks = {.dimensions = 2, .coordinates = {0, -1}};
    ck_assert(box_tensor(&box, &map, &asks)); /* rows -1, 2 and 5 */
    ck_assert_uint_eq(box.bytes, 3 * 64);
    EXPECT(&box, ((const uint64_t[]){0x1000 + 192, 0x1000 + 224, 0x1000 + 480, 0x1000 + 512}),
           ((const uint32_t[]){~0u, ~0u, ~0u, ~0u}));
}
END_TEST

/* 48 bytes from the middle of a sector on. */
START_TEST(bytes_in_a_row)
{
    struct copy_box box;
    box_row(&box, 0x2010, 48);
    EXPECT(&box, ((const uint64_t[]){0x2000, 0x2020}), ((const uint32_t[]){0xffff0000, ~0u}));
}
END_TEST

/* Columns of 16 channels of two pixels: the second one is in the next line of the image, as the
 * box ends one pixel before the image does. */
START_TEST(pixels)
{
    static const struct trace_tensor_map image = {
        .im2col = true,
        .type = 6,
        .address = 0x4000,
        .rank = 4,
        .dims = {16, 4, 4, 2},
        .strides = {2, 32, 128, 512},
        .steps = {1, 1, 1, 1},
        .upper = {-1, -1},
        .channels = 16,
        .pixels = 2,
    };
    struct copy_box box;
    const struct trace_async asks = {
        .dimensions = 4, .coordinates = {0, 2, 0, 1}, .offsets = 1 | 1 << 8};
    ck_assert(box_tensor(&box, &image, &asks));
    EXPECT(&box, ((const uint64_t[]){0x4000 + 512 + 128 + 96, 0x4000 + 512 + 256 + 32}),
           ((const uint32_t[]){~0u, ~0u}));
}
END_TEST

/* Columns of three pixels of a filter of 3 by 3 with a border of one: the second and third
 * pixel are the first ones of the next image. By the offsets of the filter's middle they are
 * inside; by those of its first corner they are in the border, counted and not asked for. */
START_TEST(pixels_of_next_image)
{
    static const struct trace_tensor_map image = {
        .im2col = true,
        .type = 6,
        .address = 0x4000,
        .rank = 4,
        .dims = {16, 4, 4, 2},
        .strides = {2, 32, 128, 512},
        .steps = {1, 1, 1, 1},
        .lower = {-1, -1},
        .upper = {-1, -1},
        .channels = 16,
        .pixels = 3,
    };
    struct copy_box box;
    struct trace_async asks = {
        .dimensions = 4, .coordinates = {0, 2, 2, 0}, .offsets = 1 | 1 << 8};
    ck_assert(box_tensor(&box, &image, &asks));
    ck_assert_uint_eq(box.bytes, 3 * 32);
    EXPECT(&box, ((const uint64_t[]){0x4000 + 384 + 96, 0x4000 + 512, 0x4000 + 512 + 32}),
           ((const uint32_t[]){~0u, ~0u, ~0u}));
    asks.offsets = 0;
    ck_assert(box_tensor(&box, &image, &asks));
    ck_assert_uint_eq(box.bytes, 3 * 32);
    EXPECT(&box, ((const uint64_t[]){0x4000 + 256 + 64}), ((const uint32_t[]){~0u}));
}
END_TEST

/* ---- launches ---- */

#define COPIES(...)                                                                            \
    SETS("hearth_core=modern", "gpgpu_scheduler=cggty", "hearth_instruction_buffer=0",         \
         "hearth_mbarrier_latency=29", "hearth_mbarrier_answer=14", __VA_ARGS__)

static struct sim_result run(const char *const *sets, const char *program)
{
    return launch_on(sets, &(struct launch_text){.version = 90, .program = program});
}

/* A barrier is made, SIZE times 16 bytes come, and the warp waits for them. */
#define LOAD(size, bytes)                                                                      \
    "{4} SYNCS.EXCH.64 [ 4 1 0x400 0 0 =2097150 =2147481600 ]; "                               \
    "{4} UBLKCP.S.G [ 4 1 0x10000 0 0 =0 =1024 =65536 =0 =" size " ]; "                        \
    "{4} @1 SYNCS.ARRIVE.TRANS64 [ 4 1 0x400 0 0 =" bytes " ]; "                               \
    "{4,w0} SYNCS.PHASECHK.TRANS64.TRYWAIT [ 4 1 0x400 0 0 =0 ]; {4,m1} NOP; {4} EXIT"

#define SHIFT(cycles) COPIES("hearth_tma_sectors=1", "hearth_tma_start=" cycles)

/* 32 sectors of the range are asked for once each; without a rate none is, and the time that is
 * set passes. */
START_TEST(requests_of_a_copy)
{
    struct sim_result copy = run(SHIFT("50"), LOAD("64", "1024"));
    ck_assert_uint_eq(copy.counters.l2_reads, 32);
    ck_assert_uint_eq(copy.counters.unseen_copies, 0);
    copy = run(COPIES("hearth_tma_latency=400", "hearth_tma_bytes=32"), LOAD("64", "1024"));
    ck_assert_uint_eq(copy.counters.l2_reads, 0);
    ck_assert_uint_eq(copy.counters.unseen_copies, 1);
    ck_assert_uint_eq(copy.counters.unknown_waits, 0);
    ck_assert_uint_eq(result_cycles(&copy), FIRST + 4 + 400 + 32 + 14 + 4 + 1);
}
END_TEST

/* Two rows of two sectors, of a tensor whose map is in the launch's parameters, at 64;
 * 0x7f00000240 is where the instruction says it is. From its element 32 on one sector of each
 * row is inside, and of rows only the last one, from that on. */
START_TEST(requests_of_a_tensor)
{
#define ZEROS "00000000000000000000000000000000" /* 16 bytes */
#define LIST                                                                                   \
    "# tensormap " ZEROS ZEROS ZEROS ZEROS ZEROS ZEROS ZEROS ZEROS                             \
    " tiled type=6 address=0x20000 dims=48,3 strides=96 steps=1,1 box=32,2 interleave=0 "      \
    "swizzle=0 promotion=0 fill=0\n"                                                           \
    "# launch 1 dynamic=0 cluster=1,1,1 cooperative=0 carveout=-1 maps=64:1\n"
#define TENSOR(x, y)                                                                           \
    "{4} SYNCS.EXCH.64 [ 4 1 0x400 0 0 =2097150 =2147481600 ]; "                               \
    "{4} UTMALDG.2D [ 4 1 0xae2802c0 0 0 =0 =1024 =" x " =" y " =576 =127 ]; "                 \
    "{4} @1 SYNCS.ARRIVE.TRANS64 [ 4 1 0x400 0 0 =128 ]; "                                     \
    "{4,w0} SYNCS.PHASECHK.TRANS64.TRYWAIT [ 4 1 0x400 0 0 =0 ]; {4,m1} NOP; {4} EXIT"
    const char *const programs[] = {TENSOR("0", "0"), TENSOR("32", "1"), TENSOR("32", "2")};
    for (uint32_t i = 0; i < 3; i++) {
        struct sim_result result = launch_on(
            SHIFT("50"),
            &(struct launch_text){.version = 90, .list = LIST, .program = programs[i]});
        ck_assert_uint_eq(result.counters.l2_reads, 4u >> i);
    }
}
END_TEST

/* The same rows are written, or added to. */
START_TEST(tensors_to_memory)
{
#define BACK(opcode, x, y, map)                                                                \
    "{4} " opcode " [ 4 1 0xae2802c0 0 0 =0 =" x " =" y " =0 =" map " =127 ]; {4} EXIT"
    static const char *const programs[] = {BACK("UTMASTG.2D", "0", "0", "576"),
                                           BACK("UTMASTG.2D", "32", "1", "576"),
                                           BACK("UTMAREDG.2D.ADD", "0", "0", "576")};
    static const uint32_t writes[] = {4, 2, 0}, atomics[] = {0, 0, 4};
    for (uint32_t i = 0; i < 3; i++) {
        struct bench bench = bench_create(SHIFT("50"));
        struct sim_result first = bench_launch(
            &bench, &(struct launch_text){.version = 90, .list = LIST, .program = programs[i]});
        struct sim_result next =
            bench_launch(&bench, &(struct launch_text){.version = 90, .program = "{4} EXIT"});
        ck_assert_uint_eq(first.counters.l2_writes + next.counters.l2_writes, writes[i]);
        ck_assert_uint_eq(first.counters.atomics + next.counters.atomics, atomics[i]);
        bench_destroy(&bench);
    }
}
END_TEST

/* Copies that nobody waits for: more than any shared memory holds move nothing. */
START_TEST(too_many_copies)
{
    struct sim_result result =
        run(SHIFT("50"), "20000 * {1} UBLKPF.L2 [ 4 1 0x10000 0 0 =65536 =0 =1 ]; {4} EXIT");
    ck_assert_uint_gt(result.counters.unseen_copies, 0);
    ck_assert_uint_lt(result.counters.unseen_copies, 20000 - 1000);
}
END_TEST

/* The barrier counts what has come, however much that is: the wait ends with the last byte. It
 * begins as much later as the first request, as long as DRAM's clock allows. */
START_TEST(waits_for_the_last_sector)
{
    uint64_t cycles[2];
    static const char *const programs[] = {LOAD("2", "32"), LOAD("64", "1024")};
    for (int i = 0; i < 2; i++) {
        struct sim_result result = run(SHIFT("50"), programs[i]);
        cycles[i] = result_cycles(&result);
    }
    struct sim_result late = run(SHIFT("1050"), programs[0]);
    ck_assert_uint_gt(cycles[1], cycles[0] + 31); /* a sector a cycle */
    ck_assert_uint_ge(result_cycles(&late) + 4, cycles[0] + 1000);
    ck_assert_uint_le(result_cycles(&late), cycles[0] + 1000 + 4);
    late = run(COPIES("hearth_tma_sectors=1", "hearth_tma_start=50", "hearth_tma_flight=1"),
               programs[1]);
    ck_assert_uint_gt(result_cycles(&late), cycles[0] + 31 * 100); /* one after the other */
}
END_TEST

/* Stores, reductions and prefetches: nobody waits for them, but L2 gets their four sectors
 * while the warp waits for two others. */
START_TEST(copies_without_barriers)
{
#define WAIT(address) "{4,w0} @1 R1 = LDG.E.STRONG.GPU R2 [ 4 1 " address " 0 ]; {4,m1} NOP; "
#define BESIDE(copy)  "{4} " copy " ]; " WAIT("0x90000") WAIT("0xa0000") "{4} EXIT"
#define TO_GLOBAL     " [ 4 1 0x10000 0 0 =65536 =0 =0 =0 =8"
    struct sim_result result = run(SHIFT("50"), BESIDE("UBLKCP.G.S" TO_GLOBAL));
    ck_assert_uint_eq(result.counters.l2_writes, 4);
    result = run(SHIFT("50"), BESIDE("UBLKRED.G.S.ADD" TO_GLOBAL));
    ck_assert_uint_eq(result.counters.atomics, 4);
    result = run(SHIFT("50"), BESIDE("UBLKPF.L2 [ 4 1 0x10000 0 0 =65536 =0 =8"));
    ck_assert_uint_eq(result.counters.l2_reads, 4 + 2);
}
END_TEST

/* Stores of 128 bytes each: 40 cycles after it issues the first sends its sectors, one a cycle,
 * and is done in the next one; the second follows it. A wait for both lasts 6 longer, one that
 * leaves a group open is over with the first, and without stores there is nothing to wait for.
 */
START_TEST(waits_for_stores)
{
    const char *const *sets = COPIES("hearth_tma_sectors=4", "hearth_tma_store=40",
                                     "hearth_tma_store_bytes=32", "hearth_tma_interval=1");
#define STORE     "{4} UBLKCP.G.S [ 4 1 0x10000 0 0 =65536 =0 =0 =0 =8 ]; {4} UTMACMDFLUSH; "
#define OPEN(n)   "{4} DEPBAR.LE $ " n "; {4} EXIT"
#define TIME(...) (copy = run(sets, __VA_ARGS__), result_cycles(&copy))
    struct sim_result copy;
    ck_assert_uint_eq(TIME(STORE OPEN("0")), FIRST + 40 + 4 + 6 + 1);
    ck_assert_uint_eq(TIME(STORE STORE OPEN("0")), FIRST + 8 + 40 + 4 + 6 + 1);
    ck_assert_uint_eq(TIME(STORE STORE OPEN("1")), FIRST + 40 + 4 + 6 + 1);
    ck_assert_uint_eq(TIME("{4} UTMACMDFLUSH; " OPEN("0")), FIRST + 4 + 4 + 1);
}
END_TEST

/* 32 sectors that an SM loads again, of as many lines, ask L2 one a cycle: the last one 24
 * cycles later than with four, and one more if its slice has just answered. Those of a copy do
 * not pass that port. */
START_TEST(port_of_copies)
{
#define PORT(bytes)                                                                            \
    COPIES("hearth_sm_port=128", "gpgpu_n_mem=8", "gpgpu_n_ldst_response_buffer_size=4",       \
           "hearth_tma_sectors=4", "hearth_l1_port=" bytes)
#define LINES "{4,w0} R1 = LDG.E.STRONG.GPU R2 [ 4 1 0x90000 256 ]; {4,m1} NOP; "
    const char *const programs[] = {LINES LINES "{4} EXIT", LOAD("8", "128")};
    for (uint32_t i = 0; i < 2; i++) {
        struct sim_result all = run(PORT("0"), programs[i]),
                          port = run(PORT("32"), programs[i]);
        uint32_t later = i == 0 ? 24 : 0;
        ck_assert_uint_ge(result_cycles(&port), result_cycles(&all) + later);
        ck_assert_uint_le(result_cycles(&port), result_cycles(&all) + later + (i == 0));
    }
}
END_TEST

/* A reduction's 32 sectors go to the crossbar four a cycle, and it takes as many, but for some
 * of one slice: a queue of 24 is never full, and the load behind them is as early as with one
 * of 512, from the first cycles of the launch on. With a queue of one, each takes a cycle. */
START_TEST(port_is_not_full)
{
#define QUEUE(packets)                                                                         \
    COPIES("hearth_sm_port=128", "gpgpu_n_mem=8", "hearth_posted_reductions=" packets)
    const char *program = "{4} RED.E.ADD R2 R3 [ 4 1 0x90000 256 ]; "
                          "{4,w0} R1 = LDS R2 [ 4 1 0x0 4 ]; {4,m1} NOP; {4} EXIT";
    struct sim_result room = run(QUEUE("512"), program), few = run(QUEUE("24"), program),
                      one = run(QUEUE("1"), program);
    ck_assert_uint_eq(result_cycles(&few), result_cycles(&room));
    ck_assert_uint_eq(result_cycles(&one), result_cycles(&room) + 24);
}
END_TEST

/* So it is when only the last of three blocks has one, which an SM with room for a block gets
 * when the step is long under way. Threads may have read that block before, or not. */
START_TEST(port_is_not_full_later)
{
    const struct launch_text text = {
        .blocks = 3,
        .program = "40 * FFMA; EXIT # 60 * FFMA; EXIT # RED.E.ADD R2 R3 [ 4 1 0x90000 256 ]; "
                   "R1 = LDS R2 [ 4 1 0x0 4 ]; FADD R1; EXIT"};
    const char *const packets[] = {"hearth_posted_reductions=512",
                                   "hearth_posted_reductions=24"};
    uint64_t cycles[4];
    for (uint32_t i = 0; i < 4; i++) {
        struct bench bench =
            bench_create(COPIES("hearth_sm_port=128", "gpgpu_n_mem=8", "gpgpu_n_clusters=1",
                                "gpgpu_shader_cta=1", packets[i % 2]));
        struct error err = {0};
        ck_assert_int_eq(sim_set_threads(bench.sim, 1 + i / 2, &err), 0);
        struct sim_result result = bench_launch(&bench, &text);
        cycles[i] = result_cycles(&result);
        bench_destroy(&bench);
    }
    for (int i = 1; i < 4; i++)
        ck_assert_uint_eq(cycles[i], cycles[0]);
}
END_TEST

/* 64 bytes go to the other block of the cluster in 2 cycles, 190 cycles away. */
START_TEST(copy_to_another_block)
{
    struct sim_result result =
        run(COPIES("hearth_cluster_latency=190", "hearth_cluster_bytes=32"),
            "{4} SYNCS.EXCH.64 [ 4 1 0x400 0 0 =2097150 =2147481600 ]; "
            "{4} UBLKCP.S.S [ 4 1 0x400 0 0 =0 =1024 =0 =0 =4 ]; "
            "{4} @1 SYNCS.ARRIVE.TRANS64 [ 4 1 0x400 0 0 =64 ]; "
            "{4,w0} SYNCS.PHASECHK.TRANS64.TRYWAIT [ 4 1 0x400 0 0 =0 ]; {4,m1} NOP; {4} EXIT");
    ck_assert_uint_eq(result_cycles(&result), FIRST + 4 + 190 + 2 + 14 + 4 + 1);
}
END_TEST

int main(void)
{
    const TTest *const tests[] = {
        box_inside,
        box_swizzled,
        box_at_the_edge,
        box_far_outside,
        box_with_steps,
        bytes_in_a_row,
        pixels,
        pixels_of_next_image,
        requests_of_a_copy,
        requests_of_a_tensor,
        tensors_to_memory,
        too_many_copies,
        waits_for_the_last_sector,
        copies_without_barriers,
        waits_for_stores,
        port_of_copies,
        port_is_not_full,
        port_is_not_full_later,
        copy_to_another_block,
    };
    return RUN_TESTS("copies", tests);
}
