/* The files that a command reads: none of its outputs may be one of them. */
#ifndef HEARTH_TOOLS_RUN_INPUT_GUARD_H
#define HEARTH_TOOLS_RUN_INPUT_GUARD_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

#include "traces/base/error.h"

/* Zeroed but for the first two. */
struct input_guard {
    /* What the command line names, COUNT of them, NULL where nothing was given: workloads and
     * plans with all that they list, profiles with their companions, results, configurations.
     */
    const char *const *names;
    size_t count;
    /* Private. */
    struct input_guard_file {
        dev_t device;
        ino_t number;
    } * files; /* in order, once `listed` */
    size_t file_count;
    bool listed;
};

/* Whether OUTPUT is none of the files that GUARD, a struct input_guard, names: under any name
 * or link. An output that does not exist yet is none of them; the files are only looked up when
 * one exists. Returns 0, or -1 with ERR filled (ERROR_USAGE). It serves as output_files.check.
 */
int input_guard_check(void *guard, const char *output, struct error *err);
void input_guard_finish(struct input_guard *reads);

#endif
