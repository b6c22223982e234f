#include "sim/config/number.h"

/* 0..15, or 16 for what is no hexadecimal digit. */
static unsigned digit_of(char c)
{
    if (c >= '0' && c <= '9')
        return (unsigned)(c - '0');
    if (c >= 'a' && c <= 'f')
        return (unsigned)(c - 'a') + 10;
    if (c >= 'A' && c <= 'F')
        return (unsigned)(c - 'A') + 10;
    return 16;
}

unsigned number_read(const char *text, bool prefixes, uint64_t *value)
{
    unsigned base = 10, start = 0;
    if (prefixes && text[0] == '0') {
        base = 8;
        if ((text[1] == 'x' || text[1] == 'X') && digit_of(text[2]) < 16) {
            base = 16;
            start = 2;
        }
    }
    unsigned at = start;
    uint64_t sum = 0;
    for (unsigned digit; (digit = digit_of(text[at])) < base; at++) {
        if (__builtin_mul_overflow(sum, base, &sum) || __builtin_add_overflow(sum, digit, &sum))
            sum = UINT64_MAX;
    }
    *value = sum;
    return at;
}

unsigned number_read_decimal(const char *text, double *value)
{
    /* Both fit a double, so that the quotient is the nearest one. */
    uint64_t digits = 0, scale = 1;
    unsigned at = 0, count = 0;
    for (; text[at] >= '0' && text[at] <= '9' && count < 15; at++, count++)
        digits = digits * 10 + digit_of(text[at]);
    if (at == 0)
        return 0;
    if (text[at] == '.') {
        at++;
        for (; text[at] >= '0' && text[at] <= '9' && count < 15; at++, count++) {
            digits = digits * 10 + digit_of(text[at]);
            scale *= 10;
        }
    }
    *value = (double)digits / (double)scale;
    return at;
}
