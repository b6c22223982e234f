#include "sim/memory/crossing.h"

#include <stdlib.h>
#include <string.h>

#include "sim/calendar.h"

#define FRACTION 256 /* of a core cycle */

struct crossing {
    uint32_t inputs, ports;    /* inputs and outputs */
    uint64_t period;           /* 1/FRACTION core cycles */
    struct calendar *turns[2]; /* of each clock: of inputs, then of outputs; owned */
};

struct crossing *crossing_create(uint32_t inputs, uint32_t outputs, double period)
{
    struct crossing *crossing = calloc(1, sizeof *crossing);
    if (crossing == NULL)
        return NULL;
    crossing->inputs = inputs;
    crossing->ports = inputs + outputs;
    crossing->period = period > 1 ? (uint64_t)(period * FRACTION) : FRACTION;
    for (int clock = 0; clock < 2; clock++) {
        crossing->turns[clock] = calloc(crossing->ports, sizeof *crossing->turns[clock]);
        if (crossing->turns[clock] == NULL) {
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
    free(crossing->turns[0]);
    free(crossing->turns[1]);
    free(crossing);
}

void crossing_begin(struct crossing *crossing)
{
    for (int clock = 0; clock < 2; clock++)
        memset(crossing->turns[clock], 0, crossing->ports * sizeof *crossing->turns[clock]);
}

/* How long a packet waits that comes in CYCLE. It is the oldest of its input from the first
 * free turn there on, and keeps others from being it until it has one at its output. */
static uint64_t wait(const struct crossing *crossing, int clock, uint32_t input,
                     uint32_t output, uint64_t cycle)
{
    struct calendar *in = &crossing->turns[clock][input];
    struct calendar *out = &crossing->turns[clock][crossing->inputs + output];
    uint64_t oldest = calendar_take(in, cycle * FRACTION / crossing->period);
    uint64_t turn = calendar_take(out, oldest);
    calendar_mark(in, oldest, turn);
    uint64_t goes = turn * crossing->period / FRACTION;
    return goes > cycle ? goes - cycle : 0;
}

int64_t crossing_pass(struct crossing *crossing, uint32_t input, uint32_t output, uint64_t real,
                      uint64_t would)
{
    uint64_t waits = wait(crossing, 0, input, output, real);
    return (int64_t)wait(crossing, 1, input, output, would) - (int64_t)waits;
}
