/* The common format, written. */
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "traces/base/csv/csv_file.h"
#include "traces/profile/columns.h"

/* An empty name that is known is not the same as an unknown one. */
static void write_name(const char *name, FILE *out)
{
    if (*name == '\0')
        csv_file_write_quoted(out, name);
    else
        csv_file_write_field(out, name);
}

/* The fewest digits that give VALUE back. */
static void write_real(double value, FILE *out)
{
    char text[32];
    snprintf(text, sizeof text, "%.15g", value);
    if (strtod(text, NULL) != value)
        snprintf(text, sizeof text, "%.17g", value);
    fputs(text, out);
}

static void write_value(const struct profile *profile, const struct profile_row *row,
                        enum profile_column column, FILE *out)
{
    if (!profile_knows(row, column))
        return;
    switch (profile_column_info(column)->type) {
    case PROFILE_TEXT:
        write_name(profile->kernels[row->kernel], out);
        break;
    case PROFILE_COUNT:
        fprintf(out, "%" PRIu64, column_count(row, column));
        break;
    case PROFILE_REAL:
        write_real(column_real(row, column), out);
        break;
    }
}

static void write_row(const struct profile *profile, const struct profile_row *row, FILE *out)
{
    for (unsigned i = 0; i < PROFILE_COLUMNS; i++) {
        if (i > 0)
            putc(',', out);
        write_value(profile, row, (enum profile_column)i, out);
    }
    putc('\n', out);
}

int profile_write_rows(const struct profile *profile, FILE *out, const char *name,
                       struct error *err)
{
    for (size_t i = 0; i < profile->count; i++)
        write_row(profile, &profile->rows[i], out);
    if (ferror(out))
        return error_set(err, ERROR_OUTPUT, name != NULL ? name : "standard output", 0, 0,
                         "cannot write: %s", strerror(errno));
    return 0;
}

int profile_write(const struct profile *profile, FILE *out, const char *name, struct error *err)
{
    for (unsigned i = 0; i < PROFILE_COLUMNS; i++)
        fprintf(out, "%s%s", i > 0 ? "," : "",
                profile_column_info((enum profile_column)i)->name);
    putc('\n', out);
    return profile_write_rows(profile, out, name, err);
}
