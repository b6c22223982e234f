#include "sim/core/code/code_supply.h"

#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#define FIRST_MISSING 16u

bool code_supply_init(struct code_supply *supply, const struct code_spec *spec)
{
    supply->spec = spec;
    bool made = line_cache_init(&supply->l1, spec->l1_sets, spec->l1_ways, spec->line);
    return made && (spec->gcc_ways == 0 ||
                    line_cache_init(&supply->gcc, spec->gcc_sets, spec->gcc_ways, spec->line));
}

void code_supply_finish(struct code_supply *supply)
{
    line_cache_finish(&supply->l1);
    line_cache_finish(&supply->gcc);
    queue_finish(&supply->requests);
    queue_finish(&supply->answers);
    free(supply->missing);
}

void code_supply_clear(struct code_supply *supply)
{
    line_cache_clear(&supply->l1);
    line_cache_clear(&supply->gcc);
    memset(supply->reach, 0, sizeof supply->reach);
    supply->cycle = 0;
    supply->taken = 0;
    supply->outside_free = 0;
    supply->stream_launch = 0;
    supply->stream_begin = supply->stream_end = 0;
    while (supply->requests.count != 0)
        queue_pop(&supply->requests);
    while (supply->answers.count != 0)
        queue_pop(&supply->answers);
    supply->missing_count = 0;
}

/* The cycle in which L1 takes a request made in NOW. */
static uint64_t take_turn(struct code_supply *supply, uint64_t now)
{
    if (now > supply->cycle) {
        supply->cycle = now;
        supply->taken = 0;
    } else if (supply->taken == supply->spec->l1_requests) {
        supply->cycle++;
        supply->taken = 0;
    }
    supply->taken++;
    return supply->cycle;
}

/* The cycle in which a line comes that the launch brings near, and READY at the earliest. */
static uint64_t brought(const struct code_supply *supply, const struct code_place *place,
                        uint64_t address, uint64_t ready)
{
    const struct code_spec *spec = supply->spec;
    uint64_t number = address > place->address ? (address - place->address) / spec->line : 0;
    uint64_t first = place->cold ? spec->cold_latency : 0,
             interval = place->cold ? spec->cold_interval : spec->ahead_interval,
             comes = place->begin + first + number * interval;
    return comes > ready ? comes : ready;
}

struct code_reach *code_supply_enter(struct code_supply *supply, const struct code_place *place,
                                     bool timed)
{
    struct code_reach *reach = &supply->reach[place->number % CODE_REACHES];
    if (reach->number == place->number)
        return reach;
    *reach = (struct code_reach){.number = place->number};
    for (uint32_t at = 0; supply->spec->gcc_ways != 0 && at < place->bytes;
         at += supply->spec->line)
        if (!line_cache_holds(&supply->gcc, place->address + at))
            line_cache_put(&supply->gcc, place->address + at,
                           timed ? brought(supply, place, place->address + at, 0) : 0);
    return reach;
}

/* Puts the number of the line at ADDRESS into *LINE. Returns whether the launch brings it near
 * and the SM knows such lines one by one. */
static bool is_near(const struct code_supply *supply, const struct code_place *place,
                    uint64_t address, uint64_t *line)
{
    uint64_t offset = address - place->address;
    *line = offset / supply->spec->line;
    return offset < place->brought && *line < CODE_NEAR_LINES;
}

/* Notes that the line is asked for. Returns whether it is for the first time in the launch, if
 * that brings it near, and of other lines, whether it lies behind all that were. */
static bool is_first(struct code_supply *supply, const struct code_place *place,
                     uint64_t address)
{
    struct code_reach *reach = code_supply_enter(supply, place, true);
    bool goes_on = address >= reach->address;
    if (goes_on)
        reach->address = address + supply->spec->line;
    uint64_t line;
    if (!is_near(supply, place, address, &line))
        return goes_on;
    bool asked = reach->near[line / 64] >> line % 64 & 1;
    reach->near[line / 64] |= 1ull << line % 64;
    return !asked;
}

/* Cycles from a line that L1 sends for to the next. */
static uint64_t port_interval(const struct code_supply *supply, const struct code_place *place)
{
    const struct code_spec *spec = supply->spec;
    if (spec->l0_requests != 0)
        return place->seats != NULL
                   ? (uint64_t)spec->gcc_interval * place->seats[supply->sm].sms
                   : 0;
    uint64_t scaled = spec->gcc_interval * code_supply_further(supply, spec->l1_latency);
    return (scaled + spec->l1_latency / 2) / spec->l1_latency;
}

