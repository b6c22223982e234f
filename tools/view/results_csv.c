#include "tools/view/results_csv.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "traces/base/files/paths.h"
#include "traces/base/number.h"

static int read_names(struct results_csv *table, struct error *err)
{
    int found = csv_file_next(&table->csv, err);
    if (found <= 0)
        return found < 0 ? -1
                         : error_set(err, ERROR_TRACE, table->path, 1, 0,
                                     "no line with the names of columns");
    table->names = calloc(table->csv.count + 1, sizeof *table->names);
    if (table->names == NULL)
        return error_no_memory(err);
    for (; table->columns < table->csv.count; table->columns++) {
        char *name = strdup(csv_file_field(&table->csv, table->columns));
        if (name == NULL)
            return error_no_memory(err);
        table->names[table->columns] = name;
    }
    return 0;
}

int results_csv_open(struct results_csv *table, const char *folder, const char *name,
                     bool missing, struct error *err)
{
    *table = (struct results_csv){.path = paths_join(folder, name)};
    if (table->path == NULL)
        return error_no_memory(err);
    table->in = fopen(table->path, "r");
    if (table->in == NULL && missing && errno == ENOENT)
        return 0;
    if (table->in == NULL)
        return error_set(err, ERROR_TRACE, table->path, 0, 0, "%s", strerror(errno));
    if (csv_file_init(&table->csv, table->in, table->path, err) != 0)
        return -1;
    return read_names(table, err) == 0 ? 1 : -1;
}

void results_csv_finish(struct results_csv *table)
{
    for (size_t i = 0; i < table->columns; i++)
        free(table->names[i]);
    free(table->names);
    csv_file_finish(&table->csv);
    if (table->in != NULL)
        fclose(table->in);
    free(table->path);
    *table = (struct results_csv){0};
}

size_t results_csv_find(const struct results_csv *table, const char *name)
{
    size_t i = 0;
    while (i < table->columns && strcmp(table->names[i], name) != 0)
        i++;
    return i;
}

int results_csv_next(struct results_csv *table, struct error *err)
{
    int found = csv_file_next(&table->csv, err);
    if (found == 1 && table->csv.count != table->columns)
        return csv_file_fail(&table->csv, 0, err,
                             "expected %zu fields as in the first line, "
                             "got %zu",
                             table->columns, table->csv.count);
    return found;
}

const char *results_csv_text(const struct results_csv *table, size_t column)
{
    return column < table->columns ? csv_file_field(&table->csv, column) : "";
}

int results_csv_count(const struct results_csv *table, size_t column, uint64_t *value,
                      struct error *err)
{
    const char *text = results_csv_text(table, column);
    *value = 0;
    if (text[0] == '\0' || number_count(text, UINT64_MAX, value) == NUMBER_OK)
        return 0;
    return csv_file_fail(&table->csv, column, err, "%s=\"%.60s\": expected a whole number",
                         table->names[column], text);
}
