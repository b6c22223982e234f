#include <inttypes.h>
#include <stdio.h>
#include <string.h>

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
        ck_assert_str_eq(row_column(row_column_shown(false) - 3 + i).name, last[i]);
    for (size_t i = 0; i < row_column_count(); i++)
        ck_assert_str_ne(row_column(i).description, "");
}
END_TEST

START_TEST(row_says_what_it_holds)
{
    struct row row;
    row_init(&row, &header, (struct row_segment){"main", 0});
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
    row.segment.number = 4294967295;
    expect(&row, "segment", "main-4294967295");
    row.segment.text = "";
    expect(&row, "segment", "4294967295");
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

/* Sums COUNT rows. */
static void sum(struct totals *totals, const struct row *rows, size_t count)
{
    *totals = (struct totals){0};
    for (size_t i = 0; i < count; i++)
        totals_add(totals, &rows[i]);
    totals_end(totals);
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
    sum(&totals, rows, 4);
    ck_assert_uint_eq(total(&totals, "launches"), 3);
    ck_assert_uint_eq(total(&totals, "warm_launches"), 1);
    ck_assert_uint_eq(total(&totals, "cycles"), 230);
    ck_assert_uint_eq(total(&totals, "elapsed_cycles"), 180);
    ck_assert_uint_eq(totals.busy, 180);
    ck_assert_uint_eq(total(&totals, "warp_insts"), 30);
    size_t plain = totals_count(&totals);
    rows[0].result.restored_sectors = 7; /* and what is told only where there is any */
    sum(&totals, rows, 4);
    ck_assert_uint_eq(total(&totals, "restored_sectors"), 7);
    ck_assert_uint_eq(totals_count(&totals), plain + 1);
    sum(&totals, NULL, 0);
    ck_assert_uint_eq(total(&totals, "cycles"), 0);
}
END_TEST

/* A row with all that it can have, which differ by NUMBER. */
static void add(struct rows *rows, uint64_t number, const char *segment)
{
    struct row row;
    struct error err = {0};
    char note[32];
    ck_assert_int_eq(rows_begin(rows, &row, &header, (struct row_segment){segment, 0}, &err),
                     0);
    row.launch = number;
    row.seconds = 0.5 * (double)number;
    row.result.counters.warp_insts = UINT64_MAX - number;
    for (uint64_t i = 0; i < number % 3; i++)
        intervals_new(&row.intervals)->begin = number + i;
    const struct sim_cpi stack = {{number}};
    ck_assert(stacks_add(&row.stacks, &stack));
    snprintf(note, sizeof note, "note %" PRIu64, number);
    notes_add(&row.notes, note, number);
    ck_assert_int_eq(rows_add(rows, &row, &err), 0);
    row_finish(&row);
}

static void expect_row(const struct row *row, uint64_t number, const char *segment)
{
    char note[32];
    snprintf(note, sizeof note, "note %" PRIu64, number);
    ck_assert_uint_eq(row->launch, number);
    ck_assert_double_eq(row->seconds, 0.5 * (double)number);
    ck_assert_uint_eq(row->result.counters.warp_insts, UINT64_MAX - number);
    ck_assert_uint_eq(row->grid[1], 3);
    ck_assert_str_eq(row->segment.text, segment);
    ck_assert_str_eq(row->kernel, header.name);
    ck_assert_uint_eq(row->intervals.count, number % 3);
    for (uint64_t i = 0; i < number % 3; i++)
        ck_assert_uint_eq(row->intervals.items[i].begin, number + i);
    ck_assert_uint_eq(row->stacks.count, 1);
    ck_assert_uint_eq(row->stacks.items[0].cycles[0], number);
    ck_assert_uint_eq(row->notes.count, 1);
    ck_assert_str_eq(row->notes.items[0].text, note);
    ck_assert_uint_eq(row->notes.items[0].count, number);
}

static struct row_store *new_store(void)
{
    struct error err = {0};
    struct row_store *store = row_store_create(&err);
    ck_assert_ptr_nonnull(store);
    return store;
}

#define MANY 20000 /* rows: more than a store has in memory */

START_TEST(rows_come_back_as_they_were)
{
    struct row row;
    struct error err = {0};
    struct row_store *store = new_store();
    struct rows rows = {.store = store};
    for (uint64_t i = 0; i < MANY; i++)
        add(&rows, i, "1");
    struct rows_pass pass = {.rows = &rows};
    uint64_t number = 0;
    for (const struct row *next; (next = rows_next(&pass)) != NULL; number++) {
        ck_assert_uint_eq(next->step, number + 1);
        expect_row(next, number, "1");
    }
    ck_assert_uint_eq(number, MANY);
    ck_assert(rows_read(&rows, MANY / 2, &row)); /* and in any order */
    row.launch = 7;
    ck_assert_int_eq(rows_replace(&rows, 0, &row, &err), 0);
    row_finish(&row);
    ck_assert(rows_read(&rows, 0, &row));
    ck_assert_uint_eq(row.launch, 7);
    row_finish(&row);
    ck_assert_int_eq(row_store_check(store, &err), 0);
    rows_finish(&rows);
    row_store_destroy(store);
}
END_TEST

static struct rows *part_of(void *parts, size_t i)
{
    return (struct rows *)parts + i;
}

/* Also if rows of another segment were stored in between. */
START_TEST(rows_of_segments_are_put_in_order)
{
    struct row_store *store = new_store();
    struct rows all = {.store = store}, parts[2] = {all, all};
    struct error err = {0};
    add(&parts[1], 2, "2");
    add(&parts[0], 1, "1");
    add(&parts[1], 3, "2");
    add(&parts[1], 4, "2");
    rows_cut(&parts[1], 2);
    ck_assert_int_eq(rows_join(&all, 2, part_of, parts, &err), 0);
    ck_assert_uint_eq(all.count, 3);
    ck_assert_uint_eq(parts[0].count + parts[1].count, 0);
    struct rows_pass pass = {.rows = &all};
    for (uint64_t i = 1; i <= 3; i++)
        expect_row(rows_next(&pass), i, i == 1 ? "1" : "2");
    ck_assert_ptr_null(rows_next(&pass));
    rows_finish(&all);
    row_store_destroy(store);
}
END_TEST

/* A full disk, or a folder that is gone, ends a run with a message. */
START_TEST(rows_need_a_place)
{
    struct row row;
    struct error err = {0};
    struct row_store *store = new_store();
    struct rows rows = {.store = store};
    ck_assert_int_eq(row_store_set_folder(store, "no/such/folder", &err), 0);
    ck_assert_int_eq(rows_begin(&rows, &row, &header, (struct row_segment){"", 1}, &err), 0);
    while (rows.count < MANY && rows_add(&rows, &row, &err) == 0)
        continue;
    ck_assert_uint_lt(rows.count, MANY);
    ck_assert_int_eq(err.kind, ERROR_OUTPUT);
    ck_assert_ptr_nonnull(strstr(err.text, "no/such/folder: cannot create a file"));
    ck_assert(rows_read(&rows, rows.count - 1, &row)); /* what was stored is still there */
    row_finish(&row);
    rows_finish(&rows);
    row_store_destroy(store);
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
    const TTest *const tests[] = {columns_stand_in_order,
                                  row_says_what_it_holds,
                                  totals_leave_warm_up_out,
                                  rows_come_back_as_they_were,
                                  rows_of_segments_are_put_in_order,
                                  rows_need_a_place,
                                  counts_have_all_digits};
    return RUN_TESTS("results", tests);
}
