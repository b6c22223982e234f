#include <check.h>
#include <stdlib.h>
#include <string.h>

#include "tests/suite.h"
#include "tools/report/kernel_title.h"

static const struct {
    const char *name, *full, *brief;
} titles[] = {
    {"vecadd", "vecadd", "vecadd"},
    {"_Z6reduceIfLj256EEvPKT_", "void reduce<float, 256u>(float const*)",
     "reduce<float, 256u>"},
    {"_ZN2at6native4fillEPf", "at::native::fill(float*)", "fill"},
    {"_ZN12_GLOBAL__N_14scanEPi", "(anonymous namespace)::scan(int*)", "scan"},
    {"_ZN1a1bINS_1cINS_1dIfEEEEEEvv", "void a::b<a::c<a::d<float> > >()", "b<c>"},
    {"_Znot_mangled", "_Znot_mangled", "_Znot_mangled"},
    {"void given<float>(float *)", "void given<float>(float *)", "given<float>"},
    {"(", "(", "("},
    {"", "", ""},
};

START_TEST(titles_of_kernels)
{
    char *full = kernel_title_full(titles[_i].name), *brief = kernel_title_brief(full);
    ck_assert_str_eq(full, titles[_i].full);
    ck_assert_str_eq(brief, titles[_i].brief);
    free(full);
    free(brief);
}
END_TEST

START_TEST(long_titles_end_with_points)
{
    char name[KERNEL_TITLE_BRIEF + 20];
    memset(name, 'k', sizeof name);
    name[sizeof name - 1] = '\0';
    char *brief = kernel_title_brief(name);
    ck_assert_uint_eq(strlen(brief), KERNEL_TITLE_BRIEF);
    ck_assert_str_eq(brief + KERNEL_TITLE_BRIEF - 4, "k...");
    free(brief);
}
END_TEST

int main(void)
{
    const TTest *const tests[] = {long_titles_end_with_points};
    const TTest *const loops[] = {titles_of_kernels};
    return RUN_LOOPS("view", tests, loops, sizeof titles / sizeof *titles);
}
