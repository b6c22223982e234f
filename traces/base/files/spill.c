#define _GNU_SOURCE /* O_TMPFILE, fallocate */
#include "traces/base/files/spill.h"
#include "traces/base/files/paths.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

int spill_init(struct spill *spill, const char *dir)
{
    *spill = (struct spill){.fd = -1};
    if (dir == NULL)
        dir = getenv("TMPDIR");
    spill->dir = strdup(dir != NULL && *dir != '\0' ? dir : "/tmp");
    return spill->dir == NULL ? -1 : 0;
}

void spill_finish(struct spill *spill)
{
    if (spill->dir != NULL && spill->fd >= 0)
        close(spill->fd);
    free(spill->dir);
    *spill = (struct spill){.fd = -1};
}

/* For file systems without O_TMPFILE. */
static int open_and_unlink(const char *dir)
{
    char *path = paths_join(dir, "hearth-XXXXXX");
    if (path == NULL)
        return -1;
    int fd = mkostemp(path, O_CLOEXEC);
    if (fd >= 0)
        unlink(path);
    free(path);
    return fd;
}

static int failed(const struct spill *spill, const char *what, struct error *err)
{
    return error_set(err, ERROR_OUTPUT, spill->dir, 0, 0, "cannot %s temporary data: %s", what,
                     strerror(errno));
}

int spill_write(struct spill *spill, const void *data, size_t size, struct error *err)
{
    if (spill->fd < 0)
        spill->fd = open(spill->dir, O_TMPFILE | O_RDWR | O_CLOEXEC, 0600);
    if (spill->fd < 0)
        spill->fd = open_and_unlink(spill->dir);
    if (spill->fd < 0)
        return failed(spill, "create a file for", err);
    for (const char *at = data; size > 0;) {
        ssize_t n = pwrite(spill->fd, at, size, (off_t)spill->end);
        if (n < 0 && errno == EINTR)
            continue;
        if (n <= 0)
            return failed(spill, "write", err);
        at += n;
        size -= (size_t)n;
        spill->end += (uint64_t)n;
    }
    return 0;
}

long spill_read(const struct spill *spill, uint64_t at, void *data, size_t size,
                struct error *err)
{
    size_t done = 0;
    while (done < size) {
        ssize_t n = pread(spill->fd, (char *)data + done, size - done, (off_t)(at + done));
        if (n < 0 && errno == EINTR)
            continue;
        if (n < 0)
            return failed(spill, "read", err);
        if (n == 0)
            break;
        done += (size_t)n;
    }
    return (long)done;
}

void spill_drop(struct spill *spill, uint64_t from, uint64_t to)
{
    if (spill->fd >= 0 && to > from)
        (void)!fallocate(spill->fd, FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE, (off_t)from,
                         (off_t)(to - from));
}
