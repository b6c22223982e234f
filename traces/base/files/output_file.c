#define _GNU_SOURCE /* asprintf */
#include "traces/base/files/output_file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio_ext.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static int cannot_write(const struct output_file *output, struct error *err)
{
    return error_set(err, ERROR_OUTPUT, output->path, 0, 0, "cannot write: %s",
                     strerror(errno));
}

int output_file_check(const char *path, bool replace, struct error *err)
{
    struct stat status;
    if (stat(path, &status) != 0)
        return 0;
    if (!S_ISREG(status.st_mode))
        return error_set(err, ERROR_OUTPUT, path, 0, 0, "it exists and is no regular file");
    return replace ? 0
                   : error_set(err, ERROR_OUTPUT, path, 0, 0,
                               "it exists already; --force replaces it");
}

FILE *output_file_create(const char *path)
{
    if (unlink(path) != 0 && errno != ENOENT)
        return NULL;
    int fd = open(path, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0666);
    FILE *file = fd >= 0 ? fdopen(fd, "wb") : NULL;
    if (fd >= 0 && file == NULL) {
        unlink(path);
        close(fd);
        errno = ENOMEM; /* it fails for nothing else */
    }
    if (file != NULL)
        __fsetlocking(file, FSETLOCKING_BYCALLER); /* one thread writes it */
    return file;
}

/* Whether PART is the open file: another process may have put its own there. */
static bool is_ours(const struct output_file *output)
{
    struct stat opened, named;
    return fstat(fileno(output->file), &opened) == 0 && lstat(output->part, &named) == 0 &&
           opened.st_dev == named.st_dev && opened.st_ino == named.st_ino;
}

int output_file_open(struct output_file *output, const char *path, const char *part,
                     bool replace, struct error *err)
{
    if (output_file_check(path, replace, err) != 0)
        return -1;
    *output = (struct output_file){.path = strdup(path), .keep = output->keep};
    if (asprintf(&output->part, "%s%s", part != NULL ? part : path,
                 part != NULL ? "" : ".part") < 0)
        output->part = NULL;
    if (output->path == NULL || output->part == NULL)
        error_no_memory_for(err, ERROR_OUTPUT, path);
    else if ((output->file = output_file_create(output->part)) == NULL)
        cannot_write(output, err);
    else
        return 0;
    free(output->part); /* what has its name is not ours */
    output->part = NULL;
    output_file_finish(output);
    return -1;
}

int output_file_close(struct output_file *output, struct error *err)
{
    FILE *file = output->file;
    if (file == NULL || output->path == NULL)
        return 0;
    bool failed = ferror(file) != 0, replaced = output->part != NULL && !is_ours(output);
    output->file = NULL;
    if (fclose(file) != 0 || failed)
        return cannot_write(output, err);
    if (!replaced)
        return 0;
    error_set(err, ERROR_OUTPUT, output->path, 0, 0,
              "cannot write: another process replaced %s", output->part);
    free(output->part);
    output->part = NULL;
    return -1;
}

int output_file_commit(struct output_file *output, struct error *err)
{
    if (output_file_close(output, err) != 0)
        return -1;
    if (output->part != NULL && rename(output->part, output->path) != 0)
        return cannot_write(output, err);
    free(output->part);
    output->part = NULL;
    output_file_finish(output);
    return 0;
}

void output_file_finish(struct output_file *output)
{
    if (output->part != NULL && !output->keep && (output->file == NULL || is_ours(output)))
        unlink(output->part);
    if (output->file != NULL && output->path != NULL)
        fclose(output->file);
    free(output->part);
    free(output->path);
    *output = (struct output_file){0};
}
