#include "sim/ideal_l2/crossing.h"

#include <stdlib.h>
#include <string.h>

#include "sim/ideal_l2/calendar.h"

#define FRACTION 256 /* of a core cycle */

/* What has turns of its own, of each clock. */
struct side {
    struct calendar *inputs, *outputs, *slices; /* owned */
};

struct crossing {
    uint32_t inputs, outputs;
    uint64_t period; /* of a slice: 1/FRACTION core cycles */
    struct side sides[2];
};

struct crossing *crossing_create(uint32_t inputs, uint32_t outputs, double period)
{
    struct crossing *crossing = calloc(1, sizeof *crossing);
    if (crossing == NULL)
        return NULL;
    crossing->inputs = inputs;
    crossing->outputs = outputs;
    crossing->period = period > 1 ? (uint64_t)(period * FRACTION) : FRACTION;
    for (int clock = 0; clock < 2; clock++) {
        struct side *side = &crossing->sides[clock];
        side->inputs = calloc(inputs, sizeof *side->inputs);
        side->outputs = calloc(outputs, sizeof *side->outputs);
        side->slices = calloc(outputs, sizeof *side->slices);
        if (side->inputs == NULL || side->outputs == NULL || side->slices == NULL) {
            crossing_destroy(crossing);
            return NULL;
        }
    }
    return crossing;
}

void crossing_destroy(struct crossing *crossing)
{
    if (crossing == NULL)
        return;
    for (int clock = 0; clock < 2; clock++) {
        free(crossing->sides[clock].inputs);
        free(crossing->sides[clock].outputs);
        free(crossing->sides[clock].slices);
    }
    free(crossing);
}

void crossing_begin(struct crossing *crossing)
{
    for (int clock = 0; clock < 2; clock++) {
        struct side *side = &crossing->sides[clock];
        memset(side->inputs, 0, crossing->inputs * sizeof *side->inputs);
        memset(side->outputs, 0, crossing->outputs * sizeof *side->outputs);
        memset(side->slices, 0, crossing->outputs * sizeof *side->slices);
    }
}

/* When the slice after an output takes a packet that passed the output in cycle CYCLE. */
static uint64_t serve(const struct crossing *crossing, struct calendar *slice, uint64_t cycle)
{
    uint64_t tick = calendar_take(slice, cycle * FRACTION / crossing->period);
    uint64_t begins = tick * crossing->period / FRACTION;
    return begins > cycle ? begins : cycle;
}

/* How long a packet waits that comes in CYCLE. It is the oldest of its input from the first
 * free cycle on, and keeps others from being it until it has a turn at its output. */
static uint64_t wait_of(const struct crossing *crossing, struct side *side, uint32_t input,
                        uint32_t output, uint64_t cycle)
{
    uint64_t oldest = calendar_take(&side->inputs[input], cycle);
    uint64_t goes = calendar_take(&side->outputs[output], oldest);
    calendar_mark(&side->inputs[input], oldest, goes);
    return serve(crossing, &side->slices[output], goes) - cycle;
}

struct crossing_waits crossing_pass(struct crossing *crossing, uint32_t input, uint32_t output,
                                    uint64_t real, uint64_t would)
{
    return (struct crossing_waits){
        .real = wait_of(crossing, &crossing->sides[0], input, output, real),
        .would = wait_of(crossing, &crossing->sides[1], input, output, would)};
}
