#include "sim/core/code/code_constants.h"

#include <stddef.h>

/* An address in constant memory, apart from those of code: this bit, the launch, the bank, and
 * the offset. */
#define CONSTANT_MEMORY (1ull << 63)
#define LAUNCH_SHIFT    40
#define BANK_SHIFT      35

#define NO_SUB_CORE UINT32_MAX

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
    constants->load_turns = constants->operand_turns = (struct code_turns){0};
    constants->late = 0;
    constants->late_from = 0;
}

static uint64_t address_of(const struct code_place *place, struct code_constant constant)
{
    return CONSTANT_MEMORY | place->number << LAUNCH_SHIFT |
           (uint64_t)constant.bank << BANK_SHIFT |
           (constant.offset & ((1ull << BANK_SHIFT) - 1));
}

/* How many requests of the GPC the GCC takes before number ASKED of the SM at SEAT: line after
 * line, it serves TPCs in turn, and of a TPC first what all sub-cores of its first SM ask for.
 */
static int64_t requests_before(const struct code_seat *seat, uint64_t askers, uint64_t asked)
{
    uint64_t line = asked / askers, asker = asked % askers;
    return (int64_t)((line * seat->sms + seat->before) * askers + asker * seat->beside +
                     seat->place);
}

/* The cycle from which on the GCC has taken what the SMs ask for in TURNS, each with ASKERS
 * caches. */
static int64_t end_of_turns(const struct code_turns *turns, const struct code_supply *supply,
                            const struct code_place *launch, uint64_t askers)
{
    uint64_t lines = (turns->asked + askers - 1) / askers;
    uint64_t requests = lines * askers * launch->seats[supply->sm].sms;
    return turns->launch == launch->number
               ? turns->begin + (int64_t)(supply->spec->constant_interval * requests)
               : INT64_MIN;
}

/* The cycle in which the GCC takes a request that one of ASKERS caches of the SM makes in NOW.
 * The first turn comes LATE cycles before NOW, and not before cycle FREE. */
static uint64_t take_turn(struct code_turns *turns, const struct code_supply *supply,
                          const struct code_place *launch, uint32_t askers, int64_t late,
                          int64_t free, uint64_t now)
{
    int64_t interval = supply->spec->constant_interval, at = (int64_t)now;
    const struct code_seat *seat = &launch->seats[supply->sm];
    if (turns->launch != launch->number)
        *turns = (struct code_turns){.launch = launch->number,
                                     .begin = at - late > free ? at - late : free};
    int64_t turn = turns->begin + interval * requests_before(seat, askers, turns->asked);
    if (turn + interval * seat->sms * askers < at) { /* all SMs have been served */
        turns->asked = 0;
        turns->begin = at - interval * requests_before(seat, askers, 0);
    }
    turns->asked++;
    return turn > at ? (uint64_t)turn : now;
}

/* The cycle in which a line of parameters comes that the SM asks for in NOW, for its LOADS or
 * for operands. */
static uint64_t fetch_parameters(struct code_constants *constants, bool loads,
                                 struct code_supply *supply, const struct code_place *launch,
                                 uint64_t now)
{
    uint64_t ready = code_supply_near(supply, launch, now);
    if (supply->spec->constant_interval == 0 || launch->seats == NULL)
        return ready;
    bool first = constants->load_turns.launch != launch->number &&
                 constants->operand_turns.launch != launch->number;
    int64_t late = first || now < constants->late_from ? 0 : constants->late;
    struct code_turns *turns = loads ? &constants->load_turns : &constants->operand_turns,
                      *others = loads ? &constants->operand_turns : &constants->load_turns;
    uint32_t askers = loads ? 1 : launch->askers, other_askers = loads ? launch->askers : 1;
    int64_t free = end_of_turns(others, supply, launch, other_askers);
    uint64_t wait = take_turn(turns, supply, launch, askers, late, free, now) - now;
    if (first) {
        constants->late = (int64_t)wait + supply->distance;
        constants->late_from = ready + wait;
    }
    return ready + wait;
}

/* The cycle in which a line comes that was asked for in NOW. */
static uint64_t fetch(struct code_constants *constants, bool loads, struct code_supply *supply,
                      const struct code_place *launch, uint32_t bank, uint64_t address,
                      uint64_t now)
{
    const struct code_place place = {
        .address = address, .number = launch->number, .constants = true};
    uint64_t ready;
    if (bank == 0)
        return fetch_parameters(constants, loads, supply, launch, now);
    enum code_answer answer = code_supply_constant(
        supply, &place, address & ~(uint64_t)(supply->spec->line - 1), now, &ready);
    return answer == CODE_L1_MISS ? ready + supply->spec->constant_latency : ready;
}

/* Looks CONSTANT up in the operands of SUB_CORE, or in the cache for LDC if that is
 * NO_SUB_CORE.
 */
static enum code_constant_answer read_line(struct code_constants *constants, uint32_t sub_core,
                                           struct code_supply *supply,
                                           const struct code_place *place,
                                           struct code_constant constant, uint64_t now,
                                           uint64_t *ready)
{
    bool loads = sub_core == NO_SUB_CORE;
    struct line_cache *cache = loads ? &constants->loads : &constants->operands[sub_core];
    uint64_t address = address_of(place, constant);
    const struct cached_line *line = line_cache_find(cache, address);
    if (line != NULL) {
        *ready = line->ready > now ? line->ready : now;
        return line->ready > now ? CODE_CONSTANT_PENDING_HIT : CODE_CONSTANT_HIT;
    }
    if (loads && constant.bank != 0 && supply->spec->constant_fetch > supply->spec->line)
        code_supply_fetch(supply, place, address, now, ready);
    else
        *ready = fetch(constants, loads, supply, place, constant.bank, address, now);
    line_cache_put(cache, address, *ready);
    return CODE_CONSTANT_MISS;
}

enum code_constant_answer code_constants_operand(struct code_constants *constants,
                                                 struct code_supply *supply, uint32_t sub_core,
                                                 const struct code_place *place,
                                                 struct code_constant constant, uint64_t now,
                                                 uint64_t *ready)
{
    return read_line(constants, sub_core, supply, place, constant, now, ready);
}

bool code_constants_hold(const struct code_constants *constants, uint32_t sub_core,
                         const struct code_place *place, struct code_constant constant)
{
    return line_cache_holds(&constants->operands[sub_core], address_of(place, constant));
}

/* Whether a launch brings CONSTANT to the cache for LDC. */
static bool is_brought(const struct code_spec *spec, struct code_constant constant)
{
    return constant.bank == 0 && constant.offset >= spec->line &&
           constant.offset < spec->loads_ahead;
}

enum code_constant_answer code_constants_load(struct code_constants *constants,
                                              struct code_supply *supply,
                                              const struct code_place *place,
                                              struct code_constant constant, uint64_t now,
                                              uint64_t *ready)
{
    if (!is_brought(supply->spec, constant))
        return read_line(constants, NO_SUB_CORE, supply, place, constant, now, ready);
    *ready = code_supply_late(supply, place, code_supply_parameters(supply, place, now));
    return *ready > now ? CODE_CONSTANT_PENDING_HIT : CODE_CONSTANT_HIT;
}
