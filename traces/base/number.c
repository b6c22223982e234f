#include "traces/base/number.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* 0..15, or 16 if C is no hexadecimal digit. */
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

/* Passes the digits of BASE at TEXT. *NUMBER is 2^64 - 1 if it would be above, and *LARGE set.
 */
static const char *pass_digits(const char *text, unsigned base, uint64_t *number, bool *large)
{
    uint64_t sum = 0;
    *large = false;
    for (unsigned digit; (digit = digit_of(*text)) < base; text++)
        *large |=
            __builtin_mul_overflow(sum, base, &sum) || __builtin_add_overflow(sum, digit, &sum);
    *number = *large ? UINT64_MAX : sum;
    return text;
}

bool number_next(const char **at, uint64_t most, uint64_t *number)
{
    bool large;
    const char *end = pass_digits(*at, 10, number, &large);
    if (end == *at || large || *number > most)
        return false;
    *at = end;
    return true;
}

unsigned number_prefix(const char *text, bool prefixes, uint64_t *number)
{
    bool large;
    unsigned base = prefixes && text[0] == '0' ? 8 : 10, start = 0;
    if (base == 8 && (text[1] == 'x' || text[1] == 'X') && digit_of(text[2]) < 16) {
        base = 16;
        start = 2;
    }
    return (unsigned)(pass_digits(text + start, base, number, &large) - text);
}

unsigned number_prefix_decimal(const char *text, double *number)
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
    *number = (double)digits / (double)scale;
    return at;
}

enum number_kind number_count(const char *text, uint64_t most, uint64_t *count)
{
    bool large;
    const char *end = pass_digits(text, 10, count, &large);
    if (end == text || *end != '\0')
        return NUMBER_WRONG;
    return large || *count > most ? NUMBER_LARGE : NUMBER_OK;
}

enum number_kind number_real(const char *text, double *real)
{
    char *end;
    if (text[strspn(text, "0123456789.eE+-")] != '\0')
        return NUMBER_WRONG; /* "nan", "0x1p3" */
    *real = strtod(text, &end);
    if (end == text || *end != '\0' || *real < 0)
        return NUMBER_WRONG;
    return isfinite(*real) ? NUMBER_OK : NUMBER_LARGE;
}

bool number_whole(const char *text, uint64_t least, uint64_t most, uint64_t *number)
{
    return number_count(text, most, number) == NUMBER_OK && *number >= least;
}

bool number_decimal(const char *text, double least, double most, double *number)
{
    return number_real(text, number) == NUMBER_OK && *number >= least && *number <= most;
}

#define MOST_TEXT 64

/* Copies TEXT without the commas before each three digits. False if there is a comma anywhere
 * else. */
static bool ungroup(const char *text, char plain[MOST_TEXT])
{
    size_t length = 0, digits = 0;
    bool grouped = false, whole = true;
    for (; *text != '\0'; text++) {
        bool digit = *text >= '0' && *text <= '9';
        if (*text == ',' && whole) {
            if (digits == 0 || digits > 3 || (grouped && digits != 3))
                return false;
            grouped = true;
            digits = 0;
            continue;
        }
        if (!digit && whole && grouped && digits != 3)
            return false;
        whole = whole && digit;
        digits += digit;
        if (length == MOST_TEXT - 1)
            return false;
        plain[length++] = *text;
    }
    plain[length] = '\0';
    return !(whole && grouped && digits != 3);
}

enum number_kind number_grouped_real(const char *text, double factor, double *real)
{
    char plain[MOST_TEXT];
    if (!ungroup(text, plain))
        return NUMBER_WRONG;
    enum number_kind kind = number_real(plain, real);
    *real *= factor;
    return kind == NUMBER_OK && !isfinite(*real) ? NUMBER_LARGE : kind;
}

enum number_kind number_grouped_count(const char *text, double factor, uint64_t most,
                                      uint64_t *count)
{
    char plain[MOST_TEXT];
    double real;
    if (!ungroup(text, plain))
        return NUMBER_WRONG;
    if (factor == 1 && number_count(plain, most, count) != NUMBER_WRONG)
        return number_count(plain, most, count);
    enum number_kind kind = number_grouped_real(text, factor, &real);
    if (kind != NUMBER_OK)
        return kind;
    if (factor == 1 && real != floor(real))
        return NUMBER_FRACTION;
    real = round(real);
    if (real >= 0x1p64 || (uint64_t)real > most)
        return NUMBER_LARGE;
    *count = (uint64_t)real;
    return NUMBER_OK;
}

bool number_is_absent(const char *text)
{
    static const char *const words[] = {"", "n/a", "N/A", "nan", "no data", "-", "<OVERFLOW>"};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (strcmp(text, words[i]) == 0)
            return true;
    return false;
}

/* ---- units ------------------------------------------------------------- */

/* Nsight Compute's words, then nvprof's. A KB of nvprof is 1024 bytes; prefixes of Nsight
 * Compute are decimal. */
static const struct {
    const char *name;
    bool time;
    double factor;
} units[] = {
    {"nsecond", true, 1},  {"usecond", true, 1e3}, {"msecond", true, 1e6},
    {"second", true, 1e9}, {"ns", true, 1},        {"us", true, 1e3},
    {"ms", true, 1e6},     {"s", true, 1e9},       {"inst", false, 1},
    {"sector", false, 1},  {"cycle", false, 1},    {"request", false, 1},
    {"block", false, 1},   {"thread", false, 1},   {"warp", false, 1},
    {"byte", false, 1},    {"register", false, 1}, {"B", false, 1},
    {"KB", false, 1024},   {"MB", false, 1 << 20},
};

static double find_unit(const char *unit, size_t length, bool time)
{
    for (size_t i = 0; i < sizeof units / sizeof *units; i++)
        if (units[i].time == time && strlen(units[i].name) == length &&
            strncmp(units[i].name, unit, length) == 0)
            return units[i].factor;
    return 0;
}

double number_unit(const char *unit, bool time)
{
    static const struct {
        char letter;
        double factor;
    } prefixes[] = {{'K', 1e3}, {'M', 1e6}, {'G', 1e9}, {'T', 1e12}};
    size_t length = strcspn(unit, "/");
    if (unit[0] == '\0')
        return 1;
    double factor = find_unit(unit, length, time);
    for (size_t i = 0; i < sizeof prefixes / sizeof *prefixes && factor == 0; i++)
        if (unit[0] == prefixes[i].letter && !time)
            factor = prefixes[i].factor * find_unit(unit + 1, length - 1, time);
    return factor;
}
