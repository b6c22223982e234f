#include "sim/memory/hash.h"

/* Primitive polynomials x^n + ... without the leading term, by n. */
static const uint32_t polynomial[11] = {0, 0, 3, 3, 3, 5, 3, 3, 29, 17, 9};
/* How many bits of the high part take part, by n. */
static const uint8_t width[11] = {0, 1, 7, 10, 13, 15, 19, 22, 25, 28, 31};

uint32_t hash_ipoly(uint64_t high, uint32_t index, uint32_t banks)
{
    uint32_t n = (uint32_t)__builtin_ctz(banks);
    uint32_t term = n <= 1 ? 1 : polynomial[n]; /* x^(n + bit) modulo the polynomial */
    high &= (1ull << width[n]) - 1;
    for (; high != 0; high >>= 1) {
        if (high & 1)
            index ^= term;
        if (n > 1)
            term = term << 1 & banks ? (term << 1 ^ banks) ^ polynomial[n] : term << 1;
    }
    return index & (banks - 1);
}

uint32_t hash_xor(uint64_t high, uint32_t index, uint32_t banks)
{
    return index ^ (uint32_t)(high & (banks - 1));
}

uint32_t hash_fermi(uint64_t address, uint32_t line_log2, uint32_t sets)
{
    uint32_t lower = address >> line_log2 & 0x1f;
    uint32_t upper = (uint32_t)((address & 0xe000) >> 13 | (address & 0x20000) >> 14 |
                                (address & 0x80000) >> 15);
    uint32_t set = lower ^ upper;
    if (sets == 64)
        set |= (address & 0x1000) >> 7;
    return set & (sets - 1);
}
