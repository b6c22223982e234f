/* Tables that are written row by row, as CSV and into a database of SQLite. */
#ifndef HEARTH_TOOLS_SWEEP_TABLES_TIDY_TABLE_H
#define HEARTH_TOOLS_SWEEP_TABLES_TIDY_TABLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "traces/base/error.h"
#include "traces/base/files/output_file.h"

/* The database of all tables of a folder. Zeroed: there is none, and tables are only CSV. */
struct tidy_base {
    void *handle; /* sqlite3 *; NULL without SQLite */
    char *path, *part;
};

/* Whether this program was built with SQLite. */
bool tidy_base_available(void);

/* Makes the database that will be FOLDER/NAME. Does nothing without SQLite. Returns 0, or -1
 * with ERR filled; tidy_base_finish() either way. */
int tidy_base_open(struct tidy_base *base, const char *folder, const char *name,
                   struct error *err);
/* Gives the database its name. */
int tidy_base_commit(struct tidy_base *base, struct error *err);
/* Removes what was not committed. */
void tidy_base_finish(struct tidy_base *base);

struct tidy_table {
    struct tidy_base *base;
    struct output_file csv;
    void *insert;         /* sqlite3_stmt *; NULL without SQLite */
    int code;             /* SQLite's, of what failed first in a row; 0: all is well */
    size_t width, column; /* columns; the next one */
};

/* Opens FOLDER/NAME.csv and the table NAME with the columns NAMES, of which the first TEXTS
 * hold text, and the others numbers or text. Returns 0, or -1 with ERR filled;
 * tidy_table_finish() either way. */
int tidy_table_open(struct tidy_table *table, struct tidy_base *base, const char *folder,
                    const char *name, const char *const *names, size_t width, size_t texts,
                    struct error *err);

/* The next cell; after the last one of a row the next row begins. A NaN is an empty cell. */
void tidy_table_text(struct tidy_table *table, const char *text);
void tidy_table_real(struct tidy_table *table, double number);
void tidy_table_whole(struct tidy_table *table, uint64_t number);
/* A number as text, or "". */
void tidy_table_number(struct tidy_table *table, const char *text);
/* Empty cells up to the end of the row. */
void tidy_table_end_row(struct tidy_table *table);

int tidy_table_close(struct tidy_table *table, struct error *err);
void tidy_table_finish(struct tidy_table *table);

#endif
