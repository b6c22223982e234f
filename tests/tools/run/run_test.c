/* hearth run on a simulator that only writes down what it is asked to do. */
#include <check.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "sim/sim.h"
#include "tests/suite.h"
#include "tools/commands/command.h"
#include "tools/run/run.h"

struct sim {
    const struct sim_config *config;
    int launches;
};

static char asked[1024];     /* what was called, in order */
static int deadlock_at = -1; /* launch that deadlocks */
static int stop_at = -1;     /* launch during which SIGTERM comes */
static int end_at = -1;      /* of launches that overlap: after its end they are stopped */

static void ask(const char *text)
{
    strncat(asked, text, sizeof asked - strlen(asked) - 1);
}

int sim_set_threads(struct sim *sim, uint32_t threads, struct error *err)
{
    (void)sim;
    (void)threads;
    (void)err;
    return 0;
}

struct sim *sim_create(const struct sim_config *config, struct error *err)
{
    struct sim *sim = calloc(1, sizeof *sim);
    if (sim != NULL)
        sim->config = config;
    return sim;
}

int sim_places(const struct sim *sim, const struct trace_kernel *kernel,
               struct sim_places *places, struct error *err)
{
    (void)sim;
    (void)kernel;
    (void)err;
    *places = (struct sim_places){.sms = 1, .blocks = 1};
    return 0;
}

void sim_missing(const struct sim *sim, const struct trace_kernel *kernel, bool unseen,
                 void (*note)(void *data, const char *opcode, const char *part), void *data)
{
}

bool sim_overlaps_followers(const struct sim_config *config)
{
    return false;
}

bool sim_wants_code(const struct sim *sim)
{
    return false;
}

void sim_destroy(struct sim *sim)
{
    free(sim);
}

int sim_launch(struct sim *sim, struct trace_kernel *kernel, const struct sim_hooks *hooks,
               struct sim_result *result, struct error *err)
{
    const struct sim_progress progress = {.cycle = 10, .blocks = 2};
    ask(trace_kernel_header(kernel)->name);
    ask(" ");
    sim->launches++;
    *result = (struct sim_result){.end_cycle = 100,
                                  .counters = {.warp_insts = 7, .thread_insts = 200}};
    if (sim->launches == deadlock_at)
        return error_set(err, ERROR_SIMULATION, NULL, 0, 0, "nothing can advance");
    if (sim->launches == stop_at)
        raise(SIGTERM);
    result->stopped = !hooks->progress(hooks->data, &progress);
    return 0;
}

int sim_run_overlapped(struct sim *sim, const struct sim_overlap *overlap, bool *stopped,
                       struct error *err)
{
    struct trace_kernel *kernels[8];
    int count = 0, got;
    *stopped = false;
    ask("( ");
    while ((got = overlap->next(overlap->data, &kernels[count], err)) > 0) {
        ask(trace_kernel_header(kernels[count++])->name);
        ask(" ");
        sim->launches++;
    }
    ask(") ");
    const struct sim_progress progress = {.cycle = 100};
    const struct sim_result result = {.end_cycle = 100};
    if (end_at >= 0 && count > end_at)
        raise(SIGTERM);
    while (got == 0 && count-- > 0 && !*stopped) { /* the last one ends first */
        overlap->ended(overlap->data, kernels[count], &result);
        *stopped = count == end_at && !overlap->progress(overlap->data, &progress);
    }
    return got;
}

int sim_functional(struct sim *sim, struct trace_kernel *kernel, const struct sim_hooks *hooks,
                   struct sim_result *result, struct error *err)
{
    ask("functional ");
    return sim_launch(sim, kernel, hooks, result, err);
}

bool sim_reads_ahead(const struct sim *sim)
{
    (void)sim;
    return false;
}

void sim_forget_next(struct sim *sim)
{
    (void)sim;
}

const char *sim_report(const struct sim *sim)
{
    return sim->launches == deadlock_at ? "warp 0 waits\n" : "";
}

uint32_t sim_schedulers(const struct sim *sim)
{
    (void)sim;
    return 0;
}

const struct sim_cpi *sim_stack(const struct sim *sim, uint32_t scheduler)
{
    (void)sim;
    (void)scheduler;
    return NULL;
}

