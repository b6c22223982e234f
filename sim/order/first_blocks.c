#include "sim/order/first_blocks.h"

#include <stdlib.h>

#include "sim/simulator.h"

/* Clusters that are visited together. */
struct visit_group {
    uint32_t begin, count;
    uint64_t given, most; /* blocks */
};

struct visits {
    struct sim *sim;
    uint32_t wanted;       /* blocks that find a place */
    uint32_t turn, others; /* of the next GPC; visits of GPCs since the first clusters' last */
};

/* Each cluster of GROUP gets a block, as far as it may. Returns how many do. */
static uint32_t visit(struct visits *visits, struct visit_group *group)
{
    struct sim *sim = visits->sim;
    uint32_t got = 0;
    while (got < group->count && group->given < group->most &&
           sim->first_count < visits->wanted) {
        uint32_t cluster = group->begin + (uint32_t)(group->given++ % group->count);
        sim->first[sim->first_count++] = (uint16_t)cluster;
        got++;
    }
    return got;
}

/* GROUPS in the order of their turns, those of the FIRST clusters before them. Returns how many
 * there are: the GPC of the FIRST ones comes in its turn with what it has besides. */
static uint32_t make_groups(const struct spec *spec, uint32_t first, struct visit_group *groups)
{
    groups[0] = (struct visit_group){.count = first};
    for (uint32_t i = 1; i <= spec->gpcs; i++) {
        uint32_t gpc = spec_gpc_in_turn(spec, i - 1);
        uint32_t begin = gpc == 0 ? first : spec_gpc_begin(spec, gpc);
        groups[i] = (struct visit_group){begin, spec_gpc_begin(spec, gpc + 1) - begin, 0, 0};
    }
    return spec->gpcs + 1;
}

static void limit_groups(const struct spec *spec, struct visit_group *groups, uint32_t count,
                         uint64_t blocks, uint64_t places)
{
    bool all = blocks > places * spec->clusters;
    uint64_t mean = (blocks + spec->clusters - 1) / spec->clusters;
    groups[0].most = groups[0].count * (mean < places ? mean : places);
    for (uint32_t i = 1; i < count; i++)
        groups[i].most =
            all ? groups[i].count * places : blocks * groups[i].count / spec->clusters;
}

/* Visits GPCs in turn until none may have more, and the first clusters whenever EVERY of them
 * have got blocks. */
static void visit_all(struct visits *visits, struct visit_group *groups, uint32_t count,
                      uint32_t every)
{
    uint32_t idle = 0;
    while (visits->sim->first_count < visits->wanted && idle < count - 1) {
        if (visits->others >= every) {
            visit(visits, &groups[0]);
            visits->others = 0;
        }
        bool got = visit(visits, &groups[1 + visits->turn]) != 0;
        visits->turn = (visits->turn + 1) % (count - 1);
        visits->others += got;
        idle = got ? 0 : idle + 1;
    }
}

/* The first clusters begin, and come again a visit earlier than they do later on. What the
 * limits leave goes to the GPC whose turn it is, before the first clusters come again. */
static void set_blocks(struct visits *visits, struct visit_group *groups, uint32_t count,
                       uint64_t places)
{
    visit(visits, &groups[0]);
    visits->others = 1;
    visit_all(visits, groups, count, visits->sim->config->options.hearth_gpc_first_every);
    for (uint32_t i = 0; i < count; i++)
        groups[i].most = groups[i].count * places;
    visit_all(visits, groups, count, visits->others + 1);
}

bool first_blocks_set(struct sim *sim, uint32_t first, uint64_t blocks, uint32_t places)
{
    const struct spec *spec = &sim->engine.spec;
    uint64_t all = (uint64_t)places * spec->clusters;
    struct visits visits = {.sim = sim, .wanted = (uint32_t)(blocks < all ? blocks : all)};
    struct visit_group *groups = calloc(spec->gpcs + 1, sizeof *groups);
    if (visits.wanted > sim->first_room) {
        free(sim->first);
        sim->first = malloc(visits.wanted * sizeof *sim->first);
        sim->first_room = sim->first != NULL ? visits.wanted : 0;
    }
    if (groups == NULL || sim->first == NULL) {
        free(groups);
        return false;
    }
    uint32_t count = make_groups(spec, first, groups);
    limit_groups(spec, groups, count, blocks, places);
    set_blocks(&visits, groups, count, places);
    free(groups);
    return true;
}
