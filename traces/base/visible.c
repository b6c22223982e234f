#include "traces/base/visible.h"

#include <stdbool.h>
#include <string.h>

#include "traces/base/text/utf8.h"

#define ROOM 9 /* for two escaped bytes and their end */

/* Whether the character TEXT, of LENGTH bytes, controls a terminal: C0, DEL or C1. */
static bool is_control(const char *text, size_t length)
{
    const unsigned char *at = (const unsigned char *)text;
    return length == 1 ? at[0] < 0x20 || at[0] == 0x7f
                       : length == 2 && at[0] == 0xc2 && at[1] < 0xa0;
}

/* The character TEXT as it is shown, which is *TAKEN bytes long. Returns its length. */
static size_t show(const char *text, char shown[static ROOM], size_t *taken)
{
    static const char named[] = "\n\r\t", letters[] = "nrt";
    size_t length = utf8_length(text), used = 0;
    const char *name = strchr(named, *text);
    *taken = length > 0 ? length : 1;
    if (length > 0 && !is_control(text, length)) {
        memcpy(shown, text, length);
        return length;
    }
    if (name != NULL)
        return (size_t)snprintf(shown, ROOM, "\\%c", letters[name - named]);
    for (size_t i = 0; i < *taken; i++, used += UTF8_ESCAPE - 1)
        utf8_escape(text[i], shown + used);
    return used;
}

void visible_copy(char *to, size_t size, const char *from)
{
    char shown[ROOM];
    size_t used = 0, taken;
    for (; *from != '\0'; from += taken) {
        size_t length = show(from, shown, &taken);
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
    char shown[ROOM];
    for (size_t taken; *text != '\0'; text += taken) {
        size_t length = show(text, shown, &taken);
        fwrite(shown, 1, length, out);
    }
}
