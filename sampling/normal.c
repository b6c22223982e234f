#include "sampling/normal.h"

#include <math.h>

double normal_z(double confidence)
{
    /* Bisection: erf() grows steadily, and 100 halvings leave the nearest number. */
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
