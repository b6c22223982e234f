/* Distances of spellings, and what was probably meant. */
#include "traces/base/spelling.h"
#include "tests/suite.h"

START_TEST(distances)
{
    static const struct {
        const char *text, *known;
        unsigned distance;
    } cases[] = {
        {"run", "run", 0},        {"RUN", "run", 0},   {"rnu", "run", 1},
        {"ru", "run", 1},         {"runn", "run", 1},  {"", "run", 3},
        {"rum", "run", 1},        {"ca", "abc", 3},    {"coldstart", "cold-start", 1},
        {"kitten", "sitting", 3}, {"abcd", "badc", 2}, {"run", "", 3},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        ck_assert_uint_eq(spelling_distance(cases[i].text, cases[i].known), cases[i].distance);
    char longer[SPELLING_LIMIT + 2];
    memset(longer, 'x', sizeof longer - 1);
    longer[sizeof longer - 1] = '\0';
    ck_assert_uint_eq(spelling_distance("x", longer), SPELLING_LIMIT);
    ck_assert_uint_eq(spelling_distance(longer, "x"), SPELLING_LIMIT);
}
END_TEST

/* The nearest name with fewer than a third of the letters wrong; of equally near ones the
 * first. */
START_TEST(guesses)
{
    static const struct {
        const char *text, *expected;
    } cases[] = {
        {"verfy", "; did you mean --verify?"},
        {"vreify", "; did you mean --verify?"},
        {"info", "; did you mean --info?"},
        {"what", ""},
        {"", ""},
        {"cot", "; did you mean --cut?"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char room[SPELLING_HINT];
        struct spelling_guess guess = spelling_guess(cases[i].text);
        spelling_consider(&guess, "info");
        spelling_consider(&guess, "cut");
        spelling_consider(&guess, "cat");
        spelling_consider(&guess, "verify");
        ck_assert_str_eq(spelling_hint(&guess, "--", room), cases[i].expected);
    }
}
END_TEST

int main(void)
{
    const TTest *const tests[] = {distances, guesses};
    return RUN_TESTS("spelling", tests);
}
