#define _GNU_SOURCE /* asprintf */
#include "traces/base/files/paths.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* Removes ".", ".." and empty parts from PATH, which starts with '/'. */
static void simplify(char *path)
{
    char *end = path; /* of what is kept */
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

/* The length of the folders that A and B have in common. */
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

char *paths_join(const char *folder, const char *name)
{
    char *path;
    return asprintf(&path, "%s/%s", folder, name) >= 0 ? path : NULL;
}

FILE *paths_open(const char *folder, const char *name, const char *mode)
{
    char *path = paths_join(folder, name);
    FILE *file = path != NULL ? fopen(path, mode) : NULL;
    free(path);
    return file;
}

/* The folder of PATH, absolute, with symbolic links followed if it exists. NULL if memory is
 * short. */
static char *real_parent(const char *path)
{
    const char *slash = strrchr(path, '/');
    char *parent = slash != NULL ? strndup(path, (size_t)(slash + 1 - path)) : strdup(".");
    char *real = parent != NULL ? realpath(parent, NULL) : NULL;
    if (parent != NULL && real == NULL)
        real = paths_absolute(parent);
    free(parent);
    return real;
}

bool paths_is_inside(const char *folder, const char *path)
{
    struct stat status;
    char *root = realpath(folder, NULL), *parent = real_parent(path);
    bool inside = root != NULL && parent != NULL &&
                  (strcmp(root, "/") == 0 || root[common(root, parent)] == '\0') &&
                  !(lstat(path, &status) == 0 && S_ISLNK(status.st_mode));
    free(root);
    free(parent);
    return inside;
}

bool paths_same_file(const char *a, const char *b)
{
    struct stat one, other;
    return stat(a, &one) == 0 && stat(b, &other) == 0 && one.st_dev == other.st_dev &&
           one.st_ino == other.st_ino;
}

int paths_check_folder(const char *path, struct error *err)
{
    struct stat found;
    if (stat(path, &found) == 0)
        return S_ISDIR(found.st_mode)
                   ? 0
                   : error_set(err, ERROR_OUTPUT, path, 0, 0, "exists and is no folder");
    return lstat(path, &found) != 0
               ? 0
               : error_set(err, ERROR_OUTPUT, path, 0, 0, "is a symbolic link to nothing");
}

/* Makes each folder of PATH, which is changed meanwhile. */
static int make_folders(char *path, struct error *err)
{
    if (mkdir(path, 0777) == 0 || errno == EEXIST)
        return 0; /* as most often: those above it are there */
    for (char *slash = path + 1;; slash++) {
        if (*slash != '/' && *slash != '\0')
            continue;
        char kept = *slash;
        *slash = '\0';
        if (mkdir(path, 0777) != 0 && errno != EEXIST)
            return error_set(err, ERROR_OUTPUT, path, 0, 0, "cannot make the folder: %s",
                             strerror(errno));
        *slash = kept;
        if (kept == '\0')
            return 0;
    }
}

static int make(const char *path, size_t length, struct error *err)
{
    if (length == 0)
        return 0;
    char *copy = strndup(path, length);
    int result = copy != NULL ? make_folders(copy, err) : error_no_memory(err);
    free(copy);
    return result;
}

int paths_make_folder(const char *path, struct error *err)
{
    return make(path, strlen(path), err);
}

int paths_make_parent(const char *path, struct error *err)
{
    const char *slash = strrchr(path, '/');
    return make(path, slash != NULL ? (size_t)(slash - path) : 0, err);
}
