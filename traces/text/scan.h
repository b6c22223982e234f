/* Scanners for the tokens of a line. The text always ends with '\n', so none
 * of them needs to know where: no token holds a newline. */
#ifndef HEARTH_TRACES_TEXT_SCAN_H
#define HEARTH_TRACES_TEXT_SCAN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

static inline bool scan_is_blank(char c)
{
    return c == ' ' || c == '\t' || c == '\r';
}

/* Whether a token may end before C. */
static inline bool scan_is_end(char c)
{
    return scan_is_blank(c) || c == '\n';
}

static inline const char *scan_blanks(const char *at)
{
    while (scan_is_blank(*at))
        at++;
    return at;
}

static inline const char *scan_token_end(const char *at)
{
    while (!scan_is_end(*at))
        at++;
    return at;
}

/* Whether the line at AT says where in a cluster a thread block is. */
static inline bool scan_is_cluster(const char *at)
{
    return strncmp(at, "cluster id =", 12) == 0 || strncmp(at, "cluster cta =", 13) == 0 ||
           strncmp(at, "cluster rank =", 14) == 0;
}

/* Value of a hexadecimal digit, above 15 for any other character. */
extern const uint8_t scan_hex_digit[256];

/* Reads hexadecimal digits at AT, at least one and at most MAX significant
 * ones. Returns their end, or NULL. What follows is not looked at. */
static inline const char *scan_hex(const char *at, int max, uint64_t *value)
{
    const char *start = at;
    while (*at == '0')
        at++;
    const char *significant = at;
    uint64_t v = 0;
    for (uint8_t digit; (digit = scan_hex_digit[(uint8_t)*at]) < 16; at++)
        v = v << 4 | digit;
    *value = v;
    return at == start || at - significant > max ? NULL : at;
}

/* The same with an optional "0x" in front. */
static inline const char *scan_0x_hex(const char *at, int max, uint64_t *value)
{
    if (at[0] == '0' && (at[1] == 'x' || at[1] == 'X'))
        at += 2;
    return scan_hex(at, max, value);
}

/* Reads decimal digits up to MAX, at least one. Returns their end, or NULL. */
static inline const char *scan_decimal(const char *at, uint64_t max, uint64_t *value)
{
    const char *start = at;
    uint64_t v = 0;
    for (uint8_t digit; (digit = (uint8_t)(*at - '0')) < 10; at++) {
        if (__builtin_expect(v >= UINT64_MAX / 10, 0) && v > (UINT64_MAX - digit) / 10) {
            *value = UINT64_MAX;
            return NULL;
        }
        v = v * 10 + digit;
    }
    *value = v;
    return at == start || v > max ? NULL : at;
}

/* Reads a decimal number with an optional '-'. Returns its end, or NULL. */
static inline const char *scan_signed(const char *at, int64_t *value)
{
    bool negative = *at == '-';
    uint64_t v;
    at = scan_decimal(at + negative, (uint64_t)INT64_MAX + negative, &v);
    *value = (int64_t)(negative ? -v : v);
    return at;
}

/* Whether N bytes at A and B are equal. Seven bytes after both must be
 * readable: they are loaded, not compared. */
static inline bool scan_equal(const char *a, const char *b, size_t n)
{
    uint64_t x, y;
    for (; n >= 8; n -= 8, a += 8, b += 8) {
        memcpy(&x, a, 8);
        memcpy(&y, b, 8);
        if (x != y)
            return false;
    }
    if (n == 0)
        return true;
    memcpy(&x, a, 8);
    memcpy(&y, b, 8);
#if __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
    return (x ^ y) << (64 - 8 * n) == 0;
#else
    return (x ^ y) >> (64 - 8 * n) == 0;
#endif
}

#endif
