/* Rules for the bandwidth of a density estimate. */
#include <math.h>

#include "sampling/math/kde.h"

struct spread {
    double sigma;     /* sample standard deviation */
    double effective; /* number of points */
};

static double weight_of(const double *weights, size_t i)
{
    return weights != NULL ? weights[i] : 1;
}

static struct spread spread_of(const double *points, const double *weights, size_t count)
{
    double total = 0, squares = 0, mean = 0, sum = 0;
    for (size_t i = 0; i < count; i++) {
        double w = weight_of(weights, i);
        total += w;
        squares += w * w;
        mean += w * (points[i] - mean) / total;
    }
    for (size_t i = 0; i < count; i++)
        sum += weight_of(weights, i) * (points[i] - mean) * (points[i] - mean);
    double effective = total * total / squares;
    /* Weights that add up to 1 have 1 - sum w^2 degrees of freedom. */
    double freedom = total * (1 - 1 / effective);
    return (struct spread){.sigma = freedom > 0 ? sqrt(sum / freedom) : 0,
                           .effective = effective};
}

double kde_bandwidth_scott(const double *points, const double *weights, size_t count)
{
    struct spread spread = spread_of(points, weights, count);
    return spread.sigma * pow(spread.effective, -0.2);
}

double kde_bandwidth_silverman(const double *points, const double *weights, size_t count)
{
    struct spread spread = spread_of(points, weights, count);
    return spread.sigma * pow(spread.effective * 3 / 4, -0.2);
}

/* The smallest point with at least SHARE of the weight up to it. */
static double quantile(const double *points, const double *weights, size_t count, double share)
{
    double total = 0, sum = 0;
    for (size_t i = 0; i < count; i++)
        total += weight_of(weights, i);
    for (size_t i = 0; i < count; i++) {
        sum += weight_of(weights, i);
        if (sum >= share * total)
            return points[i];
    }
    return points[count - 1];
}

double kde_bandwidth_robust(const double *points, const double *weights, size_t count)
{
    struct spread spread = spread_of(points, weights, count);
    double range =
        quantile(points, weights, count, 0.75) - quantile(points, weights, count, 0.25);
    double width = range > 0 ? fmin(spread.sigma, range / 1.34) : spread.sigma;
    return 0.9 * width * pow(spread.effective, -0.2);
}
