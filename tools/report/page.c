#define _GNU_SOURCE /* vasprintf */
#include "tools/report/page.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "tools/report/page_script.h"
#include "tools/report/svg.h"
#include "traces/base/text/utf8.h"

static const char style[] =
    ":root{color-scheme:light dark;--back:#fff;--sheet:#fff;--line:#dfe3e8;--soft:#f5f7f9;"
    "--link:#0060a8;--good:#00734f;--bad:#b23a00}"
    "@media(prefers-color-scheme:dark){:root{--back:#14171b;--sheet:#1a1e23;--line:#31373f;"
    "--soft:#22272e;--link:#7cc0f2;--good:#4fd3a8;--bad:#ff9b6b}}"
    "*{box-sizing:border-box}"
    "body{font:15px/1.5 system-ui,sans-serif;max-width:1600px;margin:0 auto;"
    "padding:1.2em clamp(12px,3vw,40px) 3em;color:var(--ink);background:var(--back)}"
    "h1{font-size:1.6em;line-height:1.2;margin:.2em 0}"
    "h2{font-size:1.2em;margin:2.2em 0 .6em;padding-bottom:.25em;"
    "border-bottom:1px solid var(--line)}h3{font-size:1em;margin:1.4em 0 .4em}"
    "p{max-width:75em;margin:.5em 0}a{color:var(--link)}.m,.more{color:var(--muted)}"
    ".more{font-size:13px}"
    "table{border-collapse:collapse;font-size:13px;margin:.6em 0}"
    "th{text-align:left;background:var(--soft);font-weight:600;vertical-align:top}"
    "th,td{padding:.28em .7em;border-bottom:1px solid var(--line)}"
    "tbody tr:hover td{background:var(--soft)}"
    "th.n,td.n{text-align:right}td.n{font-variant-numeric:tabular-nums;white-space:nowrap}"
    "th small{display:block;font-weight:400;color:var(--muted);white-space:nowrap}"
    "th button{all:unset;cursor:pointer}th button:focus-visible{outline:2px solid var(--link);"
    "outline-offset:3px}"
    "th[aria-sort]>button::after{content:' \\25B4'}"
    "th[aria-sort=descending]>button::after{content:' \\25BE'}"
    "td.k{font-family:ui-monospace,monospace;font-size:12px;white-space:nowrap}"
    "td.b{background:linear-gradient(var(--h3),var(--h3)) left/calc(var(--v)*1%) 100% "
    "no-repeat}"
    ".t{overflow:auto;max-height:80vh}.t thead th{position:sticky;top:0;z-index:1}"
    ".t td:first-child,.t th:first-child{position:sticky;left:0;background:var(--sheet)}"
    ".t th:first-child{background:var(--soft);z-index:2}"
    "@media(max-width:640px){.t td.k:first-child{max-width:46vw;overflow:hidden;"
    "text-overflow:ellipsis}}"
    "figure{margin:1em 0;min-width:0}figure.square{max-width:520px}"
    ".two{display:grid;grid-template-columns:repeat(auto-fit,minmax(min(100%,460px),1fr));"
    "gap:0 3em}"
    ".tiles{display:grid;grid-template-columns:repeat(auto-fill,minmax(140px,1fr));gap:10px;"
    "margin:1em 0}"
    ".tile{border:1px solid var(--line);border-radius:8px;padding:.5em .8em;"
    "background:var(--sheet)}"
    ".tile span{display:block;font-size:12px;color:var(--muted)}.tile b{font-size:1.35em;"
    "font-weight:600;white-space:nowrap}.tile i{font-style:normal;font-size:12px}"
    ".good{color:var(--good)}.bad{color:var(--bad)}"
    "dl{display:grid;grid-template-columns:max-content 1fr;gap:.15em 1em;font-size:13px;"
    "margin:1em 0}dt{color:var(--muted)}dd{margin:0;overflow-wrap:anywhere}"
    "code{font:12px ui-monospace,monospace}"
    "nav{font-size:13px;margin:.8em 0;display:flex;flex-wrap:wrap;gap:.2em 1.2em}"
    ".bar{display:flex;flex-wrap:wrap;gap:8px;align-items:center;font-size:13px;"
    "margin:.6em 0}.bar input,.bar button{font:inherit;color:inherit;"
    "background:var(--sheet);border:1px solid var(--line);border-radius:6px;padding:.25em .7em}"
    ".bar button:disabled{opacity:.45}"
    ":focus-visible{outline:2px solid var(--link);outline-offset:2px}"
    "@media print{.t{overflow:visible;max-height:none}}";

/* Control characters have no place in HTML, nor have bytes that are no UTF-8. */
static void put_character(FILE *out, const char *text, size_t length)
{
    char escape[UTF8_ESCAPE];
    if (length == 0) {
        utf8_escape(*text, escape);
        fputs(escape, out);
    } else if ((unsigned char)*text < ' ' && *text != '\n' && *text != '\t') {
        putc('?', out);
    } else {
        fwrite(text, 1, length, out);
    }
}

void page_escape(FILE *out, const char *text)
{
    for (size_t length; *text != '\0'; text += length > 0 ? length : 1) {
        length = utf8_length(text);
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
        default:
            put_character(out, text, length);
        }
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
    fputs("<!DOCTYPE html>\n<html lang=en><head><meta charset=utf-8>"
          "<meta name=viewport content=\"width=device-width,initial-scale=1\">\n",
          out);
    element(out, "title", title);
    fprintf(out, "<style>%s\n%s</style>\n", svg_style, style);
    fputs("</head><body>\n", out);
    element(out, "h1", title);
}

void page_end(FILE *out)
{
    fprintf(out, "<script>\n%s</script>\n</body></html>\n", page_script);
}

void page_heading(FILE *out, const char *text)
{
    element(out, "h2", text);
}

void page_section(FILE *out, const char *id, const char *text)
{
    fprintf(out, "<h2 id=\"%s\">", id);
    page_escape(out, text);
    fputs("</h2>\n", out);
}

void page_subheading(FILE *out, const char *text)
{
    element(out, "h3", text);
}

void page_json_text(FILE *out, const char *text)
{
    putc('"', out);
    for (; *text != '\0'; text++) {
        unsigned char letter = (unsigned char)*text;
        size_t length = utf8_length(text);
        if (length == 0)
            fprintf(out, "\\\\x%02x", letter);
        else if (length > 1)
            fwrite(text, 1, length, out);
        else if (letter < ' ' || strchr("\"\\<>&", letter) != NULL)
            fprintf(out, "\\u%04x", letter);
        else
            putc(letter, out);
        text += length > 1 ? length - 1 : 0;
    }
    putc('"', out);
}

void page_tiles_begin(FILE *out)
{
    fputs("<div class=tiles>\n", out);
}

void page_tile(FILE *out, const char *name, const char *value, const char *note,
               const char *class)
{
    fputs("<div class=tile>", out);
    element(out, "span", name);
    element(out, "b", value);
    if (note[0] != '\0') {
        fprintf(out, "<br><i class=\"%s\">", class);
        page_escape(out, note);
        fputs("</i>", out);
    }
    fputs("</div>\n", out);
}

void page_tiles_end(FILE *out)
{
    fputs("</div>\n", out);
}

void page_facts_begin(FILE *out)
{
    fputs("<dl>\n", out);
}

void page_fact(FILE *out, const char *name, const char *value)
{
    if (value[0] == '\0')
        return;
    element(out, "dt", name);
    element(out, "dd", value);
}

void page_facts_end(FILE *out)
{
    fputs("</dl>\n", out);
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
