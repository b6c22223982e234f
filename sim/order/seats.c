/* Which SMs get the first blocks of a launch, and where these are in their GPCs. */
#include <stdlib.h>

#include "sim/simulator.h"

/* Until seats are counted, an SM that gets one of the first blocks has 1 for `sms`, others 0.
 */
static const struct code_seat begins = {.sms = 1}, alone = {.sms = 1, .beside = 1};

/* The first SM of CLUSTER that has no block gets one, if there is one. Returns whether. */
static bool seat_block(const struct spec *spec, uint32_t cluster, struct code_seat *seats)
{
    seats += (size_t)cluster * spec->sms_per_cluster;
    for (uint32_t i = 0; i < spec->sms_per_cluster; i++)
        if (seats[i].sms == 0) {
            seats[i] = begins;
            return true;
        }
    return false;
}

/* Each SM of a cluster gets a block before any gets a second one. */
static void seat_blocks(const struct sim *sim, struct dispatch_launch *launch)
{
    const struct spec *spec = &sim->engine.spec;
    const struct block_order order = {.clusters = spec->clusters, .visit = sim->visit};
    uint32_t left = spec->sms;
    for (uint32_t i = 0; i < sim->first_count && left != 0; i++)
        left -= seat_block(spec, sim->first[i], launch->seats);
    for (uint32_t i = 0; sim->first_count == 0 && i < spec->sms && i < launch->blocks; i++)
        seat_block(spec, block_order_cluster(&order, sim->last_turn + 1 + i % order.clusters),
                   launch->seats);
}

/* Gives a cluster of COUNT blocks to the first SMs of GPC that have none. Returns false if
 * there are fewer. */
static bool seat_cluster(const struct spec *spec, uint32_t gpc, uint32_t count,
                         struct code_seat *seats)
{
    uint32_t sms[CLUSTER_MOST], found = 0;
    for (uint32_t s = 0; s < spec->sms && found < count; s++)
        if (spec->sm_gpcs[s] == gpc && seats[s].sms == 0)
            sms[found++] = s;
    if (found < count)
        return false;
    for (uint32_t i = 0; i < count; i++)
        seats[sms[i]] = begins;
    return true;
}

/* GPCs get a cluster each in turn, from that of the first turn on, while one has room. */
static void seat_clusters(const struct sim *sim, struct dispatch_launch *launch)
{
    const struct spec *spec = &sim->engine.spec;
    const struct block_order order = {.clusters = spec->clusters, .visit = sim->visit};
    uint32_t gpc = spec->cluster_gpcs[block_order_cluster(&order, sim->last_turn + 1)];
    uint64_t left = launch->blocks / launch->clusters.count;
    for (uint32_t full = 0; full < spec->gpcs && left != 0; gpc = (gpc + 1) % spec->gpcs) {
        bool room = seat_cluster(spec, gpc, launch->clusters.count, launch->seats);
        full = room ? 0 : full + 1;
        left -= room;
    }
}

/* What is known of a GPC while its SMs that get first blocks are seated. */
struct gpc_count {
    uint16_t last;           /* of these SMs, the one that was looked at last */
    uint16_t before, beside; /* of these, how many have lower numbers; the same number */
};

static bool has_number(const struct code_seat *seat, uint32_t number)
{
    return seat->sms != 0 && seat->number == number;
}

/* In a GPC, SMs with higher numbers are in the same TPC or in later ones. Returns how many
 * numbers there are. */
static uint32_t number_sms(const struct spec *spec, struct code_seat *seats,
                           struct gpc_count *gpcs)
{
    uint32_t numbers = 0;
    for (uint32_t s = 0; s < spec->sms; s++) {
        struct gpc_count *gpc = &gpcs[spec->sm_gpcs[s]];
        if (seats[s].sms == 0)
            continue;
        bool same = gpc->beside++ != 0 && spec->sm_tpcs[gpc->last] == spec->sm_tpcs[s];
        seats[s].number = same ? seats[gpc->last].number + 1 : 0;
        gpc->last = (uint16_t)s;
        if (seats[s].number >= numbers)
            numbers = seats[s].number + 1u;
    }
    for (uint32_t g = 0; g < spec->gpcs; g++)
        gpcs[g].beside = 0;
    return numbers;
}

/* Seats the SMs with NUMBER, after those with lower ones. */
static void seat_number(const struct spec *spec, uint32_t number, struct code_seat *seats,
                        struct gpc_count *gpcs)
{
    for (uint32_t s = 0; s < spec->sms; s++)
        if (has_number(&seats[s], number))
            seats[s].place = gpcs[spec->sm_gpcs[s]].beside++;
    for (uint32_t s = 0; s < spec->sms; s++) {
        const struct gpc_count *gpc = &gpcs[spec->sm_gpcs[s]];
        if (!has_number(&seats[s], number))
            continue;
        seats[s].before = gpc->before;
        seats[s].beside = gpc->beside;
    }
    for (uint32_t g = 0; g < spec->gpcs; g++) {
        gpcs[g].before += gpcs[g].beside;
        gpcs[g].beside = 0;
    }
}

static void count_seats(const struct spec *spec, struct code_seat *seats)
{
    struct gpc_count *gpcs = calloc(spec->gpcs, sizeof *gpcs);
    if (gpcs == NULL)
        memory_short();
    uint32_t numbers = number_sms(spec, seats, gpcs);
    for (uint32_t number = 0; number < numbers; number++)
        seat_number(spec, number, seats, gpcs);
    for (uint32_t s = 0; s < spec->sms; s++)
        if (seats[s].sms != 0)
            seats[s].sms = gpcs[spec->sm_gpcs[s]].before;
        else
            seats[s] = alone;
    free(gpcs);
}

void sim_seat_sms(const struct sim *sim, struct dispatch_launch *launch)
{
    for (uint32_t s = 0; s < sim->engine.spec.sms; s++)
        launch->seats[s] = (struct code_seat){0};
    if (dispatch_gives_clusters(launch))
        seat_clusters(sim, launch);
    else
        seat_blocks(sim, launch);
    count_seats(&sim->engine.spec, launch->seats);
}
