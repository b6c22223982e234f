/* hearth diff --check: whether two results are the same, column by column. */
#ifndef HEARTH_TOOLS_COMMANDS_DIFF_DIFF_CHECK_H
#define HEARTH_TOOLS_COMMANDS_DIFF_DIFF_CHECK_H

#include <stdbool.h>
#include <stddef.h>

#include "traces/base/error.h"

/* An option about a column. */
struct diff_rule {
    const char *name; /* ends at `length`; "": all columns */
    size_t length;
    double percent; /* negative: the column is ignored */
};

/* Zeroed: every difference counts. */
struct diff_check {
    struct diff_rule *rules; /* of --tolerance and --ignore, by the functions below */
    size_t rule_count;
    bool measured; /* only the measured launches that both have */
    bool quiet;    /* nothing is printed */
};

/* Take VALUE, that of an option; it stays the caller's. Return 0, or -1 with ERR filled
 * (ERROR_USAGE). */
int diff_check_tolerance(struct diff_check *options, const char *value, struct error *err);
int diff_check_ignore(struct diff_check *options, const char *value, struct error *err);
void diff_check_finish(struct diff_check *options);

/* Compares the kernels.csv of both FOLDERS and prints what differs. Returns the exit code, 0
 * or 1; or -1 with ERR filled. */
int diff_check_run(const struct diff_check *options, char *const folders[2], struct error *err);

#endif
