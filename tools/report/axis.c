#include "tools/report/axis.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#define STEPS 4 /* of a linear axis, about */

/* 1, 2, 2.5 or 5 times a power of ten, from WIDTH on. */
static double round_step(double width)
{
    double power = pow(10, floor(log10(width)));
    double part = width / power;
    return power * (part <= 1.0001   ? 1
                    : part <= 2.0001 ? 2
                    : part <= 2.5001 ? 2.5
                    : part <= 5.0001 ? 5
                                     : 10);
}

struct axis axis_linear(double least, double most)
{
    if (!(isfinite(least) && isfinite(most)))
        least = 0, most = 1;
    if (least > 0 && least < 0.5 * most)
        least = 0;
    if (most < 0 && most > 0.5 * least)
        most = 0;
    if (!(most > least)) {
        most = most > 0 ? most : 1;
        least = least < 0 ? least : 0;
    }
    if (!(most > least))
        most = least + 1;
    double step = round_step((most - least) / STEPS);
    return (struct axis){step * floor(least / step + 1e-9), step * ceil(most / step - 1e-9),
                         false, false};
}

struct axis axis_logarithmic(double least, double most)
{
    if (!(least > 0 && most >= least && isfinite(most)))
        least = most = 1;
    double low = floor(log10(least)), high = ceil(log10(most));
    return (struct axis){pow(10, low), pow(10, high > low ? high : low + 1), true, false};
}

double axis_place(const struct axis *axis, double value)
{
    if (!axis->logarithmic)
        return (value - axis->low) / (axis->high - axis->low);
    return value > 0 ? log10(value / axis->low) / log10(axis->high / axis->low) : NAN;
}

size_t axis_ticks(const struct axis *axis, double ticks[AXIS_TICKS])
{
    size_t count = 0;
    if (axis->logarithmic) {
        double decades = log10(axis->high / axis->low), each = ceil(decades / 6);
        for (double power = 0; power <= decades + 1e-9 && count < AXIS_TICKS; power += each)
            ticks[count++] = axis->low * pow(10, power);
        return count;
    }
    double step = round_step((axis->high - axis->low) / STEPS);
    if (axis->whole && step != floor(step))
        step = step < 1 ? 1 : 2 * step; /* 2.5 */
    for (double at = step * ceil(axis->low / step - 1e-9);
         at <= axis->high + step * 1e-9 && count < AXIS_TICKS; at += step)
        ticks[count++] = fabs(at) < step * 1e-9 ? 0 : at;
    return count;
}

const char *axis_number(double value, int significant, char text[AXIS_TEXT])
{
    static const char units[] = " kMGTPE";
    int unit = 0;
    if (!isfinite(value))
        return strcpy(text, "");
    while (fabs(value) >= 999.5 && units[unit + 1] != '\0') {
        value /= 1000;
        unit++;
    }
    int least = fabs(value) >= 99.5 ? 3 : fabs(value) >= 9.95 ? 2 : 1;
    snprintf(text, AXIS_TEXT, "%.*g", significant > least ? significant : least, value);
    size_t length = strlen(text);
    if (unit > 0)
        snprintf(text + length, AXIS_TEXT - length, " %c", units[unit]);
    return text;
}
