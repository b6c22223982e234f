/* Packed workloads: what is packed comes back to the byte, as text and as
 * records; damage and interruption are found. */
#define _GNU_SOURCE /* asprintf */
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "tests/traces/support.h"
#include "traces/packed/exact.h"
#include "traces/packed/store.h"

/* A workload of some launches given as text, and its packed file. */
struct fixture {
    char *folder, *packed;
    size_t launches;
};

static char *path_in(const char *folder, const char *name)
{
    char *path;
    ck_assert_int_ge(asprintf(&path, "%s/%s", folder, name), 0);
    return path;
}

/* Packs TEXTS through the public interface. ID and name of the Nth, from 1, are
 * "kernel-<N>.traceg". Returns the error's text, or NULL. */
static char *pack(struct fixture *fixture, const char *const *texts, size_t count,
                  const struct trace_writer_options *options)
{
    struct error err = {0};
    fixture->folder = make_folder();
    fixture->packed = path_in(fixture->folder, "packed");
    fixture->launches = count;
    struct trace_writer *writer = trace_writer_create(fixture->packed, options, &err);
    ck_assert_msg(writer != NULL, "%s", err.text);
    ck_assert_int_eq(trace_writer_line(writer, "MemcpyHtoD,0x7f0000000000,256 ", &err), 0);
    for (size_t i = 0; i < count && err.kind == ERROR_NONE; i++) {
        char name[64];
        snprintf(name, sizeof name, "kernel-%zu.traceg", i + 1);
        char *path = make_file(fixture->folder, name, texts[i], strlen(texts[i]));
        trace_writer_launch(writer, name, path, NULL, &err);
        free(path);
    }
    if (err.kind == ERROR_NONE)
        ck_assert_msg(trace_writer_end(writer, &err) == 0, "%s", err.text);
    trace_writer_destroy(writer);
    return err.kind == ERROR_NONE ? NULL : strdup(err.text);
}

static void finish(struct fixture *fixture)
{
    free(fixture->packed);
    remove_folder(fixture->folder);
}

static char *read_file(const char *path)
{
    FILE *file = fopen(path, "rb");
    ck_assert_msg(file != NULL, "%s", path);
    char *text = NULL;
    size_t size = 0;
    ck_assert_int_ge(getdelim(&text, &size, '\0', file), -1);
    fclose(file);
    return text != NULL ? text : strdup("");
}

/* Writes the text of FIXTURE to a folder and compares it with TEXTS. */
static void check_text(const struct fixture *fixture, const char *const *texts)
{
    struct error err = {0};
    const struct trace_writer_options options = {.output = TRACE_OUTPUT_FOLDER};
    char *folder = path_in(fixture->folder, "out");
    struct trace_workload *workload = trace_workload_open(fixture->packed, &err);
    ck_assert_msg(workload != NULL, "%s", err.text);
    struct trace_writer *writer = trace_writer_create(folder, &options, &err);
    ck_assert_msg(writer != NULL, "%s", err.text);
    ck_assert_msg(trace_writer_workload(writer, workload, NULL, &err) == 0, "%s", err.text);
    ck_assert_int_eq(trace_writer_end(writer, &err), 0);
    trace_writer_destroy(writer);
    trace_workload_destroy(workload);
    for (size_t i = 0; i < fixture->launches; i++) {
        char name[64];
        snprintf(name, sizeof name, "kernel-%zu.traceg", i + 1);
        char *path = path_in(folder, name), *text = read_file(path);
        ck_assert_str_eq(text, texts[i]);
        free(text);
        free(path);
    }
    free(folder);
}

static char *dump_file(const char *path, size_t launch, bool memory_only, size_t budget)
{
    char *name;
    struct error err = {0};
    const struct trace_kernel_options options = {.memory_only = memory_only,
                                                 .memory_budget = budget};
    ck_assert_int_ge(asprintf(&name, "%s/kernel-%zu%s", path, launch,
                              strstr(path, "packed") != NULL ? "" : ".traceg"),
                     0);
    struct trace_kernel *kernel = trace_kernel_open(name, &options, &err);
    ck_assert_msg(kernel != NULL, "%s", err.text);
    free(name);
    return dump(kernel);
}

