/* Saving and restoring what L2 holds. */
#include "tests/sim/support.h"

#include <stdio.h>
#include <string.h>

#include "sim/simulator.h"
#include "traces/base/files/sealed.h"

static const struct launch_text load = {.program = "R1 = LDG.E R2 [ 4 1 0x1000 4 ]; EXIT"};
static const struct launch_text store = {.program = "STG.E R2 R3 [ 4 1 0x1000 4 ]; EXIT"};

/* Saves after FIRST, restores on a fresh simulator with SETS, launches THEN. */
static struct sim_result after_restore(const char *const *sets, const struct launch_text *first,
                                       const struct launch_text *then,
                                       struct sim_result *in_sequence)
{
    struct error err = {0};
    struct bench one = bench_create(sets), two = bench_create(sets);
    FILE *file = tmpfile();
    bench_launch(&one, first);
    sim_flush(one.sim, SIM_L1, false);
    ck_assert_msg(sim_save(one.sim, file, "state", &err) == 0, "%s", err.text);
    *in_sequence = bench_launch(&one, then);
    rewind(file);
    ck_assert_msg(sim_restore(two.sim, file, "state", &err) == 0, "%s", err.text);
    struct sim_result result = bench_launch(&two, then);
    fclose(file);
    bench_destroy(&one);
    bench_destroy(&two);
    return result;
}

/* Restored lines hit as those of a launch before. */
START_TEST(hits)
{
    struct sim_result sequence, result = after_restore(NO_SETS, &load, &load, &sequence);
    ck_assert_uint_eq(result.counters.l2_read_hits, 4);
    ck_assert_uint_eq(result.counters.dram_reads, 0);
    ck_assert_uint_eq(result_cycles(&result), result_cycles(&sequence));
}
END_TEST

/* Dirty sectors stay dirty: an L2 of one set of two lines writes them back
 * when two other lines come. */
START_TEST(dirty)
{
    struct launch_text others = {
        .program = "R1 = LDG.E R2 [ 4 1 0x8000 4 ]; R4 = LDG.E R2 [ 4 1 0x9000 4 ];"
                   "R5 = LDG.E R2 [ 4 1 0xa000 4 ]; EXIT"};
    struct sim_result sequence,
        result = after_restore(SETS("gpgpu_cache:dl2=S:1:128:2,L:B:m:L:L,A:192:4,32:0,32"),
                               &store, &others, &sequence);
    ck_assert_uint_eq(result.counters.dram_writes, 4);
    ck_assert_uint_eq(sequence.counters.dram_writes, 4);
}
END_TEST

/* ---- files that are refused ---- */

/* Restores the SIZE bytes of TEXT, which has to fail with a message that says WHY. */
static void refuse(struct bench *bench, const char *text, size_t size, enum error_kind kind,
                   const char *why)
{
    struct error err = {0};
    FILE *file =
        size > 0 ? fmemopen((void *)(uintptr_t)text, size, "r") : fopen("/dev/null", "r");
    ck_assert_int_eq(sim_restore(bench->sim, file, "state", &err), -1);
    ck_assert_int_eq(err.kind, kind);
    ck_assert_msg(strstr(err.text, why) != NULL, "%zu bytes: '%s' does not say '%s'", size,
                  err.text, why);
    fclose(file);
}

/* The contents of a state and their seal, to be freed. */
static char *seal(const char *contents, size_t size, size_t *sealed)
{
    char *text;
    struct sealed_out out;
    FILE *file = open_memstream(&text, sealed);
    sealed_out_init(&out, file);
    sealed_write(&out, contents, size);
    ck_assert(sealed_out_finish(&out));
    fclose(file);
    return text;
}

#define SMALL SETS("gpgpu_cache:dl2=S:4:128:2,L:B:m:L:L,A:192:4,32:0,32")