uint32_t sim_parts(const struct sim *sim, enum sim_part_kind kind)
{
    (void)sim;
    (void)kind;
    return 0;
}

const struct sim_part *sim_part(const struct sim *sim, uint32_t number)
{
    (void)sim;
    (void)number;
    return NULL;
}

void sim_flush(struct sim *sim, unsigned levels, bool drop)
{
    char text[32];
    if (levels == 0)
        return;
    snprintf(text, sizeof text, "flush%u%s ", levels, drop ? "drop" : "");
    ask(text);
}

void sim_flush_start(struct sim *sim)
{
    const struct sim_options *options = &sim->config->options;
    sim_flush(sim,
              (options->gpgpu_flush_l1_cache ? (unsigned)SIM_L1 : 0) |
                  (options->gpgpu_flush_l2_cache ? (unsigned)SIM_L2 : 0),
              false);
}

void sim_flush_end(struct sim *sim)
{
    if (strcmp(sim->config->options.hearth_flush_at, "start") != 0)
        ask("end ");
}

void sim_copy(struct sim *sim, uint64_t address, uint64_t bytes, bool on_device)
{
    char text[64];
    snprintf(text, sizeof text, "%s%llx+%llu ", on_device ? "write" : "copy",
             (unsigned long long)address, (unsigned long long)bytes);
    ask(text);
}

int sim_save(struct sim *sim, FILE *out, const char *name, struct error *err)
{
    ask("save ");
    fputs("state", out);
    return 0;
}

uint32_t sim_parameter_places(const struct sim *sim)
{
    return 0;
}

void sim_leave_parameters(struct sim *sim, uint64_t id)
{
}

struct sim_needs *sim_needs_create(struct sim *sim, struct error *err)
{
    error_set(err, ERROR_USAGE, NULL, 0, 0, "not made");
    return NULL;
}

void sim_needs_destroy(struct sim_needs *needs)
{
}

void sim_needs_add(struct sim_needs *needs, uint64_t line, uint8_t sectors)
{
}

bool sim_is_saved(FILE *in)
{
    return in != NULL;
}

void sim_needs_all(struct sim_needs *needs)
{
}

struct sim_frames *sim_frames_create(struct sim *sim, struct error *err)
{
    error_set(err, ERROR_USAGE, NULL, 0, 0, "not made");
    return NULL;
}

void sim_frames_destroy(struct sim_frames *frames)
{
}

void sim_frames_watch(struct sim *sim, struct sim_frames *frames)
{
}

int sim_frames_begin(struct sim_frames *frames, struct error *err)
{
    return -1;
}

size_t sim_frames_sets(const struct sim_frames *frames)
{
    return 0;
}

uint32_t sim_frames_back(const struct sim_frames *frames, size_t set)
{
    return 0;
}

bool sim_frames_matters(const struct sim_frames *frames, size_t set)
{
    return false;
}

double sim_frames_dead(const struct sim_frames *frames)
{
    return 0;
}

void sim_frames_place(const struct sim_frames *frames, struct sim *sim)
{
}

int sim_save_needed(struct sim *sim, const struct sim_needs *needs, FILE *out, const char *name,
                    struct error *err)
{
    return sim_save(sim, out, name, err);
}

int sim_restore(struct sim *sim, FILE *in, const char *name, struct error *err)
{
    ask("restore ");
    return 0;
}

int sim_state_save(struct sim *sim, FILE *out, const char *name, struct error *err)
{
    return error_set(err, ERROR_OUTPUT, name, 0, 0, "not kept");
}

int sim_state_load(struct sim *sim, FILE *in, const char *name, struct error *err)
{
    return error_set(err, ERROR_TRACE, name, 0, 0, "none");
}

void sim_reset(struct sim *sim)
{
    ask("reset ");
}

static char place[] = "/tmp/hearth-test-XXXXXX";

static void write_file(const char *name, const char *text)
{
    FILE *file = fopen(name, "w");
    ck_assert_ptr_nonnull(file);
    fputs(text, file);
    fclose(file);
}