/* Records, full and memory-only, in memory and spilled, are those of the text. */
static void check_records(const struct fixture *fixture)
{
    for (size_t i = 1; i <= fixture->launches; i++)
        for (int memory_only = 0; memory_only < 2; memory_only++)
            for (size_t budget = 0; budget < 2; budget++) {
                char *text = dump_file(fixture->folder, i, memory_only, budget);
                char *packed = dump_file(fixture->packed, i, memory_only, budget);
                ck_assert_str_eq(text, packed);
                free(text);
                free(packed);
            }
}

static void round_trip(const char *const *texts, size_t count)
{
    struct fixture fixture;
    char *error = pack(&fixture, texts, count, NULL);
    ck_assert_msg(error == NULL, "%s", error);
    check_text(&fixture, texts);
    check_records(&fixture);
    finish(&fixture);
}

#define ROUND_TRIP(...)                                                                        \
    do {                                                                                       \
        static const char *const texts_[] = {__VA_ARGS__};                                     \
        round_trip(texts_, sizeof texts_ / sizeof *texts_);                                    \
    } while (0)

#define LDG  "0080 ffffffff 1 R8 LDG.E 1 R4 4 "
#define EXIT "0030 ffffffff 0 EXIT 0 0 0 \n"

/* ---- round trips ------------------------------------------------------- */

START_TEST(plain_instructions)
{
    ROUND_TRIP(TRACE("3", "0000 ffffffff 1 R1 MOV 0 0 0 \n0010 0000ffff 0 BRA 0 0 0 \n" EXIT));
}
END_TEST

START_TEST(address_modes)
{
    ROUND_TRIP(TRACE("9", LDG "1 0x7f0000000000 4 0 \n" LDG "1 0x7f0000000080 -4 0 \n"
                              "0090 0000000f 1 R8 LDG.E 1 R4 4 0 0x10 0x20 0x24 0x28 0 \n"
                              "0090 0000000f 1 R8 LDG.E 1 R4 4 2 0x10 -4 8 12 0 \n"
                              "0090 00000001 1 R8 LDG.E 1 R4 4 2 0x10 0 \n"
                              "0090 00000001 1 R8 LDG.E 1 R4 4 1 0x10 4 0 \n"
                              "0090 00000000 1 R8 LDG.E 1 R4 4 1 0x0 0 0 \n"
                              "0090 00000000 1 R8 LDG.E 1 R4 4 1 0x10 -8 0 \n"
                              "0090 80000001 1 R8 LDG.E 1 R4 4 1 0x10 4 0 \n"));
}
END_TEST

START_TEST(wide_addresses)
{
    ROUND_TRIP(TRACE("3", LDG "1 0x00007f0000000000 4 0 \n" LDG "1 0x00007f0000000080 4 0 \n"
                              "0080 00000000 1 R8 LDG.E 1 R4 4 1 0x0000000000000000 0 0 \n"));
}
END_TEST

START_TEST(extreme_addresses)
{
    ROUND_TRIP(TRACE("3", "0080 00000003 1 R8 LDG.E 1 R4 4 2 0xffffffffffffffff "
                          "-9223372036854775808 0 \n"
                          "0080 00000003 1 R8 LDG.E 1 R4 4 2 0x0 9223372036854775807 0 \n"
                          "0080 80000001 1 R8 LDG.E 1 R4 4 0 0x0 0xffffffffffffffff 0 \n"));
}
END_TEST

START_TEST(tails_that_change)
{
    ROUND_TRIP(TRACE("3", "00d0 00000003 0 STG.E 2 R6 R9 4 1 0x100 4 0 STORE_DATA I32 1 "
                          "REG0:T0:0x00000000 T1:0x40400000 \n"
                          "00d0 00000003 0 STG.E 2 R6 R9 4 1 0x180 4 0 STORE_DATA I32 1 "
                          "REG0:T0:0x40c00000 T1:0x41100000 \n"
                          "00d0 00000001 0 STG.E 2 R6 R9 4 2 0x180 0 STORE_DATA I32 1 "
                          "REG0:T0:0x40c00001 \n"));
}
END_TEST

START_TEST(odd_lines)
{
    ROUND_TRIP(TRACE("7", "0000  ffffffff 1 R1 MOV 0 0 0 \n\n# a remark\n"
                          "0010 FFFFFFFF 1 R1 MOV 0 0 0\n"
                          " 0020 ffffffff 1 R1 MOV 0 0 0 \r\n"
                          "0080 ffffffff 1 R8 LDG.E 1 R4 4 1  0x7f0000000000 4 0 \n"
                          "0080 ffffffff 1 R8 LDG.E 1 R4 4 1 0x07f000000000 4 0 \n"
                          "0080 0ff 1 R8 LDG.E 1 R4 4 1 0x7F0000000000 4 0 \n"
                          "00000000000000a0 ffffffff 0 EXIT 0 0\t0\n\n\n"));
}
END_TEST

