#define _GNU_SOURCE /* asprintf */
#include "tools/sweep/sweep_folder.h"

#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <unistd.h>

#include "traces/base/files/paths.h"
#include "traces/base/visible.h"

char *sweep_folder_path(const char *store, const char *digest, const char *name)
{
    char *path;
    return asprintf(&path, "%s/%s/%s", store, digest, name) < 0 ? NULL : path;
}

/* Opens a file of a job to be read. Questions allocate nothing: without memory, their answers
 * would be wrong. -1 if there is none. */
static int open_of(const char *store, const char *digest, const char *name)
{
    char path[PATH_MAX];
    if (snprintf(path, sizeof path, "%s/%s/%s", store, digest, name) >= (int)sizeof path)
        return -1;
    return open(path, O_RDONLY | O_CLOEXEC);
}

bool sweep_folder_has(const char *store, const char *digest, const char *name)
{
    char path[PATH_MAX];
    return snprintf(path, sizeof path, "%s/%s/%s", store, digest, name) < (int)sizeof path &&
           access(path, F_OK) == 0;
}

bool sweep_folder_is_locked(const char *store, const char *digest, const char *name)
{
    int lock = open_of(store, digest, name);
    bool locked = lock >= 0 && flock(lock, LOCK_EX | LOCK_NB) != 0;
    if (lock >= 0)
        close(lock);
    return locked;
}

enum sweep_state sweep_folder_state(const char *store, const char *digest, bool look)
{
    if (sweep_folder_has(store, digest, "done"))
        return SWEEP_DONE;
    if (look && sweep_folder_is_locked(store, digest, "lock"))
        return SWEEP_RUNNING;
    return sweep_folder_has(store, digest, "failed") ? SWEEP_FAILED : SWEEP_WAITING;
}

struct sweep_cost sweep_folder_cost(const char *store, const char *digest)
{
    struct sweep_cost cost = {0};
    char text[128] = "";
    int in = open_of(store, digest, "done");
    if (in >= 0 && read(in, text, sizeof text - 1) > 0 &&
        sscanf(text, "seconds %lf\nmebibytes %lf", &cost.seconds, &cost.mib) != 2)
        cost = (struct sweep_cost){0};
    if (in >= 0)
        close(in);
    return cost;
}

int sweep_folder_open(struct output_file *output, const char *path, struct error *err)
{
    char *part = NULL;
    if (paths_make_parent(path, err) != 0)
        return -1;
    if (asprintf(&part, "%s.part-%ld", path, (long)getpid()) < 0)
        return error_no_memory(err);
    int result = output_file_open(output, path, part, true, err);
    free(part);
    return result;
}

/* Opens FOLDER/NAME to be written. */
static int open_file(struct output_file *output, const char *folder, const char *name,
                     struct error *err)
{
    char *path = paths_join(folder, name);
    if (path == NULL)
        return error_no_memory(err);
    int result = sweep_folder_open(output, path, err);
    free(path);
    return result;
}

int sweep_folder_write_done(const char *folder, struct sweep_cost cost, struct error *err)
{
    struct output_file output = {0};
    if (open_file(&output, folder, "done", err) != 0)
        return -1;
    fprintf(output.file, "seconds %.3f\nmebibytes %.1f\n", cost.seconds, cost.mib);
    int result = output_file_commit(&output, err);
    output_file_finish(&output);
    return result;
}

int sweep_folder_write_failed(const char *folder, int code, const char *message,
                              struct error *err)
{
    struct output_file output = {0};
    if (open_file(&output, folder, "failed", err) != 0)
        return -1;
    fprintf(output.file, "%d ", code);
    visible_print(message, output.file);
    fputc('\n', output.file);
    int result = output_file_commit(&output, err);
    output_file_finish(&output);
    return result;
}

int sweep_folder_message(const char *folder, char *text, size_t size)
{
    /* No memory that could run out: the message would be lost. */
    char path[PATH_MAX], line[2 * ERROR_TEXT], *message;
    text[0] = '\0';
    bool named = snprintf(path, sizeof path, "%s/failed", folder) < PATH_MAX;
    int fd = named ? open(path, O_RDONLY | O_CLOEXEC) : -1;
    ssize_t length = fd >= 0 ? read(fd, line, sizeof line - 1) : -1;
    if (fd >= 0)
        close(fd);
    if (length <= 0)
        return 0;
    line[length] = '\0';
    int code = (int)strtol(line, &message, 10);
    message += strspn(message, " ");
    snprintf(text, size, "%.*s", (int)strcspn(message, "\n"), message);
    return code;
}

bool sweep_folder_stopped(const char *store, const char *digest)
{
    char line[512];
    bool stopped = false;
    char *path = sweep_folder_path(store, digest, "log");
    FILE *in = path != NULL ? fopen(path, "r") : NULL;
    while (in != NULL && fgets(line, sizeof line, in) != NULL)
        stopped = strncmp(line, "stopped ", 8) == 0;
    if (in != NULL)
        fclose(in);
    free(path);
    return stopped;
}

void sweep_folder_forget(const char *store, const char *digest)
{
    char *path = sweep_folder_path(store, digest, "failed");
    if (path != NULL)
        unlink(path);
    free(path);
}
