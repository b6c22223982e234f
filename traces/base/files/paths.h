/* Names of files as text, where nothing need be there; and folders. */
#ifndef HEARTH_TRACES_BASE_FILES_PATHS_H
#define HEARTH_TRACES_BASE_FILES_PATHS_H

#include <stdbool.h>

#include "traces/base/error.h"

/* PATH from the root on, without ".", ".." and empty parts; to be freed. NULL without memory or
 * a working folder. */
char *paths_absolute(const char *path);

/* How PATH is called from FOLDER, both of paths_absolute(): "../w/list.g"; to be freed. NULL
 * without memory. */
char *paths_relative(const char *folder, const char *path);

/* Whether A and B are the same file, by device and inode number, whatever their names; false if
 * one of them does not exist. */
bool paths_same_file(const char *a, const char *b);

/* Fails (ERROR_OUTPUT) where PATH is there and no folder. */
int paths_check_folder(const char *path, struct error *err);
/* Makes the folder PATH and those above it, as mkdir -p. Returns 0, or -1 with ERR filled
 * (ERROR_OUTPUT). */
int paths_make_folder(const char *path, struct error *err);
/* The same of the folder that PATH is in, if its name has one. */
int paths_make_parent(const char *path, struct error *err);

#endif
