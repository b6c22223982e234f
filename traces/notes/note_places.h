/* Where a list says which tensor maps were made and which launches have them: lists of many
 * launches are not searched again for each. */
#ifndef HEARTH_TRACES_NOTES_NOTE_PLACES_H
#define HEARTH_TRACES_NOTES_NOTE_PLACES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "traces/notes.h"

/* Zeroed: empty. */
struct note_places {
    const char *
        *maps; /* lines of TRACE_NOTE_TENSOR_MAP, in order; the lines are the caller's */
    size_t map_count;
    struct note_launch {
        uint64_t launch; /* kernel id */
        const char *line;
    } * launches; /* those with maps among their parameters, or clusters, or of which the list
                   * says whether they are programmatic */
    size_t launch_count;
    size_t told, programmatic; /* of them: of which the list says it; that are */
    bool mixed;                /* launches are not in ascending order */
};

void note_places_finish(struct note_places *places);

/* LINE, a TRACE_NOTE that stays where it is, follows. Returns false when memory is short. */
bool note_places_add(struct note_places *places, const char *line);

/* Fills MAPS with those of the launch with kernel id LAUNCH; false: the list does not say, or
 * not in full. */
bool note_places_maps(const struct note_places *places, uint64_t launch,
                      struct trace_launch_maps *maps);

/* Fills CLUSTER with the blocks of a cluster of launch LAUNCH; false: the list does not say, or
 * there are no clusters. */
bool note_places_cluster(const struct note_places *places, uint64_t launch,
                         uint32_t cluster[3]);

/* trace_launch_facts.programmatic of launch LAUNCH; those are not of which a list does not say
 * it that says it of others. */
int32_t note_places_programmatic(const struct note_places *places, uint64_t launch);

#endif
