#define _GNU_SOURCE /* asprintf */
#include "tracer/folders.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

static int make_folder(const char *path, struct error *err)
{
    if (mkdir(path, 0777) == 0 || errno == EEXIST)
        return 0;
    return error_set(err, ERROR_OUTPUT, path, 0, 0, "%s", strerror(errno));
}

/* Puts WHERE/NAME into the folder's place, and makes it. */
static int enter(char **folder, const char *where, const char *name, struct error *err)
{
    char *path;
    if (asprintf(&path, "%s%s%s", where, *name != '\0' ? "/" : "", name) < 0)
        return error_no_memory_for(err, ERROR_OUTPUT, NULL);
    free(*folder);
    *folder = path;
    return make_folder(path, err);
}

/* The first run<N> that is not there is this process's. */
static int enter_run(char **folder, struct error *err)
{
    for (unsigned n = 0;; n++) {
        char *path;
        if (asprintf(&path, "%s/run%u", *folder, n) < 0)
            return error_no_memory_for(err, ERROR_OUTPUT, NULL);
        if (mkdir(path, 0777) == 0) {
            free(*folder);
            *folder = path;
            return 0;
        }
        int rc = errno == EEXIST
                     ? 0
                     : error_set(err, ERROR_OUTPUT, path, 0, 0, "%s", strerror(errno));
        free(path);
        if (rc != 0)
            return rc;
    }
}

int folders_make(char **folder, const struct tracer_options *options, struct error *err)
{
    const char *given = options->folder;
    int rc = 0;
    if (*folder != NULL)
        return 0;
    if (given != NULL)
        rc = enter(folder, given, "", err);
    if (rc == 0 && (given == NULL || !options->user_folders))
        rc = enter(folder, given != NULL ? given : ".", "traces", err);
    return rc == 0 && options->multi_process ? enter_run(folder, err) : rc;
}

/* File systems that know no such locks are no reason not to trace. */
static int lock(int fd, const char *path, struct error *err)
{
    if (flock(fd, LOCK_EX | LOCK_NB) == 0 || errno != EWOULDBLOCK)
        return 0;
    return error_set(err, ERROR_OUTPUT, path, 0, 0,
                     "another process is writing there: this one is not traced "
                     "(TRACE_MULTI_PROCESS=1 gives each its own)");
}

int folders_lock(const char *folder, struct error *err)
{
    int fd = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (fd < 0)
        return error_set(err, ERROR_OUTPUT, folder, 0, 0, "%s", strerror(errno));
    if (lock(fd, folder, err) == 0)
        return fd;
    close(fd);
    return -1;
}

FILE *folders_open_alone(const char *path, struct error *err)
{
    int fd = open(path, O_WRONLY | O_CREAT | O_CLOEXEC, 0666);
    FILE *file = NULL;
    if (fd >= 0 && lock(fd, path, err) == 0 && ftruncate(fd, 0) == 0)
        file = fdopen(fd, "wb");
    if (file == NULL) {
        error_set(err, ERROR_OUTPUT, path, 0, 0, "%s", strerror(errno));
        if (fd >= 0)
            close(fd);
    }
    return file;
}

FILE *folders_open_next(const char *path, struct error *err)
{
    for (unsigned n = 0;; n++) {
        char *name;
        if (asprintf(&name, "%s.run%u", path, n) < 0) {
            error_no_memory_for(err, ERROR_OUTPUT, NULL);
            return NULL;
        }
        int fd = open(name, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
        FILE *file = fd >= 0 ? fdopen(fd, "wb") : NULL;
        bool taken = fd < 0 && errno == EEXIST;
        if (file == NULL && !taken)
            error_set(err, ERROR_OUTPUT, name, 0, 0, "%s", strerror(errno));
        if (file == NULL && fd >= 0)
            close(fd);
        free(name);
        if (!taken)
            return file;
    }
}