START_TEST(layouts)
{
    ROUND_TRIP(HEADER "\n\n#BEGIN_TB\n# why not\nthread block = 00,0,0\n\n\nwarp = 0 \n"
                      "insts =  01\n" EXIT "#END_TB\n# remark\n");
}
END_TEST

START_TEST(no_newline_at_the_end)
{
    ROUND_TRIP(HEADER "#BEGIN_TB\nthread block = 0,0,0\nwarp = 0\ninsts = 1\n" EXIT "#END_TB");
}
END_TEST

START_TEST(no_instructions)
{
    ROUND_TRIP(HEADER BLOCK("0,0,0", WARP("0", "0", "")), HEADER BLOCK("0,0,0", ""));
}
END_TEST

START_TEST(blocks_and_warps_in_any_order)
{
    ROUND_TRIP(HEADER_WITH("(2,1,2)", "(40,2,1)", "86", "5", "0")
                   BLOCK("1,0,1", WARP("2", "1", EXIT) WARP("0", "1", EXIT))
                       BLOCK("0,0,0", WARP("1", "1", EXIT)) BLOCK("0,0,1", "")
                           BLOCK("1,0,0", WARP("0", "1", EXIT) WARP("1", "1", EXIT)));
}
END_TEST

START_TEST(ids_on_every_line)
{
    ROUND_TRIP(HEADER_WITH("(2,1,1)", "(64,1,1)", "75", "1.2", "0")
                   BLOCK("0,0,0", WARP("0", "1", "0 0 0 0 0030 ffffffff 0 EXIT 0 0 \n")
                                      WARP("1", "1", "0 0 0 1 0030 ffffffff 0 EXIT 0 0 \n"))
                       BLOCK("1,0,0", WARP("0", "1", "1 0 0 0 0030 ffffffff 0 EXIT 0 0 \n")
                                          WARP("1", "2",
                                               "7 0 0 9 0030 ffffffff 0 EXIT 0 0 \n"
                                               "1  0 0 1 0030 ffffffff 0 EXIT 0 0\n")));
}
END_TEST

START_TEST(source_lines)
{
    ROUND_TRIP(HEADER_WITH("(1,1,1)", "(32,1,1)", "75", "5", "1")
                   BLOCK("0,0,0", WARP("0", "3",
                                       "12 0000 ffffffff 1 R1 MOV 0 0 0 \n"
                                       "13 0010 ffffffff 1 R1 MOV 0 0 0 \n"
                                       "007 0030 ffffffff 0 EXIT 0 0 0 \n")));
}
END_TEST

START_TEST(headers_with_other_lines)
{
    ROUND_TRIP(
        "-kernel name = f(int, 3)\n-what = 12 is this\n-grid dim = (1,1,1)\n"
        "-block dim = ( 32, 1, 1 )\n\n-accelsim tracer version = 5\n#x\n"
        "\n#BEGIN_TB\n\nthread block = 0,0,0\n\n#END_TB\n",
        "-kernel name = f(int, 4)\n-kernel id = 18446744073709551615\n-grid dim = (1,1,1)\n"
        "-block dim = (32,1,1)\n#BEGIN_TB\nthread block = 0,0,0\n#END_TB\n\n\n");
}
END_TEST

/* A warp's loop over ITERATIONS with addresses that no predictor foretells in
 * full, printed for a grid of BLOCKS. */
