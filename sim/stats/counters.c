#include "sim/stats/counters.h"

#include <string.h>

const struct sim_counter sim_counter_table[] = {
#define COUNTER(name, unit, description, nsight)                                               \
    {#name, unit, description, nsight, offsetof(struct sim_counters, name)},
#include "sim/stats/counters.def"
#undef COUNTER
};

const size_t sim_counter_count = sizeof sim_counter_table / sizeof sim_counter_table[0];

uint64_t sim_counter_get(const struct sim_counters *counters, size_t index)
{
    uint64_t value;
    memcpy(&value, (const char *)counters + sim_counter_table[index].offset, sizeof value);
    return value;
}

void sim_counter_set(struct sim_counters *counters, size_t index, uint64_t value)
{
    memcpy((char *)counters + sim_counter_table[index].offset, &value, sizeof value);
}

void sim_counters_add(struct sim_counters *sum, const struct sim_counters *part)
{
    for (size_t i = 0; i < sim_counter_count; i++)
        sim_counter_set(sum, i, sim_counter_get(sum, i) + sim_counter_get(part, i));
}

void sim_counters_subtract(struct sim_counters *sum, const struct sim_counters *part)
{
    for (size_t i = 0; i < sim_counter_count; i++)
        sim_counter_set(sum, i, sim_counter_get(sum, i) - sim_counter_get(part, i));
}
