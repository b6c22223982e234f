/* The folder PATH.part-PID that a run writes beside its output folder PATH,
 * and what of such folders is left of runs that were killed. A locked file in
 * it tells the two apart: the lock ends with its process. */
#ifndef HEARTH_TOOLS_RUN_FILES_STALE_FOLDERS_H
#define HEARTH_TOOLS_RUN_FILES_STALE_FOLDERS_H

#include <stddef.h>

/* The folder inside, for files on their way to PATH. */
#define STALE_FOLDERS_FILES "results"

/* Writes the name of this process' folder for PATH into NAME. */
void stale_folders_name(const char *path, char *name, size_t size);

/* Marks FOLDER, just made, as one that is written. Returns a file descriptor
 * for stale_folders_release(), or -1 with errno set. */
int stale_folders_hold(const char *folder);
/* Removes it and all that is in it. */
void stale_folders_remove(const char *folder, int lock);
/* Leaves it to another process, without the files on their way to PATH. */
void stale_folders_leave(const char *folder, int lock);

/* Removes the marked folders for PATH that no process writes any more. What
 * cannot be removed stays. */
void stale_folders_clean(const char *path);

enum stale_folders { STALE_FOLDERS_NONE, STALE_FOLDERS_ADOPTED, STALE_FOLDERS_IN_USE };

/* Looks for marked folders for PATH that hold FILE. The one whose FILE is the
 * newest is renamed to NAME, and *LOCK is as from stale_folders_hold(); not if a
 * process still writes one of them. */
enum stale_folders stale_folders_adopt(const char *path, const char *file, const char *name,
                                       int *lock);

#endif
