#include "traces/base/text/number_text.h"

#include <math.h>
#include <stdbool.h>
#include <stdio.h>

const char *number_text_count(uint64_t number, char buffer[static NUMBER_TEXT])
{
    char *at = &buffer[NUMBER_TEXT - 1];
    *at = '\0';
    do
        *--at = (char)('0' + number % 10);
    while ((number /= 10) > 0);
    return at;
}

#define SMALLEST (-9) /* power of ten from which six_digits() can */
#define PLAIN    (-4) /* and from which %g writes no exponent */

/* The six significant digits of NUMBER, from 1e-9 to below 1e6, as a whole number, and the
 * power of ten of the first in *EXPONENT. The product is wrong by at most 2e-10: if it is not
 * that close to the middle between two numbers, it is rounded as the exact one is. Returns
 * false if it is. */
static bool six_digits(double number, uint32_t *digits, int *exponent)
{
    static const double powers[] = {1e-9, 1e-8, 1e-7, 1e-6, 1e-5, 1e-4, 1e-3, 1e-2,
                                    1e-1, 1,    1e1,  1e2,  1e3,  1e4,  1e5,  1e6};
    static const double factors[] = {1e14, 1e13, 1e12, 1e11, 1e10, 1e9, 1e8, 1e7,
                                     1e6,  1e5,  1e4,  1e3,  1e2,  1e1, 1};
    if (!(number >= powers[0] && number < 1e6))
        return false;
    int i = number < 1 ? 0 : -SMALLEST;
    while (number >= powers[i + 1])
        i++;
    double scaled = number * factors[i], whole = floor(scaled);
    if (fabs(scaled - whole - 0.5) < 1e-6)
        return false;
    *digits = (uint32_t)(scaled + 0.5);
    *exponent = i + SMALLEST;
    return *digits >= 100000 && *digits < 1000000;
}

/* Writes the COUNT digits of TEXT with a point after the first, and EXPONENT, which has one
 * digit. */
static void write_exponent(const char *text, int count, int exponent, char *at)
{
    *at++ = text[0];
    if (count > 1)
        *at++ = '.';
    for (int i = 1; i < count; i++)
        *at++ = text[i];
    *at++ = 'e';
    *at++ = '-';
    *at++ = '0';
    *at++ = (char)('0' - exponent);
    *at = '\0';
}

/* Writes DIGITS with the point after EXPONENT + 1 of them, without zeros at the end. */
static void write_digits(uint32_t digits, int exponent, char *at)
{
    char text[6];
    int count = 6, last;
    for (int i = 5; i >= 0; i--, digits /= 10)
        text[i] = (char)('0' + digits % 10);
    while (count > 1 && count > exponent + 1 && text[count - 1] == '0')
        count--;
    if (exponent < PLAIN) {
        write_exponent(text, count, exponent, at);
        return;
    }
    if (exponent < 0)
        *at++ = '0';
    if (exponent < 0)
        *at++ = '.';
    for (int i = exponent + 1; i < 0; i++)
        *at++ = '0';
    for (last = 0; last < count; last++) {
        if (exponent >= 0 && last == exponent + 1)
            *at++ = '.';
        *at++ = text[last];
    }
    *at = '\0';
}

const char *number_text_real(double number, char buffer[static NUMBER_TEXT])
{
    uint32_t digits;
    int exponent;
    if (number == 0 && !signbit(number))
        return "0";
    if (six_digits(number, &digits, &exponent))
        write_digits(digits, exponent, buffer);
    else
        snprintf(buffer, NUMBER_TEXT, "%.6g", number);
    return buffer;
}