/* A file that ends early, goes on or is none; L2 is empty then. */
START_TEST(refused)
{
    struct bench bench =
        bench_create(SETS("gpgpu_cache:dl2=S:8192:128:2,L:B:m:L:L,A:192:4,32:0,32"));
    struct error err = {0};
    size_t size, longer;
    bench_launch(&bench, &load);
    char *text = bench_save(&bench, &size), *more;
    ck_assert_uint_gt(size, SEALED_ROOM);
    ck_assert_msg(bench_restore(&bench, text, size, &err) == 0, "%s", err.text);
    refuse(&bench, text, 0, ERROR_TRACE, "is not a state of L2");
    refuse(&bench, "kernel-1.traceg", 15, ERROR_TRACE, "is not a state of L2");
    for (size_t cut = 24; cut < size; cut += cut + 40 < size ? 7 : 1)
        refuse(&bench, text, cut, ERROR_TRACE, "truncated");
    FILE *file = open_memstream(&more, &longer);
    fwrite(text, 1, size, file);
    fputs("x", file);
    fclose(file);
    refuse(&bench, more, longer, ERROR_TRACE, "further bytes after the state");
    struct sim_result result = bench_launch(&bench, &load);
    ck_assert_uint_eq(result.counters.l2_read_misses, 4);
    free(text);
    free(more);
    bench_destroy(&bench);
}
END_TEST

/* Each bit counts, and a damaged file is taken for nothing else. */
START_TEST(damaged)
{
    struct bench bench = bench_create(SMALL);
    size_t size;
    bench_launch(&bench, &store);
    bench_launch(&bench,
                 &(struct launch_text){.program = "STG.E.U8 R2 R3 [ 1 1 0x2000 1 ]; EXIT"});
    char *text = bench_save(&bench, &size);
    for (size_t bit = 0; bit < 8 * size; bit++) {
        text[bit / 8] ^= (char)(1 << bit % 8);
        refuse(&bench, text, size, ERROR_TRACE, "damaged");
        text[bit / 8] ^= (char)(1 << bit % 8);
    }
    free(text);
    bench_destroy(&bench);
}
END_TEST

/* A file with caches of instructions is of another configuration for a card that has none. */
START_TEST(without_code)
{
    struct bench with = bench_create(SETS("hearth_icache=1")), without = bench_create(NO_SETS);
    size_t size;
    bench_launch(&with, &store);
    char *text = bench_save(&with, &size);
    refuse(&without, text, size, ERROR_USAGE,
           "another configuration: its cache of instructions has");
    free(text);
    bench_destroy(&with);
    bench_destroy(&without);
}
END_TEST

/* Whole files of other versions and of other caches say so. */
START_TEST(others)
{
    struct bench bench = bench_create(SMALL),
                 other =
                     bench_create(SETS("gpgpu_cache:dl2=S:1:128:2,L:B:m:L:L,A:192:4,32:0,32")),
                 elsewhere =
                     bench_create(SETS("gpgpu_cache:dl2=S:4:128:2,L:B:m:L:P,A:192:4,32:0,32"));
    size_t size, sealed;
    bench_launch(&bench, &store);
    char *text = bench_save(&bench, &size);
    refuse(&other, text, size, ERROR_USAGE, "another configuration: its L2 has 4 sets, not 1");
    refuse(&elsewhere, text, size, ERROR_USAGE, "another configuration: its L2 maps addresses");
    text[8] = 2; /* the version, little-endian */
    refuse(&bench, text, size - SEALED_TAIL, ERROR_TRACE,
           "version 2, but this program reads versions 3 to 7: save it again");
    text[8] = 8;
    char *later = seal(text, size - SEALED_TAIL, &sealed);
    refuse(&bench, later, sealed, ERROR_TRACE,
           "version 8, but this program reads versions 3 to 7");
    free(later);
    free(text);
    bench_destroy(&bench);
    bench_destroy(&other);
    bench_destroy(&elsewhere);
}
END_TEST

/* A place that cannot be read is not a damaged state. */
START_TEST(unreadable)
{
    struct bench bench = bench_create(SMALL);
    struct error err = {0};
    FILE *folder = fopen("/", "r");
    ck_assert_int_eq(sim_restore(bench.sim, folder, "state", &err), -1);
    ck_assert_msg(strstr(err.text, "cannot be read: ") != NULL, "%s", err.text);
    fclose(folder);
    bench_destroy(&bench);
}
END_TEST

