/* Fields of CSV files (RFC 4180). */
#ifndef HEARTH_TOOLS_CSV_H
#define HEARTH_TOOLS_CSV_H

#include <stdio.h>

/* Writes TEXT as one field, in quotes where it needs them. */
void csv_field(FILE *out, const char *text);

#endif
