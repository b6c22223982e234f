/* Text of unknown encoding, as files have it, where only UTF-8 may be written. */
#ifndef HEARTH_TRACES_BASE_TEXT_UTF8_H
#define HEARTH_TRACES_BASE_TEXT_UTF8_H

#include <stdbool.h>
#include <stddef.h>

/* The length in bytes of the character at AT, 1 to 4; 0: the bytes there are no UTF-8. The
 * terminating 0 is a character of 1 byte. */
size_t utf8_length(const char *at);
bool utf8_is_valid(const char *text);

/* A byte that is no UTF-8 is written as \xe9. */
#define UTF8_ESCAPE 5 /* room for it and its end */
void utf8_escape(char byte, char escape[static UTF8_ESCAPE]);

/* TEXT with such bytes escaped, to be freed. NULL: memory is short. */
char *utf8_copy(const char *text);

#endif