/* ---- what is kept ---- */

/* Which bytes of a sector were written is kept: when the others are, too, it can be read. */
START_TEST(bytes)
{
    const struct launch_text low = {.program = "@ffff STG.E.U8 R2 R3 [ 1 1 0x1000 1 ]; EXIT"},
                             high = {.program = "@ffff STG.E.U8 R2 R3 [ 1 1 0x1010 1 ];"
                                                "R1 = LDG.E.U8 R2 [ 1 1 0x1000 1 ]; EXIT"};
    struct sim_result sequence, result = after_restore(NO_SETS, &low, &high, &sequence);
    ck_assert_uint_eq(sequence.counters.dram_reads, 0);
    ck_assert_uint_eq(result.counters.dram_reads, 0);
    ck_assert_uint_eq(result.restored_sectors, 1);
    ck_assert_uint_eq(sequence.restored_sectors, 0);
}
END_TEST

/* ---- L1 ---- */

/* Eight blocks that read or write a line, with an L1 that writes through or back. */
static const struct launch_text own_lines = {
    .blocks = 8,
    .program = "R1 = LDG.E R2 [ 4 1 0x1000 4 ]; EXIT # STG.E R2 R3 [ 4 1 0x2000 4 ]; EXIT"};
#define KEPT_L1    "gpgpu_flush_l1_cache=0", "gpgpu_n_clusters=5", "hearth_scatter_turns=0"
#define WRITTEN_L1 "gpgpu_cache:dl1=S:4:128:64,L:B:m:L:L,A:256:32,16:0,32"

static const char *const *const kept[] = {SETS(KEPT_L1), SETS(KEPT_L1, WRITTEN_L1)};

static FILE *save_all(struct bench *bench)
{
    struct error err = {0};
    FILE *file = tmpfile();
    ck_assert_msg(sim_save(bench->sim, file, "state", &err) == 0, "%s", err.text);
    rewind(file);
    return file;
}

/* What L1 holds and which SM gets the first block are part of a state where L1 survives: five
 * SMs, so that the next launch does not begin where this one did. */
START_TEST(keeps_l1)
{
    struct error err = {0};
    struct bench one = bench_create(kept[_i % 2]), two = bench_create(kept[_i % 2]);
    bench_launch(&one, &own_lines);
    FILE *file = save_all(&one);
    ck_assert_msg(sim_restore(two.sim, file, "state", &err) == 0, "%s", err.text);
    fclose(file);
    struct sim_result first = bench_launch(&one, &own_lines),
                      second = bench_launch(&two, &own_lines);
    ck_assert_uint_gt(first.counters.l1d_hits, 0);
    ck_assert_uint_eq(second.counters.l1d_hits, first.counters.l1d_hits);
    ck_assert_uint_eq(second.counters.l2_reads, first.counters.l2_reads);
    ck_assert_uint_eq(second.counters.l2_writes, first.counters.l2_writes);
    bench_destroy(&one);
    bench_destroy(&two);
}
END_TEST

/* States from before, and of configurations that empty L1, leave L1 empty. One of other SMs is
 * refused. */
