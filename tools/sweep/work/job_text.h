/* The file "job" of a job's folder, as it is read (sweep_job_file.c writes it). */
#ifndef HEARTH_TOOLS_SWEEP_WORK_JOB_TEXT_H
#define HEARTH_TOOLS_SWEEP_WORK_JOB_TEXT_H

#include <stdbool.h>
#include <stddef.h>

#include "traces/base/error.h"

struct job_text {
    char *needs; /* digest of the job that must be done before; NULL: none */
    char *split; /* digest of all that a segment's rows depend on besides the segment; NULL:
                    the job is not split */
    char **arguments; /* of hearth; ends with NULL */
    size_t count;
    bool simulates; /* takes --threads */
};

/* Reads the file in FOLDER. Returns 0, or -1 with ERR filled; job_text_finish() either way. */
int job_text_read(struct job_text *text, const char *folder, struct error *err);
void job_text_finish(struct job_text *text);

/* Adds a copy of ARGUMENT. Returns false without memory. */
bool job_text_add(struct job_text *text, const char *argument);

#endif
