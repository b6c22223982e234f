/* Numbers as files have them. */
#ifndef HEARTH_TRACES_BASE_NUMBER_H
#define HEARTH_TRACES_BASE_NUMBER_H

#include <stdbool.h>
#include <stdint.h>

/* What a text turned out to be. */
enum number_kind {
    NUMBER_OK,
    NUMBER_WRONG,    /* no number, or below 0 */
    NUMBER_FRACTION, /* a whole one is wanted */
    NUMBER_LARGE,    /* above the largest one */
};

/* Digits, nothing else. */
enum number_kind number_count(const char *text, uint64_t most, uint64_t *count);
/* A decimal number, finite and not negative: 12, 12.5, 1.2e6. */
enum number_kind number_real(const char *text, double *real);

/* A number as profilers print it, "1,770,000.50", in a unit of FACTOR:
 * thousands may be separated by commas. A count in units of itself has to be
 * whole; scaled ones are rounded. */
enum number_kind number_grouped_count(const char *text, double factor, uint64_t most,
                                      uint64_t *count);
enum number_kind number_grouped_real(const char *text, double factor, double *real);

/* Whether a profiler says that it does not know: "", "n/a", "no data" ... */
bool number_is_absent(const char *text);

/* What UNIT is of nanoseconds (TIME) or of one thing (inst, sector, byte ...),
 * prefixes and "/block" included; 0 for units of another kind. No unit is
 * 1. */
double number_unit(const char *unit, bool time);

#endif
