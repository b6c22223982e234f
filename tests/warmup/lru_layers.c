/* What L2 holds by footprints alone, by hand: a cache of 100 lines. */
#include <check.h>

#include "tests/suite.h"
#include "warmup/lru_layers.h"

/* A launch of LINES whole lines, of which it writes WRITTEN sectors; FROM: a source. */
static struct trace_footprint launch(uint64_t lines, uint64_t written,
                                     const struct trace_reuse_source *from)
{
    return (struct trace_footprint){.lines.all = lines,
                                    .sectors = {.all = 4 * lines, .written = written},
                                    .sources = from,
                                    .copied = from != NULL && from->copy ? from->sectors : 0,
                                    .source_count = from != NULL};
}

static double pushed(const struct lru_layers *layers, uint64_t lines,
                     const struct trace_reuse_source *from)
{
    const struct trace_footprint footprint = launch(lines, 0, from);
    return lru_layers_pushed(layers, &footprint);
}

/* It has run; NEW of its lines no launch had touched before. */
static void run(struct lru_layers *layers, uint64_t lines, uint64_t written,
                const struct trace_reuse_source *from, uint64_t new)
{
    const struct trace_footprint footprint = launch(lines, written, from);
    lru_layers_launch(layers, &footprint, layers->touched + new);
}

/* 60 lines of dirty sectors, under 30 clean ones. */
static struct lru_layers two_launches(void)
{
    struct lru_layers layers;
    ck_assert(lru_layers_init(&layers, 8, 100, true));
    run(&layers, 60, 240, NULL, 60);
    run(&layers, 30, 0, NULL, 30);
    return layers;
}

START_TEST(the_oldest_go_first)
{
    struct lru_layers layers = two_launches();
    ck_assert_double_eq(pushed(&layers, 10, NULL), 0); /* are free */
    ck_assert_double_eq(pushed(&layers, 20, NULL), 10 * 4);
    ck_assert_double_eq(pushed(&layers, 70, NULL), 60 * 4);
    ck_assert_double_eq(pushed(&layers, 500, NULL), 60 * 4);
    lru_layers_finish(&layers);
}
END_TEST

/* What is not in it any more has been written. */
START_TEST(beyond_the_capacity)
{
    struct lru_layers layers = two_launches();
    run(&layers, 50, 0, NULL, 50); /* of the 60 lines 20 are left */
    ck_assert_double_eq(pushed(&layers, 100, NULL), 20 * 4);
    run(&layers, 100, 0, NULL, 100);
    ck_assert_double_eq(pushed(&layers, 100, NULL), 0);
    lru_layers_finish(&layers);
}
END_TEST

/* A launch that touches the 60 lines again: they stay, the others go. */
START_TEST(what_is_touched_again_stays)
{
    const struct trace_reuse_source first = {.distance = 2, .sectors = 240, .newer_lines = 30};
    struct lru_layers layers = two_launches();
    ck_assert_double_eq(pushed(&layers, 60, &first), 0);
    run(&layers, 60, 120, &first, 0); /* half of them stay as dirty as they were */
    ck_assert_double_eq(layers.items[2 * 2 + 1].dirty, 240);
    ck_assert_double_eq(layers.items[2 * 0 + 1].lines, 0);
    ck_assert_double_eq(pushed(&layers, 40, NULL), 0); /* the clean ones are older now */
    ck_assert_double_eq(pushed(&layers, 50, NULL), 10 * 4);
    lru_layers_finish(&layers);
}
END_TEST

/* But not what is pushed out before the launch comes to it: two launches that pass over 200
 * lines. */
START_TEST(what_is_touched_again_too_late_goes)
{
    const struct trace_reuse_source all = {.distance = 1, .sectors = 800};
    struct lru_layers layers;
    ck_assert(lru_layers_init(&layers, 8, 100, true));
    run(&layers, 200, 400, NULL, 200);
    ck_assert_double_eq(pushed(&layers, 200, &all), 100 * 2);
    run(&layers, 200, 0, &all, 0);
    ck_assert_double_eq(pushed(&layers, 200, NULL), 0); /* all of it was written */
    lru_layers_finish(&layers);
}
END_TEST

/* Copies are clean, and push dirty lines down. */
START_TEST(copies)
{
    struct lru_layers layers = two_launches();
    run(&layers, 10, 0, NULL, 10);
    lru_layers_copy(&layers, 0x1040, 20 * 128 - 64);
    lru_layers_copy(&layers, 0x9000, 9 * 128 + 1); /* of the 60 lines 30 are left */
    ck_assert_double_eq(layers.items[2 * 3].lines, 30);
    ck_assert_double_eq(pushed(&layers, 100, NULL), 30 * 4);
    const struct trace_reuse_source copied = {.copy = true, .distance = 0, .sectors = 120};
    ck_assert_double_eq(pushed(&layers, 30, &copied), 0);
    run(&layers, 30, 0, &copied, 30);
    ck_assert_double_eq(layers.items[2 * 3].lines, 0);
    ck_assert_double_eq(pushed(&layers, 100, NULL), 30 * 4);
    lru_layers_finish(&layers);
    ck_assert(lru_layers_init(&layers, 8, 100, false)); /* but where they do not fill it */
    run(&layers, 60, 240, NULL, 60);
    lru_layers_copy(&layers, 0, 100 * 128);
    ck_assert_double_eq(pushed(&layers, 70, NULL), 30 * 4);
    lru_layers_finish(&layers);
}
END_TEST

/* What copies have pushed out has been written, though it is read again. */
START_TEST(copies_in_between)
{
    const struct trace_reuse_source first = {
        .distance = 1, .sectors = 240, .newer_copied = 100};
    struct lru_layers layers;
    ck_assert(lru_layers_init(&layers, 8, 100, true));
    run(&layers, 60, 240, NULL, 60);
    lru_layers_copy(&layers, 0, 100 * 128);
    run(&layers, 60, 0, &first, 0);
    ck_assert_double_eq(pushed(&layers, 100, NULL), 0);
    lru_layers_finish(&layers);
}
END_TEST

/* Copies write over what launches have left, which work on it again: 60 lines in all, that have
 * a place beside 40 others. */
START_TEST(copied_again_and_again)
{
    const struct trace_reuse_source copied = {.copy = true, .distance = 0, .sectors = 240};
    struct lru_layers layers;
    ck_assert(lru_layers_init(&layers, 8, 100, true));
    for (int i = 0; i < 3; i++) {
        lru_layers_copy(&layers, 0, 60 * 128);
        run(&layers, 60, 240, &copied, i == 0 ? 60 : 0);
        ck_assert_double_eq(pushed(&layers, 40, NULL), 0);
        ck_assert_double_eq(pushed(&layers, 50, NULL), 10 * 4);
    }
    lru_layers_finish(&layers);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("warmup layers");
    TCase *tests = tcase_create("all");
    tcase_add_test(tests, the_oldest_go_first);
    tcase_add_test(tests, beyond_the_capacity);
    tcase_add_test(tests, what_is_touched_again_stays);
    tcase_add_test(tests, what_is_touched_again_too_late_goes);
    tcase_add_test(tests, copies);
    tcase_add_test(tests, copies_in_between);
    tcase_add_test(tests, copied_again_and_again);
    suite_add_tcase(suite, tests);
    return suite_run(suite);
}
