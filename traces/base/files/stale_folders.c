#include "traces/base/files/stale_folders.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "traces/base/number.h"

#define SUFFIX  ".part-"
#define MARK    ".writing"
#define LONGEST 4096 /* bytes of a path */

void stale_folders_name(const char *path, char *name, size_t size)
{
    snprintf(name, size, "%s" SUFFIX "%ld", path, (long)getpid());
}

/* Opens the mark of FOLDER and locks it. Returns -1 if there is none or if another process
 * holds it (errno is then EWOULDBLOCK). *LOCKED says whether the file system has locks at all.
 */
static int open_mark(const char *folder, int flags, bool *locked)
{
    char path[LONGEST];
    if (snprintf(path, sizeof path, "%s/" MARK, folder) >= (int)sizeof path) {
        errno = ENAMETOOLONG;
        return -1;
    }
    int mark = open(path, flags | O_CLOEXEC, 0666);
    *locked = mark >= 0 && flock(mark, LOCK_EX | LOCK_NB) == 0;
    if (mark >= 0 && !*locked && errno == EWOULDBLOCK) {
        close(mark);
        errno = EWOULDBLOCK;
        return -1;
    }
    return mark;
}

int stale_folders_hold(const char *folder)
{
    bool locked; /* a file system without locks is written all the same */
    return open_mark(folder, O_RDWR | O_CREAT, &locked);
}

static void remove_in(const char *folder, const char *name)
{
    char path[LONGEST];
    if (snprintf(path, sizeof path, "%s/%s", folder, name) < (int)sizeof path)
        unlink(path);
}

/* Removes the files in FOLDER except for the mark. Returns false if it cannot be read, as
 * without memory. */
static bool remove_files(const char *folder)
{
    DIR *dir = opendir(folder);
    if (dir == NULL)
        return false;
    for (struct dirent *entry; (entry = readdir(dir)) != NULL;)
        if (strcmp(entry->d_name, MARK) != 0)
            remove_in(folder, entry->d_name);
    closedir(dir);
    return true;
}

static void remove_unmoved(const char *folder)
{
    char files[LONGEST];
    if (snprintf(files, sizeof files, "%s/" STALE_FOLDERS_FILES, folder) >= (int)sizeof files)
        return;
    remove_files(files);
    rmdir(files);
}

void stale_folders_leave(const char *folder, int lock)
{
    remove_unmoved(folder);
    close(lock);
}

/* The mark is removed last: a process that is killed here, or cannot remove the files, leaves a
 * folder that the next run recognises. */
void stale_folders_remove(const char *folder, int lock)
{
    bool removed = remove_files(folder);
    remove_unmoved(folder);
    if (removed)
        remove_in(folder, MARK);
    rmdir(folder);
    close(lock);
}

/* Whether TEXT is the number of a process that does not exist, or of this process: a process
 * that has ended may have had the same number. */
static bool is_gone(const char *text)
{
    uint64_t number;
    if (text[0] == '0' || !number_whole(text, 1, INT32_MAX, &number))
        return false;
    pid_t pid = (pid_t)number;
    return pid == getpid() || (kill(pid, 0) < 0 && errno == ESRCH);
}

/* Calls VISIT with each temporary folder of PATH and what follows PATH.part- in its name. */
static void each_folder(const char *path,
                        void (*visit)(void *data, const char *folder, const char *pid),
                        void *data)
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
            snprintf(folder, sizeof folder, "%s%s", parent, other) < (int)sizeof folder)
            visit(data, folder, other + length + suffix);
    }
    if (dir != NULL)
        closedir(dir);
}

/* A process that was killed just before it made its mark, or after it removed it, leaves an
 * empty folder. */
static void clean(void *data, const char *folder, const char *pid)
{
    (void)data;
    bool locked;
    if (!is_gone(pid))
        return;
    int lock = open_mark(folder, O_RDWR | O_NOFOLLOW, &locked);
    if (lock < 0 && errno == ENOENT)
        rmdir(folder);
    else if (lock >= 0 && locked)
        stale_folders_remove(folder, lock);
    else if (lock >= 0)
        close(lock);
}

void stale_folders_clean(const char *path)
{
    each_folder(path, clean, NULL);
}

/* The best folder to adopt so far. */
struct adoption {
    const char *file;
    char folder[LONGEST];
    int lock; /* of FOLDER, -1: none yet */
    struct timespec time;
    bool in_use;
};

static bool is_newer(const struct timespec *a, const struct timespec *b)
{
    return a->tv_sec != b->tv_sec ? a->tv_sec > b->tv_sec : a->tv_nsec > b->tv_nsec;
}

/* Only the lock tells whether the folder is in use: process numbers are used again. */
static void consider(void *data, const char *folder, const char *pid)
{
    struct adoption *adoption = data;
    char path[LONGEST];
    struct stat status;
    bool locked;
    if (snprintf(path, sizeof path, "%s/%s", folder, adoption->file) >= (int)sizeof path ||
        stat(path, &status) < 0)
        return;
    int lock = open_mark(folder, O_RDWR | O_NOFOLLOW, &locked);
    if (lock < 0 || (!locked && !is_gone(pid))) {
        adoption->in_use |= lock >= 0 || errno == EWOULDBLOCK;
        if (lock >= 0)
            close(lock);
        return;
    }
    if (adoption->lock >= 0 && !is_newer(&status.st_mtim, &adoption->time)) {
        close(lock);
        return;
    }
    if (adoption->lock >= 0)
        close(adoption->lock);
    adoption->lock = lock;
    adoption->time = status.st_mtim;
    snprintf(adoption->folder, sizeof adoption->folder, "%s", folder);
}

enum stale_folders stale_folders_adopt(const char *path, const char *file, const char *name,
                                       int *lock)
{
    struct adoption adoption = {.file = file, .lock = -1};
    each_folder(path, consider, &adoption);
    if (adoption.lock < 0)
        return adoption.in_use ? STALE_FOLDERS_IN_USE : STALE_FOLDERS_NONE;
    if (adoption.in_use || rename(adoption.folder, name) < 0) {
        close(adoption.lock);
        return adoption.in_use ? STALE_FOLDERS_IN_USE : STALE_FOLDERS_NONE;
    }
    *lock = adoption.lock;
    return STALE_FOLDERS_ADOPTED;
}
