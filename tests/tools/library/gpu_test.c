/* Launches one by one, hooks and states of hearth.h, called as a program of a user does. */
#include <check.h>
#include <stdio.h>
#include <string.h>

#include "tests/suite.h"
#include "tools/library/hearth.h"

static const char *demo; /* a workload of small launches */
static struct hearth_workload *workload;
static struct hearth_gpu *gpu;
static struct hearth_error err;
static char *place;

static struct hearth_gpu *create(unsigned threads)
{
    const struct hearth_request request = {.threads = threads};
    struct hearth_gpu *made = hearth_gpu_create(&request, &err);
    ck_assert_msg(made != NULL, "%s", err.text);
    return made;
}

static void setup(void)
{
    place = make_folder();
    workload = hearth_workload_open(demo, &err);
    ck_assert_msg(workload != NULL, "%s", err.text);
    gpu = create(1);
}

static void teardown(void)
{
    hearth_gpu_destroy(gpu);
    hearth_workload_close(workload);
    remove_folder(place);
}

/* The item of launch NUMBER. */
static size_t item_of(uint64_t number)
{
    for (size_t i = 0; i < hearth_items(workload); i++)
        if (hearth_item(workload, i).kind == HEARTH_LAUNCH &&
            hearth_item(workload, i).number == number)
            return i;
    ck_abort_msg("no such launch");
}

static void launch(struct hearth_gpu *on, uint64_t number, enum hearth_mode mode,
                   const struct hearth_launch_hooks *hooks)
{
    ck_assert_msg(hearth_gpu_launch(on, workload, item_of(number), mode, hooks, &err) ==
                      HEARTH_OK,
                  "%s", err.text);
}

/* Column NAME of the last launch. */
static double last(const struct hearth_gpu *of, const char *name)
{
    const struct hearth_results *results = hearth_gpu_results(of);
    return hearth_number(results, hearth_launches(results) - 1, hearth_find_column(name));
}

/* Warps of each block of the last launch. */
static double last_warps(const struct hearth_gpu *of)
{
    char text[HEARTH_TEXT];
    unsigned x, y, z;
    const struct hearth_results *results = hearth_gpu_results(of);
    const char *block =
        hearth_text(results, hearth_launches(results) - 1, hearth_find_column("block"), text);
    ck_assert_int_eq(sscanf(block, "%ux%ux%u", &x, &y, &z), 3);
    return (x * y * z + 31) / 32;
}

static void expect_same_rows(const struct hearth_results *a, const struct hearth_results *b)
{
    char texts[2][HEARTH_TEXT];
    ck_assert_uint_eq(hearth_launches(a), hearth_launches(b));
    for (size_t i = 0; i < hearth_launches(a); i++)
        for (size_t c = 0; c < hearth_columns(); c++)
            if (strcmp(hearth_column(c).name, "step") != 0)
                ck_assert_str_eq(hearth_text(a, i, c, texts[0]),
                                 hearth_text(b, i, c, texts[1]));
}

START_TEST(all_launches_are_those_of_a_run)
{
    const struct hearth_request request = {.target = demo, .threads = 1};
    struct hearth_results *run = hearth_run(&request, NULL, &err);
    for (size_t i = 0; i < hearth_items(workload); i++) {
        const struct hearth_item item = hearth_item(workload, i);
        if (item.kind == HEARTH_COPY)
            hearth_gpu_copy(gpu, item.address, item.bytes);
        else if (item.kind == HEARTH_DEVICE_COPY)
            hearth_gpu_device_copy(gpu, item.address, item.bytes);
        else if (item.kind == HEARTH_LAUNCH)
            launch(gpu, item.number, HEARTH_DETAILED, NULL);
    }
    ck_assert_uint_gt(hearth_launches(run), 3);
    expect_same_rows(hearth_gpu_results(gpu), run);
    hearth_results_destroy(run);
}
END_TEST

