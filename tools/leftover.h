/* The folder PATH.part-PID that a run writes beside its output folder PATH,
 * and what of such folders is left of runs that were killed. A locked file in
 * it tells the two apart: the lock ends with its process. */
#ifndef HEARTH_TOOLS_LEFTOVER_H
#define HEARTH_TOOLS_LEFTOVER_H

#include <stddef.h>

/* Writes the name of this process' folder for PATH into NAME. */
void leftover_name(const char *path, char *name, size_t size);

/* Marks FOLDER, just made, as one that is written. Returns a file descriptor
 * for leftover_release(), or -1 with errno set. */
int leftover_hold(const char *folder);
/* Takes the mark away: the folder is about to be moved or removed. */
void leftover_release(const char *folder, int lock);

/* Removes the marked folders for PATH that no process writes any more. What
 * cannot be removed stays. */
void leftover_clean(const char *path);

#endif
