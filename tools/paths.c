#define _GNU_SOURCE /* asprintf */
#include "tools/paths.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Takes ".", ".." and empty parts out of PATH, which starts with '/'. */
static void simplify(char *path)
{
    char *end = path; /* of what stays */
    for (const char *at = path; *at != '\0';) {
        size_t length = strcspn(++at, "/");
        if (length == 2 && memcmp(at, "..", 2) == 0) {
            while (end > path && *--end != '/')
                continue;
        } else if (length > 0 && !(length == 1 && at[0] == '.')) {
            *end++ = '/';
            memmove(end, at, length);
            end += length;
        }
        at += length;
    }
    if (end == path)
        *end++ = '/';
    *end = '\0';
}

char *paths_absolute(const char *path)
{
    char *absolute = NULL, *folder = path[0] == '/' ? strdup("") : getcwd(NULL, 0);
    if (folder != NULL && asprintf(&absolute, "%s/%s", folder, path) < 0)
        absolute = NULL;
    free(folder);
    if (absolute != NULL)
        simplify(absolute);
    return absolute;
}

/* Where B is no longer in the folders that A names, too. */
static size_t common(const char *a, const char *b)
{
    size_t same = 0;
    for (size_t i = 0;; i++) {
        if ((a[i] == '/' || a[i] == '\0') && (b[i] == '/' || b[i] == '\0'))
            same = i;
        if (a[i] != b[i] || a[i] == '\0')
            return same;
    }
}

char *paths_relative(const char *folder, const char *path)
{
    size_t same = common(folder, path), up = 0;
    for (const char *at = folder + same; *at != '\0'; at++)
        up += *at == '/' && at[1] != '\0';
    const char *rest = path + same + (path[same] == '/');
    char *relative = malloc(3 * up + strlen(rest) + 1);
    if (relative == NULL)
        return NULL;
    for (size_t i = 0; i < up; i++)
        memcpy(relative + 3 * i, "../", 3);
    strcpy(relative + 3 * up, rest);
    return relative;
}
