#define _GNU_SOURCE /* asprintf */
#include "tools/sweep/tables/tidy_table.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#ifdef HEARTH_SQLITE
#include <sqlite3.h>
#endif

#include "tools/sweep/sweep_folder.h"
#include "traces/base/csv/csv_file.h"
#include "traces/base/draft.h"
#include "traces/base/files/paths.h"
#include "traces/base/number.h"
#include "traces/base/text/number_text.h"

bool tidy_base_available(void)
{
#ifdef HEARTH_SQLITE
    return true;
#else
    return false;
#endif
}

/* ---- SQLite ---- */

#ifdef HEARTH_SQLITE

static int base_fail(const struct tidy_base *base, struct error *err)
{
    return error_set(err, ERROR_OUTPUT, base->path, 0, 0, "%s",
                     base->handle != NULL ? sqlite3_errmsg(base->handle) : "out of memory");
}

static int base_do(const struct tidy_base *base, const char *command, struct error *err)
{
    return sqlite3_exec(base->handle, command, NULL, NULL, NULL) == SQLITE_OK
               ? 0
               : base_fail(base, err);
}

int tidy_base_open(struct tidy_base *base, const char *folder, const char *name,
                   struct error *err)
{
    sqlite3 *handle = NULL;
    *base = (struct tidy_base){.path = paths_join(folder, name)};
    if (base->path == NULL ||
        asprintf(&base->part, "%s.part-%ld", base->path, (long)getpid()) < 0) {
        base->part = NULL;
        return error_no_memory(err);
    }
    unlink(base->part);
    int code = sqlite3_open(base->part, &handle);
    base->handle = handle;
    /* The file is not there until it is complete: nothing has to be undone. */
    return code != SQLITE_OK ? base_fail(base, err)
                             : base_do(base,
                                       "PRAGMA journal_mode=OFF; PRAGMA synchronous=OFF; "
                                       "BEGIN",
                                       err);
}

int tidy_base_commit(struct tidy_base *base, struct error *err)
{
    if (base_do(base, "COMMIT", err) != 0)
        return -1;
    sqlite3_close(base->handle);
    base->handle = NULL;
    if (rename(base->part, base->path) != 0)
        return error_set(err, ERROR_OUTPUT, base->path, 0, 0, "%s", strerror(errno));
    return 0;
}

void tidy_base_finish(struct tidy_base *base)
{
    if (base->handle != NULL && sqlite3_close(base->handle) == SQLITE_OK)
        unlink(base->part);
    free(base->path);
    free(base->part);
}

/* Writes the commands that make the table and add a row, with a 0 between them. */
static void write_commands(FILE *out, const char *name, const char *const *names, size_t width,
                           size_t texts)
{
    fprintf(out, "CREATE TABLE \"%s\" (", name);
    for (size_t i = 0; i < width; i++)
        fprintf(out, "%s\"%s\" %s", i > 0 ? ", " : "", names[i],
                i < texts ? "TEXT" : "NUMERIC");
    fprintf(out, ")%cINSERT INTO \"%s\" VALUES (", '\0', name);
    for (size_t i = 0; i < width; i++)
        fputs(i > 0 ? ", ?" : "?", out);
    fputc(')', out);
}

static int open_insert(struct tidy_table *table, const char *name, const char *const *names,
                       size_t texts, struct error *err)
{
    struct draft draft;
    sqlite3_stmt *insert = NULL;
    if (!draft_begin(&draft))
        return error_no_memory(err);
    write_commands(draft.out, name, names, table->width, texts);
    if (!draft_end(&draft))
        return error_no_memory(err);
    int result = base_do(table->base, draft.text, err);
    if (result == 0 &&
        sqlite3_prepare_v2(table->base->handle, draft.text + strlen(draft.text) + 1, -1,
                           &insert, NULL) != SQLITE_OK)
        result = base_fail(table->base, err);
    table->insert = insert;
    free(draft.text);
    return result;
}

#define WHOLE_DIGITS 15 /* of numbers that a double has exactly */

static void note(struct tidy_table *table, int code)
{
    if (table->code == SQLITE_OK && code != SQLITE_DONE)
        table->code = code;
}

