/* An output folder that is complete or not there: its files are written in a temporary folder
 * beside it and moved when all of them are complete. The temporary folder also holds what a run
 * needs to be resumed; it may outlive the run. */
#ifndef HEARTH_TRACES_BASE_FILES_OUTPUT_FOLDER_H
#define HEARTH_TRACES_BASE_FILES_OUTPUT_FOLDER_H

#include <stdbool.h>
#include <stdio.h>

#include "traces/base/error.h"

#define OUTPUT_FOLDER_FILES 16

struct output_folder {
    char *path;      /* where the files are moved to */
    char *temporary; /* PATH.part-PID */
    char *writing;   /* TEMPORARY/results, where they are written; NULL once they are moved */
    int lock;        /* while TEMPORARY exists: marks it as in use */
    bool adopted;    /* TEMPORARY was made by a run that ended early */
    bool keep;       /* TEMPORARY stays for another run to adopt; set by the caller */
    const char *files[OUTPUT_FOLDER_FILES];
    int count;
};

/* Makes the temporary folder beside PATH, and the folders above it, so that a place that cannot
 * be written is found before the work starts and not after it. PATH may be a folder already.
 * Temporary folders that killed processes left are removed. With MARK, however, the newest of
 * them that holds a file of that name is adopted (and kept, unless the caller changes that); if
 * its process still runs, that is an error. Returns 0, or -1 with ERR filled (ERROR_OUTPUT). */
int output_folder_init(struct output_folder *folder, const char *path, const char *mark,
                       struct error *err);
/* Removes the temporary folder, or only the unmoved files in it if it is to be kept. Accepts a
 * zeroed folder. */
void output_folder_finish(struct output_folder *folder);

/* Opens the file NAME (a literal) for writing. Returns NULL on error. */
FILE *output_folder_open(struct output_folder *folder, const char *name, struct error *err);
/* Closes it after its contents have reached the disk. Returns -1 with ERR filled if anything
 * was not written. */
int output_folder_close(struct output_folder *folder, FILE *file, struct error *err);

/* Moves all files to PATH. LAST is the name of the file that marks a finished folder: in a
 * folder that existed already it is removed first and moved last. STALE lists the files,
 * NULL-ended, that an earlier run may have left there; those that this run did not write are
 * removed. */
int output_folder_commit(struct output_folder *folder, const char *last,
                         const char *const *stale, struct error *err);

#endif
