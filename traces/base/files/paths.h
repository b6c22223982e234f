/* Paths as text, for files that need not exist; and folders. */
#ifndef HEARTH_TRACES_BASE_FILES_PATHS_H
#define HEARTH_TRACES_BASE_FILES_PATHS_H

#include <stdbool.h>
#include <stdio.h>

#include "traces/base/error.h"

/* PATH made absolute, without ".", ".." and empty parts; to be freed. NULL if memory is short
 * or the working folder is gone. */
char *paths_absolute(const char *path);

/* PATH relative to FOLDER, both from paths_absolute(): "../w/list.g"; to be freed. NULL if
 * memory is short. */
char *paths_relative(const char *folder, const char *path);

/* FOLDER/NAME, to be freed. NULL if memory is short. */
char *paths_join(const char *folder, const char *name);
/* Opens FOLDER/NAME as fopen() does. NULL with errno set on error. */
FILE *paths_open(const char *folder, const char *name, const char *mode);

/* Whether A and B are the same file, by device and inode number, whatever their names; false if
 * one of them does not exist. */
bool paths_same_file(const char *a, const char *b);

/* Whether the file PATH, which need not exist, is in FOLDER or below it once symbolic links are
 * followed. False for a path that is a symbolic link itself, and if memory is short. */
bool paths_is_inside(const char *folder, const char *path);

/* Fails (ERROR_OUTPUT) if PATH exists and is no folder, or is a symbolic link to nothing. */
int paths_check_folder(const char *path, struct error *err);
/* Makes the folder PATH and those above it, like mkdir -p. Returns 0, or -1 with ERR filled
 * (ERROR_OUTPUT). */
int paths_make_folder(const char *path, struct error *err);
/* The same for the folder that PATH is in, if it names one. */
int paths_make_parent(const char *path, struct error *err);

#endif
