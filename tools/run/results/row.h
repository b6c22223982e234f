/* One simulated launch in the results, and the table of its columns: every
 * output is made from that table. */
#ifndef HEARTH_TOOLS_RUN_RESULTS_ROW_H
#define HEARTH_TOOLS_RUN_RESULTS_ROW_H

#include <stddef.h>
#include <stdint.h>

#include "sim/sim.h"
#include "tools/run/notes.h"
#include "tools/run/plan/plan.h"
#include "tools/run/results/intervals.h"
#include "tools/run/results/stacks.h"
#include "traces/traces.h"
#include "warmup/warmup.h"

struct row {
    uint64_t step;   /* position in the executed plan, from 1 */
    uint64_t launch; /* number in the workload */
    uint64_t stream;
    size_t segments; /* of the plan so far, this one included */
    char *segment;   /* its name, or number from 1 */
    char *kernel;
    uint32_t grid[3], block[3];
    enum plan_role role;
    enum plan_mode mode;
    double scale;
    uint64_t primed;            /* warp instructions in front of what is measured (prime=) */
    double seconds;             /* that it took; 0 when an earlier process finished it */
    struct sim_result result;   /* of what is measured */
    struct intervals intervals; /* none unless they are asked for */
    struct stacks stacks;       /* likewise */
    struct notes notes;         /* on its trace */
    bool resumed;               /* finished by an earlier process */
    bool corrected;             /* there is a correction of its cycles: */
    struct correction correction;
};

/* Copies what is kept of them. Returns 0, or -1 without memory (ROW empty). */
int row_init(struct row *row, const struct trace_header *header, const char *segment);
void row_finish(struct row *row);

/* VALUE_NONE: nothing is known. */
enum value_kind { VALUE_TEXT, VALUE_COUNT, VALUE_RATIO, VALUE_NONE };

/* What a column says of a row. */
struct value {
    enum value_kind kind;
    char text[32];      /* short texts made on the way */
    const char *longer; /* VALUE_TEXT: the text if not NULL, owned by the row */
    uint64_t count;
    double ratio;
};

/* The text of a value: digits, six significant ones for a ratio, "" for none. BUFFER is
 * used for numbers. */
const char *value_text(const struct value *value, char buffer[32]);

/* How a statistic of several launches follows from theirs. */
enum row_kind {
    ROW_LABEL,    /* not at all: it tells which launch it is, where and how it ran */
    ROW_ADDITIVE, /* their sum; of a sample, of scale x value */
    ROW_RATIO,    /* one sum over another */
    ROW_KINDS
};
/* "label", "additive", "ratio". */
const char *row_kind_name(enum row_kind kind);

struct row_column {
    const char *name, *unit, *description;
    const char *nsight; /* Nsight Compute's metric of the same meaning; NULL or "": none */
    enum row_kind kind;
};

/* Columns: leading ones, the counters of sim/stats/counters.def, the values of
 * sim/stats/derived.def, closing ones. */
size_t row_column_count(void);
struct row_column row_column(size_t index);
struct value row_value(const struct row *row, size_t index);

#endif
