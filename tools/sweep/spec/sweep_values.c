#include "tools/sweep/spec/sweep_values.h"

#include <stdbool.h>

#include "traces/base/number.h"

#define MOST ((uint64_t)1 << 40)

static enum sweep_values_kind fill(struct sweep_values *values, uint64_t first, uint64_t last,
                                   uint64_t step, bool times)
{
    if (first > last || step < (times ? 2 : 1) || (times && first == 0))
        return SWEEP_VALUES_WRONG;
    values->count = 0;
    for (uint64_t at = first; at <= last; at = times ? at * step : at + step) {
        if (values->count == SWEEP_VALUES)
            return SWEEP_VALUES_WRONG;
        values->items[values->count++] = at;
    }
    return SWEEP_VALUES_RANGE;
}

enum sweep_values_kind sweep_values_read(struct sweep_values *values, const char *text)
{
    uint64_t first, last, step = 1;
    if (!number_next(&text, MOST, &first) || text[0] != '.' || text[1] != '.')
        return SWEEP_VALUES_NONE;
    text += 2;
    if (!number_next(&text, MOST, &last))
        return SWEEP_VALUES_WRONG;
    char sign = *text;
    if (sign == '\0')
        return fill(values, first, last, 1, false);
    text++;
    if ((sign != '+' && sign != '*') || !number_next(&text, MOST, &step) || *text != '\0')
        return SWEEP_VALUES_WRONG;
    return fill(values, first, last, step, sign == '*');
}
