#include <check.h>
#include <stdlib.h>
#include <string.h>

#include "tests/suite.h"
#include "tools/run/plan/plan.h"
#include "tools/run/plan/plan_line.h"

static struct plan *parse(const char *text, struct error *err)
{
    return plan_parse("folder/test.plan", text, strlen(text), err);
}

static struct plan *parse_ok(const char *text)
{
    struct error err = {0};
    struct plan *plan = parse(text, &err);
    ck_assert_msg(plan != NULL, "%s", err.text);
    return plan;
}

/* PATH is that of the trace of ITEM. */
static void expect_path(const struct plan *plan, const struct plan_item *item, const char *path)
{
    char *found = trace_workload_path(plan->names, item->launch.name);
    ck_assert_str_eq(found, path);
    free(found);
}

START_TEST(line_with_quotes)
{
    struct plan_line line;
    struct error err = {0};
    ck_assert_int_eq(
        plan_line_init(&line, "!step  a=1 b=\"x \\\"y\\\\\" c=\"\"\t d=e=f\r", "p", 1, &err),
        0);
    ck_assert_str_eq(line.word, "step");
    ck_assert_uint_eq(line.count, 4);
    ck_assert_str_eq(plan_line_get(&line, "a"), "1");
    ck_assert_str_eq(plan_line_get(&line, "b"), "x \"y\\");
    ck_assert_str_eq(plan_line_get(&line, "c"), "");
    ck_assert_str_eq(plan_line_get(&line, "d"), "e=f");
    ck_assert_ptr_null(plan_line_get(&line, "e"));
    ck_assert_int_eq(line.pairs[1].column, 12);
    plan_line_finish(&line);
}
END_TEST

START_TEST(pair_reads_back)
{
    static const char *const values[] = {"plain", "",   "two words",  "quo\"te", "back\\slash",
                                         "a=b",   "\t", "line\nnext", "\\n"};
    char text[256] = {0};
    FILE *out = fmemopen(text, sizeof text, "w");
    ck_assert_ptr_nonnull(out);
    fputs("!w", out);
    plan_line_write_pair(out, "key", values[_i]);
    fclose(out);
    struct plan_line line;
    struct error err = {0};
    ck_assert_msg(plan_line_init(&line, text, "p", 1, &err) == 0, "%s: %s", text, err.text);
    ck_assert_str_eq(plan_line_get(&line, "key"), values[_i]);
    plan_line_finish(&line);
}
END_TEST

START_TEST(reads_every_line)
{
    struct plan *plan = parse_ok(
        "!plan 1\n"
        "# a comment\n"
        "\n"
        "!total launches=3 warp_insts=10\n"
        "!method name=sieve theta=0.4\n"
        "MemcpyHtoD,0x7f0000000000,4096\n"
        "kernel-1.traceg\n"
        "!segment name=\"second part\"\n"
        "!flush level=all dirty=drop\n"
        "!flush level=l2\n"
        "!restore file=a.ckpt\n"
        "!save file=b.ckpt\n"
        "!step role=warm kind=functional\n"
        "kernel-2.traceg\n"
        "!step role=measure scale=2.5 stratum=A stands=1,5-9 spread=0.25 prime=3 intra=blocks\n"
        "# between\n"
        "kernel-3.traceg\n"
        "kernels/kernel-mem-4.traceg\n");
    ck_assert_uint_eq(plan->count, 10);
    ck_assert(plan->written);
    ck_assert_int_eq(plan->workload_line, 0);
    ck_assert_str_eq(plan->workload, "folder");
    ck_assert_uint_eq(plan->remark_count, 2);
    const struct plan_item *i = plan->items;
    ck_assert_int_eq(i[0].kind, PLAN_COPY);
    ck_assert_uint_eq(i[0].copy.address, 0x7f0000000000);
    ck_assert_uint_eq(i[0].copy.bytes, 4096);
    ck_assert(!i[0].copy.to_host);
    ck_assert_int_eq(i[1].kind, PLAN_LAUNCH);
    ck_assert_str_eq(i[1].launch.name, "kernel-1.traceg");
    expect_path(plan, &i[1], "folder/kernel-1.traceg");
    ck_assert_int_eq(i[1].line, 7);
    ck_assert_int_eq(i[1].launch.role, PLAN_MEASURE);
    ck_assert_int_eq(i[1].launch.mode, PLAN_DETAILED);
    ck_assert_double_eq(i[1].launch.step->scale, 1);
    ck_assert_str_eq(i[2].text, "second part");
    ck_assert_uint_eq(i[3].flush.levels, PLAN_L1 | PLAN_L2);
    ck_assert(i[3].flush.drop);
    ck_assert_uint_eq(i[4].flush.levels, PLAN_L2);
    ck_assert(!i[4].flush.drop);
    ck_assert_int_eq(i[5].kind, PLAN_RESTORE);
    const char *name = strrchr(i[6].text, '/'); /* in the plan's folder */
    ck_assert_str_eq(name, "/b.ckpt");
    ck_assert_int_eq(i[7].launch.role, PLAN_WARM);
    ck_assert_int_eq(i[7].launch.mode, PLAN_FUNCTIONAL);
    ck_assert_double_eq(i[8].launch.step->scale, 2.5);
    ck_assert_str_eq(i[8].launch.step->stratum, "A");
    ck_assert_str_eq(i[8].launch.step->stands, "1,5-9");
    ck_assert_str_eq(i[8].launch.step->prime, "3");
    ck_assert_double_eq(i[8].launch.step->prime_percent, 3);
    ck_assert_double_eq(i[8].launch.step->spread_number, 0.25);
    ck_assert_str_eq(i[8].launch.step->intra, "blocks");
    ck_assert_uint_eq(i[8].launch.position, 3);
    ck_assert_int_eq(i[9].launch.role, PLAN_WARM);
    ck_assert_int_eq(i[9].launch.mode, PLAN_MEMORY);
    plan_destroy(plan);
}
END_TEST

