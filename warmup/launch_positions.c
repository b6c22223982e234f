#include "warmup/launch_positions.h"

#include <stdlib.h>

bool launch_positions_init(struct launch_positions *index, const size_t *positions,
                           size_t count)
{
    *index = (struct launch_positions){0};
    for (size_t i = 0; i < count; i++)
        if (positions[i] > index->last)
            index->last = positions[i];
    index->first = calloc(index->last + 1, sizeof *index->first);
    index->next = calloc(count + 1, sizeof *index->next);
    if (index->first == NULL || index->next == NULL) {
        launch_positions_finish(index);
        return false;
    }
    for (size_t number = count; number > 0; number--) {
        size_t *first = &index->first[positions[number - 1]];
        index->next[number] = *first;
        *first = number;
    }
    return true;
}

void launch_positions_finish(struct launch_positions *index)
{
    free(index->first);
    free(index->next);
    *index = (struct launch_positions){0};
}
