/* The formats that profiles are read from: one file and one line in the table
 * of read.c each. */
#ifndef HEARTH_TRACES_PROFILE_FORMAT_H
#define HEARTH_TRACES_PROFILE_FORMAT_H

#include "traces/base/csv/csv_file.h"
#include "traces/profile/columns.h"

struct format {
    const char *name;
    /* Whether the row that CSV stands at is a header of this format. */
    bool (*probe)(const struct csv_file *csv);
    /* Reads all rows after the header into PROFILE. */
    int (*read)(struct profile *profile, struct csv_file *csv, struct error *err);
};

extern const struct format format_profile, format_nsight, format_nsight_metrics,
    format_gpu_trace, format_tracer_stats, format_accel_sim;

/* The column of the header row whose name is NAME, CSV's count if there is
 * none. */
size_t format_find(const struct csv_file *csv, const char *name);
bool format_has(const struct csv_file *csv, const char *name);
/* Whether a row is as long as the header was; an error if not. */
int format_check_length(const struct csv_file *csv, size_t header, struct error *err);

/* ---- importing --------------------------------------------------------- */

/* What an import reads beside the columns of a profile. */
enum {
    SOURCE_LST_SECTORS = PROFILE_COLUMNS, /* sectors of local stores */
    SOURCE_ATOM_SECTORS,                  /* of global atomics */
    SOURCE_RED_SECTORS,                   /* of global reductions */
    SOURCE_RED_INSTS,     /* global reductions, where gatom_insts has none of them */
    SOURCE_DYNAMIC_SHMEM, /* where shmem is only the static part */
    SOURCE_GRID,
    SOURCE_BLOCK,         /* "(64, 1, 1)" */
    SOURCE_ID,            /* from 0 */
    SOURCE_TRACE,         /* kernel-5.trace */
    SOURCE_KERNEL_REPEAT, /* "name--4": the fifth launch of that name */
    SOURCE_KERNEL_ID,     /* "name [12]": nvprof's correlation id */
    SOURCE_COLUMNS
};

/* Where a column is read from. Of several that a file has, the first in the
 * table counts. */
struct profile_source {
    unsigned column; /* enum profile_column, or one of the above */
    const char *name;
};

/* One launch as it is put together. */
struct import {
    struct profile *profile;
    const struct profile_source *sources;
    size_t source_count;
    uint64_t launches; /* so far */
    struct profile_row row;
    uint64_t counts[SOURCE_COLUMNS - PROFILE_COLUMNS]; /* of the extra sources */
    uint64_t known;                                    /* of these, from bit 0 */
    unsigned char rank[SOURCE_COLUMNS]; /* 1 + index of the source that a value came from; 0:
                                           none */
};

/* The index of the source called NAME, source_count if no source has that name. */
size_t import_find(const struct import *import, const char *name);
/* Starts a launch at the row where CSV stands. */
void import_begin(struct import *import, const struct csv_file *csv);
/* Takes FIELD of CSV's row, in UNIT, as a value of SOURCE. A value of a better source that was
 * taken earlier is kept. An error if the field does not hold such a value. */
int import_take(struct import *import, size_t source, const struct csv_file *csv, size_t field,
                const char *unit, struct error *err);
/* Appends the launch. Launches without a number of their own are counted. */
int import_end(struct import *import, const struct csv_file *csv, struct error *err);

/* ---- tables with a row a launch ---------------------------------------- */

/* Reads such a table. CSV stands at its header row. A row without a kernel name
 * directly after it holds the units; names like "Duration (ns)" include
 * their unit. */
int wide_read(struct profile *profile, struct csv_file *csv,
              const struct profile_source *sources, size_t count, struct error *err);

/* The sources of Nsight Compute, which has two layouts. */
extern const struct profile_source nsight_sources[];
extern const size_t nsight_source_count;

#endif
