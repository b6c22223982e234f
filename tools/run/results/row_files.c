#define _GNU_SOURCE /* fwrite_unlocked, mempcpy */
#include "tools/run/results/row_files.h"

#include <string.h>

#include "tools/run/results/stats.h"
#include "traces/base/csv/csv_file.h"

enum { KERNELS_CSV, STATS_JSON, STATS_TXT };

const char *const row_files_names[ROW_FILES] = {
    [KERNELS_CSV] = "kernels.csv", [STATS_JSON] = "stats.json", [STATS_TXT] = "stats.txt"};

static void begin_csv(size_t columns, FILE *out)
{
    for (size_t c = 0; c < columns; c++)
        fprintf(out, "%s%s", row_column(c).name, c + 1 < columns ? "," : "\n");
}

static void add_csv(const struct row_texts *texts, FILE *out)
{
    char part[1024], *end = part;
    for (size_t c = 0; c < texts->count; c++) {
        const struct row_text *item = &texts->items[c];
        bool number = item->kind != VALUE_TEXT;
        if (!number || (size_t)(end - part) > sizeof part - sizeof item->buffer - 1) {
            fwrite_unlocked(part, 1, (size_t)(end - part), out);
            end = part;
        }
        if (number)
            end = mempcpy(end, item->text, item->length);
        else
            csv_file_write_field(out, item->text);
        *end++ = c + 1 < texts->count ? ',' : '\n';
    }
    fwrite_unlocked(part, 1, (size_t)(end - part), out);
}

static void write_rows(const struct results *results, const struct results_about *about,
                       struct row_texts *texts, FILE *const outs[ROW_FILES])
{
    struct json json;
    struct rows_pass pass = {.rows = &results->rows};
    begin_csv(texts->count, outs[KERNELS_CSV]);
    stats_begin_json(&json, results, about, outs[STATS_JSON]);
    stats_begin_text(results, about, outs[STATS_TXT]);
    for (const struct row *row; (row = rows_next(&pass)) != NULL;) {
        row_texts_fill(texts, row);
        add_csv(texts, outs[KERNELS_CSV]);
        stats_add_json(&json, texts);
        stats_add_text(texts, row->step, outs[STATS_TXT]);
    }
    stats_end_json(&json);
}

/* Closes what of OUTS is open. RESULT: of what was done before. */
static int close_all(struct output_folder *folder, FILE *const outs[ROW_FILES], int result,
                     struct error *err)
{
    struct error ignored = {0};
    for (size_t i = 0; i < ROW_FILES; i++)
        if (outs[i] != NULL &&
            output_folder_close(folder, outs[i], result == 0 ? err : &ignored) < 0)
            result = -1;
    return result;
}

int row_files_write(struct output_folder *folder, const struct results *results,
                    const struct results_about *about, struct error *err)
{
    FILE *outs[ROW_FILES] = {NULL};
    struct row_texts texts;
    int result = row_texts_init(&texts, row_column_shown(results->intra), err);
    for (size_t i = 0; i < ROW_FILES && result == 0; i++) {
        outs[i] = output_folder_open(folder, row_files_names[i], err);
        result = outs[i] != NULL ? 0 : -1;
    }
    if (result == 0)
        write_rows(results, about, &texts, outs);
    row_texts_finish(&texts);
    return close_all(folder, outs, result, err);
}
