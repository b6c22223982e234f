#include "sim/state/code_file.h"

#include <stdlib.h>
#include <string.h>

#include "sim/core/code/code_state.h"
#include "sim/memory/queue.h"

#define FUNCTIONS_MOST 65536 /* of a file */

const char *const code_file_names[CODE_FILE_SHAPE] = {
    "SMs",        "sub-cores",       "sets of an L0",   "ways of an L0", "sets of L1",
    "ways of L1", "sets of the GCC", "ways of the GCC", "bytes a line"};

void code_file_shape(const struct sim *sim, uint64_t values[CODE_FILE_SHAPE])
{
    const struct code_spec *spec = &sim->engine.spec.sm.code;
    const uint64_t shape[CODE_FILE_SHAPE] = {sim->engine.spec.sms,
                                             spec->sub_cores,
                                             spec->l0_sets,
                                             spec->l0_ways,
                                             spec->l1_sets,
                                             spec->l1_ways,
                                             spec->gcc_ways != 0 ? spec->gcc_sets : 0,
                                             spec->gcc_ways,
                                             spec->line};
    memset(values, 0, sizeof shape); /* of a card without such caches */
    if (code_file_wanted(sim))
        memcpy(values, shape, sizeof shape);
}

/* ---- lines ---- */

/* The lines of a cache, the least recently used one first. */
struct code_file_lines {
    uint64_t *addresses; /* owned */
    size_t count;
};

static struct code_file_lines list_lines(const struct line_cache *lines)
{
    struct code_file_lines list = {
        .addresses = malloc((size_t)lines->sets * lines->ways * sizeof *list.addresses)};
    if (list.addresses == NULL)
        memory_short();
    list.count = line_cache_list(lines, list.addresses);
    return list;
}

static bool same_lines(const struct line_cache *a, const struct line_cache *b)
{
    struct code_file_lines one = list_lines(a), other = list_lines(b);
    bool same = one.count == other.count &&
                (one.count == 0 || memcmp(one.addresses, other.addresses,
                                          one.count * sizeof *one.addresses) == 0);
    free(one.addresses);
    free(other.addresses);
    return same;
}

static bool same_caches(struct code_caches *a, struct code_caches *b)
{
    struct line_cache *one;
    for (uint32_t i = 0; (one = code_state_cache(a, i)) != NULL; i++)
        if (!same_lines(one, code_state_cache(b, i)))
            return false;
    return true;
}

/* Lines one after the other in memory are written as one: their first address and number; 0
 * ends the list. */
static void put_lines(struct sealed_out *out, const struct line_cache *lines)
{
    struct code_file_lines list = list_lines(lines);
    for (size_t i = 0, run; i < list.count; i += run) {
        for (run = 1; i + run < list.count &&
                      list.addresses[i + run] == list.addresses[i] + run * lines->bytes;)
            run++;
        sealed_put(out, run, 4);
        sealed_put(out, list.addresses[i], 8);
    }
    sealed_put(out, 0, 4);
    free(list.addresses);
}

static bool get_lines(struct sealed_in *in, struct line_cache *lines)
{
    uint64_t run, address, room = (uint64_t)lines->sets * lines->ways;
    for (;;) {
        if (!sealed_get(in, &run, 4) || run > room)
            return false;
        if (run == 0)
            return true;
        if (!sealed_get(in, &address, 8) || address % lines->bytes != 0)
            return false;
        room -= run;
        for (; run > 0; run--, address += lines->bytes) {
            if (line_cache_holds(lines, address))
                return false;
            line_cache_put(lines, address, 0);
        }
    }
}

/* ---- all ---- */

void code_file_put(struct sealed_out *out, const struct sim *sim)
{
    uint64_t shape[CODE_FILE_SHAPE];
    const struct line_cache *lines;
    code_file_shape(sim, shape);
    for (int i = 0; i < CODE_FILE_SHAPE; i++)
        sealed_put(out, shape[i], 4);
    sealed_put(out, sim->loaded.count, 4);
    for (size_t i = 0; i < sim->loaded.count; i++)
        sealed_put(out, sim->loaded.addresses[i], 8);
    for (uint32_t s = 0; s < sim->engine.spec.sms; s++) {
        struct code_caches *caches = sim->engine.sms[s]->code;
        bool own = s == 0 || !same_caches(caches, sim->engine.sms[s - 1]->code);
        sealed_put(out, own, 1);
        for (uint32_t i = 0; own && (lines = code_state_cache(caches, i)) != NULL; i++)
            put_lines(out, lines);
    }
}

static void copy_caches(struct code_caches *to, struct code_caches *from)
{
    const struct line_cache *source;
    for (uint32_t i = 0; (source = code_state_cache(from, i)) != NULL; i++) {
        struct line_cache *lines = code_state_cache(to, i);
        lines->uses = source->uses;
        memcpy(lines->lines, source->lines,
               (size_t)lines->sets * lines->ways * sizeof *lines->lines);
    }
}

