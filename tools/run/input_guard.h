/* The files that a command reads: none of its outputs may replace one of them. */
#ifndef HEARTH_TOOLS_RUN_INPUT_GUARD_H
#define HEARTH_TOOLS_RUN_INPUT_GUARD_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

#include "traces/base/error.h"

/* All members but the first two must be zero. */
struct input_guard {
    /* COUNT names from the command line, NULL if an option was not given: workloads and plans
     * with all that they list, profiles with their companions, results, configurations. */
    const char *const *names;
    size_t count;
    /* Private. */
    struct input_guard_file {
        dev_t device;
        ino_t number;
    } * files; /* sorted, if `listed` */
    size_t file_count;
    bool listed;
};

/* Returns 0 if OUTPUT is none of the files of GUARD (a struct input_guard) under any name or
 * link, -1 with ERR filled (ERROR_USAGE) otherwise. An output that does not exist is not one
 * of them; the files are looked up only when an output exists. This function serves as
 * output_files.check. */
int input_guard_check(void *guard, const char *output, struct error *err);
void input_guard_finish(struct input_guard *reads);

#endif
