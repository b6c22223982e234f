/* A file that is complete or not there: it is written under a temporary name beside its own,
 * and renamed when it is complete. Until then the file that has its name stays as it is. */
#ifndef HEARTH_TRACES_BASE_FILES_OUTPUT_FILE_H
#define HEARTH_TRACES_BASE_FILES_OUTPUT_FILE_H

#include <stdbool.h>
#include <stdio.h>

#include "traces/base/error.h"

/* Zeroed: not open. A caller may set only `file`, to standard output for example; it is then
 * neither renamed nor closed. */
struct output_file {
    FILE *file; /* where to write; NULL: not open */
    char *path; /* its name when it is complete; for messages, too */
    char *part; /* its name until then; NULL: written under PATH itself */
    bool keep;  /* what is not complete stays as PART; set by the caller before it is opened */
};

/* Whether a file may be written to PATH: nothing is there, or a regular file and REPLACE.
 * Returns 0, or -1 with ERR filled (ERROR_OUTPUT): folders, devices and pipes are never
 * replaced. */
int output_file_check(const char *path, bool replace, struct error *err);

/* Makes a new file at PATH to write to; a file or symbolic link there is removed first, never
 * written to or followed. NULL with errno set on error. */
FILE *output_file_create(const char *path);

/* Opens the file that will be PATH; output_file_check() applies. PART is its temporary name,
 * NULL: PATH.part. Returns 0, or -1 with ERR filled (ERROR_OUTPUT) and nothing to finish. */
int output_file_open(struct output_file *output, const char *path, const char *part,
                     bool replace, struct error *err);
/* Closes the file, which keeps its temporary name. Returns 0, or -1 with ERR filled if not all
 * was written, or if another process took the temporary name for a file of its own. */
int output_file_close(struct output_file *output, struct error *err);
/* Closes the file if that is still to be done, and renames it. Returns 0, or -1 with ERR filled
 * and OUTPUT still to be finished. */
int output_file_commit(struct output_file *output, struct error *err);
/* Removes what was not committed, or keeps it as PART. Accepts a zeroed one. */
void output_file_finish(struct output_file *output);

#endif
