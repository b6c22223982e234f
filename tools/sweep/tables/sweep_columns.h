/* The columns of the tables of a sweep. */
#ifndef HEARTH_TOOLS_SWEEP_TABLES_SWEEP_COLUMNS_H
#define HEARTH_TOOLS_SWEEP_TABLES_SWEEP_COLUMNS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "tools/sweep/spec/sweep_spec.h"

enum sweep_table {
    SWEEP_LAUNCHES,
    SWEEP_JOBS,
    SWEEP_KERNELS,
    SWEEP_CONFIGURATIONS,
    SWEEP_TABLES
};
const char *sweep_columns_table(enum sweep_table table);

/* The columns of a table. */
struct sweep_heads {
    const char **names;
    size_t count, texts; /* the first TEXTS hold text */
};
/* Returns false without memory. */
bool sweep_columns_init(struct sweep_heads *heads, enum sweep_table table,
                        const struct sweep_spec *spec);
void sweep_columns_finish(struct sweep_heads *heads);

/* Whether NAME is a column of a table: no axis may be called so. */
bool sweep_columns_taken(const char *name);

/* The statistics that have totals: those of samples (tools/run/results/extrapolation.h). */
size_t sweep_columns_total_count(void);
const char *sweep_columns_total_name(size_t index);
/* The index of NAME; SIZE_MAX if there is none. */
size_t sweep_columns_total(const char *name);

#endif