/* How much later than READY a line comes, as L1's port takes requests one after the other. */
static uint64_t wait_for_port(struct code_supply *supply, const struct code_place *place,
                              uint64_t ready)
{
    uint64_t at = ready > supply->outside_free ? ready : supply->outside_free;
    supply->outside_free = at + port_interval(supply, place);
    return at - ready;
}

/* ---- L2 ---- */

static struct code_missing *find_missing(struct code_supply *supply, uint64_t address)
{
    for (uint32_t i = 0; i < supply->missing_count; i++)
        if (supply->missing[i].address == address)
            return &supply->missing[i];
    return NULL;
}

/* L2 is asked for the line at ADDRESS in cycle NOW, unless it has been. */
static void ask_l2(struct code_supply *supply, const struct code_place *place, uint64_t address,
                   uint64_t now)
{
    if (find_missing(supply, address) != NULL)
        return;
    if (supply->missing_count == supply->missing_room) {
        uint32_t room =
            supply->missing_room < FIRST_MISSING ? FIRST_MISSING : 2 * supply->missing_room;
        struct code_missing *more = realloc(supply->missing, room * sizeof *more);
        if (more == NULL)
            memory_short();
        supply->missing = more;
        supply->missing_room = room;
    }
    supply->missing[supply->missing_count++] =
        (struct code_missing){address, supply->spec->line / SECTOR_BYTES};
    queue_push_in_order(&supply->requests,
                        &(struct packet){.address = address, .launch = place->slot}, now);
}

static void settle(struct line_cache *lines, uint64_t address, uint64_t cycle)
{
    if (lines->lines != NULL && line_cache_holds(lines, address))
        line_cache_came(lines, address, code_came(line_cache_ready(lines, address), cycle));
}

bool code_supply_take(struct code_supply *supply, uint64_t *address, uint64_t *cycle)
{
    const struct queue_entry *answer = queue_head(&supply->answers);
    *address = answer->packet.address & ~(uint64_t)(supply->spec->line - 1);
    *cycle = answer->ready;
    queue_pop(&supply->answers);
    struct code_missing *missing = find_missing(supply, *address);
    if (--missing->left != 0)
        return false;
    *missing = supply->missing[--supply->missing_count];
    settle(&supply->l1, *address, *cycle);
    settle(&supply->gcc, *address, *cycle);
    return true;
}

/* ---- what L1 lacks ---- */

/* The cycle in which a line comes from behind the last cache, which has looked it up by READY.
 * FIRST: it is the first of its launch to be asked for so far back in the function. */
static uint64_t from_l2(struct code_supply *supply, const struct code_place *place,
                        uint64_t address, uint64_t ready, bool first)
{
    const struct code_spec *spec = supply->spec;
    if (spec->l2_latency == 0 || !place->in_memory)
        return ready + spec->miss_latency + (first && place->fresh ? spec->load_latency : 0);
    ask_l2(supply, place, address, ready);
    return CODE_ON_ITS_WAY + spec->l2_latency;
}

/* Whether the launch brings the line at ADDRESS, and the SM has not asked for it. */
static bool is_to_come(const struct code_supply *supply, const struct code_place *place,
                       uint64_t address)
{
    const struct code_reach *reach = &supply->reach[place->number % CODE_REACHES];
    uint64_t line;
    return is_near(supply, place, address, &line) &&
           (reach->number != place->number || !(reach->near[line / 64] >> line % 64 & 1));
}

/* The GCC, which has looked up the line at ADDRESS by NOW, sends for those after it, if it
 * LACKED that one, or had sent for it so. */
static void fetch_behind(struct code_supply *supply, const struct code_place *place,
                         uint64_t address, bool lacked, uint64_t now)
{
    const struct code_spec *spec = supply->spec;
    if (spec->gcc_stream == 0 || place->constants)
        return;
    bool goes_on = place->number <= supply->stream_launch && address >= supply->stream_begin &&
                   address < supply->stream_end;
    if (!lacked && !goes_on)
        return;
    supply->stream_launch = place->number;
    supply->stream_begin = address;
    supply->stream_end = address + (uint64_t)(spec->gcc_stream + 1) * spec->line;
    for (uint64_t at = address + spec->line; at < supply->stream_end; at += spec->line)
        if (!line_cache_holds(&supply->gcc, at) && !is_to_come(supply, place, at))
            line_cache_put(
                &supply->gcc, at,
                from_l2(supply, place, at, now, place->fresh && is_first(supply, place, at)));
}

