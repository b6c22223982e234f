/* An L2 of two halves: two SMs, two slices, each SM near to one of them. Launches take turns
 * between the SMs, beginning with SM 0. */
#include "tests/sim/support.h"

#include "sim/functional/l2_functional.h"
#include "sim/memory/halves.h"
#include "sim/simulator.h"

#define FAR 150 /* cycles */

#define TWO_SLICES(...)                                                                        \
    SETS("gpgpu_n_clusters=2", "gpgpu_n_sub_partition_per_mchannel=2",                         \
         "hearth_scatter_turns=0", __VA_ARGS__)
#define HALVES(...) TWO_SLICES("hearth_l2_far_latency=150", __VA_ARGS__)

/* The first line from AT on whose home is SLICE. */
static uint64_t next_line(const struct bench *bench, uint32_t slice, uint64_t at)
{
    uint32_t set;
    for (uint64_t end = at + 0x10000; at < end; at += 128)
        if (address_table_of(&bench->sim->engine.spec.places, at, &set) == slice)
            return at;
    ck_abort_msg("no line of slice %u", slice);
}

static uint64_t line_of(const struct bench *bench, uint32_t slice)
{
    return next_line(bench, slice, 0x10000);
}

#define WRITE "STG.E R2 R3"
#define ATOM  "R1 = ATOMG.E.ADD R2 R3"

START_TEST(which_is_far)
{
    struct halves none, two, runs;
    halves_init(&none, 0, (const uint32_t[]){1}, 1);
    halves_init(&two, 2, (const uint32_t[]){1}, 1);
    halves_init(&runs, 2, (const uint32_t[]){3}, 1);
    ck_assert(!halves_far(&none, 1, 0));
    ck_assert(!halves_far(&two, 0, 1));
    ck_assert(halves_far(&two, 0, 2));
    ck_assert(halves_far(&two, 5, 1));
    ck_assert(!halves_far(&two, 5, 3));
    ck_assert(!halves_far(&runs, 2, 1));
    ck_assert(halves_far(&runs, 3, 1));
    ck_assert(!halves_far(&runs, 5, 3));
    ck_assert(halves_far(&runs, 6, 3));
}
END_TEST

/* The SMs of three runs, near to the first half, the second and the first again; as the fourth
 * run is the first one again, it is near to the second half. */
START_TEST(unequal_runs)
{
    static const char second[] = "000110000"
                                 "111001111"
                                 "000110000";
    struct halves halves;
    halves_init(&halves, 1, (const uint32_t[]){3, 2, 4}, 3);
    for (uint32_t sm = 0; sm < sizeof second - 1; sm++)
        ck_assert_int_eq(halves_far(&halves, sm, 0), second[sm] == '1');
    ck_assert(halves_far(&halves, 16383, 0)); /* in run 3 * 1820 + 1 */
}
END_TEST

/* A line of SM 0's half: its first read goes to DRAM, SM 1's crosses once and leaves a copy. */
START_TEST(near_home)
{
    struct bench bench = bench_create(HALVES("gpgpu_flush_l1_cache=1"));
    uint64_t line = line_of(&bench, 0);
    bench_access(&bench, BENCH_READ, line);
    uint64_t crossed = bench_access(&bench, BENCH_READ, line);
    uint64_t near = bench_access(&bench, BENCH_READ, line),
             copied = bench_access(&bench, BENCH_READ, line);
    ck_assert_uint_eq(crossed, near + FAR + 2); /* the queues before and after */
    ck_assert_uint_eq(copied, near);
    bench_destroy(&bench);
}
END_TEST

/* SM reads LINE, which SLICE lacks, at the latter's cycle *NOW: the cycles until DRAM is asked,
 * and from its answer to the SM's. */
static void read_in(struct slice *slice, uint64_t line, uint16_t sm, uint64_t *now,
                    uint64_t *asked, uint64_t *answered)
{
    struct packet packet = packet_of(PACKET_READ, line);
    packet.sm = sm;
    slice_push(slice, &packet, *now);
    uint64_t begin = *now;
    for (; slice_request(slice) == NULL; ++*now)
        slice_cycle(slice, *now, *now);
    *asked = *now - begin;
    packet = *slice_request(slice);
    slice_pop_request(slice);
    slice_fill(slice, &packet, *now);
    begin = *now;
    for (; slice_reply(slice) == NULL; ++*now)
        slice_cycle(slice, *now, *now);
    *answered = *now - begin;
    slice_pop_reply(slice);
}

