#include "tests/sampling/math/golden.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static char *read_all(const char *name)
{
    char path[1024];
    snprintf(path, sizeof path, "%s/%s", GOLDEN, name);
    FILE *in = fopen(path, "rb");
    ck_assert_msg(in != NULL, "%s", path);
    char *text = calloc(1, 1 << 20);
    ck_assert_ptr_nonnull(text);
    size_t length = fread(text, 1, (1 << 20) - 1, in);
    ck_assert_uint_gt(length, 0);
    fclose(in);
    return text;
}

static size_t count_of(const char *text, char c, const char *end)
{
    size_t count = 0;
    for (; *text != '\0' && text != end; text++)
        count += *text == c;
    return count;
}

struct matrix golden_read(const char *name)
{
    char *text = read_all(name), *at = text;
    struct matrix table;
    size_t rows = count_of(text, '\n', NULL);
    size_t columns = count_of(text, ',', strchr(text, '\n')) + 1;
    ck_assert_int_eq(matrix_init(&table, rows, columns), 0);
    for (size_t i = 0; i < rows * columns; i++) {
        table.values[i] = strtod(at, &at);
        ck_assert(*at == ',' || *at == '\n');
        at++;
    }
    free(text);
    return table;
}

struct matrix golden_columns(const struct matrix *table, size_t from, size_t count)
{
    struct matrix out;
    ck_assert_int_eq(matrix_init(&out, table->rows, count), 0);
    for (size_t i = 0; i < table->rows; i++)
        memcpy(matrix_row(&out, i), matrix_row(table, i) + from, count * sizeof *out.values);
    return out;
}

void golden_assert_near(const struct matrix *got, const struct matrix *expected,
                        double tolerance)
{
    ck_assert_uint_eq(got->rows, expected->rows);
    ck_assert_uint_eq(got->columns, expected->columns);
    for (size_t i = 0; i < got->rows * got->columns; i++)
        ck_assert_double_eq_tol(got->values[i], expected->values[i], tolerance);
}
