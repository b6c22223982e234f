/* A self-contained HTML page: no network, charts inline, a light and a dark form. Its script
 * sorts tables. */
#ifndef HEARTH_TOOLS_REPORT_PAGE_H
#define HEARTH_TOOLS_REPORT_PAGE_H

#include <stdio.h>

void page_begin(FILE *out, const char *title);
void page_end(FILE *out);

/* Escapes TEXT for HTML. */
void page_escape(FILE *out, const char *text);
/* Writes TEXT as a JSON text that may stand in a script element. */
void page_json_text(FILE *out, const char *text);
void page_heading(FILE *out, const char *text);
/* A heading that links can point to, and one below it. */
void page_section(FILE *out, const char *id, const char *text);
void page_subheading(FILE *out, const char *text);
/* A number with its name above it and a NOTE below it. CLASS: "good", "bad", "" for a note that
 * is neither. Tiles stand between begin and end. */
void page_tiles_begin(FILE *out);
void page_tile(FILE *out, const char *name, const char *value, const char *note,
               const char *class);
void page_tiles_end(FILE *out);
/* Names and their values, between begin and end. Empty values are left out. */
void page_facts_begin(FILE *out);
void page_fact(FILE *out, const char *name, const char *value);
void page_facts_end(FILE *out);
void page_paragraph(FILE *out, const char *format, ...) __attribute__((format(printf, 2, 3)));

#endif
