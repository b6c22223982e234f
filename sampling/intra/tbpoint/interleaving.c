#include "sampling/intra/tbpoint/interleaving.h"

#include <math.h>
#include <stdlib.h>

#include "traces/base/random.h"

#define DRAWS  10000
#define SPREAD (0.1 / 1.96) /* standard deviation of M over M: 95 % lie within a tenth */
#define WARPS  64

double interleaving_ipc(double p, const double *stalls, size_t count)
{
    double none = 1; /* runs */
    for (size_t i = 0; i < count; i++)
        none *= p * stalls[i] / (1 + p * stalls[i]);
    return 1 - none;
}

double interleaving_stall(double p, double ipc, size_t warps)
{
    if (p <= 0 || ipc <= 0 || ipc >= 1)
        return 0;
    double stalled = pow(1 - ipc, 1 / (double)warps); /* share of a warp's cycles */
    return stalled / (1 - stalled) / p;
}

/* A normal number by Box and Muller. */
static double draw_normal(struct random *random)
{
    double radius = sqrt(-2 * log(1 - random_real(random)));
    return radius * cos(2 * 3.14159265358979323846 * random_real(random));
}

static int compare(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

double interleaving_spread(const struct interleaving *model, double confidence)
{
    static const uint64_t seed = 4;
    double stalls[WARPS], ipc[DRAWS], sum = 0;
    struct random random;
    random_init(&random, seed, 0);
    for (size_t i = 0; i < DRAWS; i++) {
        for (size_t w = 0; w < model->warps; w++)
            stalls[w] = fmax(model->mean * (1 + SPREAD * draw_normal(&random)), 1e-9);
        ipc[i] = interleaving_ipc(model->p, stalls, model->warps);
        sum += ipc[i];
    }
    double mean = sum / DRAWS;
    for (size_t i = 0; i < DRAWS; i++)
        ipc[i] = mean > 0 ? fabs(ipc[i] - mean) / mean : 0;
    qsort(ipc, DRAWS, sizeof *ipc, compare);
    return ipc[(size_t)ceil(confidence * DRAWS) - 1];
}
