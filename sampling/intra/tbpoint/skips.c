#include "sampling/intra/tbpoint/skips.h"

#include <math.h>

#include "sampling/student.h"

#define FREEDOM 0.75 /* degrees of freedom of a difference; they overlap */

void skips_begin(struct skips *skips, double ipc, double spread, bool follows)
{
    if (follows) {
        double relative = 2 * (ipc - skips->ipc) / (ipc + skips->ipc);
        skips->differences++;
        skips->variance += relative * relative / 2;
    }
    skips->squares += skips->own * skips->own;
    skips->own = 0;
    skips->blocks = 0;
    skips->count++;
    skips->ipc = ipc;
    skips->spread = spread;
}

void skips_add(struct skips *skips, double insts)
{
    double cycles = insts / skips->ipc;
    skips->blocks++;
    skips->own += cycles;
    skips->cycles += cycles;
    skips->model += cycles * skips->spread;
}

double skips_bar(const struct skips *skips, double confidence)
{
    double differences = (double)skips->differences;
    if (skips->differences < SKIPS_FEW)
        return skips->model;
    return student_t(confidence, FREEDOM * differences) *
           sqrt(skips->variance / differences * (skips->squares + skips->own * skips->own));
}