START_TEST(what_the_device_wrote_is_an_item)
{
    static const char list[] =
        "# set 0x7f0000000000 4096\n# set 0x10 64 row=32 rows=2 pitch=64\n"
        "# written 0x7f0000001000 32\nMemcpyHtoD,0x10,4\n";
    static const enum hearth_item_kind kinds[] = {HEARTH_DEVICE_COPY, HEARTH_OTHER,
                                                  HEARTH_DEVICE_COPY, HEARTH_COPY};
    char *path = make_file(place, "kernelslist.g", list, sizeof list - 1);
    struct hearth_workload *noted = hearth_workload_open(path, &err);
    ck_assert_msg(noted != NULL, "%s", err.text);
    ck_assert_uint_eq(hearth_items(noted), 4);
    for (size_t i = 0; i < 4; i++)
        ck_assert_int_eq(hearth_item(noted, i).kind, kinds[i]);
    ck_assert_uint_eq(hearth_item(noted, 2).address, 0x7f0000001000);
    ck_assert_uint_eq(hearth_item(noted, 2).bytes, 32);
    ck_assert_str_eq(hearth_item(noted, 2).text, "# written 0x7f0000001000 32");
    hearth_workload_close(noted);
    free(path);
}
END_TEST

/* Hits in L2 of the first launch of the demo, whose input was copied from the host or,
 * ON_DEVICE, there, with one option. */
static double hits_after_copies(bool on_device, const char *set)
{
    const char *const sets[] = {set};
    const struct hearth_request request = {.threads = 1, .sets = sets, .set_count = 1};
    struct hearth_gpu *made = hearth_gpu_create(&request, &err);
    ck_assert_msg(made != NULL, "%s", err.text);
    for (size_t i = 0; i < item_of(1); i++) {
        const struct hearth_item item = hearth_item(workload, i);
        if (item.kind == HEARTH_COPY)
            (on_device ? hearth_gpu_device_copy : hearth_gpu_copy)(made, item.address,
                                                                   item.bytes);
    }
    launch(made, 1, HEARTH_DETAILED, NULL);
    double hits = last(made, "l2_read_hits");
    hearth_gpu_destroy(made);
    return hits;
}

START_TEST(copies_on_the_device_have_their_option)
{
    double without = hits_after_copies(false, "gpgpu_perf_sim_memcpy=0");
    double with = hits_after_copies(false, "gpgpu_perf_sim_memcpy=1");
    ck_assert_double_gt(with, without);
    ck_assert_double_eq(hits_after_copies(true, "hearth_device_copies=1"), with);
    ck_assert_double_eq(hits_after_copies(true, "hearth_device_copies=0"), without);
}
END_TEST

struct seen {
    uint64_t begun, ended, intervals, warp_insts, last_end;
    size_t column; /* of warp_insts among counters */
};

static enum hearth_block_choice on_begin(void *data, const struct hearth_block *block,
                                         uint64_t *cycles)
{
    struct seen *seen = data;
    ck_assert_uint_eq(block->order, seen->begun);
    seen->begun++;
    *cycles = 100;
    return block->order % 4 == 1   ? HEARTH_BLOCK_SKIP
           : block->order % 4 == 2 ? HEARTH_BLOCK_TIMED
                                   : HEARTH_BLOCK_RUN;
}

static void on_end(void *data, const struct hearth_block *block)
{
    struct seen *seen = data;
    ck_assert_uint_gt(block->end, block->begin);
    ck_assert_uint_le(block->index[0], block->order);
    seen->ended++;
}

static void on_interval(void *data, const struct hearth_interval *interval)
{
    struct seen *seen = data;
    ck_assert_uint_eq(interval->begin, seen->last_end);
    seen->last_end = interval->end;
    seen->intervals++;
    seen->warp_insts += interval->counters[seen->column];
}

