#include "tools/report/report_table.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "tools/report/kernel_title.h"
#include "tools/report/page.h"
#include "traces/base/csv/csv_file.h"
#include "traces/base/process/terminal.h"
#include "traces/base/visible.h"

double report_table_percent(double part, double whole)
{
    return whole > 0 ? 100 * part / whole : NAN;
}

void report_table_finish(struct report_table *sheet)
{
    for (size_t i = 0; i < sheet->count; i++)
        free(sheet->cells[i]);
    free(sheet->cells);
    sheet->cells = NULL;
    sheet->count = sheet->capacity = 0;
}

void report_table_text(struct report_table *sheet, const char *text)
{
    if (sheet->count == sheet->capacity) {
        size_t capacity = 2 * sheet->capacity + 64;
        char **cells = realloc(sheet->cells, capacity * sizeof *cells);
        if (cells == NULL) {
            sheet->failed = true;
            return;
        }
        sheet->cells = cells;
        sheet->capacity = capacity;
    }
    char *copy = strdup(text);
    sheet->failed |= copy == NULL;
    if (copy != NULL)
        sheet->cells[sheet->count++] = copy;
}

void report_table_number(struct report_table *sheet, double value, int digits)
{
    char text[64] = "";
    if (isfinite(value))
        snprintf(text, sizeof text, "%.*f", digits, value);
    report_table_text(sheet, strcmp(text, "-0.00") == 0 ? "0.00" : text);
}

void report_table_count(struct report_table *sheet, uint64_t value)
{
    char text[32];
    snprintf(text, sizeof text, "%llu", (unsigned long long)value);
    report_table_text(sheet, text);
}

size_t report_table_rows(const struct report_table *sheet)
{
    return sheet->count / sheet->width;
}

const char *report_table_cell(const struct report_table *sheet, size_t row, size_t column)
{
    return sheet->cells[row * sheet->width + column];
}

/* The form of a column's cells. */
struct shape {
    bool numeric;   /* every cell is a number or empty */
    size_t longest; /* characters, including the name */
};

static void find_shapes(const struct report_table *sheet,
                        struct shape shapes[REPORT_TABLE_COLUMNS])
{
    for (size_t c = 0; c < sheet->width; c++)
        shapes[c] = (struct shape){true, strlen(sheet->columns[c].name)};
    for (size_t i = 0; i < report_table_rows(sheet) * sheet->width; i++) {
        char *end;
        struct shape *shape = &shapes[i % sheet->width];
        size_t length = strlen(sheet->cells[i]);
        strtod(sheet->cells[i], &end);
        shape->numeric &= *end == '\0';
        if (length > shape->longest)
            shape->longest = length;
    }
}

void report_table_write_csv(const struct report_table *sheet, FILE *out)
{
    for (size_t c = 0; c < sheet->width; c++)
        fprintf(out, "%s%s", c > 0 ? "," : "", sheet->columns[c].name);
    putc('\n', out);
    for (size_t r = 0; r < report_table_rows(sheet); r++) {
        for (size_t c = 0; c < sheet->width; c++) {
            if (c > 0)
                putc(',', out);
            csv_file_write_field(out, report_table_cell(sheet, r, c));
        }
        putc('\n', out);
    }
}

static void write_heading(const struct report_table_column *column, bool numeric, FILE *out)
{
    fprintf(out, "<th scope=col%s title=\"", numeric ? " class=n" : "");
    page_escape(out, column->description);
    fputs("\"><button>", out);
    page_escape(out, column->name);
    if (column->unit[0] != '\0') {
        fputs("<small>", out);
        page_escape(out, column->unit);
        fputs("</small>", out);
    }
    fputs("</button></th>", out);
}

