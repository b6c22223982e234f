/* Interleaving hashes. */
#include "tests/sim/support.h"

#include "sim/memory/hash.h"

/* For any high part, the banks are a permutation of the indices: each aligned
 * block of as many units as there are banks is spread over all of them. */
static bool is_permutation(uint32_t (*hash)(uint64_t, uint32_t, uint32_t), uint64_t high,
                           uint32_t banks)
{
    bool seen[1024] = {false};
    for (uint32_t index = 0; index < banks; index++) {
        uint32_t bank = hash(high, index, banks);
        if (bank >= banks || seen[bank])
            return false;
        seen[bank] = true;
    }
    return true;
}

START_TEST(permutation)
{
    for (uint32_t banks = 2; banks <= 1024; banks *= 2)
        for (uint64_t high = 0; high < 300; high++) {
            uint64_t part = high * 0x10001; /* bits beyond the lowest 16, too */
            ck_assert(is_permutation(hash_ipoly, part, banks));
            ck_assert(is_permutation(hash_xor, part, banks));
        }
}
END_TEST

/* Addresses that are a power of two apart are spread evenly as well: that is
 * what a polynomial is for. For each stride up to 2^8 blocks, 32 successive
 * ones of the lowest 13 bits meet every bank. */
START_TEST(strides)
{
    for (unsigned log2 = 0; log2 <= 8; log2++) {
        bool seen[32] = {false};
        for (uint32_t i = 0; i < 32; i++) {
            uint32_t unit = i << log2;
            uint32_t bank = hash_ipoly(unit >> 5, unit & 31, 32);
            ck_assert(!seen[bank]);
            seen[bank] = true;
        }
    }
}
END_TEST

/* 32 banks: x^5 + x^2 + 1. Bit k of the high part is x^(5+k) modulo it:
 * x^5 = x^2 + 1 = 5, x^6 = 10, x^7 = 20, x^8 = x^5 + x^3 = 13, x^9 = 26,
 * x^10 = x^5 + x^4 + x^2 = x^4 + 1 = 17. */
START_TEST(known_32)
{
    const uint32_t expected[] = {5, 10, 20, 13, 26, 17};
    for (uint32_t k = 0; k < 6; k++) {
        ck_assert_uint_eq(hash_ipoly(1u << k, 0, 32), expected[k]);
        ck_assert_uint_eq(hash_ipoly(1u << k, 9, 32), expected[k] ^ 9);
    }
    ck_assert_uint_eq(hash_ipoly(0x3f, 0, 32), 5 ^ 10 ^ 20 ^ 13 ^ 26 ^ 17);
    /* The lowest 15 bits take part, no more. */
    ck_assert_uint_ne(hash_ipoly(1u << 14, 0, 32), 0);
    ck_assert_uint_eq(hash_ipoly(1u << 15, 0, 32), 0);
}
END_TEST

/* 16 banks: x^4 + x + 1: 3, 6, 12, x^7 = x^4 + x^3 = 11; 13 bits. 64 banks:
 * x^6 + x + 1: 3, 6, 12, 24, 48, x^11 = x^6 + x^5 = 35; 19 bits. */
START_TEST(known_others)
{
    const uint32_t in_16[] = {3, 6, 12, 11}, in_64[] = {3, 6, 12, 24, 48, 35};
    for (uint32_t k = 0; k < 4; k++)
        ck_assert_uint_eq(hash_ipoly(1u << k, 0, 16), in_16[k]);
    ck_assert_uint_ne(hash_ipoly(1u << 12, 0, 16), 0);
    ck_assert_uint_eq(hash_ipoly(1u << 13, 0, 16), 0);
    for (uint32_t k = 0; k < 6; k++)
        ck_assert_uint_eq(hash_ipoly(1u << k, 0, 64), in_64[k]);
    ck_assert_uint_ne(hash_ipoly(1u << 18, 0, 64), 0);
    ck_assert_uint_eq(hash_ipoly(1u << 19, 0, 64), 0);
    ck_assert_uint_eq(hash_xor(0x123, 5, 16), 5 ^ 3);
}
END_TEST

/* Fermi: bits 7 to 11 of the address, xor bits 13, 14, 15, 17, 19; bit 12 is
 * the sixth of 64 sets. */
START_TEST(fermi)
{
    const struct {
        uint64_t address;
        uint32_t in_32, in_64;
    } rows[] = {
        {0, 0, 0},         {0x80, 1, 1},   {0xf80, 31, 31},   {0x1000, 0, 32}, {0x2000, 1, 1},
        {0x4000, 2, 2},    {0x8000, 4, 4}, {0x10000, 0, 0},   {0x20000, 8, 8}, {0x40000, 0, 0},
        {0x80000, 16, 16}, {0x2080, 0, 0}, {0xff000, 31, 63},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        ck_assert_uint_eq(hash_fermi(rows[i].address, 7, 32), rows[i].in_32);
        ck_assert_uint_eq(hash_fermi(rows[i].address, 7, 64), rows[i].in_64);
    }
}
END_TEST

int main(void)
{
    const TTest *const tests[] = {permutation, strides, known_32, known_others, fermi};
    return RUN_TESTS("hash", tests);
}