static void setup(void)
{
    ck_assert_ptr_nonnull(mkdtemp(place));
    ck_assert_int_eq(chdir(place), 0);
    const char *const names[] = {"a", "b", "c"};
    for (int i = 0; i < 3; i++) {
        char file[32], text[256];
        snprintf(file, sizeof file, "kernel-%s", names[i]);
        snprintf(text, sizeof text,
                 "-kernel name = %s\n-kernel id = %d\n-grid dim = (2,1,1)\n"
                 "-block dim = (32,1,1)\n-binary version = 86\n"
                 "-accelsim tracer version = 5\n\n#BEGIN_TB\n",
                 names[i], i + 1);
        write_file(file, text);
    }
    write_file("list", "MemcpyHtoD,0x100,64\nkernel-a\nMemcpyDtoH,0x100,64\n"
                       "MemcpyHtoD,0x200,32\nkernel-b\nkernel-c\n");
}

static void teardown(void)
{
    char command[64];
    snprintf(command, sizeof command, "rm -rf %s", place);
    ck_assert_int_eq(system(command), 0);
}

/* Runs `run ARGUMENTS... -q -o out`. Returns the exit code. */
static int run(struct error *err, const char *target, const char *option, const char *value)
{
    const char *arguments[] = {"run", "-q", "-o", "out", target, option, value, NULL};
    int count = option == NULL ? 5 : 7;
    arguments[count] = NULL;
    asked[0] = '\0';
    *err = (struct error){0};
    int code = command_run(count, (char **)arguments, err);
    return code > 0 ? code : (int)err->kind;
}

static int file_lines(const char *name)
{
    FILE *file = fopen(name, "r");
    if (file == NULL)
        return -1;
    int lines = 0;
    for (int c; (c = getc(file)) != EOF;)
        lines += c == '\n';
    fclose(file);
    return lines;
}

START_TEST(list_in_order)
{
    struct error err;
    ck_assert_int_eq(run(&err, "list", NULL, NULL), 0);
    ck_assert_str_eq(asked, "copy100+64 flush1 a copy200+32 flush1 b flush1 c ");
    ck_assert_int_eq(run(&err, "list", "--flush", "none"), 0);
    ck_assert_str_eq(asked, "copy100+64 a copy200+32 b c ");
    ck_assert_int_eq(run(&err, "list", "--flush", "all"), 0);
    ck_assert_str_eq(asked, "copy100+64 flush3 a copy200+32 flush3 b flush3 c ");
    ck_assert_int_eq(run(&err, "list", "--set", "hearth_flush_at=end"), 0);
    ck_assert_str_eq(asked, "copy100+64 flush1 a end copy200+32 flush1 b end flush1 c end ");
    ck_assert_int_eq(run(&err, "list", "--launches", "3"), 0);
    ck_assert_str_eq(asked, "copy100+64 copy200+32 flush1 c ");
}
END_TEST

START_TEST(writes_on_the_device_in_order)
{
    struct error err;
    struct results results;
    write_file("noted", "# set 0x100 64\nkernel-a\n# copy to 0x200 from 0x100 32\n"
                        "# copy to 0x200 from array 32\n# written 0x300 96\nkernel-b\n"
                        "MemcpyHtoD,0x400,8\nkernel-c\n");
    ck_assert_int_eq(run(&err, "noted", "--flush", "none"), 0);
    ck_assert_str_eq(asked, "write100+64 a write200+32 write300+96 b copy400+8 c ");
    const struct run_request request = {.target = "noted", .launches = "1-2"};
    ck_assert_int_eq(run_execute(&request, NULL, &results, &err), 0);
    ck_assert_uint_eq(results.copies[0].count, 1);
    ck_assert_uint_eq(results.copies[1].count, 3);
    ck_assert_uint_eq(results.copies[1].bytes, 64 + 32 + 96);
    results_finish(&results);
}
END_TEST

START_TEST(plan_in_order)
{
    struct error err;
    write_file("plan", "!plan 1\nkernel-a\n!flush level=l2 dirty=drop\nkernel-b\n"
                       "!segment name=x\nkernel-c\n!step role=warm kind=detailed\nkernel-a\n");
    ck_assert_int_eq(run(&err, "plan", NULL, NULL), 0);
    ck_assert_str_eq(asked, "flush1 a flush2drop flush1 b reset flush1 c flush1 a ");
    ck_assert_int_eq(file_lines("out/kernels.csv"), 5);
}
END_TEST

