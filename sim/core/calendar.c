#include "sim/core/calendar.h"

uint64_t calendar_take(struct calendar *calendar, uint64_t slot)
{
    uint64_t number = slot / 64, bits = ~0ull << slot % 64;
    for (;; number++, bits = ~0ull) {
        uint32_t at = (uint32_t)(number % CALENDAR_WORDS);
        if (calendar->number[at] > number)
            return slot > number * 64 ? slot : number * 64;
        if (calendar->number[at] < number) {
            calendar->number[at] = number;
            calendar->taken[at] = 0;
        }
        uint64_t free = ~calendar->taken[at] & bits;
        if (free == 0)
            continue;
        calendar->taken[at] |= free & -free;
        return number * 64 + (uint64_t)__builtin_ctzll(free);
    }
}