/* A read crosses to the home of its line in half of the latency, and what DRAM brings there
 * crosses back in the other half: 75 of 150 cycles each, and one in the queue on either side.
 */
START_TEST(there_and_back)
{
    struct bench bench = bench_create(HALVES(NULL));
    struct slice *slice = engine_slice(&bench.sim->engine, 1);
    uint64_t line = line_of(&bench, 1), other = next_line(&bench, 1, line + 128), now = 0,
             near[2], far[2];
    read_in(slice, line, 1, &now, &near[0], &near[1]);
    read_in(slice, other, 0, &now, &far[0], &far[1]);
    ck_assert_uint_eq(far[0], near[0] + FAR / 2 + 1);
    ck_assert_uint_eq(far[1], near[1] + FAR / 2 + 1);
    bench_destroy(&bench);
}
END_TEST

/* SM writes a byte of LINE, which goes through SLICE to DRAM, at the latter's cycle *NOW: the
 * cycles until it is acknowledged. */
static uint64_t write_through(struct slice *slice, uint64_t line, uint16_t sm, uint64_t *now)
{
    struct packet packet = packet_of(PACKET_WRITE, line);
    packet.sm = sm;
    packet.bytes = 1;
    slice_push(slice, &packet, *now);
    uint64_t begin = *now;
    for (; slice_reply(slice) == NULL; ++*now) {
        while (slice_request(slice) != NULL && slice_has_room(slice)) {
            struct packet request = *slice_request(slice);
            slice_pop_request(slice);
            slice_fill(slice, &request, *now);
        }
        slice_cycle(slice, *now, *now);
    }
    slice_pop_reply(slice);
    return *now - begin;
}

/* What DRAM acknowledges crosses back, too. */
START_TEST(acknowledged_by_dram)
{
    struct bench bench =
        bench_create(HALVES("hearth_l2_write_grain=4", "hearth_l2_grain_through=1"));
    struct slice *slice = engine_slice(&bench.sim->engine, 1);
    uint64_t line = line_of(&bench, 1), other = next_line(&bench, 1, line + 128), now = 0,
             near = write_through(slice, line, 1, &now);
    now += 1000; /* the fetch that follows is over */
    ck_assert_uint_eq(write_through(slice, other, 0, &now), near + FAR);
    bench_destroy(&bench);
}
END_TEST

/* Runs of two SMs: both are near to the same half. */
START_TEST(near_in_runs)
{
    struct bench bench = bench_create(HALVES("gpgpu_flush_l1_cache=1", "hearth_l2_half_sms=2"));
    uint64_t line = line_of(&bench, 0);
    bench_access(&bench, BENCH_READ, line);
    uint64_t second = bench_access(&bench, BENCH_READ, line),
             first = bench_access(&bench, BENCH_READ, line);
    ck_assert_uint_eq(second, first);
    bench_destroy(&bench);
}
END_TEST

/* A line of the other half: from DRAM it comes as much later to SM 0. */
START_TEST(far_home)
{
    struct bench bench = bench_create(HALVES("gpgpu_flush_l1_cache=1"));
    uint64_t first = bench_access(&bench, BENCH_READ, line_of(&bench, 0)),
             line = line_of(&bench, 1);
    bench_access(&bench, BENCH_READ, 0x80000);
    uint64_t second = bench_access(&bench, BENCH_READ, line);
    uint64_t near = bench_access(&bench, BENCH_READ, line),
             copied = bench_access(&bench, BENCH_READ, line);
    ck_assert_uint_ge(second, first + FAR);
    ck_assert_uint_le(second, first + FAR + 20); /* clocks of DRAM, another row */
    ck_assert_uint_eq(copied, near);
    bench_destroy(&bench);
}
END_TEST

/* A write from the other half takes FAR longer until it is acknowledged; what it writes is then
 * in both halves, dirty in the line's own alone. */
