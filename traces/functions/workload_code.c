#include "traces/functions/workload_code.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "traces/base/files/paths.h"
#include "traces/kernel.h"
#include "traces/packed/store.h"
#include "traces/workload/workload_files.h"

/* Reads FUNCTIONS_FILE in FOLDER, compressed or not, if it is there. */
static int load_folder(const void *folder, struct functions *functions, struct error *err)
{
    struct source source;
    char *path = paths_join(folder, FUNCTIONS_FILE), other[PATH_MAX];
    if (path == NULL)
        return error_no_memory_for(err, ERROR_TRACE, folder);
    int rc = 0;
    if (access(path, F_OK) == 0 || source_other_name(path, other)) {
        rc = source_open_listed(&source, path, err);
        if (rc == 0) {
            rc = functions_read(functions, &source, true, err);
            source_finish(&source);
        }
    }
    free(path);
    return rc;
}

/* The same in the archive of a workload. */
static int load_archive(const void *data, struct functions *functions, struct error *err)
{
    const struct trace_workload *workload = data;
    struct source source;
    uint64_t size;
    if (!trace_workload_size(workload, FUNCTIONS_FILE, &size))
        return error_no_memory_for(err, ERROR_TRACE, workload->path);
    if (size == UINT64_MAX)
        return 0;
    char *path = trace_workload_path(workload, FUNCTIONS_FILE);
    int rc = path != NULL ? workload_source(workload, path, &source, err)
                          : error_no_memory_for(err, ERROR_TRACE, workload->path);
    if (rc == 0) {
        rc = functions_read(functions, &source, true, err);
        source_finish(&source);
    }
    free(path);
    return rc;
}

const struct functions *workload_code_get(const struct trace_workload *workload,
                                          struct error *err)
{
    if (workload->store != NULL)
        return store_functions(workload->store, err);
    return workload->tarball != NULL
               ? functions_cache_get(workload->code, load_archive, workload, err)
               : functions_cache_get(workload->code, load_folder, workload->folder, err);
}

int trace_workload_functions(const struct trace_workload *workload, uint32_t *count,
                             struct error *err)
{
    const struct functions *functions = workload_code_get(workload, err);
    *count = functions != NULL ? functions->count : 0;
    return functions != NULL ? 0 : -1;
}

/* ---- of a launch ------------------------------------------------------- */

/* PATH as a list in FOLDER has it. */
static const char *listed_name(const char *path, const char *folder)
{
    size_t n = folder != NULL ? strlen(folder) : 0;
    if (n > 0 && strncmp(path, folder, n) == 0 && path[n] == '/')
        return path + n + 1;
    const char *slash = strrchr(path, '/');
    return slash != NULL ? slash + 1 : path;
}

/* The code in the folder of PATH, for a kernel that is opened without its workload. */
static const struct functions *own_code(struct trace_kernel *kernel, const char *path,
                                        struct error *err)
{
    const char *slash = strrchr(path, '/');
    char *folder =
        slash != NULL ? strndup(path, (size_t)(slash - path + (slash == path))) : strdup(".");
    const struct functions *functions = NULL;
    kernel->own_code = functions_cache_create();
    if (folder != NULL && kernel->own_code != NULL)
        functions = functions_cache_get(kernel->own_code, load_folder, folder, err);
    else
        error_no_memory_for(err, ERROR_TRACE, path);
    free(folder);
    return functions;
}

int workload_code_find(struct trace_kernel *kernel, const char *path,
                       const struct trace_workload *workload, struct error *err)
{
    const struct functions *functions;
    char *listed = NULL;
    if (kernel->packed != NULL)
        functions = packed_functions(kernel, &listed, err);
    else if (workload != NULL)
        functions = workload_code_get(workload, err);
    else
        functions = own_code(kernel, path, err);
    if (functions != NULL)
        kernel->function = functions_find(
            functions, kernel->header.name,
            listed != NULL ? listed
                           : listed_name(path, workload != NULL ? workload->folder : NULL));
    free(listed);
    return functions != NULL ? 0 : -1;
}