static bool get_sm(struct sealed_in *in, struct sim *sim, uint32_t sm)
{
    uint64_t own;
    struct line_cache *lines;
    struct code_caches *caches = sim->engine.sms[sm]->code;
    if (!sealed_get(in, &own, 1) || own > 1 || (own == 0 && sm == 0))
        return false;
    if (own == 0) {
        copy_caches(caches, sim->engine.sms[sm - 1]->code);
        return true;
    }
    for (uint32_t i = 0; (lines = code_state_cache(caches, i)) != NULL; i++)
        if (!get_lines(in, lines))
            return false;
    return true;
}

bool code_file_get(struct sealed_in *in, struct sim *sim)
{
    uint64_t count, address;
    if (!code_file_wanted(sim)) /* a shape of zeros is what no file has */
        return false;
    if (!sealed_get(in, &count, 4) || count > FUNCTIONS_MOST)
        return false;
    for (; count > 0; count--) {
        if (!sealed_get(in, &address, 8))
            return false;
        loaded_code_add(&sim->loaded, address);
    }
    for (uint32_t s = 0; s < sim->engine.spec.sms; s++)
        if (!get_sm(in, sim, s))
            return false;
    sim->code_by_name = true;
    return true;
}

/* ---- lines on their way, and ports ---- */

/* Writes an entry, unless OUT is NULL or what it says is over when the next launch hands out
 * blocks. Returns whether it is not. */
static bool put_coming(struct sealed_out *out, const struct sim *sim, uint32_t sm,
                       uint32_t number, uint64_t address, uint64_t ready)
{
    if (ready <= sim->now + sim->config->options.gpgpu_kernel_launch_latency)
        return false;
    if (out == NULL)
        return true;
    sealed_put(out, sm, 4);
    sealed_put(out, number, 4);
    sealed_put(out, address, 8);
    sealed_put(out, ready - sim->now, 8);
    return true;
}

/* The entries of SM: lines of its caches, and with the number after these, and address 0, the
 * port of its L1. */
static uint32_t walk_sm(struct sealed_out *out, const struct sim *sim, uint32_t sm)
{
    struct code_caches *caches = sim->engine.sms[sm]->code;
    const struct line_cache *lines;
    uint32_t count = 0, number = 0;
    for (; (lines = code_state_cache(caches, number)) != NULL; number++)
        for (size_t i = 0; i < (size_t)lines->sets * lines->ways; i++)
            if (lines->lines[i].used != 0)
                count += put_coming(out, sim, sm, number, lines->lines[i].address,
                                    lines->lines[i].ready);
    return count + put_coming(out, sim, sm, number, 0, caches->supply.outside_free);
}

/* OUT may be NULL: only counts them. */
static uint32_t walk(struct sealed_out *out, const struct sim *sim)
{
    uint32_t count = 0;
    for (uint32_t s = 0; s < sim->engine.spec.sms; s++)
        count += walk_sm(out, sim, s);
    return count;
}

uint32_t code_file_coming(const struct sim *sim)
{
    return walk(NULL, sim);
}

void code_file_put_coming(struct sealed_out *out, const struct sim *sim)
{
    sealed_put(out, code_file_coming(sim), 4);
    walk(out, sim);
}

static uint32_t caches_of(struct code_caches *caches)
{
    uint32_t count = 0;
    while (code_state_cache(caches, count) != NULL)
        count++;
    return count;
}

static bool get_coming(struct sealed_in *in, struct sim *sim)
{
    uint64_t sm, number, address, cycles;
    if (!sealed_get(in, &sm, 4) || !sealed_get(in, &number, 4) ||
        !sealed_get(in, &address, 8) || !sealed_get(in, &cycles, 8) ||
        sm >= sim->engine.spec.sms || cycles >= CODE_ON_ITS_WAY - sim->now)
        return false;
    struct code_caches *caches = sim->engine.sms[sm]->code;
    struct line_cache *lines = code_state_cache(caches, (uint32_t)number);
    if (lines == NULL && address == 0 && number == caches_of(caches)) {
        caches->supply.outside_free = sim->now + cycles;
        return true;
    }
    if (lines == NULL || address % lines->bytes != 0 || !line_cache_holds(lines, address))
        return false;
    line_cache_came(lines, address, sim->now + cycles);
    return true;
}

bool code_file_get_coming(struct sealed_in *in, struct sim *sim)
{
    uint64_t count;
    if (!sealed_get(in, &count, 4))
        return false;
    for (; count > 0; count--)
        if (!get_coming(in, sim))
            return false;
    return true;
}

void code_file_forget(struct sim *sim)
{
    loaded_code_finish(&sim->loaded);
    for (uint32_t s = 0; s < sim->engine.spec.sms; s++)
        if (sim->engine.sms[s]->code != NULL)
            code_caches_clear(sim->engine.sms[s]->code);
}
