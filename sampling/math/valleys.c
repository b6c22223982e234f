/* Valleys of a density estimate: it is looked at in places that follow the
 * points, dense where they are, at most 32 in a gap. */
#include <math.h>
#include <stdbool.h>
#include <stdlib.h>

#include "sampling/math/kde.h"

/* Bins to a bandwidth, places in a gap, and how many bandwidths beyond the
 * nearest bin still count: exp(-32) of its share. */
#define FINENESS    16
#define PLACES      32
#define REACH       8.0
#define NO_ROUNDING 1e-9

struct bins {
    double *at, *weight; /* one allocation, `at` */
    size_t count;
};

static int make_bins(struct bins *bins, const struct kde *kde)
{
    *bins = (struct bins){.at = malloc(2 * kde->count * sizeof *bins->at)};
    if (bins->at == NULL)
        return -1;
    bins->weight = bins->at + kde->count;
    double width = kde->bandwidth / FINENESS, start = 0;
    for (size_t i = 0; i < kde->count; i++) {
        double x = kde->points[i], w = kde->weights != NULL ? kde->weights[i] : 1;
        if (bins->count == 0 || x - start >= width) {
            bins->at[bins->count] = start = x;
            bins->weight[bins->count++] = w;
        } else { /* the mean of the bin */
            size_t last = bins->count - 1;
            bins->weight[last] += w;
            bins->at[last] += w * (x - bins->at[last]) / bins->weight[last];
        }
    }
    return 0;
}

/* Log density at X, but for a constant; X is between bins LEFT and LEFT + 1. */
static double density_near(const struct bins *bins, double h, size_t left, double x)
{
    size_t right = left + 1 < bins->count ? left + 1 : left;
    double near = fmin(fabs(x - bins->at[left]), fabs(bins->at[right] - x));
    double reach = near + REACH * h, offset = near * near / (2 * h * h), sum = 0;
    for (size_t i = left + 1; i-- > 0 && x - bins->at[i] <= reach;) {
        double z = (x - bins->at[i]) / h;
        sum += bins->weight[i] * exp(offset - z * z / 2);
    }
    for (size_t i = left + 1; i < bins->count && bins->at[i] - x <= reach; i++) {
        double z = (x - bins->at[i]) / h;
        sum += bins->weight[i] * exp(offset - z * z / 2);
    }
    return log(sum) - offset;
}

/* Follows the density from left to right and keeps the lowest place since
 * it began to fall. */
struct follower {
    double high, low; /* log densities */
    double from, to;  /* where it is lowest */
    bool falling;
    double *valleys;
    size_t count;
};

static void follow(struct follower *f, double x, double e)
{
    if (!f->falling) {
        f->high = fmax(f->high, e);
        f->falling = e < f->high - NO_ROUNDING;
        f->low = e;
        f->from = f->to = x;
    } else if (e < f->low - NO_ROUNDING) {
        f->low = e;
        f->from = f->to = x;
    } else if (e <= f->low + NO_ROUNDING) {
        f->to = x;
    } else {
        f->valleys[f->count++] = f->from + (f->to - f->from) / 2;
        f->falling = false;
        f->high = e;
    }
}

long kde_valleys(const struct kde *kde, double *valleys)
{
    struct bins bins;
    if (make_bins(&bins, kde) != 0)
        return -1;
    double h = kde->bandwidth;
    struct follower f = {.high = -INFINITY, .valleys = valleys};
    for (size_t i = 0; i < bins.count; i++) {
        follow(&f, bins.at[i], density_near(&bins, h, i, bins.at[i]));
        if (i + 1 == bins.count)
            break;
        double gap = bins.at[i + 1] - bins.at[i];
        unsigned places = (unsigned)fmin(PLACES, ceil(gap / (h / FINENESS)));
        for (unsigned j = 1; j < places; j++) {
            double x = bins.at[i] + gap * j / places;
            follow(&f, x, density_near(&bins, h, i, x));
        }
    }
    free(bins.at);
    return (long)f.count;
}
