/* Profiles: one row a launch with features for sampling methods.
 * Included by traces.h.
 *
 * A profile is measured on a trace (profile_add_trace()) or read from a CSV:
 * its own format, or what the public profilers write (profile_open()). What a
 * source does not report is unknown, which is not the same as 0. A method states
 * the columns that it needs (profile_require()) and may then read the fields of
 * every row. docs/profiles.md defines each column and what it is read from.
 *
 * Functions return 0 (unless stated otherwise) on success, -1 or NULL with ERR filled
 * on error: ERROR_TRACE for what is wrong with an input, ERROR_USAGE for a
 * profile that lacks what a method needs, ERROR_OUTPUT. A profile that nobody
 * changes may be read by several threads. */
#ifndef HEARTH_TRACES_PROFILE_H
#define HEARTH_TRACES_PROFILE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "traces/base/error.h"

/* ---- columns ----------------------------------------------------------- */

enum profile_column {
#define COLUMN(id, name, field, type, unit, description) PROFILE_##id,
#include "traces/profile/columns.def"
#undef COLUMN
    PROFILE_COLUMNS
};

enum profile_type {
    PROFILE_TEXT,
    PROFILE_COUNT, /* whole, from 0 */
    PROFILE_REAL,  /* finite, from 0 */
};

struct profile_column_info {
    const char *name; /* in the file */
    enum profile_type type;
    const char *unit; /* "" for none */
    const char *description;
};

/* Of a column below PROFILE_COLUMNS. */
const struct profile_column_info *profile_column_info(enum profile_column column);

/* A set of columns. */
#define PROFILE_BIT(column) (UINT64_C(1) << (column))
#define PROFILE_GRID                                                                           \
    (PROFILE_BIT(PROFILE_GRID_X) | PROFILE_BIT(PROFILE_GRID_Y) | PROFILE_BIT(PROFILE_GRID_Z))
#define PROFILE_BLOCK                                                                          \
    (PROFILE_BIT(PROFILE_BLOCK_X) | PROFILE_BIT(PROFILE_BLOCK_Y) | PROFILE_BIT(PROFILE_BLOCK_Z))

/* ---- rows -------------------------------------------------------------- */

/* One launch. Units are those of the columns. */
struct profile_row {
    uint64_t known;  /* set of the columns that are known; fields of others are 0 */
    uint64_t launch; /* different in every row; always known */
    uint64_t stream;
    uint32_t line;   /* of the file that it was read from; 0 if it was measured */
    uint32_t kernel; /* index in profile.kernels; always known */
    uint32_t regs;
    uint32_t shmem;
    uint32_t grid[3], block[3];
    uint64_t warp_insts, thread_insts;
    uint64_t gld_sectors, gst_sectors, lld_sectors;
    uint64_t gld_insts, gst_insts, lld_insts, sld_insts, sst_insts, gatom_insts;
    uint64_t mem_requests;
    uint64_t gld_insts_on, gst_insts_on;
    double divergence;    /* 0..32 */
    double cta_insts_cov; /* 0 when all blocks are equal */
    double cycles, time_ns;
};

static inline bool profile_knows(const struct profile_row *row, enum profile_column column)
{
    return (row->known & PROFILE_BIT(column)) != 0;
}

/* The value of any column but the kernel's as a number; NaN if it is not
 * known. Counts above 2^53 are rounded. */
double profile_number(const struct profile_row *row, enum profile_column column);
/* Thread blocks of the grid, and threads of a block; NaN if not known. */
double profile_blocks(const struct profile_row *row);
double profile_block_threads(const struct profile_row *row);

/* ---- the table --------------------------------------------------------- */

struct profile {
    char *path;               /* as given; messages start with it */
    const char *format;       /* what was read: "profile", "Nsight Compute" ... */
    char *note;               /* what was passed over, one sentence; or NULL */
    struct profile_row *rows; /* in the order of the file, which is that of the launches */
    size_t count;             /* at least 1 where it was read */
    char **kernels;           /* the different names, in the order of their first launch */
    size_t kernel_count;
    /* private */
    size_t slot_count;
    uint32_t *slots;
};

/* Whether PATH is a table, as a profiler writes, and not a workload: by its name. */
bool profile_is_table(const char *path);
/* Reads the profile at PATH. The format is found from the header row:
 *   - the common one, which profile_write() writes; other columns are passed
 *     over and named in `note`
 *   - Nsight Compute: raw page, a row a launch, with its row of units; or a row
 *     a metric, as its command line prints it; several versions' metric names
 *   - nvprof --print-gpu-trace --csv and Nsight Systems cuda_gpu_trace
 *   - stats.csv of Accel-Sim's tracer
 *   - a table of Accel-Sim's statistics a launch, named by the regular
 *     expressions of its scripts
 * Takes memory in the order of the file's size; kernel names are kept once.
 * Every error has file, line and column: no header, a required column missing
 * or named twice, a row of another length, what is no number or out of range, a
 * launch twice, no launch. */
