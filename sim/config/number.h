/* Unsigned numbers as option files write them. */
#ifndef HEARTH_SIM_CONFIG_NUMBER_H
#define HEARTH_SIM_CONFIG_NUMBER_H

#include <stdbool.h>
#include <stdint.h>

/* Reads a number at the start of TEXT: decimal, and with PREFIXES also 0x...
 * (base 16) and 0... (base 8). Returns the characters read, 0 if there is no
 * number. A number above 2^64 - 1 becomes that. */
unsigned number_read(const char *text, bool prefixes, uint64_t *value);

/* The same for DIGITS[.DIGITS], exactly rounded whatever the locale; at most
 * 15 digits, beyond which the number ends. */
unsigned number_read_decimal(const char *text, double *value);

#endif