START_TEST(names_resolve_against_workload)
{
    struct plan *plan =
        parse_ok("!plan 1\nkernel-1.traceg\n!workload path=traces/list.g digest=00ff\n");
    ck_assert_int_eq(plan->workload_line, 3);
    ck_assert_str_eq(plan->workload, "folder/traces/list.g");
    ck_assert_str_eq(plan->digest, "00ff");
    expect_path(plan, &plan->items[0], "folder/traces/kernel-1.traceg");
    plan_destroy(plan);
    plan = parse_ok("!plan 1\r\n!workload path=/ \r\nkernel-1.traceg\r\n");
    ck_assert_str_eq(plan->items[0].launch.name, "kernel-1.traceg");
    plan_destroy(plan);
}
END_TEST

/* A plan with one line, and what its error must hold. */
static const struct {
    const char *line, *message;
} wrong[] = {
    {"!jump", "test.plan:2:2: unknown word \"!jump\""},
    {"!", "test.plan:2:2: expected a word"},
    {"!step role=measure scal=2\nkernel-1", "test.plan:2:20: !step has no key \"scal\""},
    {"!step role=main\nkernel-1", "test.plan:2:7: !step: role=main: expected measure or warm"},
    {"!step scale=1\nkernel-1", "test.plan:2: !step: needs role="},
    {"!step role=warm\nkernel-1", "test.plan:2: !step: needs kind="},
    {"!step role=warm kind=detailed scale=2\nkernel-1", "test.plan:2:31: !step: scale=2"},
    {"!step role=measure kind=memory\nkernel-1", "test.plan:2:20: !step: kind=memory"},
    {"!step role=measure scale=8x\nkernel-1", "scale=8x: expected a number"},
    {"!step role=measure scale=-1\nkernel-1", "scale=-1: expected a number"},
    {"!step role=measure scale=1e300\nkernel-1",
     "scale=1e300: expected a number from 0 to 1e15"},
    {"!step role=measure scale=nan\nkernel-1", "scale=nan: expected a number"},
    {"!step role=measure stands=5-1\nkernel-1", "stands \"5-1\""},
    {"!step role=measure\n", "test.plan:2: !step: no kernel line follows"},
    {"!step role=measure\n!step role=measure\nkernel-1", "the one in line 2 still waits"},
    {"!step role=measure role=warm\nkernel-1", "test.plan:2:20: expected each key once"},
    {"!step role\nkernel-1", "test.plan:2:11: expected key=value"},
    {"!segment name=\"open", "expected a closing quote"},
    {"!segment name=\"a\"b", "expected a blank after the value"},
    {"!segment", "!segment: needs name="},
    {"!flush", "!flush: needs level="},
    {"!flush level=l3", "level=l3: expected l1, l2 or all"},
    {"!flush level=l1 dirty=keep", "dirty=keep: expected write or drop"},
    {"!restore", "!restore: needs file="},
    {"!step role=measure spread=-1", "spread=-1: expected a number from 0 to 1e15"},
    {"!step role=measure spread=nan", "spread=nan: expected a number"},
    {"!step role=measure prime=100", "prime=100: expected a percentage from 0 to below 100"},
    {"!step role=measure prime=1x", "prime=1x: expected a percentage"},
    {"!save file=\"\"", "expected a file name"},
    {"!workload digest=00", "!workload: needs path="},
    {"!method seed=1", "!method: needs name="},
    {"!total launches=1\n!total launches=1", "test.plan:3: !total: may stand once"},
    {"launch everything", "test.plan:2:1: \"launch everything\": expected a kernel"},
    {"!plan", "unknown word \"!plan\""},
};

START_TEST(errors_name_their_place)
{
    char text[512];
    struct error err = {0};
    snprintf(text, sizeof text, "!plan 1\n%s\n", wrong[_i].line);
    ck_assert_ptr_null(parse(text, &err));
    ck_assert_int_eq(err.kind, ERROR_USAGE);
    ck_assert_msg(strstr(err.text, wrong[_i].message) != NULL, "%s: got \"%s\"", wrong[_i].line,
                  err.text);
}
END_TEST

