#include "tools/run/results/row_parts.h"

#include <inttypes.h>
#include <stdlib.h>

#include "traces/base/bytes.h"

static const struct {
    enum sim_part_kind kind;
    const char *name;
} kinds[] = {
    {SIM_PART_SM, "sm"},
    {SIM_PART_SLICE, "slice"},
    {SIM_PART_CHANNEL, "channel"},
};
#define KINDS (sizeof kinds / sizeof kinds[0])

void row_parts_finish(struct row_parts *parts)
{
    free(parts->items);
    *parts = (struct row_parts){0};
}

bool row_parts_add(struct row_parts *parts, const struct row_parts_item *item)
{
    if (!array_room(&parts->items, parts->count, sizeof *parts->items))
        return false;
    parts->items[parts->count++] = *item;
    return true;
}

bool row_parts_keep(struct row_parts *parts, const struct sim *sim)
{
    uint32_t next = 0;
    for (size_t k = 0; k < KINDS; k++)
        for (uint32_t i = 0; i < sim_parts(sim, kinds[k].kind); i++) {
            const struct row_parts_item item = {kinds[k].kind, i, *sim_part(sim, next++)};
            if (!row_parts_add(parts, &item))
                return false;
        }
    return true;
}

void row_parts_write_head(FILE *out)
{
    fputs("step,launch,part,number", out);
    for (size_t i = 0; i < SIM_PART_COUNTERS; i++)
        fprintf(out, ",%s", sim_part_table[i].name);
    putc('\n', out);
}

static const char *kind_name(enum sim_part_kind kind)
{
    size_t k = 0;
    while (kinds[k].kind != kind)
        k++;
    return kinds[k].name;
}

void row_parts_write(const struct row_parts *parts, uint64_t step, uint64_t launch, FILE *out)
{
    for (size_t p = 0; p < parts->count; p++) {
        const struct row_parts_item *item = &parts->items[p];
        fprintf(out, "%" PRIu64 ",%" PRIu64 ",%s,%" PRIu32, step, launch, kind_name(item->kind),
                item->number);
        for (size_t i = 0; i < SIM_PART_COUNTERS; i++)
            if (sim_part_table[i].kinds & item->kind)
                fprintf(out, ",%" PRIu64, item->part.counts[i]);
            else
                putc(',', out);
        putc('\n', out);
    }
}
