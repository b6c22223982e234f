/* Timing wheels: a slot for each of so many cycles to come, with a bit that says whether
 * something is planned for it. */
#ifndef HEARTH_SIM_CORE_WHEEL_H
#define HEARTH_SIM_CORE_WHEEL_H

#include <stdint.h>

/* The first cycle from NOW on whose bit is set. BITS: of WORDS (a power of two) * 64 slots;
 * UINT64_MAX: none is. */
static inline uint64_t wheel_next(const uint64_t *bits, uint32_t words, uint64_t now)
{
    uint32_t slots = 64 * words, start = (uint32_t)now & (slots - 1), word = start / 64;
    uint64_t found = bits[word] & (~0ull << (start % 64));
    for (uint32_t i = 0; found == 0 && i < words; i++) {
        word = (word + 1) & (words - 1); /* the last one is that of NOW again */
        found = bits[word];
    }
    if (found == 0)
        return UINT64_MAX;
    return now + ((word * 64 + (uint32_t)__builtin_ctzll(found) - start) & (slots - 1));
}

#endif
