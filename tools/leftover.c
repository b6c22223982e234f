#include "tools/leftover.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <unistd.h>

#define SUFFIX  ".part-"
#define MARK    ".writing"
#define LONGEST 4096 /* bytes of a path */

void leftover_name(const char *path, char *name, size_t size)
{
    snprintf(name, size, "%s" SUFFIX "%ld", path, (long)getpid());
}

static int open_mark(const char *folder, int flags)
{
    char path[LONGEST];
    if (snprintf(path, sizeof path, "%s/" MARK, folder) >= (int)sizeof path) {
        errno = ENAMETOOLONG;
        return -1;
    }
    int mark = open(path, flags | O_CLOEXEC, 0666);
    if (mark >= 0 && flock(mark, LOCK_EX | LOCK_NB) < 0 && (flags & O_CREAT) == 0) {
        close(mark);
        return -1;
    }
    return mark; /* a place without locks is written all the same */
}

int leftover_hold(const char *folder)
{
    return open_mark(folder, O_RDWR | O_CREAT);
}

static void remove_in(const char *folder, const char *name)
{
    char path[LONGEST];
    if (snprintf(path, sizeof path, "%s/%s", folder, name) < (int)sizeof path)
        unlink(path);
}

void leftover_release(const char *folder, int lock)
{
    remove_in(folder, MARK);
    close(lock);
}

/* Whether TEXT is the number of a process that is not there, or of this one,
 * whose number a dead one may have had. */
static bool is_gone(const char *text)
{
    char *end;
    errno = 0;
    long pid = strtol(text, &end, 10);
    if (text[0] < '1' || text[0] > '9' || *end != '\0' || errno != 0 || pid != (pid_t)pid)
        return false;
    return pid == getpid() || (kill((pid_t)pid, 0) < 0 && errno == ESRCH);
}

/* The mark goes last: whoever is stopped here leaves a folder that the next
 * run knows. */
static void remove_folder(const char *folder)
{
    int lock = open_mark(folder, O_RDWR | O_NOFOLLOW);
    if (lock < 0)
        return; /* no folder of ours, or one that is written */
    DIR *dir = opendir(folder);
    for (struct dirent *entry; dir != NULL && (entry = readdir(dir)) != NULL;)
        if (strcmp(entry->d_name, MARK) != 0)
            remove_in(folder, entry->d_name);
    if (dir != NULL)
        closedir(dir);
    leftover_release(folder, lock);
    rmdir(folder);
}

void leftover_clean(const char *path)
{
    const char *slash = strrchr(path, '/');
    const char *name = slash == NULL ? path : slash + 1;
    size_t length = strlen(name), suffix = strlen(SUFFIX);
    char parent[LONGEST], folder[LONGEST];
    if (snprintf(parent, sizeof parent, "%.*s", (int)(name - path), path) >= (int)sizeof parent)
        return;
    DIR *dir = opendir(parent[0] != '\0' ? parent : ".");
    for (struct dirent *entry; dir != NULL && (entry = readdir(dir)) != NULL;) {
        const char *other = entry->d_name;
        if (strncmp(other, name, length) == 0 && strncmp(other + length, SUFFIX, suffix) == 0 &&
            is_gone(other + length + suffix) &&
            snprintf(folder, sizeof folder, "%s%s", parent, other) < (int)sizeof folder)
            remove_folder(folder);
    }
    if (dir != NULL)
        closedir(dir);
}
