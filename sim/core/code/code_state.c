#include "sim/core/code/code_state.h"

#include <stdlib.h>

#include "sim/memory/queue.h"

struct line_cache *code_state_cache(struct code_caches *caches, uint32_t number)
{
    uint32_t sub_cores = caches->spec->sub_cores;
    if (number < sub_cores)
        return &caches->l0[number];
    if (number == sub_cores)
        return &caches->supply.l1;
    return number == sub_cores + 1 && caches->spec->gcc_ways != 0 ? &caches->supply.gcc : NULL;
}

/* LINES has used the line at ADDRESS. Returns whether it had it before. */
static bool use(struct line_cache *lines, uint64_t address)
{
    bool held = line_cache_find(lines, address) != NULL;
    if (!held)
        line_cache_put(lines, address, 0);
    return held;
}

/* L1 was asked for the line at ADDRESS. One that it lacks makes the launch bring its code near;
 * the first of these lines does not come from the GCC, but takes room there. */
static void ask_l1(struct code_caches *caches, const struct code_place *place, uint64_t address)
{
    bool near = place->brought != 0 && address == place->address;
    if (use(&caches->supply.l1, address) || caches->spec->gcc_ways == 0)
        return;
    code_supply_enter(&caches->supply, place, false);
    if (!near)
        use(&caches->supply.gcc, address);
}

void code_state_ran(struct code_caches *caches, uint32_t sub_cores,
                    const struct code_place *place, uint32_t bytes)
{
    const struct code_spec *spec = caches->spec;
    uint64_t end = place->address + bytes, asked = place->address;
    for (uint64_t line = place->address; line < end; line += spec->line)
        for (uint32_t i = 0; i < spec->sub_cores; i++) {
            if (!(sub_cores >> i & 1) || use(&caches->l0[i], line))
                continue;
            for (; asked <= line + (uint64_t)spec->stream * spec->line; asked += spec->line)
                ask_l1(caches, place, asked);
        }
    for (uint32_t i = 0; i < spec->sub_cores; i++)
        caches->last[i] = 1; /* no line */
}

/* ---- moving ---- */

/* Lines that move are there. The cache may have held one of them where it moves to. */
static void move_lines(struct line_cache *lines, uint64_t from, uint64_t to, uint64_t bytes)
{
    size_t all = (size_t)lines->sets * lines->ways;
    uint64_t *held = malloc(all * sizeof *held), *ready = malloc(all * sizeof *ready);
    if (held == NULL || ready == NULL)
        memory_short();
    size_t count = line_cache_list(lines, held);
    for (size_t i = 0; i < count; i++)
        ready[i] = line_cache_ready(lines, held[i]);
    line_cache_clear(lines);
    for (size_t i = 0; i < count; i++) {
        bool moves = held[i] - from < bytes;
        uint64_t address = moves ? held[i] - from + to : held[i];
        if (!use(lines, address) && !moves)
            line_cache_came(lines, address, ready[i]);
    }
    free(held);
    free(ready);
}

static bool holds_any(const struct line_cache *lines, uint64_t from, uint64_t bytes)
{
    for (size_t i = 0; i < (size_t)lines->sets * lines->ways; i++)
        if (lines->lines[i].used != 0 && lines->lines[i].address - from < bytes)
            return true;
    return false;
}

void code_state_move(struct code_caches *caches, uint64_t from, uint64_t to, uint64_t bytes)
{
    struct line_cache *lines;
    for (uint32_t i = 0; (lines = code_state_cache(caches, i)) != NULL; i++)
        if (holds_any(lines, from, bytes))
            move_lines(lines, from, to, bytes);
}
