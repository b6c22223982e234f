#include "tests/suite.h"
#include "tools/run/results/results.h"

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

/* A million rows stand in memory once. */
START_TEST(rows_of_one_segment_are_not_copied)
{
    struct rows all = {0}, segment = {0};
    struct error err = {0};
    for (int i = 0; i < 3; i++)
        ck_assert_ptr_nonnull(rows_add(&segment, &header, "1", &err));
    const struct row *items = segment.items;
    ck_assert_int_eq(rows_append(&all, &segment, &err), 0);
    ck_assert_ptr_eq(all.items, items);
    ck_assert_uint_eq(all.count, 3);
    ck_assert_uint_eq(segment.count, 0);
    rows_add(&segment, &header, "2", &err);
    ck_assert_int_eq(rows_append(&all, &segment, &err), 0);
    ck_assert_uint_eq(all.count, 4);
    ck_assert_str_eq(all.items[3].segment, "2");
    rows_finish(&segment);
    rows_finish(&all);
}
END_TEST

/* As snprintf() prints them. */
START_TEST(counts_have_all_digits)
{
    char buffer[32];
    struct value value = {.kind = VALUE_COUNT};
    ck_assert_str_eq(value_text(&value, buffer), "0");
    value.count = UINT64_MAX;
    ck_assert_str_eq(value_text(&value, buffer), "18446744073709551615");
}
END_TEST

int main(void)
{
    const TTest *const tests[] = {columns_stand_in_order, row_says_what_it_holds,
                                  totals_leave_warm_up_out, rows_of_one_segment_are_not_copied,
                                  counts_have_all_digits};
    return RUN_TESTS("results", tests);
}
