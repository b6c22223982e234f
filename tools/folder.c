#include "tools/folder.h"

#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "tools/leftover.h"

static int failed(struct error *err, const char *path)
{
    return error_set(err, ERROR_OUTPUT, path, 0, 0, "%s", strerror(errno));
}

/* FOLDER/NAME, allocated. */
static char *join(const char *folder, const char *name)
{
    char *path = malloc(strlen(folder) + strlen(name) + 2);
    if (path != NULL)
        sprintf(path, "%s/%s", folder, name);
    return path;
}

/* Makes the folders above PATH, as mkdir -p. */
static int make_parents(char *path, struct error *err)
{
    for (char *at = strchr(path + 1, '/'); at != NULL; at = strchr(at + 1, '/')) {
        *at = '\0';
        bool made = mkdir(path, 0777) == 0 || errno == EEXIST;
        if (!made)
            failed(err, path);
        *at = '/';
        if (!made)
            return -1;
    }
    return 0;
}

static char *without_slashes(const char *path)
{
    size_t length = strlen(path);
    while (length > 1 && path[length - 1] == '/')
        length--;
    return strndup(path, length);
}

/* Makes the temporary folder. */
static int make_temporary(struct folder *folder, struct error *err)
{
    size_t size = strlen(folder->path) + 32;
    char *name = malloc(size);
    if (name == NULL)
        return failed(err, folder->path);
    leftover_name(folder->path, name, size);
    if (mkdir(name, 0777) < 0) {
        failed(err, name);
        goto fail;
    }
    folder->lock = leftover_hold(name);
    if (folder->lock < 0) {
        failed(err, name);
        rmdir(name);
        goto fail;
    }
    folder->temporary = name;
    return 0;
fail:
    free(name);
    return -1;
}

int folder_init(struct folder *folder, const char *path, struct error *err)
{
    *folder = (struct folder){.path = without_slashes(path)};
    if (folder->path == NULL || path[0] == '\0') {
        folder_finish(folder);
        return error_set(err, ERROR_OUTPUT, NULL, 0, 0, "no name for the output folder");
    }
    struct stat status;
    if (stat(folder->path, &status) == 0 && !S_ISDIR(status.st_mode)) {
        error_set(err, ERROR_OUTPUT, path, 0, 0, "exists and is no folder");
        goto fail;
    }
    if (make_parents(folder->path, err) < 0)
        goto fail;
    leftover_clean(folder->path);
    if (make_temporary(folder, err) < 0)
        goto fail;
    return 0;
fail:
    folder_finish(folder);
    return -1;
}

static void remove_in(const char *place, const char *name)
{
    char *path = join(place, name);
    if (path != NULL)
        unlink(path);
    free(path);
}

void folder_finish(struct folder *folder)
{
    if (folder->temporary != NULL) {
        for (int i = 0; i < folder->count; i++)
            remove_in(folder->temporary, folder->files[i]);
        leftover_release(folder->temporary, folder->lock);
        rmdir(folder->temporary);
    }
    free(folder->temporary);
    free(folder->path);
    *folder = (struct folder){0};
}

FILE *folder_open(struct folder *folder, const char *name, struct error *err)
{
    char *path = folder->count < FOLDER_FILES ? join(folder->temporary, name) : NULL;
    FILE *file = path == NULL ? NULL : fopen(path, "w");
    if (file == NULL)
        failed(err, path);
    else
        folder->files[folder->count++] = name;
    free(path);
    return file;
}

int folder_close(struct folder *folder, FILE *file, struct error *err)
{
    bool whole = fflush(file) == 0 && !ferror(file);
    int cause = errno;
    whole = fclose(file) == 0 && whole;
    errno = cause;
    return whole ? 0 : failed(err, folder->path);
}

static int move(struct folder *folder, const char *name, struct error *err)
{
    char *from = join(folder->temporary, name), *to = join(folder->path, name);
    int result = from == NULL || to == NULL || rename(from, to) < 0 ? failed(err, to) : 0;
    free(from);
    free(to);
    return result;
}

static bool wrote(const struct folder *folder, const char *name)
{
    for (int i = 0; i < folder->count; i++)
        if (strcmp(folder->files[i], name) == 0)
            return true;
    return false;
}

/* Into a folder that is there already. */
static int move_all(struct folder *folder, const char *last, const char *const *stale,
                    struct error *err)
{
    remove_in(folder->path, last);
    for (; *stale != NULL; stale++)
        if (!wrote(folder, *stale))
            remove_in(folder->path, *stale);
    for (int i = 0; i < folder->count; i++)
        if (strcmp(folder->files[i], last) != 0 && move(folder, folder->files[i], err) < 0)
            return -1;
    return move(folder, last, err);
}

/* Into a folder that is not there yet: all of it at once. */
static int move_folder(struct folder *folder, struct error *err)
{
    leftover_release(folder->temporary, folder->lock);
    if (rename(folder->temporary, folder->path) == 0) {
        free(folder->temporary);
        folder->temporary = NULL;
        return 0;
    }
    failed(err, folder->path);
    folder->lock = leftover_hold(folder->temporary);
    return -1;
}

int folder_commit(struct folder *folder, const char *last, const char *const *stale,
                  struct error *err)
{
    struct stat status;
    if (stat(folder->path, &status) < 0)
        return move_folder(folder, err);
    if (move_all(folder, last, stale, err) < 0)
        return -1;
    leftover_release(folder->temporary, folder->lock);
    rmdir(folder->temporary);
    free(folder->temporary);
    folder->temporary = NULL;
    return 0;
}
