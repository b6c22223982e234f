/* What the tables say about the cells of a workload: each is a workload on a configuration,
 * executed in one way. */
#ifndef HEARTH_TOOLS_SWEEP_TABLES_SWEEP_CELLS_H
#define HEARTH_TOOLS_SWEEP_TABLES_SWEEP_CELLS_H

#include "tools/sweep/sweep_todo.h"
#include "traces/base/text/texts.h"

struct sweep_cell {
    enum sweep_state state;
    char *message;      /* why there are no results; NULL: there are */
    double *totals;     /* of all statistics (sweep_columns.h) */
    uint64_t simulated; /* measured launches */
    struct sweep_kernel {
        const char *name;
        uint64_t launches; /* measured */
        double cycles;     /* of all launches that they represent */
    } * kernels;           /* in the order of their first launches */
    size_t kernel_count;
};

/* The cells of one workload, by configuration and way. */
struct sweep_cells {
    const struct sweep_todo *todo; /* not owned */
    size_t first;                  /* number of the first cell among all */
    size_t count;
    struct sweep_cell *items;
    double *totals; /* of all cells */
    struct texts names;
};

/* Starts with the first cell of WORKLOAD. Returns 0, or -1 with ERR filled;
 * sweep_cells_finish() either way. */
int sweep_cells_init(struct sweep_cells *cells, const struct sweep_todo *todo, size_t workload,
                     struct error *err);
void sweep_cells_finish(struct sweep_cells *cells);

/* Adds CYCLES of a launch of kernel NAME to CELL. Returns false without memory. */
bool sweep_cells_add(struct sweep_cells *cells, struct sweep_cell *cell, const char *name,
                     double cycles);

/* The cell that INDEX is compared with; NULL: there is no baseline, or it is not done. */
const struct sweep_cell *sweep_cells_baseline(const struct sweep_cells *cells, size_t index);
/* The same launches in full on the same configuration; NULL: INDEX is that, or there are none.
 */
const struct sweep_cell *sweep_cells_full(const struct sweep_cells *cells, size_t index);
/* Seconds per cycle of the cell INDEX. */
double sweep_cells_period(const struct sweep_cells *cells, size_t index);
const struct sweep_kernel *sweep_cells_kernel(const struct sweep_cell *cell, const char *name);

#endif