static char *make_loop(int blocks, int iterations, unsigned seed)
{
    char *text = NULL;
    size_t size;
    FILE *out = open_memstream(&text, &size);
    fprintf(out,
            "-kernel name = loop%u\n-kernel id = %u\n-grid dim = (%d,1,1)\n"
            "-block dim = (64,1,1)\n-binary version = 86\n-accelsim tracer version = 5\n\n"
            "#traces format\n\n",
            seed % 3, seed, blocks);
    for (int b = 0; b < blocks; b++) {
        fprintf(out, "\n#BEGIN_TB\n\nthread block = %d,0,0\n", b);
        for (int w = 0; w < 2; w++) {
            fprintf(out, "\nwarp = %d\ninsts = %d\n", w, 5 * iterations + 1);
            for (int i = 0; i < iterations; i++) {
                seed = seed * 1103515245 + 12345;
                unsigned mask = seed % 5 == 0 ? seed | 1 : 0xffffffff;
                unsigned long base = 0x7f0000000000 + (unsigned long)(b * 2 + w) * 4096;
                fprintf(out, "0000 %08x 1 R8 LDG.E 1 R4 4 %s0x%lx", mask,
                        seed % 5 == 0 ? "2 " : "1 ", base + (unsigned)i * 128);
                for (int k = 1; seed % 5 == 0 && k < __builtin_popcount(mask); k++)
                    fprintf(out, " %d", (int)(seed >> k % 16 & 0xfffc) - 32768);
                fprintf(out, seed % 5 == 0 ? " 0 \n" : " 4 0 \n");
                fprintf(out, "0010 %08x 1 R9 FADD 2 R8 R8 0 0 \n", mask);
                fprintf(out, "0020 %08x 0 STS 2 R6 R9 4 1 0x%x 4 0 \n", 0xffffffff,
                        seed % 7 * 128);
                fprintf(out, "0030 ffffffff 0 ISETP.NE.AND 1 R20 0 %u \n", seed % 2);
                fprintf(out, "0040 ffffffff 0 BRA 0 0 0 \n");
            }
            fprintf(out, "0050 ffffffff 0 EXIT 0 0 0 \n");
        }
        fprintf(out, "\n#END_TB\n");
    }
    fclose(out);
    return text;
}

START_TEST(loops)
{
    char *texts[] = {make_loop(9, 7, 1), make_loop(3, 40, 2), make_loop(5, 7, 3)};
    round_trip((const char *const *)texts, 3);
    for (int i = 0; i < 3; i++)
        free(texts[i]);
}
END_TEST

/* A warp of more records than a piece takes. */
START_TEST(long_warps)
{
    char *text = make_loop(1, PIECE_MOST / 5 * 2 + 17, 1);
    round_trip((const char *const *)&text, 1);
    free(text);
}
END_TEST

/* ---- groups ------------------------------------------------------------ */

/* Packs TEXTS in groups of about RECORDS. */
static void pack_groups(struct fixture *fixture, char *const *texts, size_t count,
                        uint64_t records)
{
    struct error err = {0};
    const struct packed_writer_options options = {.level = 1, .group_records = records};
    fixture->folder = make_folder();
    fixture->packed = path_in(fixture->folder, "packed");
    fixture->launches = count;
    FILE *file = fopen(fixture->packed, "wb");
    struct packed_writer *writer = packed_writer_create(file, fixture->packed, &options, &err);
    for (size_t i = 0; i < count; i++) {
        char name[64];
        struct source source;
        snprintf(name, sizeof name, "kernel-%zu.traceg", i + 1);
        free(make_file(fixture->folder, name, texts[i], strlen(texts[i])));
        ck_assert_int_eq(source_open_memory(&source, name, texts[i], strlen(texts[i]), &err),
                         0);
        ck_assert_msg(exact_pack(writer, name, &source, &err) == 0, "%s", err.text);
        source_finish(&source);
    }
    ck_assert_int_eq(packed_writer_end(writer, &err), 0);
    packed_writer_destroy(writer);
    fclose(file);
}

/* Launches that go over several groups, torn between and inside blocks. */
START_TEST(launches_over_groups)
{
    static const uint64_t records[] = {1, 30, 100, 400};
    char *texts[] = {make_loop(9, 7, 1), make_loop(3, 40, 2), make_loop(5, 7, 3)};
    struct fixture fixture;
    pack_groups(&fixture, texts, 3, records[_i]);
    struct error err = {0};
    struct store *store = store_open(fixture.packed, &err);
    ck_assert_msg(store != NULL, "%s", err.text);
    ck_assert_uint_gt(store->group_count, 2);
    store_close(store);
    check_text(&fixture, (const char *const *)texts);
    check_records(&fixture);
    finish(&fixture);
    for (int i = 0; i < 3; i++)
        free(texts[i]);
}
END_TEST

