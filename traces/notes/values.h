/* Values in comments: " key=value". */
#ifndef HEARTH_TRACES_NOTES_VALUES_H
#define HEARTH_TRACES_NOTES_VALUES_H

#include <stdbool.h>
#include <stdint.h>

/* What follows KEY, "dims=", in LINE; NULL: it is not there. */
const char *values_find(const char *line, const char *key);
/* Reads the numbers behind KEY, separated by commas: decimal, or 0x and hexadecimal, up to
 * MOST, which must not be more. Returns how many; -1: they make no sense. */
int values_list(const char *line, const char *key, int most, uint64_t *numbers);
/* The same for numbers of 32 bits, possibly negative. */
int values_list32(const char *line, const char *key, int most, uint32_t *numbers);
/* Reads the one number behind KEY. */
bool values_one(const char *line, const char *key, uint64_t most, uint32_t *number);

#endif