/* The cycle in which a line comes that L1 lacks; if it had it, it would come in READY, and in
 * NEAR if a launch had just brought it there. */
static uint64_t from_behind(struct code_supply *supply, const struct code_place *place,
                            uint64_t address, uint64_t near, uint64_t ready)
{
    const struct code_spec *spec = supply->spec;
    bool tracked = place->fresh || place->brought != 0;
    bool first = tracked && is_first(supply, place, address);
    if (first && place->brought != 0 && address <= place->address)
        return brought(supply, place, address, near);
    ready += wait_for_port(supply, place, ready);
    ready = code_supply_further(supply, ready);
    if (spec->gcc_ways == 0)
        return from_l2(supply, place, address, ready, first);
    const struct cached_line *line = line_cache_find(&supply->gcc, address);
    ready += spec->gcc_latency;
    uint64_t looked_up = ready;
    bool lacked = false;
    if (line != NULL) {
        ready = line->ready > ready ? line->ready : ready;
    } else {
        lacked = !first || address - place->address >= place->brought;
        ready = lacked ? from_l2(supply, place, address, ready, first)
                       : brought(supply, place, address, ready);
        line_cache_put(&supply->gcc, address, ready);
    }
    fetch_behind(supply, place, address, lacked, looked_up);
    return ready;
}

/* L1 takes a request for the line at ADDRESS in AT; what it holds comes LATENCY later. */
static enum code_answer look_up(struct code_supply *supply, const struct code_place *place,
                                uint64_t address, uint64_t at, uint32_t latency,
                                uint64_t *ready)
{
    const struct cached_line *line = line_cache_find(&supply->l1, address);
    *ready = at + latency;
    if (line == NULL) {
        *ready = from_behind(supply, place, address, at + supply->spec->near_latency, *ready);
        line_cache_put(&supply->l1, address, *ready);
        return CODE_L1_MISS;
    }
    if (line->ready <= *ready)
        return CODE_L1_HIT;
    *ready = line->ready;
    return CODE_L1_PENDING_HIT;
}

enum code_answer code_supply_ask(struct code_supply *supply, const struct code_place *place,
                                 uint64_t address, uint64_t now, uint64_t *ready)
{
    return look_up(supply, place, address, take_turn(supply, now), supply->spec->l1_latency,
                   ready);
}

enum code_answer code_supply_ask_ahead(struct code_supply *supply,
                                       const struct code_place *place, uint64_t address,
                                       uint64_t now, uint64_t *ready)
{
    return look_up(supply, place, address, now, supply->spec->l1_latency, ready);
}

enum code_answer code_supply_constant(struct code_supply *supply,
                                      const struct code_place *place, uint64_t address,
                                      uint64_t now, uint64_t *ready)
{
    return look_up(supply, place, address, take_turn(supply, now), supply->spec->near_latency,
                   ready);
}

enum code_answer code_supply_fetch(struct code_supply *supply, const struct code_place *place,
                                   uint64_t address, uint64_t now, uint64_t *ready)
{
    const struct code_spec *spec = supply->spec;
    const struct cached_line *line = line_cache_find(&supply->l1, address);
    *ready = take_turn(supply, now) + spec->near_latency;
    if (line != NULL) {
        if (line->ready <= *ready)
            return CODE_L1_HIT;
        *ready = line->ready;
        return CODE_L1_PENDING_HIT;
    }
    *ready += spec->constant_fetch_latency + (place->cold ? spec->cold_fetch : 0);
    uint64_t first = address & ~(uint64_t)(spec->constant_fetch - 1);
    for (uint64_t at = first; at < first + spec->constant_fetch; at += spec->line)
        if (!line_cache_holds(&supply->l1, at))
            line_cache_put(&supply->l1, at, *ready);
    return CODE_L1_MISS;
}

uint64_t code_supply_near(struct code_supply *supply, const struct code_place *place,
                          uint64_t now)
{
    uint64_t there =
        code_supply_late(supply, place, code_supply_parameters(supply, place, now));
    uint64_t ready = take_turn(supply, now) + supply->spec->param_latency;
    return code_supply_further(supply, there > ready ? there : ready);
}
