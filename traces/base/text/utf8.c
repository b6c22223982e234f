#include "traces/base/text/utf8.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Neither longer forms of a shorter character, nor surrogates, nor what is above U+10FFFF. */
static bool is_second(unsigned char first, unsigned char second)
{
    unsigned char least = first == 0xe0 ? 0xa0 : first == 0xf0 ? 0x90 : 0x80;
    unsigned char most = first == 0xed ? 0x9f : first == 0xf4 ? 0x8f : 0xbf;
    return second >= least && second <= most;
}

size_t utf8_length(const char *text)
{
    const unsigned char *at = (const unsigned char *)text;
    size_t length = at[0] >= 0xc2 && at[0] < 0xe0   ? 2
                    : at[0] >= 0xe0 && at[0] < 0xf0 ? 3
                    : at[0] >= 0xf0 && at[0] < 0xf5 ? 4
                                                    : 0;
    if (at[0] < 0x80)
        return 1;
    if (length == 0 || !is_second(at[0], at[1]))
        return 0;
    for (size_t i = 2; i < length; i++)
        if ((at[i] & 0xc0) != 0x80)
            return 0;
    return length;
}

bool utf8_is_valid(const char *text)
{
    size_t length = 1;
    for (; *text != '\0' && length > 0; text += length)
        length = utf8_length(text);
    return length > 0;
}

void utf8_escape(char byte, char escape[static UTF8_ESCAPE])
{
    snprintf(escape, UTF8_ESCAPE, "\\x%02x", (unsigned char)byte);
}

char *utf8_copy(const char *text)
{
    char *copy = malloc((UTF8_ESCAPE - 1) * strlen(text) + 1), *to = copy;
    for (size_t length; copy != NULL && *text != '\0'; text += length > 0 ? length : 1) {
        length = utf8_length(text);
        if (length == 0) {
            utf8_escape(*text, to);
            to += UTF8_ESCAPE - 1;
        } else {
            memcpy(to, text, length);
            to += length;
        }
    }
    if (copy != NULL)
        *to = '\0';
    return copy;
}
