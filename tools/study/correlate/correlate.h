/* Shared by the files of hearth study correlate: programs with their simulated and their
 * measured results. */
#ifndef HEARTH_TOOLS_STUDY_CORRELATE_CORRELATE_H
#define HEARTH_TOOLS_STUDY_CORRELATE_CORRELATE_H

#include "tools/report/report_table.h"
#include "tools/study/correlate/error_stats.h"
#include "tools/study/correlate/measured.h"
#include "tools/study/correlate/pairing.h"
#include "tools/study/study_files.h"
#include "tools/study/study_run.h"

/* One operand. */
struct correlate_program {
    char *name;       /* of its rows in the measured table */
    const char *path; /* a folder of results, or a workload */
    struct results results;
    struct pairing pairs;
    struct results cold; /* the same with L1 and L2 flushed before each launch */
    struct pairing cold_pairs;
    double extra; /* cycles to add to those of a row, so that the launch is in them or not */
};

struct correlate {
    struct study_options options;
    const char *hardware, *counters_path, *metric;
    bool with_launch, no_cold, calibration;
    struct ranges chosen; /* --launches; empty: all */
    struct measured measured;
    struct csv_table counters; /* of `counters_path`; else empty */
    struct correlate_program *programs;
    size_t program_count;
    struct study_files files;
    struct study_run_count count;
};

/* Simulated cycles of the launch, as the measured ones count them; NaN without a ROW. */
double correlate_cycles(const struct correlate_program *program, const struct row *row);

enum correlate_sheet {
    CORRELATE_SUMMARY,
    CORRELATE_PROGRAMS,
    CORRELATE_KERNELS,
    CORRELATE_COUNTERS,
    CORRELATE_COLD,
    CORRELATE_LAUNCHES,
    CORRELATE_UNMATCHED,
    CORRELATE_MECHANISMS,
    CORRELATE_ROWS,
    CORRELATE_SLOPES,
    CORRELATE_SHEETS
};

/* Fill the tables; each returns 0, or -1 with ERR filled. Sheets start zeroed and are finished
 * by the caller in any case. */
int correlate_fill_errors(const struct correlate *correlate,
                          struct report_table sheets[CORRELATE_SHEETS], struct error *err);
int correlate_fill_counters(const struct correlate *correlate, struct report_table *sheet,
                            struct error *err);
int correlate_fill_cold(const struct correlate *correlate,
                        struct report_table sheets[CORRELATE_SHEETS], struct error *err);
/* Whether MEASURED has the columns of calibration rows. Returns 0, or -1 with ERR filled. */
int correlate_check_calibration(const struct measured *measured, struct error *err);
int correlate_fill_calibration(const struct correlate *correlate,
                               struct report_table sheets[CORRELATE_SHEETS], struct error *err);

/* Adds a line to the table of figures. */
void correlate_add_figure(struct report_table *summary, const char *figure, double value,
                          int digits, const char *unit);

/* Writes the tables and the page. */
int correlate_write(struct correlate *correlate, struct report_table sheets[CORRELATE_SHEETS],
                    struct error *err);

#endif
