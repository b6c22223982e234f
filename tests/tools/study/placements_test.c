/* The mean of several draws, some of which cannot be simulated to their end. */
#include <check.h>
#include <string.h>

#include "tests/suite.h"
#include "tools/study/placements.h"

#define DRAWS 4
#define MOST  4 /* launches of a draw */

/* What each draw does, in place of a simulation. */
static struct fake {
    size_t launches;
    uint64_t cycles[MOST];
    enum error_kind fails; /* after the launches; ERROR_NONE: it does not */
    bool no_memory;
} fakes[DRAWS];
static unsigned drawn;

#define SETS_MOST 3
static const char *configured[SETS_MOST + 1]; /* what the configuration sets, NULL behind it */
static char added[DRAWS][128];                /* what each draw sets beside that of the run */

struct sim_config *study_run_config(const struct study_options *options,
                                    const struct study_run *run, struct error *err)
{
    static const char *const card = "h100";
    (void)options, (void)run;
    struct run_request request = {.configs = &card, .config_count = 1, .sets = configured};
    while (configured[request.set_count] != NULL)
        request.set_count++;
    return run_config(&request, NULL, err);
}

void study_run_tell(const struct study_options *options, const struct study_run *run,
                    const struct study_run_count *count)
{
    (void)options, (void)run;
    ck_assert_uint_eq(count->done, 3 + drawn);
}

static void add_row(struct results *results, uint64_t cycles)
{
    static const struct trace_header header = {.name = (char *)(uintptr_t) "k"};
    struct error err = {0};
    struct row row;
    ck_assert_int_eq(
        rows_begin(&results->rows, &row, &header, (struct row_segment){"main", 0}, &err), 0);
    row.result.start_cycle = 1000;
    row.result.end_cycle = 1000 + cycles;
    ck_assert_int_eq(rows_add(&results->rows, &row, &err), 0);
    row_finish(&row);
}

int study_run_execute(const struct study_options *options, const struct study_run *run,
                      struct study_run_count *count, struct results *results, struct error *err)
{
    const struct fake *fake = &fakes[drawn++];
    (void)options, (void)count;
    ck_assert_str_eq(run->sets[0], "hearth_cpi_stack=1");
    added[drawn - 1][0] = '\0';
    for (size_t i = 1; i < STUDY_RUN_SETS && run->sets[i] != NULL; i++) {
        size_t length = strlen(added[drawn - 1]);
        snprintf(added[drawn - 1] + length, sizeof added[0] - length, "%s;", run->sets[i]);
    }
    *results = (struct results){.store = row_store_create(err)};
    ck_assert_ptr_nonnull(results->store);
    results->rows.store = results->store;
    for (size_t i = 0; i < fake->launches; i++)
        add_row(results, fake->cycles[i]);
    if (fake->no_memory)
        return error_no_memory(err);
    return fake->fails == ERROR_NONE
               ? 0
               : error_set(err, fake->fails, NULL, 0, 0, "nothing can advance");
}

/* Executes the draws: so many launches have the CYCLES, and the code is returned. */
static int execute(size_t launches, const uint64_t *cycles, struct error *err)
{
    const struct study_options options = {.placements = DRAWS};
    const struct study_run run = {.name = "program", .sets = {"hearth_cpi_stack=1"}};
    struct study_run_count count = {.done = 3};
    struct results results;
    *err = (struct error){0};
    drawn = 0;
    int code = placements_execute(&options, &run, &count, &results, err);
    ck_assert_int_eq(code != 0, err->kind != ERROR_NONE);
    if (code == 0 || err->kind == ERROR_SIMULATION)
        ck_assert_uint_eq(count.done, 3 + (err->no_memory ? drawn : DRAWS));
    struct rows_pass pass = {.rows = &results.rows};
    size_t i = 0;
    for (const struct row *row; cycles != NULL && (row = rows_next(&pass)) != NULL; i++) {
        ck_assert_uint_lt(i, launches);
        ck_assert_uint_eq(row->result.end_cycle - row->result.start_cycle, cycles[i]);
    }
    ck_assert_uint_eq(i, launches);
    results_finish(&results);
    return code;
}

/* Fake draws of four launches, cycles 100 N + 10 I in launch I of draw N. */
static void make(void)
{
    for (unsigned n = 0; n < DRAWS; n++) {
        fakes[n] = (struct fake){.launches = MOST};
        for (unsigned i = 0; i < MOST; i++)
            fakes[n].cycles[i] = 100 * n + 10 * i;
    }
}