START_TEST(writes)
{
    struct bench bench = bench_create(HALVES("gpgpu_flush_l1_cache=1"));
    uint64_t line = line_of(&bench, 1), other = line_of(&bench, 0);
    uint64_t far = bench_access(&bench, WRITE, line);
    bench_access(&bench, BENCH_READ, other);
    uint64_t copied = bench_access(&bench, BENCH_READ, line),
             near = bench_access(&bench, BENCH_READ, line);
    bench_access(&bench, BENCH_READ, other);
    uint64_t written = bench_access(&bench, WRITE, line);
    ck_assert_uint_eq(copied, near);
    ck_assert_uint_eq(far, written + FAR);
    const struct tags *tags = &engine_slice(&bench.sim->engine, 1)->cache.tags;
    uint32_t own = tags_find(tags, line), copy = tags_find(tags, line | PACKET_COPIED);
    ck_assert_uint_eq(tags->lines[own].dirty, 1);
    ck_assert_uint_eq(tags->lines[copy].valid, 1);
    ck_assert_uint_eq(tags->lines[copy].dirty, 0);
    bench_destroy(&bench);
}
END_TEST

/* An atomic crosses to its unit, and comes FAR later from the other half. */
START_TEST(atomics)
{
    struct bench bench =
        bench_create(HALVES("hearth_l2_atomic_lanes=64", "hearth_l2_atomic_sectors=16"));
    uint64_t line = line_of(&bench, 1);
    bench_access(&bench, BENCH_READ, line);
    bench_access(&bench, BENCH_READ, line);
    uint64_t far = bench_access(&bench, ATOM, line), near = bench_access(&bench, ATOM, line);
    ck_assert_uint_eq(far, near + FAR);
    ck_assert_uint_eq(engine_slice(&bench.sim->engine, 1)->atomics.waiting, 0);
    bench_destroy(&bench);
}
END_TEST

/* An atomic drops the copy of its line, which the next read from the other half fetches again,
 * in a functional launch, too. */
START_TEST(atomics_drop_copies)
{
    struct bench bench = bench_create(HALVES("gpgpu_flush_l1_cache=1"));
    uint64_t line = line_of(&bench, 1);
    const struct tags *tags = &engine_slice(&bench.sim->engine, 1)->cache.tags;
    const struct packet atomic = {.address = line + 32, .kind = PACKET_ATOMIC, .sm = 1};
    bench_access(&bench, BENCH_READ, line);
    bench_access(&bench, BENCH_READ, line);
    uint64_t copied = bench_access(&bench, BENCH_READ, line);
    ck_assert_uint_ne(tags_find(tags, line | PACKET_COPIED), TAGS_NONE);
    bench_access(&bench, ATOM, line + 32);
    ck_assert_uint_eq(tags_find(tags, line | PACKET_COPIED), TAGS_NONE);
    ck_assert_uint_ne(tags_find(tags, line), TAGS_NONE);
    uint64_t again = bench_access(&bench, BENCH_READ, line);
    ck_assert_uint_eq(again, copied + FAR + 2);
    ck_assert_uint_ne(tags_find(tags, line | PACKET_COPIED), TAGS_NONE);
    l2_functional_access(&bench.sim->engine, NULL, &atomic, 100000, NULL);
    ck_assert_uint_eq(tags_find(tags, line | PACKET_COPIED), TAGS_NONE);
    bench_destroy(&bench);
}
END_TEST

/* What SM 1 writes in the half that is near to it, and home of the line, drops the copy that SM
 * 0 has read; what SM 0 writes from the other half leaves it. So in functional launches. */