START_TEST(hooks_see_and_choose_blocks)
{
    struct seen seen = {0};
    while (strcmp(hearth_counter(seen.column).name, "warp_insts") != 0)
        seen.column++;
    struct hearth_launch_hooks hooks = {
        .data = &seen, .block_ended = on_end, .interval_ended = on_interval, .interval = 500};
    launch(gpu, 1, HEARTH_DETAILED, &hooks);
    const double all = last(gpu, "warp_insts");
    const uint64_t blocks = seen.ended;
    ck_assert_uint_gt(blocks, 8);
    ck_assert(all == (double)seen.warp_insts);
    ck_assert_uint_gt(seen.intervals, 2);

    seen = (struct seen){0};
    hooks = (struct hearth_launch_hooks){
        .data = &seen, .block_begins = on_begin, .block_ended = on_end};
    launch(gpu, 1, HEARTH_DETAILED, &hooks);
    ck_assert_uint_eq(seen.begun, blocks);
    ck_assert_uint_eq(seen.ended, blocks - (blocks + 2) / 4); /* those that were not skipped */
    ck_assert(last(gpu, "warp_insts") < 0.6 * all);
}
END_TEST

/* What warps did. */
struct warps {
    uint64_t ended, issued, lanes, last;
};

static void on_warp(void *data, const struct hearth_block *block)
{
    struct warps *warps = data;
    ck_assert_uint_gt(block->end, block->begin);
    warps->ended++;
}

static void on_issue(void *data, const struct hearth_issue *issue)
{
    struct warps *warps = data;
    ck_assert_uint_ge(issue->cycle, warps->last);
    ck_assert_str_ne(issue->opcode, "");
    ck_assert_uint_eq(issue->pc % 16, 0);
    warps->last = issue->cycle;
    warps->issued++;
    warps->lanes += (uint64_t)__builtin_popcount(issue->lanes);
}

/* The SMs together issue what the launch counts, and each warp retires once. */
START_TEST(hooks_see_warps)
{
    const struct hearth_request request = {
        .sets = (const char *const[]){"gpgpu_n_clusters=2"}, .set_count = 1, .threads = 1};
    struct hearth_gpu *small = hearth_gpu_create(&request, &err);
    struct warps warps = {0};
    struct hearth_launch_hooks hooks = {.data = &warps, .issued = on_issue};
    ck_assert_ptr_nonnull(small);
    for (hooks.issued_sm = 0; hooks.issued_sm < 2; hooks.issued_sm++) {
        warps.last = 0;
        hearth_gpu_reset(small);
        launch(small, 1, HEARTH_DETAILED, &hooks);
    }
    ck_assert_uint_gt(warps.issued, 0);
    ck_assert(last(small, "warp_insts") == (double)warps.issued);
    ck_assert(last(small, "thread_insts") == (double)warps.lanes);
    ck_assert(hearth_gpu_launch(small, workload, item_of(1), HEARTH_DETAILED, &hooks, &err) ==
              HEARTH_USAGE);
    ck_assert_ptr_nonnull(strstr(err.text, "no SM 2"));
    hooks = (struct hearth_launch_hooks){.data = &warps, .warp_ended = on_warp};
    launch(small, 1, HEARTH_DETAILED, &hooks);
    ck_assert(last(small, "blocks") * last_warps(small) == (double)warps.ended);
    hearth_gpu_destroy(small);
}
END_TEST

static bool on_progress(void *data, const struct hearth_launch_progress *now)
{
    ck_assert_uint_le(now->blocks_done, now->blocks);
    ++*(unsigned *)data;
    return false;
}

START_TEST(hooks_stop_a_launch)
{
    unsigned calls = 0;
    const struct hearth_launch_hooks hooks = {.data = &calls, .progress = on_progress};
    launch(gpu, 1, HEARTH_DETAILED, &hooks);
    ck_assert_uint_eq(calls, 1);
    ck_assert_uint_eq(hearth_launches(hearth_gpu_results(gpu)), 0);
    launch(gpu, 1, HEARTH_DETAILED, NULL);
    ck_assert_uint_eq(hearth_launches(hearth_gpu_results(gpu)), 1);
}
END_TEST

