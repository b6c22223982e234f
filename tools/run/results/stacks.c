#include "tools/run/results/stacks.h"

#include <inttypes.h>
#include <stdlib.h>

void stacks_finish(struct stacks *stacks)
{
    free(stacks->items);
    *stacks = (struct stacks){0};
}

bool stacks_add(struct stacks *stacks, const struct sim_cpi *stack)
{
    struct sim_cpi *items = realloc(stacks->items, (stacks->count + 1) * sizeof *items);
    if (items == NULL)
        return false;
    stacks->items = items;
    stacks->items[stacks->count++] = *stack;
    return true;
}

bool stacks_keep(struct stacks *stacks, const struct sim *sim)
{
    for (uint32_t s = 0; s < sim_schedulers(sim); s++)
        if (!stacks_add(stacks, sim_stack(sim, s)))
            return false;
    return true;
}

void stacks_write_head(FILE *out)
{
    fputs("step,launch,scheduler", out);
    for (uint32_t c = 0; c < SIM_CPI_COUNT; c++)
        fprintf(out, ",cpi_%s", sim_cpi_names[c]);
    putc('\n', out);
}

void stacks_write(const struct stacks *stacks, uint64_t step, uint64_t launch, FILE *out)
{
    for (uint32_t s = 0; s < stacks->count; s++) {
        fprintf(out, "%" PRIu64 ",%" PRIu64 ",%" PRIu32, step, launch, s);
        for (uint32_t c = 0; c < SIM_CPI_COUNT; c++)
            fprintf(out, ",%" PRIu64, stacks->items[s].cycles[c]);
        putc('\n', out);
    }
}
