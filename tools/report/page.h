/* A self-contained HTML page: no scripts, no network, charts inline. */
#ifndef HEARTH_TOOLS_REPORT_PAGE_H
#define HEARTH_TOOLS_REPORT_PAGE_H

#include <stdio.h>

#include "traces/base/error.h"

void page_begin(FILE *out, const char *title);
void page_end(FILE *out);

/* Escapes TEXT for HTML. */
void page_escape(FILE *out, const char *text);
void page_heading(FILE *out, const char *text);
void page_paragraph(FILE *out, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* Inlines the SVG file PATH; nothing if it does not exist. */
void page_svg(FILE *out, const char *path);

#endif