static void bind(struct tidy_table *table, const char *text, bool number)
{
    int at = (int)table->column + 1;
    size_t digits = number ? strspn(text, "0123456789") : 0;
    if (text[0] == '\0')
        note(table, sqlite3_bind_null(table->insert, at));
    else if (number && text[digits] == '\0' && digits <= WHOLE_DIGITS)
        note(table, sqlite3_bind_int64(table->insert, at, strtoll(text, NULL, 10)));
    else if (number)
        note(table, sqlite3_bind_double(table->insert, at, strtod(text, NULL)));
    else
        note(table, sqlite3_bind_text(table->insert, at, text, -1, SQLITE_TRANSIENT));
}

static void add_row(struct tidy_table *table)
{
    note(table, sqlite3_step(table->insert));
    sqlite3_reset(table->insert);
}

static int close_insert(struct tidy_table *table, struct error *err)
{
    sqlite3_finalize(table->insert);
    table->insert = NULL;
    return table->code == SQLITE_OK ? 0
                                    : error_set(err, ERROR_OUTPUT, table->base->path, 0, 0,
                                                "%s", sqlite3_errstr(table->code));
}

#else

int tidy_base_open(struct tidy_base *base, const char *folder, const char *name,
                   struct error *err)
{
    *base = (struct tidy_base){0};
    return 0;
}

int tidy_base_commit(struct tidy_base *base, struct error *err)
{
    return 0;
}

void tidy_base_finish(struct tidy_base *base)
{
}

static int open_insert(struct tidy_table *table, const char *name, const char *const *names,
                       size_t texts, struct error *err)
{
    return 0;
}

static void bind(struct tidy_table *table, const char *text, bool number)
{
}

static void add_row(struct tidy_table *table)
{
}

static int close_insert(struct tidy_table *table, struct error *err)
{
    return 0;
}

#endif

/* ---- tables ---- */

int tidy_table_open(struct tidy_table *table, struct tidy_base *base, const char *folder,
                    const char *name, const char *const *names, size_t width, size_t texts,
                    struct error *err)
{
    char *path = NULL;
    *table = (struct tidy_table){.base = base, .width = width};
    if (asprintf(&path, "%s/%s.csv", folder, name) < 0)
        return error_no_memory(err);
    int result = sweep_folder_open(&table->csv, path, err);
    free(path);
    for (size_t i = 0; result == 0 && i < width; i++) {
        csv_file_write_field(table->csv.file, names[i]);
        fputc(i + 1 < width ? ',' : '\n', table->csv.file);
    }
    return result == 0 && base->handle != NULL ? open_insert(table, name, names, texts, err)
                                               : result;
}

static void next(struct tidy_table *table)
{
    bool last = ++table->column == table->width;
    fputc(last ? '\n' : ',', table->csv.file);
    if (!last)
        return;
    table->column = 0;
    if (table->insert != NULL)
        add_row(table);
}

void tidy_table_text(struct tidy_table *table, const char *text)
{
    csv_file_write_field(table->csv.file, text);
    if (table->insert != NULL)
        bind(table, text, false);
    next(table);
}

void tidy_table_number(struct tidy_table *table, const char *text)
{
    fputs(text, table->csv.file);
    if (table->insert != NULL)
        bind(table, text, true);
    next(table);
}

void tidy_table_real(struct tidy_table *table, double number)
{
    char buffer[NUMBER_TEXT];
    bool whole = number >= 0 && number < 9e15 && number == floor(number);
    tidy_table_number(table, !isfinite(number) ? ""
                             : whole           ? number_text_count((uint64_t)number, buffer)
                                               : number_text_real(number, buffer));
}

void tidy_table_whole(struct tidy_table *table, uint64_t number)
{
    char buffer[NUMBER_TEXT];
    tidy_table_number(table, number_text_count(number, buffer));
}

void tidy_table_end_row(struct tidy_table *table)
{
    while (table->column != 0)
        tidy_table_number(table, "");
}

int tidy_table_close(struct tidy_table *table, struct error *err)
{
    int result = table->insert != NULL ? close_insert(table, err) : 0;
    return result == 0 ? output_file_commit(&table->csv, err) : -1;
}

void tidy_table_finish(struct tidy_table *table)
{
    struct error ignored = {0};
    if (table->insert != NULL)
        close_insert(table, &ignored);
    output_file_finish(&table->csv);
}
