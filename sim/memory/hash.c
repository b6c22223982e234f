#include "sim/memory/hash.h"

/* For each number n of index bits: which bits of the high part each index bit
 * is the parity of. Made from the primitive polynomials x + 1, x^2 + x + 1,
 * x^3 + x + 1, x^4 + x + 1, x^5 + x^2 + 1, x^6 + x + 1, x^7 + x + 1,
 * x^8 + x^4 + x^3 + x^2 + 1, x^9 + x^4 + 1, x^10 + x^3 + 1: bit b of the high
 * part stands for x^(n + b). */
static const uint32_t parity_of[11][10] = {
    {0},
    {0x1},
    {0x5b, 0x6d},
    {0x29d, 0x3a7, 0x34e},
    {0xf59, 0x11eb, 0x3d6, 0x7ac},
    {0x3e69, 0x7cd2, 0x47cd, 0xf9a, 0x1f34},
    {0x79461, 0xbca3, 0x17946, 0x2f28c, 0x5e518, 0x3ca30},
    {0x3c50c1, 0x4f143, 0x9e286, 0x13c50c, 0x278a18, 0xf1430, 0x1e2860},
    {0x103a471, 0x748e2, 0x10d35b5, 0x119cf1b, 0x1303a47, 0x60748e, 0xc0e91c, 0x181d238},
    {0xa9c8621, 0x5390c42, 0xa721884, 0x4e43108, 0x354e431, 0x6a9c862, 0xd5390c4, 0xaa72188,
     0x54e4310},
    {0x59304481, 0x32608902, 0x64c11204, 0x10b26089, 0x2164c112, 0x42c98224, 0x5930448,
     0xb260890, 0x164c1120, 0x2c982240},
};

uint32_t hash_ipoly(uint64_t high, uint32_t index, uint32_t banks)
{
    uint32_t n = (uint32_t)__builtin_ctz(banks), low = (uint32_t)high;
    for (uint32_t bit = 0; bit < n; bit++)
        index ^= (uint32_t)__builtin_parity(low & parity_of[n][bit]) << bit;
    return index;
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