START_TEST(deadlock_is_reported)
{
    struct error err;
    deadlock_at = 2;
    ck_assert_int_eq(run(&err, "list", NULL, NULL), ERROR_SIMULATION);
    ck_assert_str_eq(err.text, "nothing can advance");
    ck_assert_int_eq(file_lines("out/deadlock.txt"), 1);
    ck_assert_int_eq(file_lines("out/kernels.csv"), 2);
    deadlock_at = -1;
    ck_assert_int_eq(run(&err, "list", NULL, NULL), 0);
    ck_assert_int_eq(file_lines("out/deadlock.txt"), -1);
}
END_TEST

static void expect_launches(const char *expected)
{
    char line[8192], found[64] = "";
    FILE *file = fopen("out/kernels.csv", "r");
    ck_assert_ptr_nonnull(file);
    ck_assert_ptr_nonnull(fgets(line, sizeof line, file));
    while (fgets(line, sizeof line, file) != NULL) /* step, segment, launch, kernel */
        strncat(found, strchr(strchr(strchr(line, ',') + 1, ',') + 1, ',') + 1, 1);
    fclose(file);
    ck_assert_str_eq(found, expected);
}

static void expect_plan(const char *kernels)
{
    char line[4096], found[256] = "";
    FILE *file = fopen("out/plan.out", "r");
    ck_assert_ptr_nonnull(file);
    while (fgets(line, sizeof line, file) != NULL)
        if (line[0] == 'k' || line[0] == 'M')
            snprintf(found + strlen(found), sizeof found - strlen(found), "%.*s ",
                     (int)strcspn(line, ",\n"), line);
    fclose(file);
    ck_assert_str_eq(found, kernels);
}

/* Neither the launch that did not finish nor what comes after it. */
START_TEST(plan_out_ends_where_the_run_did)
{
    struct error err;
    deadlock_at = 2;
    ck_assert_int_eq(run(&err, "list", NULL, NULL), ERROR_SIMULATION);
    expect_plan("MemcpyHtoD kernel-a MemcpyDtoH MemcpyHtoD ");
    deadlock_at = -1;
    stop_at = 1;
    ck_assert_int_eq(run(&err, "list", "--launches", "2,3"), 128 + SIGTERM);
    expect_plan("MemcpyHtoD MemcpyDtoH MemcpyHtoD ");
}
END_TEST

/* A limit that is met when a launch ends leaves the launch in. */
START_TEST(plan_out_ends_at_a_limit)
{
    struct error err;
    ck_assert_int_eq(run(&err, "list", "--set", "gpgpu_max_insn=300"), 0);
    ck_assert_int_eq(file_lines("out/kernels.csv"), 3);
    expect_plan("MemcpyHtoD kernel-a MemcpyDtoH MemcpyHtoD kernel-b ");
    ck_assert_int_eq(run(&err, "list", NULL, NULL), 0);
    expect_plan("MemcpyHtoD kernel-a MemcpyDtoH MemcpyHtoD kernel-b kernel-c ");
}
END_TEST

/* Nothing else stands between launches that run side by side. Rows are in order. */
START_TEST(side_by_side)
{
    struct error err;
    ck_assert_int_eq(run(&err, "list", "--set", "gpgpu_concurrent_kernel_sm=1"), 0);
    ck_assert_str_eq(asked, "copy100+64 flush1 ( a ) copy200+32 flush1 ( b c ) ");
    expect_launches("abc");
    expect_plan("MemcpyHtoD kernel-a MemcpyDtoH MemcpyHtoD kernel-b kernel-c ");
}
END_TEST

/* The third launch has ended, the second one has not. */
START_TEST(side_by_side_stopped)
{
    struct error err;
    end_at = 1;
    ck_assert_int_eq(run(&err, "list", "--set", "gpgpu_concurrent_kernel_sm=1"), 128 + SIGTERM);
    end_at = -1;
    expect_launches("a");
    expect_plan("MemcpyHtoD kernel-a MemcpyDtoH MemcpyHtoD ");
}
END_TEST

START_TEST(signal_drops_what_runs)
{
    struct error err;
    stop_at = 3;
    ck_assert_int_eq(run(&err, "list", NULL, NULL), 128 + SIGTERM);
    ck_assert_str_eq(err.text, "stopped by SIGTERM after 2 of 3 launches");
    ck_assert_int_eq(file_lines("out/kernels.csv"), 3);
}
END_TEST