START_TEST(without_l1)
{
    struct error err = {0};
    struct bench flushed = bench_create(SETS("gpgpu_n_clusters=5", "hearth_scatter_turns=0")),
                 keeping = bench_create(kept[0]),
                 fewer = bench_create(SETS("gpgpu_flush_l1_cache=0", "gpgpu_n_clusters=4"));
    bench_launch(&flushed, &own_lines);
    bench_launch(&keeping, &own_lines);
    FILE *file = save_all(&keeping);
    ck_assert_int_eq(sim_restore(fewer.sim, file, "state", &err), -1);
    ck_assert_msg(strstr(err.text, "its L1 has 5 SMs, not 4") != NULL, "%s", err.text);
    fclose(file);
    file = save_all(&flushed);
    char head[12];
    ck_assert_uint_eq(fread(head, sizeof head, 1, file), 1);
    ck_assert_int_eq(head[8], 3); /* the version */
    rewind(file);
    ck_assert_msg(sim_restore(keeping.sim, file, "state", &err) == 0, "%s", err.text);
    fclose(file);
    sim_flush(flushed.sim, SIM_L1, false);
    struct sim_result result = bench_launch(&keeping, &own_lines),
                      cold = bench_launch(&flushed, &own_lines);
    ck_assert_uint_eq(result.counters.l1d_hits, cold.counters.l1d_hits);
    ck_assert_uint_gt(result.counters.l2_read_hits, 0);
    bench_destroy(&flushed);
    bench_destroy(&keeping);
    bench_destroy(&fewer);
}
END_TEST

/* ---- what a launch can notice ---- */

/* L2 caches of one slice, two, and of sets of one line. */
static const char *const *const caches[] = {
    SETS("gpgpu_cache:dl2=S:4:128:4,L:B:m:L:L,A:192:4,32:0,32"),
    SETS("gpgpu_cache:dl2=S:2:128:8,F:B:m:F:P,A:192:4,32:0,32",
         "gpgpu_n_sub_partition_per_mchannel=2"),
    SETS("gpgpu_cache:dl2=S:16:128:1,L:B:m:W:X,A:192:4,32:0,32"),
    SETS("gpgpu_cache:dl2=S:64:128:16,L:B:m:L:L,A:192:4,32:0,32"),
};
#define CACHES (int)(sizeof caches / sizeof *caches)
#define LINES  48 /* that launches touch, of 128 bytes */

static uint32_t draw(uint32_t *seed, uint32_t below)
{
    *seed = *seed * 1664525 + 1013904223;
    return (*seed >> 8) % below;
}

/* A launch of one warp that reads, writes and adds here and there, TOUCHED lines at most of
 * which it says the sectors. */
static void make_launch(char *program, uint32_t *seed, uint32_t accesses,
                        uint8_t touched[LINES])
{
    static const char *const insts[] = {"R1 = LDG.E R2", "STG.E R2 R3",
                                        "R1 = ATOMG.E.ADD R2 R3"};
    uint32_t first = draw(seed, LINES);
    memset(touched, 0, LINES);
    program[0] = '\0';
    for (uint32_t i = 0; i < accesses; i++) {
        uint32_t line = (first + draw(seed, LINES / 2)) % LINES, sector = draw(seed, 4);
        uint32_t lanes = draw(seed, 3) == 0 ? 3 : 255;
        sprintf(program + strlen(program), "@%x %s [ 4 1 0x%x 4 ];", lanes,
                insts[draw(seed, 3)], 0x10000 + line * 128 + sector * 32);
        touched[line] |= (uint8_t)(1u << sector);
    }
    strcat(program, "EXIT");
}

static struct sim_result execute(struct bench *bench, const char *program)
{
    struct error err = {0};
    struct sim_result result;
    const struct launch_text text = {.program = program};
    struct trace_kernel *kernel = test_kernel(&text);
    sim_flush(bench->sim, SIM_L1, false);
    ck_assert_msg(sim_functional(bench->sim, kernel, NULL, &result, &err) == 0, "%s", err.text);
    trace_kernel_close(kernel);
    return result;
}

static FILE *save(struct bench *bench, const uint8_t *touched, size_t *size)
{
    struct error err = {0};
    FILE *file = tmpfile();
    struct sim_needs *needs = touched != NULL ? sim_needs_create(bench->sim, &err) : NULL;
    for (uint64_t line = 0; needs != NULL && line < LINES; line++)
        if (touched[line] != 0)
            sim_needs_add(needs, 0x10000 + line * 128, touched[line]);
    int result = needs != NULL ? sim_save_needed(bench->sim, needs, file, "state", &err)
                               : sim_save(bench->sim, file, "state", &err);
    ck_assert_msg(result == 0, "%s", err.text);
    sim_needs_destroy(needs);
    *size = (size_t)ftell(file);
    rewind(file);
    return file;
}

