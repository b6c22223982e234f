/* Random numbers are the same on every machine and in every version. */
#include "traces/base/random.h"

#include <check.h>

#include "tests/suite.h"
#include "traces/base/split_mix.h"

/* The published numbers of seed 1234567. */
START_TEST(split_mix_published)
{
    static const uint64_t numbers[] = {UINT64_C(6457827717110365317),
                                       UINT64_C(3203168211198807973),
                                       UINT64_C(9817491932198370423)};
    for (uint64_t i = 0; i < 3; i++)
        ck_assert_uint_eq(split_mix(1234567, i), numbers[i]);
}
END_TEST

/* xoshiro256** from a state that SplitMix64 fills. */
START_TEST(stream)
{
    static const uint64_t numbers[] = {UINT64_C(0x84f02f195ab5fd66),
                                       UINT64_C(0x46ff6f0daaf44911),
                                       UINT64_C(0x8276408e60c29367)};
    struct random random;
    random_init(&random, 1, 2);
    for (int i = 0; i < 3; i++)
        ck_assert_uint_eq(random_next(&random), numbers[i]);
}
END_TEST

int main(void)
{
    const TTest *const tests[] = {split_mix_published, stream};
    return RUN_TESTS("random", tests);
}
