#include "sampling/normal.h"

#include <math.h>

double normal_z(double confidence)
{
    /* Bisection: erf() rises steadily, and after 100 halvings the nearest number is left. */
    double low = 0, high = 40;
    for (int i = 0; i < 100; i++) {
        double middle = (low + high) / 2;
        if (erf(middle / sqrt(2)) < confidence)
            low = middle;
        else
            high = middle;
    }
    return (low + high) / 2;
}
