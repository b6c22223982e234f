#include "sim/core/hopper/lane_ops.h"

uint32_t lane_logic(uint32_t a, uint32_t b, uint32_t c, uint32_t table)
{
    uint32_t result = 0;
    for (uint32_t i = 0; i < 8; i++)
        if (table >> i & 1)
            result |= (i & 4 ? a : ~a) & (i & 2 ? b : ~b) & (i & 1 ? c : ~c);
    return result;
}

uint32_t lane_permute(uint32_t a, uint32_t selector, uint32_t c)
{
    uint64_t bytes = (uint64_t)c << 32 | a;
    uint32_t result = 0;
    for (uint32_t i = 0; i < 4; i++) {
        uint32_t which = selector >> (4 * i) & 15;
        uint32_t byte = (uint32_t)(bytes >> (8 * (which & 7))) & 255;
        if (which & 8)
            byte = byte & 128 ? 255 : 0;
        result |= byte << (8 * i);
    }
    return result;
}

uint32_t lane_shift(uint32_t a, uint32_t amount, uint32_t c, uint64_t high)
{
    enum { S64, U64, S32, U32 };
    uint32_t type = bits(high, 9, 2);
    bool right = bits(high, 12, 1), upper = bits(high, 16, 1), wide = type <= U64;
    uint32_t most = wide ? 63 : 32;
    uint64_t both = (uint64_t)c << 32 | a;
    if (amount > most)
        amount = bits(high, 11, 1) ? amount & (wide ? 63 : 31) : most;
    if (!wide && upper && right)
        return type == S32 ? (uint32_t)((int64_t)(int32_t)c >> amount)
                           : (uint32_t)((uint64_t)c >> amount);
    if (right)
        both = type == S64 ? (uint64_t)((int64_t)both >> amount) : both >> amount;
    else
        both <<= amount;
    return (uint32_t)(upper ? both >> 32 : both);
}

bool lane_compare(uint32_t a, uint32_t b, uint64_t high)
{
    bool with_sign = bits(high, 9, 1);
    bool less = with_sign ? (int32_t)a < (int32_t)b : a < b;
    uint32_t how = bits(high, 12, 3);
    return (less && (how & 1)) || (a == b && (how & 2)) || (!less && a != b && (how & 4));
}
