/* The fields of rows by column. */
#ifndef HEARTH_TRACES_PROFILE_COLUMNS_H
#define HEARTH_TRACES_PROFILE_COLUMNS_H

#include "traces/profile.h"

/* The largest value that a count's field holds. */
uint64_t column_most(enum profile_column column);
/* Sets a field and that it is known. VALUE is at most column_most(). */
void column_set_count(struct profile_row *row, enum profile_column column, uint64_t value);
void column_set_real(struct profile_row *row, enum profile_column column, double value);
uint64_t column_count(const struct profile_row *row, enum profile_column column);
double column_real(const struct profile_row *row, enum profile_column column);
/* The column of that name, PROFILE_COLUMNS for none. */
enum profile_column column_find(const char *name);

#endif
