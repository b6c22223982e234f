#include "traces/notes/note_places.h"

#include <stdlib.h>
#include <string.h>

#include "traces/base/bytes.h"
#include "traces/base/number.h"

void note_places_finish(struct note_places *places)
{
    free(places->maps);
    free(places->launches);
    *places = (struct note_places){0};
}

static bool add_launch(struct note_places *places, const char *line)
{
    const char *at = line + strlen("# launch ");
    uint64_t launch;
    bool wanted = strstr(line, " maps=") != NULL || strstr(line, " cluster=1,1,1 ") == NULL ||
                  strstr(line, " programmatic=") != NULL;
    if (!wanted || !number_next(&at, UINT64_MAX, &launch))
        return true;
    if (!array_room(&places->launches, places->launch_count, sizeof *places->launches))
        return false;
    if (places->launch_count != 0 &&
        launch <= places->launches[places->launch_count - 1].launch)
        places->mixed = true;
    places->launches[places->launch_count++] = (struct note_launch){launch, line};
    places->told += strstr(line, " programmatic=") != NULL;
    places->programmatic += strstr(line, " programmatic=1") != NULL;
    return true;
}

bool note_places_add(struct note_places *places, const char *line)
{
    enum trace_note_kind kind = trace_note_kind(line);
    if (kind == TRACE_NOTE_LAUNCH)
        return add_launch(places, line);
    if (kind != TRACE_NOTE_TENSOR_MAP)
        return true;
    if (!array_room(&places->maps, places->map_count, sizeof *places->maps))
        return false;
    places->maps[places->map_count++] = line;
    return true;
}

static int compare(const void *key, const void *element)
{
    uint64_t a = *(const uint64_t *)key, b = ((const struct note_launch *)element)->launch;
    return (a > b) - (a < b);
}

static const struct note_launch *find(const struct note_places *places, uint64_t launch)
{
    if (!places->mixed)
        return places->launch_count == 0
                   ? NULL
                   : bsearch(&launch, places->launches, places->launch_count,
                             sizeof *places->launches, compare);
    for (size_t i = 0; i < places->launch_count; i++)
        if (places->launches[i].launch == launch)
            return &places->launches[i];
    return NULL;
}

bool note_places_maps(const struct note_places *places, uint64_t launch,
                      struct trace_launch_maps *maps)
{
    struct trace_launch_facts facts;
    const struct note_launch *found = find(places, launch);
    if (found == NULL || !trace_note_launch(found->line, &facts) || facts.map_count == 0)
        return false;
    maps->count = facts.map_count;
    for (uint32_t i = 0; i < facts.map_count; i++) {
        maps->maps[i].offset = facts.maps[i].offset;
        if (facts.maps[i].number > places->map_count ||
            !trace_note_tensor_map(places->maps[facts.maps[i].number - 1], &maps->maps[i].map))
            return false;
    }
    return true;
}

bool note_places_cluster(const struct note_places *places, uint64_t launch, uint32_t cluster[3])
{
    struct trace_launch_facts facts;
    const struct note_launch *found = find(places, launch);
    if (found == NULL || !trace_note_launch(found->line, &facts) ||
        (uint64_t)facts.cluster[0] * facts.cluster[1] * facts.cluster[2] <= 1)
        return false;
    memcpy(cluster, facts.cluster, sizeof facts.cluster);
    return true;
}

int32_t note_places_programmatic(const struct note_places *places, uint64_t launch)
{
    struct trace_launch_facts facts;
    const struct note_launch *found = find(places, launch);
    if (found != NULL && trace_note_launch(found->line, &facts) && facts.programmatic >= 0)
        return facts.programmatic;
    return places->told != 0 ? 0 : -1;
}
