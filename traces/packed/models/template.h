/* Texts as templates and the numbers in them: lines that differ only in their
 * numbers share a template. */
#ifndef HEARTH_TRACES_PACKED_MODELS_TEMPLATE_H
#define HEARTH_TRACES_PACKED_MODELS_TEMPLATE_H

#include "traces/base/bytes.h"

/* In a template this byte and one more stand for a number: TEMPLATE_DECIMAL,
 * TEMPLATE_HEX (0x and as many digits as are needed), or 'A' and up: 0x and a
 * fixed number of digits, 1 and up. TEMPLATE_ESCAPE stands for the byte
 * itself. */
#define TEMPLATE_MARK    '\1'
#define TEMPLATE_DECIMAL 'd'
#define TEMPLATE_HEX     'x'
#define TEMPLATE_ESCAPE  'e'
#define TEMPLATE_SKIP    'n' /* a number that is not printed */

/* Numbers of one text; what comes later stays text. */
#define TEMPLATE_MAX_NUMBERS 80

/* Splits LENGTH bytes at TEXT: the template is appended to TEMPLATE. Returns
 * how many NUMBERS there are. */
unsigned template_split(const char *text, size_t length, struct bytes *template,
                        uint64_t numbers[TEMPLATE_MAX_NUMBERS]);
/* How many numbers a template of LENGTH bytes takes, or -1 if it is not one. */
int template_count(const uint8_t *template, size_t length);
/* Appends the text that TEMPLATE, which template_count() knows, and NUMBERS
 * make to OUT. */
void template_join(const uint8_t *template, size_t length, const uint64_t *numbers,
                   struct bytes *out);

/* Appends VALUE in decimal digits; in hexadecimal ones, at least DIGITS. */
void template_decimal(struct bytes *out, uint64_t value);
void template_hex(struct bytes *out, uint64_t value, unsigned digits);

#endif
