/* Where the files of a workload are. */
#define _GNU_SOURCE /* asprintf, memrchr */
#include "traces/workload/workload_files.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "traces/base/files/paths.h"
#include "traces/notes/note_places.h"
#include "traces/packed/store.h"
#include "traces/tarball/tarball.h"

/* What PATH is called in the archive of WORKLOAD: plans name files as if the archive were the
 * workload's folder. The caller frees it; NULL without memory. */
static char *member_of(const struct trace_workload *workload, const char *path)
{
    size_t length = workload->archive_length;
    if (strncmp(path, workload->folder, length) != 0 &&
        !workload_archive_length(path, &length)) /* another name of it */
        return NULL;
    const char *name = path + length + (path[length] == '/');
    const char *folder = workload->folder + workload->archive_length;
    size_t inside = strlen(folder);
    char *member;
    if (inside == 0 ||
        (strncmp(path + length, folder, inside) == 0 && path[length + inside] == '/'))
        return strdup(name);
    return asprintf(&member, "%s/%s", folder + 1, name) < 0 ? NULL : member;
}

char *trace_workload_path(const struct trace_workload *workload, const char *name)
{
    if (workload->trace != NULL && strcmp(name, workload->commands[0].text) == 0)
        return strdup(workload->trace);
    return paths_join(workload->folder, name);
}

bool trace_is_packed(const char *path)
{
    return store_is_packed(path);
}

int trace_is_one_file(const char *path)
{
    size_t length;
    if (store_is_packed(path))
        return 1;
    return workload_archive_length(path, &length) ? length != 0 : -1;
}

/* Returns false without memory. */
static bool size_of(const struct trace_workload *workload, const char *path, uint64_t *size)
{
    struct stat status;
    if (workload->tarball == NULL) {
        if (stat(path, &status) == 0)
            *size = (uint64_t)status.st_size;
        return true;
    }
    char *member = member_of(workload, path);
    if (member != NULL)
        tarball_size(workload->tarball, member, size);
    free(member);
    return member != NULL;
}

bool trace_workload_programmatic(const struct trace_workload *workload)
{
    return workload->notes != NULL && workload->notes->programmatic != 0;
}

bool trace_workload_size(const struct trace_workload *workload, const char *name,
                         uint64_t *size)
{
    char *path = trace_workload_path(workload, name);
    *size = UINT64_MAX;
    bool good = path != NULL && size_of(workload, path, size);
    free(path);
    return good;
}

int workload_source(const struct trace_workload *workload, const char *path,
                    struct source *source, struct error *err)
{
    if (workload == NULL || workload->tarball == NULL)
        return source_open_listed(source, path, err);
    char *member = member_of(workload, path);
    int rc = member != NULL ? tarball_source(workload->tarball, member, path, source, err)
                            : error_no_memory_for(err, ERROR_TRACE, path);
    free(member);
    return rc;
}

int workload_has_file(const struct trace_workload *workload, const char *path)
{
    char other[PATH_MAX];
    uint64_t size = UINT64_MAX;
    if (workload->tarball == NULL && source_other_name(path, other))
        return 1;
    return size_of(workload, path, &size) ? size != UINT64_MAX : -1;
}

char *trace_absolute_path(const char *path)
{
    size_t length;
    if (!workload_archive_length(path, &length)) {
        errno = ENOMEM;
        return NULL;
    }
    char *archive = length != 0 ? strndup(path, length) : NULL, *joined = NULL;
    if (length == 0)
        return realpath(path, NULL);
    char *absolute = archive != NULL ? realpath(archive, NULL) : NULL;
    if (absolute != NULL && asprintf(&joined, "%s%s", absolute, path + length) < 0)
        joined = NULL;
    free(archive);
    free(absolute);
    return joined;
}

bool workload_archive_length(const char *path, size_t *length)
{
    char file[PATH_MAX]; /* longer paths name no file */
    size_t left = strlen(path);
    *length = 0;
    if (left >= sizeof file)
        return true;
    memcpy(file, path, left + 1);
    for (const char *end = file + left; end != NULL && end > file;) {
        left = (size_t)(end - file);
        file[left] = '\0';
        int is = tarball_is(file);
        *length = is > 0 ? left : 0;
        if (is != 0)
            return is > 0;
        end = memrchr(file, '/', left);
    }
    return true;
}