START_TEST(writes_drop_copies)
{
    for (unsigned drops = 0; drops < 2; drops++) {
        struct bench bench =
            bench_create(HALVES("gpgpu_flush_l1_cache=1",
                                drops ? "hearth_l2_writes_drop=1" : "hearth_l2_writes_drop=0"));
        uint64_t line = line_of(&bench, 1);
        const struct tags *tags = &engine_slice(&bench.sim->engine, 1)->cache.tags;
        struct packet write = {
            .address = line + 32, .bytes = 15, .kind = PACKET_WRITE, .sm = 0};
        bench_access(&bench, BENCH_READ, line);
        bench_access(&bench, WRITE, line + 32); /* SM 1 */
        ck_assert_int_eq(tags_find(tags, line | PACKET_COPIED) == TAGS_NONE, drops);
        bench_access(&bench, BENCH_READ, line);
        bench_access(&bench, BENCH_READ, line_of(&bench, 0));
        bench_access(&bench, WRITE, line + 32); /* SM 0 */
        l2_functional_access(&bench.sim->engine, NULL, &write, 100000, NULL);
        ck_assert_uint_ne(tags_find(tags, line | PACKET_COPIED), TAGS_NONE);
        write.sm = 1;
        l2_functional_access(&bench.sim->engine, NULL, &write, 200000, NULL);
        ck_assert_int_eq(tags_find(tags, line | PACKET_COPIED) == TAGS_NONE, drops);
        bench_destroy(&bench);
    }
}
END_TEST

/* A copy that is on its way to SM 0 when SM 1 writes its line is not dropped: it comes later.
 * SM 0 reads in its first cycle, SM 1 writes some 40 cycles later, and the half of the former
 * asks the home 150 after the read. So in functional launches, where the copy is there as soon
 * as its home has been asked, and a write behind that drops it. */
START_TEST(writes_leave_copies_to_come)
{
    struct bench bench =
        bench_create(HALVES("gpgpu_flush_l1_cache=1", "hearth_l2_writes_drop=1"));
    const struct engine *engine = &bench.sim->engine;
    uint64_t line = line_of(&bench, 1), other = next_line(&bench, 1, line + 128);
    const struct tags *tags = &engine_slice(engine, 1)->cache.tags;
    char program[160];
    bench_access(&bench, BENCH_READ, line_of(&bench, 0));
    bench_access(&bench, BENCH_READ, line); /* SM 1 */
    snprintf(program, sizeof program,
             BENCH_READ " [ 4 1 0x%lx 0 ]; EXIT # 10 * R4 = FFMA R4; " WRITE
                        " [ 4 1 0x%lx 0 ]; EXIT",
             line, line);
    bench_launch(&bench, &(struct launch_text){.blocks = 2, .program = program});
    ck_assert_uint_ne(tags_find(tags, line | PACKET_COPIED), TAGS_NONE);

    const struct packet read = {.address = other, .kind = PACKET_READ_L2, .sm = 0},
                        write = {.address = other, .bytes = 15, .kind = PACKET_WRITE, .sm = 1};
    struct packet crossed = {0};
    ck_assert(l2_functional_access(engine, NULL, &read, 100000, &crossed).crosses);
    l2_functional_access(engine, NULL, &write, 100002, NULL);
    ck_assert_uint_eq(l2_functional_access(engine, NULL, &read, 100004, NULL).status,
                      CACHE_HIT);
    l2_functional_arrive(engine, NULL, &crossed, 100006);
    ck_assert(tags_hit(tags, other | PACKET_COPIED, false));
    l2_functional_access(engine, NULL, &write, 100008, NULL);
    ck_assert_uint_eq(tags_find(tags, other | PACKET_COPIED), TAGS_NONE);
    bench_destroy(&bench);
}
END_TEST

/* Lines of one set that SM 1 accesses at once from the other half: the copies come first, as
 * their homes hear of it later. */
static const struct launch_text far_access = {
    .blocks = 2,
    .program = "EXIT # @00000001 R1 = LDG.E R2 [ 4 1 0x%1$lx 0 ];"
               "@00000001 R4 = LDG.E R2 [ 4 1 0x%2$lx 0 ];"
               "@000000ff STG.E R2 R3 [ 4 1 0x%3$lx 4 ];"
               "@00000001 R5 = LDG.E R2 [ 4 1 0x%4$lx 0 ]; EXIT"};

