/* A few output files that belong together: all complete, or none there. */
#ifndef HEARTH_TOOLS_RUN_FILES_OUTPUT_FILES_H
#define HEARTH_TOOLS_RUN_FILES_OUTPUT_FILES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include "tools/run/input_guard.h"

#define OUTPUT_FILES_MOST 16

/* Zeroed at the start, but for: */
struct output_files {
    struct input_guard *reads; /* what no output may be; NULL: nothing is read */
    struct output_file {
        FILE *file; /* NULL: not opened; the caller may set stdout, which is left alone */
        char *path; /* its name in the end */
        char *part; /* its name as long as it is not complete */
    } files[OUTPUT_FILES_MOST];
};

/* Opens number WHICH under a temporary name beside the one that it will have:
 * PATH where SUFFIX is "", else PATH with SUFFIX in place of its ".csv", or
 * behind it. What stands there is an error (ERROR_OUTPUT) as of trace_output_check(), or as of
 * input_guard_check(). */
int output_files_open(struct output_files *outputs, int which, const char *path,
                      const char *suffix, bool replace, struct error *err);
/* output_files_open() without a suffix; PATH "-" is standard output. */
int output_files_open_one(struct output_files *outputs, int which, const char *path,
                          bool replace, struct error *err);
/* Closes all, and gives them their names from number 0 on. Returns -1 with ERR
 * filled if anything was not written. */
int output_files_commit(struct output_files *outputs, struct error *err);
/* Removes what was not committed. */
void output_files_finish(struct output_files *outputs);

#endif
