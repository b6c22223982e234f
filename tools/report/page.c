#define _GNU_SOURCE /* vasprintf */
#include "tools/report/page.h"

#include <stdarg.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

static const char style[] =
    "body{font:15px/1.5 sans-serif;max-width:70em;margin:2em auto;padding:0 1em;color:#222}"
    "h1{font-size:1.5em}h2{font-size:1.2em;margin-top:2em;border-bottom:1px solid #ccc}"
    "table{border-collapse:collapse;font-size:13px;margin:1em 0}"
    "th{text-align:left;background:#f0f0f0;font-weight:600;vertical-align:top}"
    "th small{display:block;font-weight:400;color:#666;white-space:nowrap}"
    "th,td{padding:.2em .6em;border-bottom:1px solid #ddd}"
    "th.n,td.n{text-align:right}td.n{font-variant-numeric:tabular-nums}.t{overflow-x:auto}"
    "figure{margin:1em 0;overflow-x:auto}.more{color:#666;font-size:13px}"
    "svg{max-width:100%;height:auto}";

void page_escape(FILE *out, const char *text)
{
    for (; *text != '\0'; text++)
        switch (*text) {
        case '<':
            fputs("&lt;", out);
            break;
        case '>':
            fputs("&gt;", out);
            break;
        case '&':
            fputs("&amp;", out);
            break;
        case '"':
            fputs("&quot;", out);
            break;
        default: /* control characters have no place in HTML */
            putc((unsigned char)*text < ' ' && *text != '\n' && *text != '\t' ? '?' : *text,
                 out);
        }
}

static void element(FILE *out, const char *name, const char *text)
{
    fprintf(out, "<%s>", name);
    page_escape(out, text);
    fprintf(out, "</%s>\n", name);
}

void page_begin(FILE *out, const char *title)
{
    fputs("<!DOCTYPE html>\n<html lang=en><head><meta charset=utf-8>\n", out);
    element(out, "title", title);
    element(out, "style", style);
    fputs("</head><body>\n", out);
    element(out, "h1", title);
}

void page_end(FILE *out)
{
    fputs("</body></html>\n", out);
}

void page_heading(FILE *out, const char *text)
{
    element(out, "h2", text);
}

void page_paragraph(FILE *out, const char *format, ...)
{
    char *text;
    va_list arguments;
    va_start(arguments, format);
    int length = vasprintf(&text, format, arguments);
    va_end(arguments);
    if (length < 0)
        return;
    element(out, "p", text);
    free(text);
}

void page_svg(FILE *out, const char *path)
{
    char line[4096];
    bool inside = false;
    FILE *in = fopen(path, "r");
    if (in == NULL)
        return;
    fputs("<figure>\n", out);
    while (fgets(line, sizeof line, in) != NULL) {
        inside |= strncmp(line, "<svg", 4) == 0; /* skips declarations that are not HTML */
        if (inside)
            fputs(line, out);
    }
    fputs("</figure>\n", out);
    fclose(in);
}
