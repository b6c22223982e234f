#include "traces/packed/models/template.h"

#include <string.h>

#define MAX_DECIMAL_DIGITS 19 /* all numbers of so many digits fit into 64 bits */
#define MAX_HEX_DIGITS     16

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

static bool is_word(char c)
{
    return is_digit(c) || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

static int hex_value(char c)
{
    return is_digit(c) ? c - '0' : c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

/* Reads a number that is a whole word. Returns its length, 0 if it is not a
 * number. *FORMAT prints it as it is. */
static size_t read_decimal(const char *at, const char *end, uint64_t *value)
{
    size_t n = 0;
    *value = 0;
    for (; at + n < end && is_digit(at[n]); n++) {
        if (n == MAX_DECIMAL_DIGITS)
            return 0;
        *value = *value * 10 + (uint64_t)(at[n] - '0');
    }
    return (at[0] == '0' && n > 1) || (at + n < end && is_word(at[n])) ? 0 : n;
}

static size_t read_hex(const char *at, const char *end, uint64_t *value, char *format)
{
    size_t n = 2;
    *value = 0;
    for (; at + n < end && hex_value(at[n]) >= 0; n++) {
        if (n == 2 + MAX_HEX_DIGITS)
            return 0;
        *value = *value << 4 | (uint64_t)hex_value(at[n]);
    }
    if (n == 2 || (at + n < end && is_word(at[n])))
        return 0;
    size_t digits = n - 2;
    bool fixed = digits == 8 || digits == 16 || (at[2] == '0' && digits > 1);
    *format = fixed ? (char)('A' + digits - 1) : TEMPLATE_HEX;
    return n;
}

static size_t read_number(const char *at, const char *end, uint64_t *value, char *format)
{
    *format = TEMPLATE_DECIMAL;
    if (end - at > 2 && at[0] == '0' && at[1] == 'x')
        return read_hex(at, end, value, format);
    return is_digit(*at) ? read_decimal(at, end, value) : 0;
}

unsigned template_split(const char *text, size_t length, struct bytes *template,
                        uint64_t numbers[TEMPLATE_MAX_NUMBERS])
{
    unsigned count = 0;
    const char *end = text + length;
    for (const char *at = text; at < end;) {
        char format;
        size_t n = 0;
        if (count < TEMPLATE_MAX_NUMBERS && (at == text || !is_word(at[-1])))
            n = read_number(at, end, &numbers[count], &format);
        if (n > 0) {
            bytes_byte(template, TEMPLATE_MARK);
            bytes_byte(template, (uint8_t)format);
            count++;
            at += n;
            continue;
        }
        bytes_byte(template, (uint8_t)*at);
        if (*at == TEMPLATE_MARK)
            bytes_byte(template, TEMPLATE_ESCAPE);
        at++;
    }
    return count;
}

static bool is_fixed(uint8_t format)
{
    return format >= 'A' && format < 'A' + MAX_HEX_DIGITS;
}

int template_count(const uint8_t *template, size_t length)
{
    int count = 0;
    for (size_t i = 0; i < length; i++) {
        if (template[i] != TEMPLATE_MARK)
            continue;
        if (++i == length)
            return -1;
        bool number = template[i] == TEMPLATE_DECIMAL || template[i] == TEMPLATE_HEX ||
                      template[i] == TEMPLATE_SKIP || is_fixed(template[i]);
        if (!number && template[i] != TEMPLATE_ESCAPE)
            return -1;
        count += number;
    }
    return count > TEMPLATE_MAX_NUMBERS ? -1 : count;
}

void template_decimal(struct bytes *out, uint64_t value)
{
    char digits[20];
    int n = 0;
    do {
        digits[sizeof digits - (size_t)++n] = (char)('0' + value % 10);
        value /= 10;
    } while (value > 0);
    bytes_put(out, digits + sizeof digits - n, (size_t)n);
}

void template_hex(struct bytes *out, uint64_t value, unsigned least)
{
    char digits[MAX_HEX_DIGITS];
    unsigned n = 0;
    do {
        digits[MAX_HEX_DIGITS - ++n] = "0123456789abcdef"[value & 15];
        value >>= 4;
    } while (value > 0 || n < least);
    bytes_put(out, digits + MAX_HEX_DIGITS - n, n);
}

void template_join(const uint8_t *template, size_t length, const uint64_t *numbers,
                   struct bytes *out)
{
    for (size_t i = 0; i < length; i++) {
        if (template[i] != TEMPLATE_MARK) {
            bytes_byte(out, template[i]);
            continue;
        }
        uint8_t format = template[++i];
        if (format == TEMPLATE_ESCAPE) {
            bytes_byte(out, TEMPLATE_MARK);
        } else if (format == TEMPLATE_DECIMAL) {
            template_decimal(out, *numbers++);
        } else if (format == TEMPLATE_SKIP) {
            numbers++;
        } else {
            bytes_put(out, "0x", 2);
            template_hex(out, *numbers++, format == TEMPLATE_HEX ? 1 : format - 'A' + 1u);
        }
    }
}
