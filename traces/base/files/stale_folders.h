/* The temporary folder PATH.part-PID that a run writes beside its output folder PATH, and such
 * folders of runs that were killed. A locked file in the folder tells the two apart: the lock
 * ends with its process. */
#ifndef HEARTH_TRACES_BASE_FILES_STALE_FOLDERS_H
#define HEARTH_TRACES_BASE_FILES_STALE_FOLDERS_H

#include <stddef.h>

/* The folder in it for files that will be moved to PATH. */
#define STALE_FOLDERS_FILES "results"

/* Writes the name of this process's temporary folder for PATH to NAME. */
void stale_folders_name(const char *path, char *name, size_t size);

/* Marks the new folder FOLDER as in use. Returns the lock, a file descriptor, or -1 with errno
 * set. */
int stale_folders_hold(const char *folder);
/* Removes FOLDER and everything in it. */
void stale_folders_remove(const char *folder, int lock);
/* Leaves FOLDER to another process, without the files that were to be moved. */
void stale_folders_leave(const char *folder, int lock);

/* Removes the temporary folders of PATH that no process uses any more, as far as they can be
 * removed. */
void stale_folders_clean(const char *path);

enum stale_folders { STALE_FOLDERS_NONE, STALE_FOLDERS_ADOPTED, STALE_FOLDERS_IN_USE };

/* Looks for a temporary folder of PATH that holds FILE. The one with the newest FILE is renamed
 * to NAME, and *LOCK is its lock; but not while a process still uses one of them. */
enum stale_folders stale_folders_adopt(const char *path, const char *file, const char *name,
                                       int *lock);

#endif
