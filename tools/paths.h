/* Names of files as text: nothing need be there. */
#ifndef HEARTH_TOOLS_PATHS_H
#define HEARTH_TOOLS_PATHS_H

/* PATH from the root on, without ".", ".." and empty parts; to be freed. NULL without memory or
 * a working folder. */
char *paths_absolute(const char *path);

/* How PATH is called from FOLDER, both of paths_absolute(): "../w/list.g"; to be freed. NULL
 * without memory. */
char *paths_relative(const char *folder, const char *path);

#endif
