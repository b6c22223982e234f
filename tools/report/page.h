/* One HTML page that needs nothing else: no scripts, no network, charts inline. */
#ifndef HEARTH_TOOLS_REPORT_PAGE_H
#define HEARTH_TOOLS_REPORT_PAGE_H

#include <stdio.h>

#include "traces/base/error.h"

void page_begin(FILE *out, const char *title);
void page_end(FILE *out);

/* TEXT as it is to be read. */
void page_escape(FILE *out, const char *text);
void page_heading(FILE *out, const char *text);
void page_paragraph(FILE *out, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* The SVG file PATH inline; nothing if it is not there. */
void page_svg(FILE *out, const char *path);

#endif
