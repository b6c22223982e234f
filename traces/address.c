#include "traces/address.h"

_Static_assert(TRACE_ADDRESS_ROWS_16 < 1 << 3, "a record has three bits for its mode");

/* Most bytes that a row covers: a sector. */
#define ROW_BYTES 32

/* Bit N is set if lanes N and N + 1 of LANES are not STEP bytes apart. */
static uint32_t breaks(const uint64_t *words, uint32_t lanes, uint64_t step)
{
    uint32_t found = 0;
    for (uint32_t i = 0; i < 31; i++)
        found |= (uint32_t)(words[i + 1] - words[i] != step) << i;
    return found & (UINT32_MAX >> 1 >> (32 - lanes));
}

enum trace_address_mode address_rows(uint64_t *words, uint32_t mask)
{
    static const uint32_t ends[] = {0x2aaaaaaa, 0x08888888, 0x00808080, 0x00008000};
    uint32_t lanes = (uint32_t)__builtin_popcount(mask);
    uint64_t step = lanes > 2 ? words[1] - words[0] : UINT64_MAX;
    if (step > ROW_BYTES / 2)
        return TRACE_ADDRESS_LIST;
    uint32_t found = breaks(words, lanes, step);
    for (uint32_t shift = 4; shift > 0; shift--) {
        uint32_t each = 1u << shift, rows = lanes >> shift;
        if (found & ~ends[shift - 1] || each * step > ROW_BYTES || lanes % each != 0)
            continue;
        for (uint32_t r = 1; r < rows; r++)
            words[r] = words[r << shift];
        words[rows] = step;
        return TRACE_ADDRESS_ROWS_2 + shift - 1;
    }
    return TRACE_ADDRESS_LIST;
}
