/* Folders of jobs in the store: their files say how far each job is.
 *
 *   job      the command, and the job that must be done before
 *   lock     locked by the process that executes the job
 *   log      a line for each start and each end
 *   done     the job is finished: the seconds and the memory that it took
 *   failed   the job failed: the exit code and the message */
#ifndef HEARTH_TOOLS_SWEEP_SWEEP_FOLDER_H
#define HEARTH_TOOLS_SWEEP_SWEEP_FOLDER_H

#include <stdbool.h>
#include <stddef.h>

#include "traces/base/error.h"
#include "traces/base/files/output_file.h"

enum sweep_state {
    SWEEP_WAITING,
    SWEEP_RUNNING, /* a process holds the lock */
    SWEEP_DONE,
    SWEEP_FAILED,
};

/* STORE/DIGEST/NAME, to be freed. NULL without memory. */
char *sweep_folder_path(const char *store, const char *digest, const char *name);
bool sweep_folder_has(const char *store, const char *digest, const char *name);
/* Whether a process has locked that file. */
bool sweep_folder_is_locked(const char *store, const char *digest, const char *name);

/* Opens the file that will be PATH, replacing one, and makes the folders above it. Its
 * temporary name is this process's own: several sweeps may write the same file. Returns as
 * output_file_open(). */
int sweep_folder_open(struct output_file *output, const char *path, struct error *err);

/* The state of a job. Without LOOK, a running job counts as waiting. */
enum sweep_state sweep_folder_state(const char *store, const char *digest, bool look);

/* What a finished job took; zeros if that is unknown. */
struct sweep_cost {
    double seconds, mib;
};
struct sweep_cost sweep_folder_cost(const char *store, const char *digest);
int sweep_folder_write_done(const char *folder, struct sweep_cost cost, struct error *err);

/* Records that the job in FOLDER failed with exit code CODE. Returns 0, or -1 with ERR
 * filled. */
int sweep_folder_write_failed(const char *folder, int code, const char *message,
                              struct error *err);
/* The message of a failed job in TEXT; returns its exit code, 0 without a message. */
int sweep_folder_message(const char *folder, char *text, size_t size);
/* Whether the last process of the job stopped in good order, as at a time limit: it will go on
 * from there. */
bool sweep_folder_stopped(const char *store, const char *digest);
/* Forgets that the job failed. */
void sweep_folder_forget(const char *store, const char *digest);

#endif
