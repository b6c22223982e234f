/* Blocks that ended, for the hook that is told of each. */
#include <string.h>

#include "sim/simulator.h"

/* The SM whose oldest untold end is the earliest, or NULL; AT holds how many
 * of each SM's have been told. */
static struct sm *next_ended(const struct engine *engine, const uint32_t *at)
{
    struct sm *first = NULL;
    for (uint32_t s = 0; s < engine->spec.sms; s++) {
        struct sm *sm = engine->sms[s];
        if (at[s] < sm->log_count &&
            (first == NULL || sm->log[at[s]].end < first->log[at[first->number]].end))
            first = sm;
    }
    return first;
}

void sim_tell_ended(struct engine *engine, const struct sim_hooks *hooks, uint64_t start,
                    uint32_t *told)
{
    struct sm *sm;
    if (hooks == NULL || hooks->block_ended == NULL)
        return;
    memset(told, 0, engine->spec.sms * sizeof *told);
    while ((sm = next_ended(engine, told)) != NULL) {
        const struct sm_ended *ended = &sm->log[told[sm->number]++];
        struct sim_block block = {
            .order = ended->order,
            .index = {ended->index[0], ended->index[1], ended->index[2]},
            .sm = sm->number,
            .begin = ended->begin - start,
            .end = ended->end - start,
        };
        hooks->block_ended(hooks->data, &block);
    }
    for (uint32_t s = 0; s < engine->spec.sms; s++)
        engine->sms[s]->log_count = 0;
}
