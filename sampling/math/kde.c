#include "sampling/math/kde.h"

#include <math.h>

/* log(sqrt(2 pi)) */
#define LOG_ROOT_TWO_PI 0.91893853320467274178

static double weight_of(const double *weights, size_t i)
{
    return weights != NULL ? weights[i] : 1;
}

static double log_kernel(const struct kde *kde, size_t i, double x)
{
    double z = (x - kde->points[i]) / kde->bandwidth;
    return log(weight_of(kde->weights, i)) - z * z / 2;
}

double kde_log_density(const struct kde *kde, double x)
{
    double largest = -INFINITY, total = 0, sum = 0;
    for (size_t i = 0; i < kde->count; i++) {
        largest = fmax(largest, log_kernel(kde, i, x));
        total += weight_of(kde->weights, i);
    }
    for (size_t i = 0; i < kde->count; i++)
        sum += exp(log_kernel(kde, i, x) - largest);
    return largest + log(sum) - log(total) - log(kde->bandwidth) - LOG_ROOT_TWO_PI;
}
