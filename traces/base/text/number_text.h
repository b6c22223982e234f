/* Numbers as printf() writes them, in a fraction of the time: results have millions of them. */
#ifndef HEARTH_TRACES_BASE_TEXT_NUMBER_TEXT_H
#define HEARTH_TRACES_BASE_TEXT_NUMBER_TEXT_H

#include <stdint.h>

#define NUMBER_TEXT 32 /* bytes of a buffer */

/* NUMBER in decimal, in BUFFER, but not always at its beginning. */
const char *number_text_count(uint64_t number, char buffer[static NUMBER_TEXT]);
/* NUMBER as "%.6g" gives it in the "C" locale, in BUFFER. */
const char *number_text_real(double number, char buffer[static NUMBER_TEXT]);

#endif
