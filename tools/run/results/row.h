/* One simulated launch in the results, and the table of its columns, from which every output
 * is made. */
#ifndef HEARTH_TOOLS_RUN_RESULTS_ROW_H
#define HEARTH_TOOLS_RUN_RESULTS_ROW_H

#include <stddef.h>
#include <stdint.h>

#include "sampling/intra/intra.h"
#include "sim/sim.h"
#include "tools/run/notes.h"
#include "tools/run/plan/plan.h"
#include "tools/run/results/intervals.h"
#include "tools/run/results/row_parts.h"
#include "tools/run/results/stacks.h"
#include "traces/traces.h"
#include "warmup/warmup.h"

/* What a segment is called: TEXT; with a NUMBER "TEXT-NUMBER", or "NUMBER" if TEXT is empty. */
struct row_segment {
    const char *text;
    uint64_t number; /* 0: none */
};

struct row {
    uint64_t step;   /* position in the executed plan, from 1 */
    uint64_t launch; /* number in the workload */
    uint64_t stream;
    size_t segments;            /* segments of the plan up to and including this one */
    struct row_segment segment; /* its name, or number from 1; not owned */
    const char *kernel;         /* likewise */
    uint32_t grid[3], block[3];
    enum plan_role role;
    enum plan_mode mode;
    double scale;
    uint64_t primed;              /* warp instructions before the measured part (prime=) */
    const char *intra;            /* method that sampled inside it; NULL: none. It lasts */
    struct intra_outcome outcome; /* what that did */
    double seconds;               /* that its simulation took; 0 if an earlier process
                                     simulated it */
    struct sim_result result;     /* of the measured part */
    struct intervals intervals;   /* empty unless requested */
    struct stacks stacks;         /* likewise */
    struct row_parts parts;       /* likewise */
    struct notes notes;           /* about its trace */
    bool resumed;                 /* finished by an earlier process */
    bool corrected;               /* its cycles have been corrected: */
    struct correction correction;
};

/* Fills ROW with what HEADER says and with SEGMENT. Its texts stay the caller's. */
void row_init(struct row *row, const struct trace_header *header, struct row_segment segment);
/* Accepts a zeroed one. */
void row_finish(struct row *row);
/* Keeps the stacks and parts of SIM's last launch, which is ROW's. False when memory is
 * short. */
bool row_keep(struct row *row, const struct sim *sim);

/* Warp instructions that were simulated for ROW. */
uint64_t row_simulated_insts(const struct row *row);

/* VALUE_NONE: unknown. */
enum value_kind { VALUE_TEXT, VALUE_COUNT, VALUE_RATIO, VALUE_NONE };

/* The value of a row in a column. */
struct value {
    enum value_kind kind;
    char text[32];      /* for short texts that are composed */
    const char *longer; /* VALUE_TEXT: the text, if it is not NULL; that of the row */
    uint64_t count;
    double ratio;
};

/* A value as text: digits, six significant ones for a ratio, "" for none. BUFFER is used for
 * numbers. */
const char *value_text(const struct value *value, char buffer[32]);

/* How the statistic of several launches is computed from theirs. */
enum row_kind {
    ROW_LABEL,    /* it is not: it identifies the launch or how it was simulated */
    ROW_ADDITIVE, /* their sum; for a sample, the sum of scale x value */
    ROW_RATIO,    /* the ratio of two sums */
    ROW_KINDS
};
/* "label", "additive", "ratio". */
const char *row_kind_name(enum row_kind kind);

struct row_column {
    const char *name, *unit, *description;
    const char *nsight; /* Nsight Compute's metric with the same meaning; NULL or "": none */
    enum row_kind kind;
};

/* Columns: the first ones, the counters of sim/stats/counters.def, the values of
 * sim/stats/derived.def, and the last ones. */
size_t row_column_count(void);
struct row_column row_column(size_t index);
/* How many of them are shown: the last ones are about methods inside launches, and shown if
 * INTRA. */
size_t row_column_shown(bool intra);
struct value row_value(const struct row *row, size_t index);

#endif