/* The memory-only view is not held up by damage to what it does not read. */
START_TEST(memory_view_reads_nothing_else)
{
    char *text = make_loop(9, 7, 1);
    struct fixture fixture;
    struct error err = {0};
    pack_groups(&fixture, &text, 1, 1 << 20);
    struct store *store = store_open(fixture.packed, &err);
    ck_assert_ptr_nonnull(store);
    struct group *group = store_acquire(store, 0, 1 << FRAME_HEAD, &err);
    uint64_t at = store->groups[0].offset + group->frames.length;
    for (int f = 0; f < FRAME_CONTROL; f++)
        at += group->frames.frames[f].packed;
    store_release(store, 0);
    store_close(store);
    FILE *file = fopen(fixture.packed, "r+b");
    ck_assert_int_eq(fseek(file, (long)at, SEEK_SET), 0);
    ck_assert_int_ne(fputc(0x55, file), EOF);
    fclose(file);
    char *expected = dump_file(fixture.folder, 1, true, 0);
    char *memory = dump_file(fixture.packed, 1, true, 0);
    char *all = dump_file(fixture.packed, 1, false, 0);
    ck_assert_str_eq(memory, expected);
    ck_assert_ptr_nonnull(strstr(all, "its control is damaged: the checksum differs"));
    free(expected);
    free(memory);
    free(all);
    free(text);
    finish(&fixture);
}
END_TEST

static char *dump_global(const char *path, const char *name)
{
    char *launch;
    struct error err = {0};
    const struct trace_kernel_options options = {.memory_only = true, .no_shared = true};
    ck_assert_int_ge(asprintf(&launch, "%s/%s", path, name), 0);
    struct trace_kernel *kernel = trace_kernel_open(launch, &options, &err);
    ck_assert_msg(kernel != NULL, "%s", err.text);
    free(launch);
    return dump(kernel);
}

/* Without shared memory: LDG and EXIT stay of the loop, STS goes. */
START_TEST(memory_view_without_shared)
{
    static const char *const texts[] = {
        TRACE("3", LDG "1 0x7f0000000000 4 0 \n"
                       "0090 ffffffff 0 STS 2 R6 R9 4 1 0x80 4 0 \n" EXIT),
        TRACE("2", LDG "1 0x7f0000000000 4 0 \n" EXIT)};
    struct fixture fixture;
    ck_assert_ptr_null(pack(&fixture, texts, 2, NULL));
    char *expected = dump_global(fixture.folder, "kernel-2.traceg");
    char *text = dump_global(fixture.folder, "kernel-1.traceg");
    char *packed = dump_global(fixture.packed, "kernel-1");
    ck_assert_str_eq(text, expected);
    ck_assert_str_eq(packed, expected);
    free(expected);
    free(text);
    free(packed);
    finish(&fixture);
}
END_TEST

/* ---- damage ------------------------------------------------------------ */

static size_t read_bytes(const char *path, uint8_t **data)
{
    FILE *file = fopen(path, "rb");
    ck_assert_ptr_nonnull(file);
    ck_assert_int_eq(fseek(file, 0, SEEK_END), 0);
    size_t size = (size_t)ftell(file);
    rewind(file);
    *data = malloc(size);
    ck_assert_uint_eq(fread(*data, 1, size, file), size);
    fclose(file);
    return size;
}

/* Counts errors that name a part of the file. */
static void count_finding(void *data, const struct trace_finding *finding)
{
    static const char *const parts[] = {"group ", "index", "packed workload of version",
                                        "written to its end", "this is binary"};
    bool named = false;
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++)
        named |= strstr(finding->text, parts[i]) != NULL;
    *(unsigned *)data += finding->error && named;
}

/* Whether it is found, and named, what is wrong with SIZE bytes at DATA. */
static bool is_found(const char *folder, const uint8_t *data, size_t size)
{
    struct error err = {0};
    unsigned errors = 0;
    struct trace_verify verify = {.found = count_finding, .data = &errors};
    char *path = make_file(folder, "flipped", data, size);
    ck_assert_int_eq(trace_verify_workload(path, &verify, &err), 0);
    free(path);
    return errors > 0;
}

static void assert_found(const char *folder, uint8_t *data, size_t size, size_t bit)
{
    data[bit / 8] ^= (uint8_t)(1 << bit % 8);
    ck_assert_msg(is_found(folder, data, size), "bit %zu of byte %zu", bit % 8, bit / 8);
    data[bit / 8] ^= (uint8_t)(1 << bit % 8);
}

