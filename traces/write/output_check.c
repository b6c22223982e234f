#include <sys/stat.h>

#include "traces/traces.h"

bool trace_same_file(const char *a, const char *b)
{
    struct stat one, other;
    return stat(a, &one) == 0 && stat(b, &other) == 0 && one.st_dev == other.st_dev &&
           one.st_ino == other.st_ino;
}

int trace_output_check(const char *path, bool replace, struct error *err)
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
