#include "sim/part_counts.h"

#include <stdlib.h>
#include <string.h>

#include "sim/stats/counters.h"

bool part_counts_init(struct part_counts *parts, const struct engine *engine)
{
    const struct spec *spec = &engine->spec;
    uint32_t count = spec->sms + spec->slices + spec->channels;
    *parts = (struct part_counts){.base = calloc(count, sizeof *parts->base),
                                  .last = calloc(count, sizeof *parts->last),
                                  .count = count};
    return parts->base != NULL && parts->last != NULL;
}

void part_counts_finish(struct part_counts *parts)
{
    free(parts->base);
    free(parts->last);
    *parts = (struct part_counts){0};
}

void part_counts_reset(struct part_counts *parts)
{
    if (parts->count != 0)
        memset(parts->base, 0, parts->count * sizeof *parts->base);
}

/* PART since COUNTS are those of it so far. */
static void take_part(struct sim_part *base, struct sim_part *part,
                      const struct sim_counters *counters)
{
    for (uint32_t i = 0; i < SIM_PART_COUNTERS; i++) {
        uint64_t count = *(const uint64_t *)((const char *)counters + sim_part_table[i].offset);
        part->counts[i] = count - base->counts[i];
        base->counts[i] = count;
    }
}

void part_counts_take(struct part_counts *parts, const struct engine *engine, uint64_t end)
{
    for (uint32_t i = 0; i < parts->count; i++) {
        struct sim_counters counters;
        engine_count_part(engine, i, end, &counters);
        take_part(&parts->base[i], &parts->last[i], &counters);
    }
}

void part_counts_skip(struct part_counts *parts, const struct engine *engine)
{
    struct sim_part ignored;
    for (uint32_t i = 0; i < parts->count; i++) {
        struct sim_counters counters;
        engine_count_part(engine, i, UINT64_MAX, &counters);
        take_part(&parts->base[i], &ignored, &counters);
    }
}

void part_counts_serialize(struct part_counts *parts, struct serializer *image)
{
    if (parts->count != 0)
        serialize_bytes(image, parts->base, parts->count * sizeof *parts->base);
}
