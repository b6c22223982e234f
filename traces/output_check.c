#include <sys/stat.h>

#include "traces/traces.h"

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
