/* Which SMs get the first blocks of a launch, and where these are in their GPCs. */
#include "sim/simulator.h"

/* Until seats are counted, an SM that gets one of the first blocks has 1 for `sms`, others 0.
 */
static const struct code_seat begins = {.sms = 1}, alone = {.sms = 1, .beside = 1};

/* Each cluster's first SM gets a block before any gets a second one. */
static void seat_blocks(const struct sim *sim, struct dispatch_launch *launch)
{
    const struct spec *spec = &sim->engine.spec;
    const struct block_order order = {.clusters = spec->clusters, .visit = sim->visit};
    for (uint32_t i = 0; i < spec->sms && i < launch->blocks; i++) {
        uint32_t cluster = block_order_cluster(&order, sim->last_turn + 1 + i % order.clusters);
        launch->seats[cluster * spec->sms_per_cluster + i / order.clusters] = begins;
    }
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
    for (uint32_t i = 0; found == count && i < count; i++)
        seats[sms[i]] = begins;
    return found == count;
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

/* Whether SMs A and B get first blocks in the same GPC. */
static bool share_gpc(const struct spec *spec, const struct code_seat *seats, uint32_t a,
                      uint32_t b)
{
    return seats[a].sms != 0 && seats[b].sms != 0 && spec->sm_gpcs[a] == spec->sm_gpcs[b];
}

/* In a GPC, SMs with higher numbers are in the same TPC or in later ones. */
static void number_sms(const struct spec *spec, struct code_seat *seats)
{
    for (uint32_t s = 0; s < spec->sms; s++)
        for (uint32_t o = 0; o < s; o++)
            seats[s].number +=
                share_gpc(spec, seats, s, o) && spec->sm_tpcs[s] == spec->sm_tpcs[o];
}

static struct code_seat seat_of(const struct spec *spec, const struct code_seat *seats,
                                uint32_t sm)
{
    struct code_seat seat = {.number = seats[sm].number};
    for (uint32_t o = 0; o < spec->sms; o++) {
        if (!share_gpc(spec, seats, sm, o))
            continue;
        seat.sms++;
        seat.before += seats[o].number < seat.number;
        seat.beside += seats[o].number == seat.number;
        seat.place += seats[o].number == seat.number && o < sm;
    }
    return seat;
}

void sim_seat_sms(const struct sim *sim, struct dispatch_launch *launch)
{
    const struct spec *spec = &sim->engine.spec;
    struct code_seat *seats = launch->seats;
    for (uint32_t s = 0; s < spec->sms; s++)
        seats[s] = (struct code_seat){0};
    if (dispatch_gives_clusters(launch))
        seat_clusters(sim, launch);
    else
        seat_blocks(sim, launch);
    number_sms(spec, seats);
    for (uint32_t s = 0; s < spec->sms; s++)
        if (seats[s].sms != 0)
            seats[s] = seat_of(spec, seats, s);
    for (uint32_t s = 0; s < spec->sms; s++)
        if (seats[s].sms == 0)
            seats[s] = alone;
}