START_TEST(flipped_bits)
{
    char *texts[] = {make_loop(1, 1, 1), make_loop(1, 2, 2)};
    struct fixture fixture;
    uint8_t *data;
    pack_groups(&fixture, texts, 2, 10);
    size_t size = read_bytes(fixture.packed, &data);
    ck_assert(!is_found(fixture.folder, data, size));
    for (size_t bit = 0; bit < 8 * size; bit++)
        assert_found(fixture.folder, data, size, bit);
    free(data);
    finish(&fixture);
    free(texts[0]);
    free(texts[1]);
}
END_TEST

/* Bits here and there of more launches and groups. */
START_TEST(flipped_bits_of_many_groups)
{
    char *texts[8];
    struct fixture fixture;
    uint8_t *data;
    uint64_t random = 1;
    for (unsigned i = 0; i < 8; i++)
        texts[i] = make_loop(3, 4, i + 1);
    pack_groups(&fixture, texts, 8, 100);
    size_t size = read_bytes(fixture.packed, &data);
    ck_assert(!is_found(fixture.folder, data, size));
    for (int i = 0; i < 500; i++) {
        random = random * UINT64_C(6364136223846793005) + 1442695040888963407u;
        assert_found(fixture.folder, data, size, (random >> 20) % (8 * size));
    }
    free(data);
    finish(&fixture);
    for (int i = 0; i < 8; i++)
        free(texts[i]);
}
END_TEST

/* Reads all launches of the first SIZE bytes. Returns how many. If those are
 * more than MOST each must be that of the whole file. */
static size_t count_whole(const struct fixture *fixture, const uint8_t *data, size_t size,
                          size_t most)
{
    struct error err = {0};
    char *path = make_file(fixture->folder, "packed.cut", data, size);
    struct trace_workload *workload = trace_workload_open(path, &err);
    size_t count = 0;
    if (workload == NULL)
        ck_assert_uint_lt(size, FRAME_FILE_HEADER);
    for (size_t i = 0; workload != NULL && i < workload->count; i++) {
        if (workload->commands[i].kind != TRACE_KERNEL)
            continue;
        if (++count <= most)
            continue;
        char *cut = dump_file(path, count, false, 0);
        char *whole = dump_file(fixture->packed, count, false, 0);
        ck_assert_str_eq(cut, whole);
        free(cut);
        free(whole);
    }
    if (workload != NULL)
        ck_assert_ptr_nonnull(workload->note);
    trace_workload_destroy(workload);
    free(path);
    return count;
}

/* A write that stops at any byte leaves the launches before it. */
START_TEST(interrupted_writes)
{
    char *texts[4];
    struct fixture fixture;
    uint8_t *data;
    size_t most = 0;
    for (unsigned i = 0; i < 4; i++)
        texts[i] = make_loop(2, 3, i + 1);
    pack_groups(&fixture, texts, 4, 40);
    size_t size = read_bytes(fixture.packed, &data);
    for (size_t cut = FRAME_MAGIC_SIZE; cut < size; cut++) {
        size_t count = count_whole(&fixture, data, cut, most);
        ck_assert_uint_ge(count, most);
        most = count;
    }
    ck_assert_uint_eq(most, 4);
    free(data);
    finish(&fixture);
    for (int i = 0; i < 4; i++)
        free(texts[i]);
}
END_TEST

START_TEST(other_versions)
{
    struct error err = {0};
    char *folder = make_folder();
    char *path = make_file(folder, "packed", FRAME_MAGIC "\2", FRAME_FILE_HEADER);
    ck_assert_ptr_null(trace_workload_open(path, &err));
    ck_assert_int_eq(err.kind, ERROR_TRACE);
    ck_assert_ptr_nonnull(
        strstr(err.text, "packed workload of version 2; this program reads version 1"));
    free(path);
    remove_folder(folder);
}
END_TEST

START_TEST(launches_that_are_not_there)
{
    static const char *const texts[] = {TRACE("1", EXIT)};
    struct fixture fixture;
    struct error err = {0};
    ck_assert_ptr_null(pack(&fixture, texts, 1, NULL));
    char *path = path_in(fixture.packed, "kernel-9");
    ck_assert_ptr_null(trace_kernel_open(path, NULL, &err));
    ck_assert_ptr_nonnull(strstr(err.text, "it holds no launch 9"));
    free(path);
    finish(&fixture);
}
END_TEST

