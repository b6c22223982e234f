#include "sim/ideal_l2/calendar.h"

#include <stdbool.h>

/* Where the word NUMBER stands; false: it is forgotten. */
static bool find_word(struct calendar *calendar, uint64_t number, uint32_t *at)
{
    *at = (uint32_t)(number % CALENDAR_WORDS);
    if (calendar->number[*at] < number) {
        calendar->number[*at] = number;
        calendar->taken[*at] = 0;
    }
    return calendar->number[*at] == number;
}

uint64_t calendar_take(struct calendar *calendar, uint64_t slot)
{
    uint64_t number = slot / 64, bits = ~0ull << slot % 64;
    for (;; number++, bits = ~0ull) {
        uint32_t at;
        if (!find_word(calendar, number, &at))
            return slot > number * 64 ? slot : number * 64;
        uint64_t free = ~calendar->taken[at] & bits;
        if (free == 0)
            continue;
        calendar->taken[at] |= free & -free;
        return number * 64 + (uint64_t)__builtin_ctzll(free);
    }
}

void calendar_mark(struct calendar *calendar, uint64_t first, uint64_t last)
{
    for (uint64_t number = first / 64; number <= last / 64 && first <= last; number++) {
        uint64_t bits = ~0ull;
        uint32_t at;
        if (number == first / 64)
            bits &= ~0ull << first % 64;
        if (number == last / 64)
            bits &= ~0ull >> (63 - last % 64);
        if (find_word(calendar, number, &at))
            calendar->taken[at] |= bits;
    }
}