/* ---- run_execute() itself ---- */

struct heard {
    int begun;
    uint64_t launches[4];
    size_t count;
};

static void on_begun(void *data)
{
    struct heard *heard = data;
    ck_assert_uint_eq(heard->count, 0);
    heard->begun++;
}

static void on_launched(void *data, const struct row *row)
{
    struct heard *heard = data;
    ck_assert_uint_lt(heard->count, 4);
    heard->launches[heard->count++] = row->launch;
}

/* Executes REQUEST, and expects COUNT rows in memory, each told once and in order. */
static void expect_rows(const struct run_request *request, size_t count)
{
    struct error err = {0};
    struct results results;
    struct heard heard = {0};
    const struct run_hooks hooks = {.data = &heard, .begun = on_begun, .launched = on_launched};
    asked[0] = '\0';
    ck_assert_int_eq(run_execute(request, &hooks, &results, &err), 0);
    ck_assert_int_eq(heard.begun, 1);
    ck_assert_uint_eq(results.rows.count, count);
    ck_assert_uint_eq(heard.count, count);
    struct rows_pass pass = {.rows = &results.rows};
    for (const struct row *row; (row = rows_next(&pass)) != NULL;) {
        ck_assert_uint_eq(heard.launches[row->step - 1], row->launch);
        ck_assert_uint_eq(row->result.counters.warp_insts, 7);
    }
    ck_assert_uint_eq(pass.next, count);
    ck_assert_str_eq(results.stop_reason, "end");
    ck_assert(!results_partial(&results));
    results_finish(&results);
}

START_TEST(without_output_nothing_is_written)
{
    ck_assert_int_eq(system("ls > before"), 0);
    expect_rows(&(struct run_request){.target = "list", .launches = "1,3"}, 2);
    ck_assert_str_eq(asked, "copy100+64 flush1 a copy200+32 flush1 c ");
    ck_assert_int_eq(system("ls > after && sed -i /^after$/d after && cmp before after"), 0);
}
END_TEST

START_TEST(plan_in_memory)
{
    struct error err = {0};
    const char text[] = "!plan 1\nkernel-c\n!flush level=l2\nkernel-a\n";
    struct plan *plan = plan_parse("memory", text, sizeof text - 1, &err);
    ck_assert_ptr_nonnull(plan);
    expect_rows(&(struct run_request){.plan = plan}, 2);
    ck_assert_str_eq(asked, "flush1 c flush2 flush1 a ");
    plan_destroy(plan);
}
END_TEST

/* A result in memory holds what finished, and says why there is no more. */
START_TEST(failed_run_keeps_rows)
{
    struct error err = {0};
    struct results results;
    deadlock_at = 2;
    ck_assert_int_eq(run_execute(&(struct run_request){.target = "list"}, NULL, &results, &err),
                     -1);
    deadlock_at = -1;
    ck_assert_int_eq(err.kind, ERROR_SIMULATION);
    ck_assert_uint_eq(results.rows.count, 1);
    ck_assert_str_eq(results.stop_reason, "error");
    ck_assert_str_eq(results.report, "warp 0 waits\n");
    ck_assert(results_partial(&results));
    results_finish(&results);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("run");
    TCase *tests = tcase_create("run");
    tcase_add_checked_fixture(tests, setup, teardown);
    tcase_add_test(tests, list_in_order);
    tcase_add_test(tests, writes_on_the_device_in_order);
    tcase_add_test(tests, plan_in_order);
    tcase_add_test(tests, deadlock_is_reported);
    tcase_add_test(tests, plan_out_ends_where_the_run_did);
    tcase_add_test(tests, plan_out_ends_at_a_limit);
    tcase_add_test(tests, side_by_side);
    tcase_add_test(tests, side_by_side_stopped);
    tcase_add_test(tests, signal_drops_what_runs);
    tcase_add_test(tests, without_output_nothing_is_written);
    tcase_add_test(tests, plan_in_memory);
    tcase_add_test(tests, failed_run_keeps_rows);
    suite_add_tcase(suite, tests);
    return suite_run(suite);
}
