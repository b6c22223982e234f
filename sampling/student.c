#include "sampling/student.h"

#include <math.h>

#include "sampling/normal.h"

#define NORMAL 1e6 /* degrees of freedom from which the normal distribution is used */

/* The continued fraction of the incomplete beta function, by Lentz's method; it converges fast
 * for x < (a + 1) / (a + b + 2). See "Numerical Recipes in C", 6.4. */
static double fraction(double a, double b, double x)
{
    double c = 1, d = 1 / (1 - (a + b) * x / (a + 1)), result = d;
    for (int m = 1; m < 10000; m++) {
        double even = m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m));
        double odd = -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1));
        d = 1 / (1 + even * d);
        c = 1 + even / c;
        result *= d * c;
        d = 1 / (1 + odd * d);
        c = 1 + odd / c;
        result *= d * c;
        if (fabs(d * c - 1) < 1e-15)
            break;
    }
    return result;
}

/* The regularised incomplete beta function. */
static double beta(double a, double b, double x)
{
    if (x <= 0 || x >= 1)
        return x <= 0 ? 0 : 1;
    double front = exp(lgamma(a + b) - lgamma(a) - lgamma(b) + a * log(x) + b * log1p(-x));
    return x < (a + 1) / (a + b + 2) ? front * fraction(a, b, x) / a
                                     : 1 - front * fraction(b, a, 1 - x) / b;
}

/* The probability of a value between -T and T. */
static double within(double t, double freedom)
{
    return 1 - beta(freedom / 2, 0.5, freedom / (freedom + t * t));
}

double student_beyond(double t, double freedom)
{
    if (isnan(t) || isnan(freedom))
        return NAN;
    return freedom >= NORMAL ? erfc(t / sqrt(2)) : 1 - within(t, freedom);
}

double student_t(double confidence, double freedom)
{
    if (isnan(freedom))
        return NAN; /* a search would not end */
    if (freedom >= NORMAL)
        return normal_z(confidence);
    double low = 0, high = 1;
    while (within(high, freedom) < confidence && high < 1e300)
        high *= 2;
    for (int i = 0; i < 200 && low < high; i++) {
        double middle = (low + high) / 2;
        if (within(middle, freedom) < confidence)
            low = middle;
        else
            high = middle;
    }
    return (low + high) / 2;
}
