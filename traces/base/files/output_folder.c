#include "traces/base/files/output_folder.h"

#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "traces/base/files/output_file.h"
#include "traces/base/files/paths.h"
#include "traces/base/files/stale_folders.h"

static int failed(struct error *err, const char *path)
{
    return error_set(err, ERROR_OUTPUT, path, 0, 0, "%s", strerror(errno));
}

static char *without_slashes(const char *path)
{
    size_t length = strlen(path);
    while (length > 1 && path[length - 1] == '/')
        length--;
    return strndup(path, length);
}

/* Makes the temporary folder NAME. */
static int make_temporary(struct output_folder *folder, const char *name, struct error *err)
{
    if (mkdir(name, 0777) < 0)
        return failed(err, name);
    folder->lock = stale_folders_hold(name);
    if (folder->lock >= 0)
        return 0;
    failed(err, name);
    rmdir(name);
    return -1;
}

/* Adopts the temporary folder of a run that ended early, or makes one. */
static int take_temporary(struct output_folder *folder, const char *mark, struct error *err)
{
    size_t size = strlen(folder->path) + 32;
    char *name = malloc(size);
    if (name == NULL)
        return failed(err, folder->path);
    stale_folders_name(folder->path, name, size);
    enum stale_folders found =
        mark != NULL ? stale_folders_adopt(folder->path, mark, name, &folder->lock)
                     : STALE_FOLDERS_NONE;
    stale_folders_clean(folder->path);
    folder->adopted = folder->keep = found == STALE_FOLDERS_ADOPTED;
    if (found == STALE_FOLDERS_IN_USE)
        error_set(err, ERROR_OUTPUT, folder->path, 0, 0, "another run is writing it");
    else if (found == STALE_FOLDERS_ADOPTED || make_temporary(folder, name, err) == 0)
        folder->temporary = name;
    if (folder->temporary != NULL)
        return 0;
    free(name);
    return -1;
}

static int make_writing(struct output_folder *folder, struct error *err)
{
    folder->writing = paths_join(folder->temporary, STALE_FOLDERS_FILES);
    if (folder->writing != NULL && (mkdir(folder->writing, 0777) == 0 || errno == EEXIST))
        return 0;
    return failed(err, folder->writing);
}

int output_folder_init(struct output_folder *folder, const char *path, const char *mark,
                       struct error *err)
{
    *folder = (struct output_folder){.path = without_slashes(path)};
    if (folder->path == NULL || path[0] == '\0') {
        output_folder_finish(folder);
        if (path[0] != '\0')
            return error_no_memory_for(err, ERROR_OUTPUT, path);
        return error_set(err, ERROR_OUTPUT, NULL, 0, 0, "no name for the output folder");
    }
    if (paths_check_folder(folder->path, err) == 0 &&
        paths_make_parent(folder->path, err) == 0 && take_temporary(folder, mark, err) == 0 &&
        make_writing(folder, err) == 0)
        return 0;
    output_folder_finish(folder);
    return -1;
}

static void remove_in(const char *place, const char *name)
{
    char *path = paths_join(place, name);
    if (path != NULL)
        unlink(path);
    free(path);
}

void output_folder_finish(struct output_folder *folder)
{
    if (folder->temporary != NULL && folder->keep)
        stale_folders_leave(folder->temporary, folder->lock);
    else if (folder->temporary != NULL)
        stale_folders_remove(folder->temporary, folder->lock);
    free(folder->writing);
    free(folder->temporary);
    free(folder->path);
    *folder = (struct output_folder){0};
}

FILE *output_folder_open(struct output_folder *folder, const char *name, struct error *err)
{
    char *path = folder->count < OUTPUT_FOLDER_FILES ? paths_join(folder->writing, name) : NULL;
    FILE *file = path == NULL ? NULL : output_file_create(path);
    if (file == NULL)
        failed(err, path);
    else
        folder->files[folder->count++] = name;
    free(path);
    return file;
}

int output_folder_close(struct output_folder *folder, FILE *file, struct error *err)
{
    bool whole = fflush(file) == 0 && !ferror(file) && fsync(fileno(file)) == 0;
    int cause = errno;
    whole = fclose(file) == 0 && whole;
    errno = cause;
    return whole ? 0 : failed(err, folder->path);
}

static int move(struct output_folder *folder, const char *name, struct error *err)
{
    char *from = paths_join(folder->writing, name), *to = paths_join(folder->path, name);
    int result = from == NULL || to == NULL || rename(from, to) < 0 ? failed(err, to) : 0;
    free(from);
    free(to);
    return result;
}

static bool wrote(const struct output_folder *folder, const char *name)
{
    for (int i = 0; i < folder->count; i++)
        if (strcmp(folder->files[i], name) == 0)
            return true;
    return false;
}

/* Moves the files into a folder that exists already. */
static int move_all(struct output_folder *folder, const char *last, const char *const *stale,
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

int output_folder_commit(struct output_folder *folder, const char *last,
                         const char *const *stale, struct error *err)
{
    struct stat status;
    if (stat(folder->path, &status) == 0) {
        if (move_all(folder, last, stale, err) < 0)
            return -1;
        rmdir(folder->writing);
    } else if (rename(folder->writing, folder->path) < 0) { /* all of it at once */
        return failed(err, folder->path);
    }
    free(folder->writing);
    folder->writing = NULL;
    return 0;
}
