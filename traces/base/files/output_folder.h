/* An output folder that is complete or absent: files are written in a
 * temporary folder beside it and moved there when all of them are. What a run
 * needs to be resumed lies in the temporary folder, which may outlive it. */
#ifndef HEARTH_TOOLS_RUN_FILES_OUTPUT_FOLDER_H
#define HEARTH_TOOLS_RUN_FILES_OUTPUT_FOLDER_H

#include <stdbool.h>
#include <stdio.h>

#include "traces/base/error.h"

#define OUTPUT_FOLDER_FILES 16

struct output_folder {
    char *path;      /* where the files end up */
    char *temporary; /* PATH.part-PID */
    char *writing;   /* TEMPORARY/results: where they are written; NULL when moved */
    int lock;        /* while TEMPORARY is there: says that it is in use */
    bool adopted;    /* TEMPORARY is that of a run that ended early */
    bool keep;       /* TEMPORARY stays for another run to adopt; set by the caller */
    const char *files[OUTPUT_FOLDER_FILES];
    int count;
};

/* Makes the temporary folder beside PATH, and the folders above it, so that a
 * place that cannot be written is found before the work and not after it.
 * PATH may be a folder already. What killed processes left there of theirs is
 * removed; but with MARK, the newest that holds a file of that name is adopted
 * (and kept, unless the caller says otherwise), and an error if its process
 * still runs. Returns 0, or -1 with ERR filled (ERROR_OUTPUT). */
int output_folder_init(struct output_folder *folder, const char *path, const char *mark,
                       struct error *err);
/* Removes what was not moved, or only the files if it is to be kept. Accepts a
 * zeroed folder. */
void output_folder_finish(struct output_folder *folder);

/* Opens the file NAME (a literal) for writing. Returns NULL on error. */
FILE *output_folder_open(struct output_folder *folder, const char *name, struct error *err);
/* Closes it, when it is on the disk. Returns -1 with ERR filled if anything of
 * it was not written. */
int output_folder_close(struct output_folder *folder, FILE *file, struct error *err);

/* Moves all files to their place. LAST is the name of the file that marks a
 * finished folder: in a folder that was there already it is removed first and
 * moved last. STALE are names of files, NULL-ended, that an earlier run may
 * have left there and this one did not write. */
int output_folder_commit(struct output_folder *folder, const char *last,
                         const char *const *stale, struct error *err);

#endif