/* What readers refuse is not packed, and the line is named. */
START_TEST(refused_text)
{
    static const struct {
        const char *text, *message;
    } cases[] = {
        {TRACE("2", EXIT), "warp 0 has 1 instructions, 'insts = 2' was announced"},
        {TRACE("1", EXIT EXIT), "an instruction beyond what 'insts = N' announced"},
        {TRACE("1", "0030 ffffffff 0 exit 0 0 0 \n"), "an opcode is expected, not 'exit'"},
        {HEADER BLOCK("1,0,0", ""), "thread block 1,0,0 is not in the grid of (1,1,1)"},
        {HEADER BLOCK("0,0,0", WARP("1", "0", "")), "warp 1; blocks have 1 warps"},
        {HEADER BLOCK("0,0,0", WARP("0", "0", "") WARP("0", "0", "")),
         "warp 0 is listed twice"},
        {HEADER "#BEGIN_TB\nthread block = 0,0,0\n", "#END_TB is expected, the trace ends"},
        {HEADER, "the trace ends after 0 of the grid's 1 thread blocks"},
        {HEADER BLOCK("0,0,0", "") BLOCK("0,0,0", ""),
         "more thread blocks than the 1 of the grid"},
    };
    struct fixture fixture;
    char *error = pack(&fixture, &cases[_i].text, 1, NULL);
    ck_assert_ptr_nonnull(error);
    ck_assert_msg(strstr(error, cases[_i].message) != NULL, "%s", error);
    ck_assert_int_ne(access(fixture.packed, F_OK), 0);
    free(error);
    finish(&fixture);
}
END_TEST

/* ---- front to back ----------------------------------------------------- */

START_TEST(pipes)
{
    char *texts[] = {make_loop(3, 7, 1), make_loop(2, 9, 2)};
    struct fixture fixture;
    struct error err = {0};
    int ends[2];
    uint8_t *data;
    size_t launches;
    bool whole;
    pack_groups(&fixture, texts, 2, 100);
    size_t size = read_bytes(fixture.packed, &data);
    ck_assert_int_eq(pipe(ends), 0);
    ck_assert_int_lt(size, 65536); /* fits into the pipe */
    ck_assert_int_eq(write(ends[1], data, size), (ssize_t)size);
    close(ends[1]);
    char *again = path_in(fixture.folder, "again");
    struct trace_writer *writer = trace_writer_create(again, NULL, &err);
    ck_assert_msg(trace_writer_stream(writer, ends[0], "pipe", &launches, &whole, &err) == 0,
                  "%s", err.text);
    ck_assert_int_eq(trace_writer_end(writer, &err), 0);
    ck_assert_uint_eq(launches, 2);
    ck_assert(whole);
    trace_writer_destroy(writer);
    close(ends[0]);
    free(fixture.packed);
    fixture.packed = again;
    check_text(&fixture, (const char *const *)texts);
    free(data);
    finish(&fixture);
    free(texts[0]);
    free(texts[1]);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("packed");
    TCase *tcase = tcase_create("packed");
    tcase_add_test(tcase, plain_instructions);
    tcase_add_test(tcase, address_modes);
    tcase_add_test(tcase, wide_addresses);
    tcase_add_test(tcase, extreme_addresses);
    tcase_add_test(tcase, tails_that_change);
    tcase_add_test(tcase, odd_lines);
    tcase_add_test(tcase, layouts);
    tcase_add_test(tcase, no_newline_at_the_end);
    tcase_add_test(tcase, no_instructions);
    tcase_add_test(tcase, blocks_and_warps_in_any_order);
    tcase_add_test(tcase, ids_on_every_line);
    tcase_add_test(tcase, source_lines);
    tcase_add_test(tcase, headers_with_other_lines);
    tcase_add_test(tcase, loops);
    tcase_add_test(tcase, long_warps);
    tcase_add_loop_test(tcase, launches_over_groups, 0, 4);
    tcase_add_test(tcase, memory_view_reads_nothing_else);
    tcase_add_test(tcase, memory_view_without_shared);
    tcase_add_test(tcase, flipped_bits);
    tcase_add_test(tcase, flipped_bits_of_many_groups);
    tcase_add_test(tcase, interrupted_writes);
    tcase_add_test(tcase, other_versions);
    tcase_add_test(tcase, launches_that_are_not_there);
    tcase_add_loop_test(tcase, refused_text, 0, 9);
    tcase_add_test(tcase, pipes);
    tcase_set_timeout(tcase, 180);
    suite_add_tcase(suite, tcase);
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_ENV);
    int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed == 0 ? 0 : 1;
}
