#include "sampling/intra/tbpoint/skips.h"

#include <math.h>

#include "sampling/student.h"

#define FREEDOM 0.75 /* degrees of freedom of a difference; they overlap */

/* What was skipped since the last window has the mean of its slowness and that of IPC. */
static void between(struct skips *skips, double ipc)
{
    double own = skips->own * (1 + skips->ipc / ipc) / 2;
    skips->cycles += own - skips->own;
    skips->own = own;
}

void skips_begin(struct skips *skips, double ipc, double spread, bool follows)
{
    if (follows) {
        double relative = 2 * (ipc - skips->ipc) / (ipc + skips->ipc);
        skips->differences++;
        skips->variance += relative * relative / 2;
    }
    if (follows && skips->within.units > 0)
        between(skips, ipc);
    skips->squares += skips->own * skips->own;
    if (skips->within.units > 0)
        skips->within.weight += skips->own * skips->own / skips->within.units;
    skips->within.units = 0;
    skips->own = 0;
    skips->blocks = 0;
    skips->count++;
    skips->ipc = ipc;
    skips->spread = spread;
}

void skips_window(struct skips *skips, uint64_t units, double squares)
{
    skips->within.units = (double)units;
    skips->within.differences += units - 1;
    skips->within.squares += squares;
}

void skips_add(struct skips *skips, double insts)
{
    double cycles = insts / skips->ipc;
    skips->blocks++;
    skips->own += cycles;
    skips->cycles += cycles;
    skips->model += cycles * skips->spread;
}

/* By the units of windows. */
static double units_bar(const struct skips *skips, double confidence)
{
    double differences = (double)skips->within.differences, weight = skips->within.weight;
    if (skips->within.units > 0)
        weight += skips->own * skips->own / skips->within.units;
    return student_t(confidence, FREEDOM * differences) *
           sqrt(skips->within.squares / differences * weight);
}

double skips_bar(const struct skips *skips, double confidence)
{
    double differences = (double)skips->differences;
    if (skips->differences < SKIPS_FEW)
        return skips->within.differences < SKIPS_FEW ? skips->model
                                                     : units_bar(skips, confidence);
    return student_t(confidence, FREEDOM * differences) *
           sqrt(skips->variance / differences * (skips->squares + skips->own * skips->own));
}