struct profile *profile_open(const char *path, struct error *err);
/* The same from a stream, which stays the caller's; NAME is for messages. */
struct profile *profile_read(FILE *in, const char *name, struct error *err);
/* An empty profile. */
struct profile *profile_create(const char *name, struct error *err);
/* Accepts NULL. */
void profile_destroy(struct profile *profile);

/* The number of the kernel called NAME, a new one if needed. UINT32_MAX with
 * ERR filled when memory ran out. */
uint32_t profile_kernel(struct profile *profile, const char *name, struct error *err);
/* Appends ROW, as it is. */
int profile_add(struct profile *profile, const struct profile_row *row, struct error *err);

/* The columns that every row knows. */
uint64_t profile_known(const struct profile *profile);
/* Whether every row knows COLUMNS; METHOD is for the message, which names
 * those that are missing and the first launch without. */
int profile_require(const struct profile *profile, uint64_t columns, const char *method,
                    struct error *err);

/* Writes the common format (RFC 4180, lines end with LF); unknown is empty. Reading it back
 * gives the same rows. NAME is for messages; NULL: standard output. */
int profile_write(const struct profile *profile, FILE *out, const char *name,
                  struct error *err);
/* The same without the header row, to go on with a file. */
int profile_write_rows(const struct profile *profile, FILE *out, const char *name,
                       struct error *err);

/* The part of a launch's cycles that the card's configuration adds to each launch, whatever it
 * does: LAUNCH cycles and BLOCK cycles for each of its thread blocks. */
struct profile_latency {
    double launch, block;
};

/* Fills `cycles` from the kernels.csv of a run, by launch, without LATENCY; only rows that were
 * measured in detail count. Launches that it does not hold keep what they
 * have. A launch that is another kernel there, or was measured twice with
 * different cycles, is an error. Returns how many launches were filled. */
long profile_fill_cycles(struct profile *profile, const char *path,
                         const struct profile_latency *latency, struct error *err);

/* ---- from traces ------------------------------------------------------- */

struct trace_kernel;

/* Where the companions of a profile go. Both are complete when the last launch
 * was added; the caller closes them. */
struct profile_companions {
    FILE *blocks; /* launch,block,warp_insts,thread_insts,mem_requests: a row a thread block,
                     by its number x + grid_x * (y + grid_y * z). NULL: none */
    FILE *bbv;    /* launch,warp_type,warps,pc,insts,count: a row a basic block of each type of
                     warps, the types by falling number of warps. NULL: none */
    uint64_t every; /* of the warps of the grid, number 0, N, 2N ... are looked at for `bbv`;
                       0 = 1, all. "Photon" (Liu et al.) looks at one of 100 */
};

/* Writes their header rows. */
int profile_begin_companions(const struct profile_companions *companions, struct error *err);
/* Reads all of KERNEL and appends its row, as launch number LAUNCH. Knows all
 * columns but cycles and time; divergence of no instruction and CoV of no
 * thread instruction are not known. COMPANIONS may be NULL. Memory grows with
 * the number of blocks (32 bytes each) and of different warps (`bbv`). */
int profile_add_trace(struct profile *profile, struct trace_kernel *kernel, uint64_t launch,
                      const struct profile_companions *companions, struct error *err);

/* The same of what the header of KERNEL says, which is not read: grid, block and warp
 * instructions. An error for text, which does not say the latter. */
int profile_add_counts(struct profile *profile, const struct trace_kernel *kernel,
                       uint64_t launch, struct error *err);

/* ---- reading companions ------------------------------------------------ */

/* A row of NAME.blocks.csv. */
struct profile_block_row {
    uint64_t launch, block, warp_insts, thread_insts, mem_requests;
};
/* A row of NAME.bbv.csv: `count` is how often one warp of that type executes
 * the basic block of `insts` instructions that starts at `pc`. */
struct profile_bbv_row {
    uint64_t launch, warp_type, warps, pc, insts, count;
};

struct profile_stream;

/* Opens a companion, row by row in bounded memory; NAME is for messages. IN
 * stays the caller's. NULL on error. */
struct profile_stream *profile_blocks_open(FILE *in, const char *name, struct error *err);
struct profile_stream *profile_bbv_open(FILE *in, const char *name, struct error *err);
/* The next row. Returns 1, 0 after the last, -1 on error. */
int profile_blocks_next(struct profile_stream *stream, struct profile_block_row *row,
                        struct error *err);
int profile_bbv_next(struct profile_stream *stream, struct profile_bbv_row *row,
                     struct error *err);
/* Accepts NULL. */
void profile_stream_close(struct profile_stream *stream);

#endif
