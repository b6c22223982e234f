#include "sim/core/code/code_constants.h"

#include <stddef.h>
#include <string.h>

/* An address in constant memory, apart from those of code: this bit, the launch, the bank, and
 * the offset. */
#define CONSTANT_MEMORY (1ull << 63)
#define LAUNCH_SHIFT    40
#define BANK_SHIFT      35

bool code_constants_init(struct code_constants *constants, const struct code_spec *spec)
{
    bool made = spec->loads_sets == 0 || line_cache_init(&constants->loads, spec->loads_sets,
                                                         spec->loads_ways, spec->loads_line);
    for (uint32_t i = 0; i < spec->sub_cores; i++)
        made = line_cache_init(&constants->operands[i], 1, spec->operands_ways, spec->line) &&
               made;
    return made;
}

void code_constants_finish(struct code_constants *constants)
{
    line_cache_finish(&constants->loads);
    for (uint32_t i = 0; i < CODE_MAX_SUB_CORES; i++)
        line_cache_finish(&constants->operands[i]);
}

void code_constants_clear(struct code_constants *constants)
{
    line_cache_clear(&constants->loads);
    for (uint32_t i = 0; i < CODE_MAX_SUB_CORES; i++)
        line_cache_clear(&constants->operands[i]);
    memset(constants->asked, 0, sizeof constants->asked);
    constants->turn = 0;
}

/* The cycle in which a line comes that was asked for in NOW. */
static uint64_t fetch(struct code_supply *supply, const struct code_place *launch,
                      uint32_t bank, uint64_t address, uint64_t now)
{
    const struct code_place place = {.address = address, .number = launch->number};
    uint64_t ready;
    if (bank == 0)
        return code_supply_late(supply, launch, code_supply_near(supply, launch, now));
    enum code_answer answer = code_supply_ask(
        supply, &place, address & ~(uint64_t)(supply->spec->line - 1), now, &ready);
    return answer == CODE_L1_MISS ? ready + supply->spec->constant_latency : ready;
}

/* Looks ADDRESS up in CACHE. */
static enum code_constant_answer read_line(struct line_cache *cache, struct code_supply *supply,
                                           const struct code_place *place, uint32_t bank,
                                           uint64_t address, uint64_t now, uint64_t *ready)
{
    const struct cached_line *line = line_cache_find(cache, address);
    if (line != NULL) {
        *ready = line->ready > now ? line->ready : now;
        return line->ready > now ? CODE_CONSTANT_PENDING_HIT : CODE_CONSTANT_HIT;
    }
    *ready = fetch(supply, place, bank, address, now);
    line_cache_put(cache, address, *ready);
    return CODE_CONSTANT_MISS;
}

static uint64_t address_of(const struct code_place *place, struct code_constant constant)
{
    return CONSTANT_MEMORY | place->number << LAUNCH_SHIFT |
           (uint64_t)constant.bank << BANK_SHIFT |
           (constant.offset & ((1ull << BANK_SHIFT) - 1));
}

enum code_constant_answer code_constants_operand(struct code_constants *constants,
                                                 struct code_supply *supply, uint32_t sub_core,
                                                 const struct code_place *place,
                                                 struct code_constant constant, uint64_t now,
                                                 uint64_t *ready)
{
    uint64_t address = address_of(place, constant);
    return read_line(&constants->operands[sub_core], supply, place, constant.bank, address, now,
                     ready);
}

/* The cycle in which a line of parameters comes to SUB_CORE, which asks for it in NOW. */
static uint64_t take_turn(struct code_constants *constants, struct code_supply *supply,
                          uint32_t sub_core, const struct code_place *place, uint64_t address,
                          uint64_t now)
{
    struct code_asked *asked = &constants->asked[sub_core];
    for (uint32_t i = 0; i < CODE_ASKED; i++)
        if (asked->address[i] == address && asked->ready[i] > now)
            return asked->ready[i];
    uint64_t at = asked->ready[asked->last] > now ? asked->ready[asked->last] : now;
    if (at < constants->turn)
        at = constants->turn;
    constants->turn = at + (uint64_t)supply->spec->constant_interval * place->sms;
    asked->last = (asked->last + 1) % CODE_ASKED;
    asked->address[asked->last] = address;
    asked->ready[asked->last] = code_supply_near(supply, place, now) + (at - now);
    return asked->ready[asked->last];
}

enum code_constant_answer code_constants_load(struct code_constants *constants,
                                              struct code_supply *supply, uint32_t sub_core,
                                              const struct code_place *place,
                                              struct code_constant constant, uint64_t now,
                                              uint64_t *ready)
{
    struct line_cache *cache = &constants->loads;
    uint64_t address = address_of(place, constant);
    bool fetches = constant.bank != 0 && supply->spec->constant_fetch > supply->spec->line;
    bool turns = constant.bank == 0 && supply->spec->constant_interval != 0;
    if (!turns && !fetches)
        return read_line(cache, supply, place, constant.bank, address, now, ready);
    const struct cached_line *line = line_cache_find(cache, address);
    *ready = line != NULL && line->ready > now ? line->ready : now;
    if (line != NULL && (fetches || *ready == now))
        return *ready > now ? CODE_CONSTANT_PENDING_HIT : CODE_CONSTANT_HIT;
    if (fetches) {
        code_supply_fetch(supply, place, address, now, ready);
        line_cache_put(cache, address, *ready);
        return CODE_CONSTANT_MISS;
    }
    *ready = take_turn(constants, supply, sub_core, place,
                       address & ~(uint64_t)(supply->spec->loads_line - 1), now);
    *ready = code_supply_late(supply, place, *ready);
    if (line != NULL)
        return CODE_CONSTANT_PENDING_HIT;
    line_cache_put(cache, address, *ready);
    return CODE_CONSTANT_MISS;
}
