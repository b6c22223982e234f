/* What it takes to add a method: this file, and one line in the table (here given by
 * meson.build). */
#include "sampling/methods/methods.h"
#include "tests/sampling/support.h"

/* All launches in one stratum; the last stands for them. */
int sampling_last(const struct sampling_input *input, struct sampling *selection,
                  struct error *err)
{
    size_t count = input->profile->count, last = count - 1, rows[16];
    ck_assert_uint_le(count, 16);
    for (size_t i = 0; i < count; i++)
        rows[i] = i;
    return sampling_add_stratum(selection, rows, count, &last, 1, 0, err);
}

START_TEST(the_table_knows_it)
{
    struct error err = {0};
    gives("launch,kernel\n1,a\n2,a\n3,b\n", "last", "", "0: 1 2 3 > 3 x 3");
    ck_assert_ptr_null(sampling_find_method("lasst", &err));
    ck_assert_ptr_nonnull(strstr(err.text, "first-n, last; did you mean last?"));
    refuses("launch,kernel\n1,a\n", "last", "theta=1", "--theta is no option of last");
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("new method");
    TCase *tests = tcase_create("new method");
    tcase_add_test(tests, the_table_knows_it);
    suite_add_tcase(suite, tests);
    return run_suite(suite);
}