/* The same order of lines as with time. */
START_TEST(functional_order)
{
    const char *const *sets = HALVES("gpgpu_cache:dl2=S:1:128:16,L:B:m:L:L,A:192:4,32:0,32");
    struct bench timed = bench_create(sets), without = bench_create(sets);
    struct error err = {0};
    struct sim_result result;
    char program[500], *states[2];
    size_t sizes[2];
    unsigned long lines[4] = {line_of(&timed, 0)};
    for (int i = 1; i < 4; i++)
        lines[i] = next_line(&timed, 0, lines[i - 1] + 128);
    snprintf(program, sizeof program, far_access.program, lines[0], lines[1], lines[2],
             lines[3]);
    struct launch_text text = far_access;
    text.program = program;
    struct trace_kernel *kernel = test_kernel_rows(&text);
    bench_launch(&timed, &text);
    ck_assert_int_eq(sim_functional(without.sim, kernel, NULL, &result, &err), 0);
    trace_kernel_close(kernel);
    for (int i = 0; i < 2; i++) {
        FILE *file = open_memstream(&states[i], &sizes[i]);
        ck_assert_int_eq(sim_save(i == 0 ? timed.sim : without.sim, file, "state", &err), 0);
        fclose(file);
    }
    ck_assert_uint_eq(sizes[0], sizes[1]);
    ck_assert_mem_eq(states[0], states[1], sizes[0]);
    free(states[0]);
    free(states[1]);
    bench_destroy(&timed);
    bench_destroy(&without);
}
END_TEST

/* A copy comes as a block, and DRAM is read once for both halves. */
START_TEST(copies_blocks)
{
    struct bench bench = bench_create(HALVES("hearth_l2_fetch=64"));
    uint64_t line = line_of(&bench, 1);
    bench_access(&bench, BENCH_READ, line + 32);
    const struct tags *tags = &engine_slice(&bench.sim->engine, 1)->cache.tags;
    uint32_t own = tags_find(tags, line), copy = tags_find(tags, line | PACKET_COPIED);
    ck_assert_uint_eq(tags->lines[own].valid, 3);
    ck_assert_uint_eq(tags->lines[copy].valid, 3);
    ck_assert_uint_eq(partition_dram(&bench.sim->engine.partitions[0], UINT64_MAX).reads, 2);
    bench_destroy(&bench);
}
END_TEST

/* Copies take room: of a set of two ways, one line and its copy. */
START_TEST(copies_take_room)
{
    struct bench bench =
        bench_create(HALVES("gpgpu_cache:dl2=S:1:128:2,L:B:m:L:L,A:192:4,32:0,32"));
    uint64_t line = line_of(&bench, 1);
    bench_access(&bench, BENCH_READ, line);
    const struct tags *tags = &engine_slice(&bench.sim->engine, 1)->cache.tags;
    ck_assert_uint_ne(tags_find(tags, line), TAGS_NONE);
    ck_assert_uint_ne(tags_find(tags, line | PACKET_COPIED), TAGS_NONE);
    ck_assert_uint_eq(tags->free_count[0], 0);
    bench_destroy(&bench);
}
END_TEST

/* Many lines of one set at once: their copies leave a line and an MSHR to the homes, so all
 * come.
 */
START_TEST(copies_leave_room)
{
    static const char *const l2[] = {
        "gpgpu_cache:dl2=S:1:128:2,L:B:m:L:L,A:64:4,32:0,32",
        "gpgpu_cache:dl2=S:64:128:16,L:B:m:L:L,A:2:4,32:0,32",
    };
    struct bench bench = bench_create(HALVES(l2[_i]));
    char program[2000] = "";
    uint64_t line = line_of(&bench, 1);
    for (unsigned n = 0; n < 24; n++)
        sprintf(program + strlen(program),
                "@00000001 R%u = LDG.E.STRONG.GPU R2 [ 4 1 0x%lx 0 ]; ", n + 3,
                (unsigned long)(line + n * 0x10000));
    strcat(program, "EXIT");
    bench_launch(&bench, &(struct launch_text){.program = program});
    ck_assert_uint_eq(partition_dram(&bench.sim->engine.partitions[0], UINT64_MAX).reads, 24);
    bench_destroy(&bench);
}
END_TEST

