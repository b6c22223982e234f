#include "tools/study/report_table.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "tools/study/page.h"
#include "traces/traces.h"

double sheet_percent(double part, double whole)
{
    return whole > 0 ? 100 * part / whole : NAN;
}

void sheet_finish(struct sheet *sheet)
{
    for (size_t i = 0; i < sheet->count; i++)
        free(sheet->cells[i]);
    free(sheet->cells);
    sheet->cells = NULL;
    sheet->count = sheet->capacity = 0;
}

void sheet_text(struct sheet *sheet, const char *text)
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

void sheet_number(struct sheet *sheet, double value, int digits)
{
    char text[64] = "";
    if (isfinite(value))
        snprintf(text, sizeof text, "%.*f", digits, value);
    sheet_text(sheet, strcmp(text, "-0.00") == 0 ? "0.00" : text);
}

void sheet_count(struct sheet *sheet, uint64_t value)
{
    char text[32];
    snprintf(text, sizeof text, "%llu", (unsigned long long)value);
    sheet_text(sheet, text);
}

size_t sheet_rows(const struct sheet *sheet)
{
    return sheet->count / sheet->width;
}

const char *sheet_cell(const struct sheet *sheet, size_t row, size_t column)
{
    return sheet->cells[row * sheet->width + column];
}

/* What a column's cells are like. */
struct shape {
    bool numeric;   /* every one is a number or empty */
    size_t longest; /* characters, of the name too */
};

static void find_shapes(const struct sheet *sheet, struct shape shapes[SHEET_COLUMNS])
{
    for (size_t c = 0; c < sheet->width; c++)
        shapes[c] = (struct shape){true, strlen(sheet->columns[c].name)};
    for (size_t i = 0; i < sheet_rows(sheet) * sheet->width; i++) {
        char *end;
        struct shape *shape = &shapes[i % sheet->width];
        size_t length = strlen(sheet->cells[i]);
        strtod(sheet->cells[i], &end);
        shape->numeric &= *end == '\0';
        if (length > shape->longest)
            shape->longest = length;
    }
}

void sheet_write_csv(const struct sheet *sheet, FILE *out)
{
    for (size_t c = 0; c < sheet->width; c++)
        fprintf(out, "%s%s", c > 0 ? "," : "", sheet->columns[c].name);
    putc('\n', out);
    for (size_t r = 0; r < sheet_rows(sheet); r++) {
        for (size_t c = 0; c < sheet->width; c++) {
            if (c > 0)
                putc(',', out);
            profile_csv_field(out, sheet_cell(sheet, r, c));
        }
        putc('\n', out);
    }
}

static void write_heading(const struct sheet_column *column, bool numeric, FILE *out)
{
    fprintf(out, "<th%s title=\"", numeric ? " class=n" : "");
    page_escape(out, column->description);
    fputs("\">", out);
    page_escape(out, column->name);
    if (column->unit[0] != '\0') {
        fputs("<small>", out);
        page_escape(out, column->unit);
        fputs("</small>", out);
    }
    fputs("</th>", out);
}

void sheet_write_html(const struct sheet *sheet, FILE *out, size_t most)
{
    size_t rows = sheet_rows(sheet), shown = rows < most ? rows : most;
    struct shape shapes[SHEET_COLUMNS];
    find_shapes(sheet, shapes);
    fputs("<div class=t><table><thead><tr>", out);
    for (size_t c = 0; c < sheet->width; c++)
        write_heading(&sheet->columns[c], shapes[c].numeric, out);
    fputs("</tr></thead>\n<tbody>\n", out);
    for (size_t r = 0; r < shown; r++) {
        fputs("<tr>", out);
        for (size_t c = 0; c < sheet->width; c++) {
            fputs(shapes[c].numeric ? "<td class=n>" : "<td>", out);
            page_escape(out, sheet_cell(sheet, r, c));
            fputs("</td>", out);
        }
        fputs("</tr>\n", out);
    }
    fputs("</tbody></table></div>\n", out);
    if (shown < rows)
        fprintf(out, "<p class=more>%zu more rows in %s.csv</p>\n", rows - shown, sheet->name);
}

void sheet_write_text(const struct sheet *sheet, FILE *out)
{
    struct shape shapes[SHEET_COLUMNS];
    find_shapes(sheet, shapes);
    for (size_t r = 0; r <= sheet_rows(sheet); r++)
        for (size_t c = 0; c < sheet->width; c++) {
            bool last = c + 1 == sheet->width;
            const char *text = r == 0 ? sheet->columns[c].name : sheet_cell(sheet, r - 1, c);
            int width = last && !shapes[c].numeric ? 0 : (int)shapes[c].longest;
            fprintf(out, shapes[c].numeric ? "%*s%s" : "%-*s%s", width, text,
                    last ? "\n" : "  ");
        }
}

void sheet_write_json(const struct sheet *sheet, struct json *json)
{
    struct shape shapes[SHEET_COLUMNS];
    find_shapes(sheet, shapes);
    json_open(json, sheet->name, '[');
    for (size_t r = 0; r < sheet_rows(sheet); r++) {
        json_open_line(json, NULL, '{');
        for (size_t c = 0; c < sheet->width; c++) {
            const char *text = sheet_cell(sheet, r, c);
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