/* A kernel by its short name, with its full one to hover. False if memory is short. */
static bool write_kernel(const char *name, FILE *out)
{
    char *full = kernel_title_full(name);
    char *brief = full != NULL ? kernel_title_brief(full) : NULL;
    if (brief != NULL) {
        fputs("<td class=k title=\"", out);
        page_escape(out, full);
        fputs("\">", out);
        page_escape(out, brief);
        fputs("</td>", out);
    }
    free(full);
    free(brief);
    return brief != NULL;
}

static void write_cell(const struct report_table *sheet, size_t row, size_t column,
                       bool numeric, FILE *out)
{
    const char *text = report_table_cell(sheet, row, column);
    if (sheet->hover == NULL && strcmp(sheet->columns[column].name, "kernel") == 0 &&
        write_kernel(text, out))
        return;
    if (column == 0 && sheet->hover != NULL) {
        fputs("<td class=k title=\"", out);
        page_escape(out, sheet->hover(sheet->data, row));
        fputs("\">", out);
    } else if (numeric && sheet->columns[column].bar && text[0] != '\0')
        fprintf(out, "<td class=\"n b\" style=\"--v:%s\">", text);
    else
        fputs(numeric ? "<td class=n>" : "<td>", out);
    page_escape(out, text);
    fputs("</td>", out);
}

void report_table_write_html(const struct report_table *sheet, FILE *out, size_t most)
{
    size_t rows = report_table_rows(sheet), shown = rows < most ? rows : most;
    struct shape shapes[REPORT_TABLE_COLUMNS];
    find_shapes(sheet, shapes);
    fputs("<div class=t tabindex=0><table class=s><thead><tr>", out);
    for (size_t c = 0; c < sheet->width; c++)
        write_heading(&sheet->columns[c], shapes[c].numeric, out);
    fputs("</tr></thead>\n<tbody>\n", out);
    for (size_t r = 0; r < shown; r++) {
        fputs("<tr>", out);
        for (size_t c = 0; c < sheet->width; c++)
            write_cell(sheet, r, c, shapes[c].numeric, out);
        fputs("</tr>\n", out);
    }
    fputs("</tbody></table></div>\n", out);
    if (shown < rows)
        fprintf(out, "<p class=more>%zu more rows in %s.csv</p>\n", rows - shown, sheet->name);
}

void report_table_write_text(const struct report_table *sheet, FILE *out)
{
    struct shape shapes[REPORT_TABLE_COLUMNS];
    find_shapes(sheet, shapes);
    for (size_t r = 0; r <= report_table_rows(sheet); r++) {
        fputs(r == 0 ? terminal_begin(out, TERMINAL_HEADING) : "", out);
        for (size_t c = 0; c < sheet->width; c++) {
            bool last = c + 1 == sheet->width;
            const char *text =
                r == 0 ? sheet->columns[c].name : report_table_cell(sheet, r - 1, c);
            int width = last && !shapes[c].numeric ? 0 : (int)shapes[c].longest;
            int pad = (int)strlen(text) < width ? width - (int)strlen(text) : 0;
            fprintf(out, "%*s", shapes[c].numeric ? pad : 0, "");
            visible_print(text, out);
            fprintf(out, "%*s%s", shapes[c].numeric ? 0 : pad, "", last ? "" : "  ");
        }
        fprintf(out, "%s\n", r == 0 ? terminal_end(out) : "");
    }
}

void report_table_write_json(const struct report_table *sheet, struct json *json)
{
    struct shape shapes[REPORT_TABLE_COLUMNS];
    find_shapes(sheet, shapes);
    json_open(json, sheet->name, '[');
    for (size_t r = 0; r < report_table_rows(sheet); r++) {
        json_open_line(json, NULL, '{');
        for (size_t c = 0; c < sheet->width; c++) {
            const char *text = report_table_cell(sheet, r, c);
            if (text[0] == '\0')
                json_raw(json, sheet->columns[c].name, "null");
            else if (shapes[c].numeric)
                json_raw(json, sheet->columns[c].name, text);
            else
                json_text(json, sheet->columns[c].name, text);
        }
        json_close(json, '}');
    }
    json_close(json, ']');
}
