#include "sampling/math/eigen.h"

#include <math.h>
#include <stdbool.h>

#define MOST_SWEEPS 64 /* convergence is quadratic: 12 rows take about 8 */

/* A rotation: its sine, and the tangent of half its angle. */
struct rotation {
    double sine, half;
};

/* Turns two vectors of N numbers that lie STRIDE apart. */
static void turn(double *a, double *b, size_t n, size_t stride, const struct rotation *by)
{
    for (size_t k = 0; k < n * stride; k += stride) {
        double x = a[k], y = b[k];
        a[k] = x - by->sine * (y + by->half * x);
        b[k] = y + by->sine * (x - by->half * y);
    }
}

/* Rotates rows and columns P and Q so that the element they share is 0. Returns false if it was
 * negligible. */
static bool rotate(double *matrix, double *vectors, size_t n, size_t p, size_t q)
{
    double *element = &matrix[p * n + q], size = fabs(*element);
    double first = matrix[p * n + p], second = matrix[q * n + q], apart = second - first;
    bool negligible = fabs(first) + size == fabs(first) && fabs(second) + size == fabs(second);
    if (!negligible) {
        double length = sqrt(apart * apart + 4 * *element * *element);
        double cosine = sqrt((1 + fabs(apart) / length) / 2);
        double sine = copysign(1, apart) * *element / (length * cosine);
        const struct rotation by = {sine, sine / (1 + cosine)};
        turn(&matrix[p], &matrix[q], n, n, &by);
        turn(&matrix[p * n], &matrix[q * n], n, 1, &by);
        turn(&vectors[p], &vectors[q], n, n, &by);
    }
    *element = matrix[q * n + p] = 0;
    return !negligible;
}

void eigen_symmetric(double *matrix, double *vectors, size_t n)
{
    bool rotated = true;
    /* Rows and columns are visited diagonal by diagonal. Another order would change the last
     * digits, which decide between clusters that are equally good, and so which launches some
     * samples contain. */
    for (size_t i = 0; i < n * n; i++)
        vectors[i] = i % (n + 1) == 0;
    for (int sweep = 0; sweep < MOST_SWEEPS && rotated; sweep++) {
        rotated = false;
        for (size_t apart = 1; apart < n; apart++)
            for (size_t p = 0; p + apart < n; p++)
                rotated |= rotate(matrix, vectors, n, p, p + apart);
    }
}