/* One L2 tick of SLICE, and in how many cycles a read has been refused since the beginning. */
static uint64_t refused_after(struct slice *slice, uint64_t tick)
{
    if (slice_awake(slice, tick))
        slice_cycle(slice, tick, tick);
    else
        slice_wait(slice);
    return slice->cache.stats.counts[CACHE_GLOBAL_READ][CACHE_FAIL];
}

/* With two MSHRs there is one copy at a time. A second one counts as refused in each cycle, the
 * first one too. */
START_TEST(refused_copies_count)
{
    struct bench bench = bench_create(HALVES(
        "gpgpu_cache:dl2=S:64:128:16,L:B:m:L:L,A:2:4,32:0,32", "gpgpu_flush_l1_cache=1"));
    struct slice *slice = engine_slice(&bench.sim->engine, 1);
    uint64_t line = line_of(&bench, 1);
    for (unsigned n = 0; n < 2; n++)
        slice_push(slice,
                   &(struct packet){.address = line + n * 32, .sm = 0, .kind = PACKET_READ}, 1);
    uint64_t tick = 1;
    while (slice->copies == 0)
        ck_assert_uint_eq(refused_after(slice, tick++), 0);
    for (uint64_t refused = 1; refused <= 20; refused++)
        ck_assert_uint_eq(refused_after(slice, tick++), refused);
    bench_destroy(&bench);
}
END_TEST

/* Addresses that have the bit of copies by themselves are served as any other. */
START_TEST(bit_of_copies)
{
    struct bench bench = _i == 0 ? bench_create(HALVES("gpgpu_flush_l1_cache=1"))
                                 : bench_create(TWO_SLICES("gpgpu_flush_l1_cache=1"));
    uint64_t far = line_of(&bench, 1) | PACKET_COPIED;
    uint64_t first = bench_access(&bench, BENCH_READ, far),
             again = bench_access(&bench, BENCH_READ, far);
    ck_assert_uint_gt(first, again);
    bench_access(&bench, WRITE, far);
    bench_access(&bench, WRITE, far + 0x10000);
    const struct tags *tags = &engine_slice(&bench.sim->engine, 1)->cache.tags;
    ck_assert_uint_eq(tags_find(tags, far & ~PACKET_COPIED), TAGS_NONE);
    bench_destroy(&bench);
}
END_TEST

/* They have no copy: what SM 1 writes there stays in the half near to it, also in functional
 * launches, in which SM 0 reads them from DRAM as in timed ones. */
START_TEST(bit_of_copies_drops_none)
{
    struct bench bench = bench_create(HALVES("hearth_l2_writes_drop=1"));
    uint64_t address = line_of(&bench, 1) | PACKET_COPIED;
    const struct tags *tags = &engine_slice(&bench.sim->engine, 1)->cache.tags;
    struct packet packet = {
        .address = address + 32, .bytes = 15, .kind = PACKET_WRITE, .sm = 1};
    bench_access(&bench, BENCH_READ, line_of(&bench, 0));
    bench_access(&bench, WRITE, address); /* SM 1 */
    uint32_t line = tags_find(tags, address);
    ck_assert_uint_ne(line, TAGS_NONE);
    ck_assert_uint_eq(tags->lines[line].dirty, 1);
    l2_functional_access(&bench.sim->engine, NULL, &packet, 100000, NULL);
    ck_assert_uint_eq(tags->lines[line].dirty, 3);
    packet = (struct packet){.address = address + 64, .kind = PACKET_READ, .sm = 0};
    ck_assert_uint_eq(
        l2_functional_access(&bench.sim->engine, NULL, &packet, 200000, NULL).fetched, 1);
    bench_destroy(&bench);
}
END_TEST

int main(void)
{
    const TTest *const tests[] = {
        which_is_far,
        unequal_runs,
        near_home,
        there_and_back,
        acknowledged_by_dram,
        near_in_runs,
        far_home,
        writes,
        atomics,
        atomics_drop_copies,
        writes_drop_copies,
        writes_leave_copies_to_come,
        functional_order,
        copies_blocks,
        copies_take_room,
        refused_copies_count,
        bit_of_copies_drops_none,
    };
    const TTest *const loops[] = {copies_leave_room, bit_of_copies};
    return RUN_LOOPS("halves", tests, loops, 2);
}
