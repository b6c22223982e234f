#include "traces/base/visible.h"

#include <stdbool.h>
#include <string.h>

#define ESCAPE 5 /* room for \x1b and its end */

static bool is_c1(unsigned char c)
{
    return c >= 0x80 && c < 0xa0;
}

/* Whether TEXT[AT] controls a terminal: C0, DEL, or C1, as a byte by itself or as two bytes of
 * UTF-8. The same bytes may also continue a longer character of UTF-8. */
static bool is_control(const char *text, size_t at)
{
    unsigned char c = (unsigned char)text[at], after = c != 0 ? (unsigned char)text[at + 1] : 0;
    unsigned char before = at > 0 ? (unsigned char)text[at - 1] : 0;
    return c < 0x20 || c == 0x7f || (c == 0xc2 && is_c1(after)) ||
           (is_c1(c) && (before < 0x80 || before == 0xc2));
}

/* The character TEXT[AT] as it is shown. */
static size_t show(const char *text, size_t at, char shown[ESCAPE])
{
    static const char named[] = "\n\r\t", letters[] = "nrt";
    const char *name = strchr(named, text[at]);
    if (!is_control(text, at)) {
        shown[0] = text[at];
        return 1;
    }
    if (name != NULL)
        return (size_t)snprintf(shown, ESCAPE, "\\%c", letters[name - named]);
    return (size_t)snprintf(shown, ESCAPE, "\\x%02x", (unsigned char)text[at]);
}

void visible_copy(char *to, size_t size, const char *from)
{
    char shown[ESCAPE];
    size_t used = 0, length;
    for (size_t at = 0; from[at] != '\0'; at++) {
        length = show(from, at, shown);
        if (used + length >= size)
            break;
        memcpy(to + used, shown, length);
        used += length;
    }
    to[used] = '\0';
}

const char *visible_short(const char *text, char buffer[static VISIBLE_SHORT])
{
    if (strlen(text) < VISIBLE_SHORT)
        return text;
    snprintf(buffer, VISIBLE_SHORT, "%.*s...", VISIBLE_SHORT - 4, text);
    return buffer;
}

void visible_print(const char *text, FILE *out)
{
    char shown[ESCAPE];
    for (size_t at = 0; text[at] != '\0'; at++) {
        size_t length = show(text, at, shown);
        fwrite(shown, 1, length, out);
    }
}
