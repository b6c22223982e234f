/* Numbers in options, files and tables: one rule for what a number looks like. No sign, no
 * blank, nothing after the number, no "nan", "inf" or 0x1p3. */
#ifndef HEARTH_TRACES_BASE_NUMBER_H
#define HEARTH_TRACES_BASE_NUMBER_H

#include <stdbool.h>
#include <stdint.h>

/* Whether all of TEXT is a whole number from LEAST to MOST: decimal digits only. */
bool number_whole(const char *text, uint64_t least, uint64_t most, uint64_t *number);
/* Whether all of TEXT is a decimal number from LEAST (at least 0) to MOST: 12, 12.5, 1.2e6. */
bool number_decimal(const char *text, double least, double most, double *number);

/* Moves *AT past a whole number. False, and *AT unchanged, if there is none or it is above
 * MOST. */
bool number_next(const char **at, uint64_t most, uint64_t *number);

/* The length of the number at the start of TEXT, 0 if there is none: decimal, and with PREFIXES
 * also 0x... (base 16) and 0... (base 8). A number above 2^64 - 1 becomes that. */
unsigned number_prefix(const char *text, bool prefixes, uint64_t *number);
/* The same for DIGITS[.DIGITS], exactly rounded in every locale; the number ends after 15
 * digits. */
unsigned number_prefix_decimal(const char *text, double *number);

/* What a text turned out to be. */
enum number_kind {
    NUMBER_OK,
    NUMBER_WRONG,    /* no number, or a negative one */
    NUMBER_FRACTION, /* it should be a whole number */
    NUMBER_LARGE,    /* too large */
};

/* number_whole() and number_decimal() from 0 with the reason. */
enum number_kind number_count(const char *text, uint64_t most, uint64_t *count);
enum number_kind number_real(const char *text, double *real);

/* A number as profilers print it, "1,770,000.50", times FACTOR, the size of its unit: commas
 * may separate thousands. With FACTOR 1 a count must be whole; otherwise it is rounded. */
enum number_kind number_grouped_count(const char *text, double factor, uint64_t most,
                                      uint64_t *count);
enum number_kind number_grouped_real(const char *text, double factor, double *real);

/* Whether TEXT is what profilers print for a missing value: "", "n/a", "no data" ... */
bool number_is_absent(const char *text);

/* The size of UNIT in nanoseconds (TIME) or in single things (inst, sector, byte ...), prefixes
 * and "/block" included: 1e3 for "usecond" or "Kinst". 1 for "", 0 for units of another kind.
 */
double number_unit(const char *unit, bool time);

#endif
