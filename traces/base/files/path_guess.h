/* Which existing file a path probably means, for messages about a path that does not exist. */
#ifndef HEARTH_TRACES_BASE_FILES_PATH_GUESS_H
#define HEARTH_TRACES_BASE_FILES_PATH_GUESS_H

#include <stdbool.h>

#include "traces/base/error.h"

/* "; did you mean OTHER?", to be freed; NULL: PATH exists, nothing is near, or memory is short.
 * In OTHER, each part of PATH that does not exist is replaced by the entry of its folder that
 * is spelt most like it; a part without a suffix is also compared with entries without theirs.
 */
char *path_guess_hint(const char *path);

/* Fills ERR (ERROR_TRACE) after FILE could not be opened, with the text of errno: "cannot open:
 * TEXT", or "TEXT: OTHERWISE" if that is not NULL; and with the hint for PATH if that does not
 * exist (NULL: nothing is guessed). Returns -1. */
int path_guess_fail(const char *file, const char *path, const char *otherwise,
                    struct error *err);

/* The files below FOLDER that are WANTED by their names, at most three folders down, those of a
 * folder before those further down: the first three, "a/x, a/y and others". To be freed. NULL:
 * none, or memory is short. */
char *path_guess_below(const char *folder, bool (*wanted)(const char *name));

#endif
