#include "sampling/methods/kde.h"

#include <math.h>
#include <stdlib.h>

#define REACH                                                                                  \
    8           /* in bandwidths: how far a value contributes; the density there is e^-32 of   \
                   its peak */
#define STEPS 4 /* grid points per bandwidth */

/* The value with a share Q of the TOTAL weight before it. */
static double quantile(const double *x, const double *weight, size_t n, double total, double q)
{
    double before = 0;
    for (size_t i = 0; i < n; i++) {
        before += weight[i];
        if (before >= q * total)
            return x[i];
    }
    return x[n - 1];
}

double kde_bandwidth(const double *x, const double *weight, size_t n)
{
    double total = 0, sum = 0, squares = 0;
    for (size_t i = 0; i < n; i++) {
        total += weight[i];
        sum += weight[i] * x[i];
    }
    for (size_t i = 0; i < n; i++)
        squares += weight[i] * (x[i] - sum / total) * (x[i] - sum / total);
    double spread = sqrt(squares / total);
    double quartiles =
        (quantile(x, weight, n, total, 0.75) - quantile(x, weight, n, total, 0.25)) / 1.34;
    if (quartiles > 0 && quartiles < spread)
        spread = quartiles;
    return 0.9 * spread / pow(total, 0.2);
}

/* The density, except for a constant factor, at COUNT points from START on. */
static void fill_grid(double *grid, size_t count, double start, const double *x,
                      const double *weight, size_t n, double h)
{
    double step = h / STEPS;
    for (size_t i = 0; i < count; i++)
        grid[i] = 0;
    for (size_t i = 0; i < n; i++) {
        double place = (x[i] - start) / step;
        double low = place - REACH * STEPS, high = place + REACH * STEPS;
        size_t first = low > 0 ? (size_t)low : 0;
        size_t last = high < (double)(count - 1) ? (size_t)high : count - 1;
        for (size_t k = first; k <= last; k++) {
            double distance = ((double)k - place) / STEPS;
            grid[k] += weight[i] * exp(-0.5 * distance * distance);
        }
    }
}

/* The cuts between groups, while they are searched. */
struct cuts {
    const double *x;
    size_t n;
    size_t *at;
    size_t count;
};

/* Adds a cut at Y if values lie on both sides of it. */
static void cut_at(struct cuts *cuts, size_t from, size_t to, double y)
{
    size_t i =
        cuts->count > 0 && cuts->at[cuts->count - 1] > from ? cuts->at[cuts->count - 1] : from;
    size_t start = i;
    while (i < to && cuts->x[i] < y)
        i++;
    if (i > start && i < to)
        cuts->at[cuts->count++] = i;
}

/* Finds the minima of GRID, whose points are STEP apart; for a plateau, its middle. */
static void find_minima(struct cuts *cuts, size_t from, size_t to, const double *grid,
                        size_t count, double step)
{
    bool falling = false;
    size_t lowest = 0; /* where the density last stopped falling */
    for (size_t i = 1; i < count; i++) {
        if (grid[i] < grid[i - 1]) {
            falling = true;
            lowest = i;
        } else if (grid[i] > grid[i - 1] && falling) {
            double middle = ((double)lowest + (double)(i - 1)) / 2;
            cut_at(cuts, from, to, cuts->x[from] + middle * step);
            falling = false;
        }
    }
}

/* Splits the values FROM to TO - 1, none of which is more than REACH bandwidths from the
 * next. */
static int split_run(struct cuts *cuts, const double *weight, size_t from, size_t to, double h,
                     struct error *err)
{
    if (to - from < 2)
        return 0;
    const double *x = cuts->x;
    size_t count = (size_t)ceil((x[to - 1] - x[from]) / (h / STEPS)) + 1;
    double *grid = malloc(count * sizeof *grid);
    if (grid == NULL)
        return error_no_memory(err);
    fill_grid(grid, count, x[from], x + from, weight + from, to - from, h);
    find_minima(cuts, from, to, grid, count, h / STEPS);
    free(grid);
    return 0;
}

long kde_minima(const double *x, const double *weight, size_t n, double h, size_t *at,
                struct error *err)
{
    struct cuts cuts = {.x = x, .n = n, .at = at};
    for (size_t from = 0, to; from < n; from = to) {
        for (to = from + 1; to < n && x[to] - x[to - 1] <= REACH * h;)
            to++;
        if (split_run(&cuts, weight, from, to, h, err) != 0)
            return -1;
        if (to < n)
            cuts.at[cuts.count++] = to;
    }
    return (long)cuts.count;
}
