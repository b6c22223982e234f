/* Text from files for messages and terminals: control characters, and bytes that are no UTF-8,
 * are escaped. */
#ifndef HEARTH_TRACES_BASE_VISIBLE_H
#define HEARTH_TRACES_BASE_VISIBLE_H

#include <stddef.h>
#include <stdio.h>

/* Copies FROM to TO, cut off to SIZE bytes, with control characters as \n or \x1b: files must
 * not move a terminal's cursor, set its title or break a line; scripts decode what is printed.
 * Other characters stay, so copying twice changes nothing. */
void visible_copy(char *to, size_t size, const char *from);

/* TEXT, or if it is long its beginning and "...", in BUFFER. */
#define VISIBLE_SHORT 64
const char *visible_short(const char *text, char buffer[static VISIBLE_SHORT]);

/* Prints TEXT as visible_copy() copies it. */
void visible_print(const char *text, FILE *out);

#endif
