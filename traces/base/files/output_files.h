/* A few output files that belong together: all of them are complete, or none is there. */
#ifndef HEARTH_TRACES_BASE_FILES_OUTPUT_FILES_H
#define HEARTH_TRACES_BASE_FILES_OUTPUT_FILES_H

#include "traces/base/files/output_file.h"

#define OUTPUT_FILES_MOST 16

/* Zeroed at the start, except for the first two. */
struct output_files {
    /* Whether PATH may be written at all: 0, or -1 with ERR filled. It is asked for the name of
     * each file and for its temporary name. NULL: every file may. */
    int (*check)(void *data, const char *path, struct error *err);
    void *data;
    struct output_file
        files[OUTPUT_FILES_MOST]; /* by number; a caller may set `file` to stdout */
};

/* Opens file number WHICH: PATH if SUFFIX is "", else PATH with SUFFIX instead of its ".csv" or
 * after it. output_file_check() applies. Returns 0, or -1 with ERR filled. */
int output_files_open(struct output_files *outputs, int which, const char *path,
                      const char *suffix, bool replace, struct error *err);
/* output_files_open() without a suffix; PATH "-" is standard output. */
int output_files_open_one(struct output_files *outputs, int which, const char *path,
                          bool replace, struct error *err);
/* Closes all files, then renames them, number 0 first. Returns -1 with ERR filled if anything
 * was not written. */
int output_files_commit(struct output_files *outputs, struct error *err);
/* Removes what was not committed. */
void output_files_finish(struct output_files *outputs);

#endif