static void restore(struct bench *bench, FILE *file)
{
    struct error err = {0};
    ck_assert_msg(sim_restore(bench->sim, file, "state", &err) == 0, "%s", err.text);
    fclose(file);
}

/* Behind what a launch needs of a state it finds what it finds behind the whole state, and
 * evicts as much that is dirty. */
START_TEST(needed)
{
    static char program[8192];
    uint8_t touched[LINES];
    uint32_t seed = 7;
    size_t sizes[2] = {0};
    for (int round = 0; round < 60; round++) {
        struct bench first = bench_create(caches[_i]), whole = bench_create(caches[_i]),
                     part = bench_create(caches[_i]);
        size_t size[2];
        for (int launch = 0; launch < 3; launch++) {
            make_launch(program, &seed, 10 + draw(&seed, 40), touched);
            execute(&first, program);
        }
        make_launch(program, &seed, 1 + draw(&seed, 30), touched);
        FILE *files[] = {save(&first, NULL, &size[0]), save(&first, touched, &size[1])};
        restore(&whole, files[0]);
        restore(&part, files[1]);
        struct sim_result a = execute(&whole, program), b = execute(&part, program);
        ck_assert_mem_eq(&a.counters, &b.counters, sizeof a.counters);
        sizes[0] += size[0];
        sizes[1] += size[1];
        bench_destroy(&first);
        bench_destroy(&whole);
        bench_destroy(&part);
    }
    ck_assert_uint_lt(sizes[1], sizes[0]);
}
END_TEST

/* ---- addresses that have the bit of copies by themselves ---- */

/* Two halves whose slices and sets depend on all bits of an address. */
#define SIX                                                                                    \
    SETS("gpgpu_n_mem=6", "gpgpu_memory_partition_indexing=0", "gpgpu_n_clusters=2",           \
         "hearth_l2_far_latency=150", "gpgpu_flush_l1_cache=1")
#define MARKED "[ 4 1 0x200000000010000 128 ]" /* 32 lines with the bit */

/* Depends on all lines of L2 and the sets in which they are. */
static uint64_t places_of(const struct bench *bench)
{
    uint64_t sum = 0, count = 0;
    const struct engine *engine = &bench->sim->engine;
    for (uint32_t s = 0; s < engine->spec.slices; s++) {
        const struct tags *tags = &engine_slice(engine, s)->cache.tags;
        for (uint32_t i = 0; i < tags->spec.sets * tags->max_ways; i++) {
            if (tags->lines[i].valid == 0)
                continue;
            count++;
            sum += (s + 1) * (tags->lines[i].address ^ i / tags->max_ways);
        }
    }
    ck_assert_uint_gt(count, 64); /* some have a copy */
    return sum;
}

/* They are in the state, wherever it comes from, and in the same sets of L2; others have their
 * copies beside them. */
START_TEST(bit_of_copies)
{
    static const char program[] = BENCH_READ " " MARKED "; STG.E R2 R3 " MARKED ";" BENCH_READ
                                             " [ 4 1 0x90000 128 ]; EXIT";
    uint64_t places[2];
    for (int timed = 0; timed < 2; timed++) {
        struct bench one = bench_create(SIX), two = bench_create(SIX);
        size_t size;
        if (timed)
            bench_launch(&one, &(struct launch_text){.program = program});
        else
            execute(&one, program);
        places[timed] = places_of(&one);
        restore(&two, save(&one, NULL, &size));
        ck_assert_uint_eq(places_of(&two), places[timed]);
        bench_destroy(&one);
        bench_destroy(&two);
    }
    ck_assert_uint_eq(places[0], places[1]);
}
END_TEST

int main(void)
{
    const TTest *const tests[] = {hits,       dirty, refused,      damaged,    others,
                                  unreadable, bytes, without_code, without_l1, bit_of_copies};
    const TTest *const loops[] = {needed, keeps_l1};
    return RUN_LOOPS("L2 file", tests, loops, CACHES);
}
