#include "sim/memory/network/merges.h"

#include <stdlib.h>
#include <string.h>

bool merges_init(struct merges *merges, const struct merges_spec *spec)
{
    memset(merges, 0, sizeof *merges);
    merges->spec = *spec;
    if (spec->max <= 1)
        return true;
    /* Most groups are never used: each is zeroed when it is used first. */
    merges->members = malloc((size_t)MERGES_GROUPS * spec->max * sizeof *merges->members);
    merges->free = malloc(MERGES_GROUPS * sizeof *merges->free);
    merges->ended = malloc(MERGES_GROUPS * sizeof *merges->ended);
    if (merges->members == NULL || merges->free == NULL || merges->ended == NULL) {
        merges_finish(merges);
        return false;
    }
    merges_reset(merges);
    return true;
}

void merges_finish(struct merges *merges)
{
    free(merges->members);
    free(merges->free);
    free(merges->ended);
    memset(merges, 0, sizeof *merges);
}

void merges_reset(struct merges *merges)
{
    merges->free_count = merges->ended_count = merges->touched = 0;
}

/* A group for a packet, or -1. Low numbers come first, so that few pages are used. */
static int32_t take_group(struct merges *merges)
{
    if (merges->free_count != 0)
        return merges->free[--merges->free_count];
    if (merges->touched == MERGES_GROUPS)
        return -1;
    memset(&merges->members[(size_t)merges->touched * merges->spec.max], 0,
           merges->spec.max * sizeof *merges->members);
    return (int32_t)merges->touched++;
}

static struct packet *group_of(const struct merges *merges, const struct packet *packet)
{
    return &merges->members[(size_t)packet->op * merges->spec.max];
}

static bool fit(const struct merges *merges, const struct packet *packet,
                const struct packet *other)
{
    const struct halves *halves = merges->spec.halves;
    const uint16_t *gpcs = merges->spec.gpcs;
    return other->address == packet->address && other->kind == packet->kind &&
           other->local == packet->local && other->launch == packet->launch &&
           other->together == packet->together &&
           (gpcs == NULL || gpcs[other->sm] == gpcs[packet->sm]) &&
           halves_far(halves, other->sm, other->slice) ==
               halves_far(halves, packet->sm, packet->slice);
}

bool merges_add(struct merges *merges, struct packet *packet, const struct packet *other)
{
    if (packet->merged + 1u >= merges->spec.max || !fit(merges, packet, other))
        return false;
    if (packet->merged == 0) {
        int32_t group = take_group(merges);
        if (group < 0)
            return false;
        struct packet first = *packet;
        packet->op = (uint16_t)group;
        group_of(merges, packet)[0] = first;
    }
    group_of(merges, packet)[++packet->merged] = *other;
    return true;
}

const struct packet *merges_members(const struct merges *merges, const struct packet *reply)
{
    return group_of(merges, reply);
}

void merges_end(struct merges *merges, const struct packet *reply)
{
    merges->ended[merges->ended_count++] = reply->op;
}

void merges_collect(struct merges *merges)
{
    for (uint32_t i = 0; i < merges->ended_count; i++)
        merges->free[merges->free_count++] = merges->ended[i];
    merges->ended_count = 0;
}