START_TEST(first_line_decides)
{
    static const char *const texts[] = {"",        "!plan 2\n",  "!plan 11\n",
                                        "!plan\n", "kernel-1\n", "\n!plan 1\n"};
    struct error err = {0};
    ck_assert_ptr_null(parse(texts[_i], &err));
    ck_assert_int_eq(err.kind, ERROR_USAGE);
    ck_assert_ptr_nonnull(strstr(err.text, ":1:1: expected \"!plan 1\""));
}
END_TEST

static char *write_text(const struct plan *plan, const bool *skip)
{
    char *text = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&text, &size);
    ck_assert_ptr_nonnull(out);
    plan_write(plan, skip, plan->digest, out);
    fclose(out);
    return text;
}

START_TEST(writes_what_it_read)
{
    const char *text = "!plan 1\n"
                       "!workload path=/w/list.g digest=0123456789abcdef\n"
                       "!method name=sieve\n"
                       "MemcpyHtoD,0x00007f0000000000,4096\n"
                       "kernel-1.traceg\n"
                       "!segment name=\"a b\"\n"
                       "!flush level=all dirty=write\n"
                       "!restore file=/s/a\n"
                       "!save file=/s/b\n"
                       "!step role=warm kind=detailed\n"
                       "kernel-2.traceg\n"
                       "!step role=measure scale=0.10000000000000001 stands=1,5-9\n"
                       "kernel-3.traceg\n"
                       "!step role=measure scale=1\n"
                       "kernel-mem-3.traceg\n";
    struct plan *plan = parse_ok(text);
    char *again = write_text(plan, NULL);
    ck_assert_str_eq(again, text);
    free(again);
    bool skip[9] = {false};
    skip[1] = skip[6] = true;
    again = write_text(plan, skip);
    ck_assert_ptr_null(strstr(again, "kernel-1.traceg"));
    ck_assert_ptr_null(strstr(again, "role=warm"));
    ck_assert_ptr_nonnull(strstr(again, "MemcpyHtoD"));
    free(again);
    plan_destroy(plan);
}
END_TEST

/* Whatever a line says of the device, a plan names the memory. */
START_TEST(writes_what_the_device_wrote)
{
    struct plan *plan = parse_ok("!plan 1\n"
                                 "# set 0x7f0000000000 4096\n"
                                 "# copy to 0x7f0000001000 from 0x7f0000000000 256\n"
                                 "# written 0x7f0000002000 32\n"
                                 "# set the clock back\n"
                                 "MemcpyDtoH,0x00007f0000000000,64\n"
                                 "kernel-1.traceg\n");
    ck_assert_uint_eq(plan->count, 5);
    const struct plan_item *first = &plan->items[0];
    ck_assert_int_eq(first->kind, PLAN_COPY);
    ck_assert(first->copy.on_device);
    ck_assert(!first->copy.to_host);
    ck_assert_uint_eq(first->copy.address, 0x7f0000000000);
    ck_assert_uint_eq(first->copy.bytes, 4096);
    ck_assert(!plan->items[3].copy.on_device);
    ck_assert(plan->items[3].copy.to_host);
    char *text = write_text(plan, NULL);
    ck_assert_msg(strstr(text, "# written 0x00007f0000000000 4096\n"
                               "# written 0x00007f0000001000 256\n"
                               "# written 0x00007f0000002000 32\n"
                               "MemcpyDtoH,0x00007f0000000000,64\n"
                               "kernel-1.traceg\n") != NULL,
                  "%s", text);
    struct plan *again = parse_ok(text);
    ck_assert_uint_eq(again->count, plan->count);
    for (size_t i = 0; i < 3; i++) {
        ck_assert(again->items[i].copy.on_device);
        ck_assert_uint_eq(again->items[i].copy.address, plan->items[i].copy.address);
        ck_assert_uint_eq(again->items[i].copy.bytes, plan->items[i].copy.bytes);
    }
    free(text);
    plan_destroy(again);
    plan_destroy(plan);
}
END_TEST

START_TEST(destroy_takes_null)
{
    plan_destroy(NULL);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("plan");
    TCase *tests = tcase_create("plan");
    tcase_add_test(tests, line_with_quotes);
    tcase_add_loop_test(tests, pair_reads_back, 0, 9);
    tcase_add_test(tests, reads_every_line);
    tcase_add_test(tests, names_resolve_against_workload);
    tcase_add_loop_test(tests, errors_name_their_place, 0, sizeof wrong / sizeof wrong[0]);
    tcase_add_loop_test(tests, first_line_decides, 0, 6);
    tcase_add_test(tests, writes_what_it_read);
    tcase_add_test(tests, writes_what_the_device_wrote);
    tcase_add_test(tests, destroy_takes_null);
    suite_add_tcase(suite, tests);
    return suite_run(suite);
}