static const uint64_t means[MOST] = {150, 160, 170, 180};

START_TEST(all_draws)
{
    struct error err;
    make();
    ck_assert_int_eq(execute(MOST, means, &err), 0);
}
END_TEST

/* Seeds and turns of the others follow those of the configuration: after the last seed comes 0,
 * and a turn is the number of a GPC, here one of 3; turn 254 is that of GPC 2. */
START_TEST(what_is_drawn)
{
    static const char *const ends[] = {"hearth_l2_half_seed=4294967294", "hearth_gpc_turn=254",
                                       "hearth_gpcs=3"};
    struct error err;
    make();
    ck_assert_int_eq(execute(MOST, means, &err), 0);
    ck_assert_str_eq(added[0], "");
    ck_assert_str_eq(added[1], "hearth_l2_half_seed=2;hearth_gpc_turn=2;");
    ck_assert_str_eq(added[3], "hearth_l2_half_seed=4;hearth_gpc_turn=4;");
    memcpy(configured, ends, sizeof ends);
    ck_assert_int_eq(execute(MOST, means, &err), 0);
    memset(configured, 0, sizeof configured);
    ck_assert_str_eq(added[0], "");
    ck_assert_str_eq(added[1], "hearth_l2_half_seed=4294967295;hearth_gpc_turn=0;");
    ck_assert_str_eq(added[2], "hearth_l2_half_seed=0;hearth_gpc_turn=1;");
    ck_assert_str_eq(added[3], "hearth_l2_half_seed=1;hearth_gpc_turn=2;");
}
END_TEST

/* Whichever draw it is: the mean is that of all draws, as far as each of them goes. */
START_TEST(one_draw_fails)
{
    for (unsigned n = 0; n < DRAWS; n++) {
        struct error err;
        char draw[16];
        make();
        fakes[n].launches = 2;
        fakes[n].fails = ERROR_SIMULATION;
        ck_assert_int_eq(execute(2, means, &err), -1);
        ck_assert_int_eq(err.kind, ERROR_SIMULATION);
        snprintf(draw, sizeof draw, "draw %u, ", n + 1);
        ck_assert_msg(strstr(err.text, draw) == err.text, "%s", err.text);
        ck_assert(strstr(err.text, n == 0 ? "program:" : ".placement-") != NULL);
        ck_assert(strstr(err.text, "nothing can advance") != NULL);
        ck_assert_uint_eq(drawn, DRAWS);
    }
}
END_TEST

/* The first launch that any of them lacks counts; the message is that of the first draw. */
START_TEST(two_draws_fail)
{
    struct error err;
    make();
    fakes[1].launches = 3;
    fakes[3].launches = 1;
    fakes[1].fails = fakes[3].fails = ERROR_SIMULATION;
    ck_assert_int_eq(execute(1, means, &err), -1);
    ck_assert_msg(strstr(err.text, "draw 2, program.placement-1: ") == err.text, "%s",
                  err.text);
}
END_TEST

/* Then no other draw can change the result. */
START_TEST(first_launch_fails)
{
    struct error err;
    make();
    fakes[1].launches = 0;
    fakes[1].fails = ERROR_SIMULATION;
    ck_assert_int_eq(execute(0, means, &err), -1);
    ck_assert_uint_eq(drawn, 2);
}
END_TEST

/* A draw that a limit ends early is not an error, but has no more launches. */
START_TEST(shorter_draw)
{
    struct error err;
    make();
    fakes[2].launches = 3;
    ck_assert_int_eq(execute(3, means, &err), 0);
}
END_TEST

/* Other errors end the study at once. */
START_TEST(other_errors)
{
    for (unsigned n = 0; n < DRAWS; n++) {
        struct error err;
        make();
        fakes[n].fails = ERROR_TRACE;
        ck_assert_int_eq(execute(0, NULL, &err), -1);
        ck_assert_int_eq(err.kind, ERROR_TRACE);
        ck_assert_uint_eq(drawn, n + 1);
        fakes[n] = (struct fake){.no_memory = true};
        ck_assert_int_eq(execute(0, NULL, &err), -1);
        ck_assert(err.no_memory);
        ck_assert_uint_eq(drawn, n + 1);
    }
}
END_TEST

int main(void)
{
    const TTest *const tests[] = {all_draws,      what_is_drawn,      one_draw_fails,
                                  two_draws_fail, first_launch_fails, shorter_draw,
                                  other_errors};
    return RUN_TESTS("placements", tests);
}
