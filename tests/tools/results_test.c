#include <check.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "tests/suite.h"
#include "tools/run/files/output_folder.h"
#include "tools/run/results/results.h"
#include "traces/base/json.h"

static const struct trace_header header = {
    .name = (char *)"operator\"<int, int>\"",
    .grid = {2, 3, 1},
    .block = {64, 1, 1},
    .stream = 47005056,
};

static size_t column(const char *name)
{
    for (size_t i = 0; i < row_column_count(); i++)
        if (strcmp(row_column(i).name, name) == 0)
            return i;
    ck_abort_msg("no column %s", name);
    return 0;
}

static void expect(const struct row *row, const char *name, const char *text)
{
    char buffer[32];
    struct value value = row_value(row, column(name));
    ck_assert_str_eq(value_text(&value, buffer), text);
}

/* The contract of kernels.csv. */
START_TEST(columns_stand_in_order)
{
    static const char *const names[] = {
        "step",
        "segment",
        "launch",
        "kernel",
        "stream",
        "grid",
        "block",
        "role",
        "mode",
        "cycles",
        "start_cycle",
        "end_cycle",
        "warp_insts",
        "thread_insts",
        "ipc",
        "warp_ipc",
        "l1d_accesses",
        "l1d_hits",
        "l1d_misses",
        "l1d_pending_hits",
        "l2_reads",
        "l2_read_hits",
        "l2_read_misses",
        "l2_read_pending_hits",
        "l2_writes",
        "l2_write_hits",
        "dram_reads",
        "dram_writes",
    };
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
        ck_assert_str_eq(row_column(i).name, names[i]);
    static const char *const last[] = {"restored_sectors", "cycles_corrected", "ipc_corrected"};
    for (size_t i = 0; i < 3; i++)
        ck_assert_str_eq(row_column(row_column_count() - 3 + i).name, last[i]);
    for (size_t i = 0; i < row_column_count(); i++)
        ck_assert_str_ne(row_column(i).description, "");
}
END_TEST

START_TEST(row_says_what_it_holds)
{
    struct row row;
    ck_assert_int_eq(row_init(&row, &header, "main"), 0);
    row.step = 7;
    row.launch = 1101;
    row.role = PLAN_WARM;
    row.result = (struct sim_result){.start_cycle = 1000,
                                     .end_cycle = 1300,
                                     .gap_cycles = 5,
                                     .counters = {.warp_insts = 100,
                                                  .thread_insts = 3000,
                                                  .dram_writes = 9,
                                                  .shmem_conflict_cycles = 4}};
    expect(&row, "step", "7");
    expect(&row, "segment", "main");
    expect(&row, "launch", "1101");
    expect(&row, "kernel", "operator\"<int, int>\"");
    expect(&row, "stream", "47005056");
    expect(&row, "grid", "2x3x1");
    expect(&row, "block", "64x1x1");
    expect(&row, "role", "warm");
    expect(&row, "mode", "detailed");
    expect(&row, "cycles", "300");
    expect(&row, "ipc", "10");
    expect(&row, "warp_ipc", "0.333333");
    expect(&row, "dram_writes", "9");
    expect(&row, "shmem_conflict_cycles", "4");
    expect(&row, "gap_cycles", "5");
    row_finish(&row);
}
END_TEST

static void fill(struct row *row, size_t segment, uint64_t start, uint64_t end)
{
    *row = (struct row){
        .segments = segment,
        .scale = 1,
        .result = {.start_cycle = start,
                   .end_cycle = end,
                   .counters = {.warp_insts = 10, .l2_reads = 8, .l2_read_hits = 2}}};
}

static uint64_t total(const struct totals *totals, const char *name)
{
    for (size_t i = 0; i < totals_count(totals); i++)
        if (strcmp(totals_column(totals, i).name, name) == 0)
            return totals_value(totals, i).count;
    ck_abort_msg("no total %s", name);
    return 0;
}

START_TEST(totals_leave_warm_up_out)
{
    struct row rows[4];
    fill(&rows[0], 1, 0, 100);
    fill(&rows[1], 1, 50, 170); /* overlaps the first */
    fill(&rows[2], 2, 0, 1000);
    rows[2].role = PLAN_WARM;
    fill(&rows[3], 2, 1000, 1010);
    struct totals totals;
    totals_init(&totals, rows, 4);
    ck_assert_uint_eq(total(&totals, "launches"), 3);
    ck_assert_uint_eq(total(&totals, "warm_launches"), 1);
    ck_assert_uint_eq(total(&totals, "cycles"), 230);
    ck_assert_uint_eq(total(&totals, "elapsed_cycles"), 180);
    ck_assert_uint_eq(totals.busy, 180);
    ck_assert_uint_eq(total(&totals, "warp_insts"), 30);
    size_t plain = totals_count(&totals);
    rows[0].result.restored_sectors = 7; /* and what is told only where there is any */
    totals_init(&totals, rows, 4);
    ck_assert_uint_eq(total(&totals, "restored_sectors"), 7);
    ck_assert_uint_eq(totals_count(&totals), plain + 1);
    totals_init(&totals, NULL, 0);
    ck_assert_uint_eq(total(&totals, "cycles"), 0);
}
END_TEST