START_TEST(states_warm_another_gpu)
{
    char path[256];
    snprintf(path, sizeof path, "%s/state", place);
    struct hearth_gpu *other = create(2);
    launch(gpu, 1, HEARTH_FUNCTIONAL, NULL);
    ck_assert(last(gpu, "cycles") == 0);
    ck_assert_int_eq(hearth_gpu_save(gpu, path, &err), HEARTH_OK);
    launch(other, 1, HEARTH_DETAILED, NULL);
    const double cold = last(other, "l2_read_hits");
    hearth_gpu_reset(other);
    ck_assert_int_eq(hearth_gpu_restore(other, path, &err), HEARTH_OK);
    launch(other, 1, HEARTH_DETAILED, NULL);
    const double warm = last(other, "l2_read_hits");
    ck_assert(warm > cold);
    hearth_gpu_flush(other, HEARTH_L1 + HEARTH_L2);
    launch(other, 1, HEARTH_DETAILED, NULL);
    ck_assert(last(other, "l2_read_hits") == cold);
    hearth_gpu_destroy(other);
}
END_TEST

START_TEST(memory_mode_has_fewer_instructions)
{
    launch(gpu, 1, HEARTH_DETAILED, NULL);
    const double all = last(gpu, "warp_insts");
    launch(gpu, 1, HEARTH_MEMORY, NULL);
    ck_assert(last(gpu, "warp_insts") < all && last(gpu, "cycles") > 0);
}
END_TEST

START_TEST(errors)
{
    const char *const card = "gtx9";
    const struct hearth_request request = {.configs = &card, .config_count = 1};
    ck_assert_ptr_null(hearth_gpu_create(&request, &err));
    ck_assert_int_eq(err.status, HEARTH_USAGE);
    ck_assert_ptr_nonnull(strstr(err.text, card));
    ck_assert_ptr_null(hearth_gpu_create(&(struct hearth_request){.threads = 5000}, &err));
    ck_assert_int_eq(err.status, HEARTH_USAGE);
    ck_assert_ptr_null(hearth_workload_open("nowhere", &err));
    ck_assert_int_eq(err.status, HEARTH_TRACE);
    ck_assert_ptr_null(hearth_workload_open(NULL, &err));
    ck_assert_int_eq(err.status, HEARTH_USAGE);
    ck_assert_int_eq(
        hearth_gpu_launch(gpu, workload, hearth_items(workload), HEARTH_DETAILED, NULL, &err),
        HEARTH_USAGE);
    ck_assert_int_eq(
        hearth_gpu_launch(gpu, workload, item_of(1), (enum hearth_mode)7, NULL, NULL),
        HEARTH_USAGE);
    ck_assert_int_eq(hearth_gpu_restore(gpu, "nowhere", &err), HEARTH_TRACE);
    ck_assert_int_eq(hearth_gpu_save(gpu, "/nowhere/state", &err), HEARTH_OUTPUT);
    hearth_gpu_destroy(NULL);
    hearth_workload_close(NULL);
}
END_TEST

int main(int argc, char **argv)
{
    demo = argc > 1 ? argv[1] : "";
    Suite *suite = suite_create("gpu");
    TCase *tests = tcase_create("gpu");
    tcase_add_checked_fixture(tests, setup, teardown);
    tcase_set_timeout(tests, 120);
    tcase_add_test(tests, all_launches_are_those_of_a_run);
    tcase_add_test(tests, what_the_device_wrote_is_an_item);
    tcase_add_test(tests, copies_on_the_device_have_their_option);
    tcase_add_test(tests, hooks_see_and_choose_blocks);
    tcase_add_test(tests, hooks_see_warps);
    tcase_add_test(tests, hooks_stop_a_launch);
    tcase_add_test(tests, states_warm_another_gpu);
    tcase_add_test(tests, memory_mode_has_fewer_instructions);
    tcase_add_test(tests, errors);
    suite_add_tcase(suite, tests);
    return suite_run(suite);
}
