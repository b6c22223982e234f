#include "tracer/numbers.h"

#include <stdlib.h>

void numbers_finish(struct numbers *numbers)
{
    free(numbers->ignored);
    *numbers = (struct numbers){0};
}

bool numbers_take(struct numbers *numbers)
{
    uint32_t number = numbers->last + 1;
    if (number == UINT32_MAX)
        return false;
    if (number % 64 == 0 || numbers->ignored == NULL) {
        uint64_t *more = reallocarray(numbers->ignored, number / 64 + 1, sizeof *more);
        if (more == NULL)
            return false;
        numbers->ignored = more;
        more[number / 64] = 0;
    }
    numbers->last = number;
    numbers->ignored[number / 64] |= UINT64_C(1) << number % 64;
    return true;
}

uint32_t numbers_want(struct numbers *numbers)
{
    numbers->ignored[numbers->last / 64] &= ~(UINT64_C(1) << numbers->last % 64);
    return numbers->last;
}

bool numbers_are_ignored(const struct numbers *numbers, uint32_t number)
{
    return number != 0 && number <= numbers->last &&
           (numbers->ignored[number / 64] >> number % 64 & 1) != 0;
}