START_TEST(json_is_well_formed)
{
    char *text = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&text, &size);
    struct json json;
    json_init(&json, out);
    json_open(&json, NULL, '{');
    json_text(&json, "a", "q\"b\\n\n\xc3\xa4\xff");
    json_open_line(&json, "list", '[');
    json_count(&json, NULL, UINT64_MAX);
    json_open(&json, NULL, '{');
    json_bool(&json, "x", true);
    json_close(&json, '}');
    json_close(&json, ']');
    json_open(&json, "empty", '{');
    json_close(&json, '}');
    json_number(&json, "n", 0.12345, 3);
    json_close(&json, '}');
    fclose(out);
    ck_assert_str_eq(text, "{\n  \"a\": \"q\\\"b\\\\n\\u000a\xc3\xa4\\ufffd\",\n"
                           "  \"list\": [18446744073709551615, {\"x\": true}],\n"
                           "  \"empty\": {},\n  \"n\": 0.123\n}\n");
    free(text);
}
END_TEST

static char place[] = "/tmp/hearth-test-XXXXXX";
static char path[64], other[96];

static void make_place(void)
{
    strcpy(place, "/tmp/hearth-test-XXXXXX");
    ck_assert_ptr_nonnull(mkdtemp(place));
    snprintf(path, sizeof path, "%s/a/out", place);
}

static void remove_place(void)
{
    char command[128];
    snprintf(command, sizeof command, "rm -rf %s", place);
    ck_assert_int_eq(system(command), 0);
}

static bool exists(const char *name)
{
    snprintf(other, sizeof other, "%s/%s", path, name);
    return access(other, F_OK) == 0;
}

static void write_file(struct output_folder *folder, const char *name)
{
    struct error err = {0};
    FILE *out = output_folder_open(folder, name, &err);
    ck_assert_msg(out != NULL, "%s", err.text);
    fputs("text\n", out);
    ck_assert_int_eq(output_folder_close(folder, out, &err), 0);
}

START_TEST(folder_is_complete_or_absent)
{
    static const char *const stale[] = {"old", NULL};
    struct output_folder folder;
    struct error err = {0};
    ck_assert_msg(output_folder_init(&folder, path, NULL, &err) == 0, "%s", err.text);
    write_file(&folder, "one");
    ck_assert_int_ne(access(path, F_OK), 0);
    output_folder_finish(&folder); /* given up: nothing stays */
    snprintf(other, sizeof other, "%s/a", place);
    ck_assert_int_eq(rmdir(other), 0);

    ck_assert_int_eq(output_folder_init(&folder, path, NULL, &err), 0);
    write_file(&folder, "one");
    write_file(&folder, "old");
    write_file(&folder, "last");
    ck_assert_int_eq(output_folder_commit(&folder, "last", stale, &err), 0);
    output_folder_finish(&folder);
    ck_assert(exists("one") && exists("old") && exists("last"));

    ck_assert_int_eq(output_folder_init(&folder, path, NULL, &err), 0);
    write_file(&folder, "last");
    ck_assert_int_eq(output_folder_commit(&folder, "last", stale, &err), 0);
    output_folder_finish(&folder);
    ck_assert(exists("one") && !exists("old") && exists("last"));
    snprintf(other, sizeof other, "rmdir %s/a/out.part-* 2>/dev/null", place);
    ck_assert_int_ne(system(other), 0); /* none is left */
}
END_TEST

START_TEST(folder_refuses_a_file)
{
    struct output_folder folder;
    struct error err = {0};
    snprintf(path, sizeof path, "%s/file", place);
    FILE *file = fopen(path, "w");
    fclose(file);
    ck_assert_int_eq(output_folder_init(&folder, path, NULL, &err), -1);
    ck_assert_int_eq(err.kind, ERROR_OUTPUT);
    output_folder_finish(&folder);
}
END_TEST

START_TEST(full_disk_is_an_error)
{
    struct output_folder folder;
    struct error err = {0};
    ck_assert_int_eq(output_folder_init(&folder, path, NULL, &err), 0);
    FILE *full = fopen("/dev/full", "w");
    ck_assert_ptr_nonnull(full);
    fputs("text\n", full);
    ck_assert_int_eq(output_folder_close(&folder, full, &err), -1);
    ck_assert_int_eq(err.kind, ERROR_OUTPUT);
    output_folder_finish(&folder);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("results");
    TCase *tests = tcase_create("rows"), *folders = tcase_create("folder");
    tcase_add_test(tests, columns_stand_in_order);
    tcase_add_test(tests, row_says_what_it_holds);
    tcase_add_test(tests, totals_leave_warm_up_out);
    tcase_add_test(tests, json_is_well_formed);
    tcase_add_checked_fixture(folders, make_place, remove_place);
    tcase_add_test(folders, folder_is_complete_or_absent);
    tcase_add_test(folders, folder_refuses_a_file);
    tcase_add_test(folders, full_disk_is_an_error);
    suite_add_tcase(suite, tests);
    suite_add_tcase(suite, folders);
    return suite_run(suite);
}
