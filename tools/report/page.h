/* A self-contained HTML page: no network, charts inline, a light and a dark form. Its script
 * sorts tables. */
#ifndef HEARTH_TOOLS_REPORT_PAGE_H
#define HEARTH_TOOLS_REPORT_PAGE_H

#include <stdio.h>

void page_begin(FILE *out, const char *title);
void page_end(FILE *out);

/* Escapes TEXT for HTML. */
void page_escape(FILE *out, const char *text);
void page_heading(FILE *out, const char *text);
void page_paragraph(FILE *out, const char *format, ...) __attribute__((format(printf, 2, 3)));

#endif
