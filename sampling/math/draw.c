#include "sampling/math/draw.h"

#include <math.h>

#define TWO_PI 6.28318530717958647693

double draw_normal(struct random *random)
{
    /* Box and Muller. */
    double radius = sqrt(-2 * log(1 - random_real(random)));
    return radius * cos(TWO_PI * random_real(random));
}

void draw_order(struct random *random, size_t *order, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        size_t j = (size_t)random_below(random, i + 1);
        if (j != i)
            order[i] = order[j];
        order[j] = i;
    }
}
