#define _GNU_SOURCE /* asprintf */
#include "traces/base/files/output_files.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

static int open_checked(struct output_files *outputs, int which, const char *path,
                        const char *part, bool replace, struct error *err)
{
    if (outputs->check != NULL && (outputs->check(outputs->data, path, err) != 0 ||
                                   outputs->check(outputs->data, part, err) != 0))
        return -1;
    return output_file_open(&outputs->files[which], path, part, replace, err);
}

int output_files_open(struct output_files *outputs, int which, const char *path,
                      const char *suffix, bool replace, struct error *err)
{
    char *part;
    size_t length = strlen(path);
    if (*suffix != '\0' && length > 4 && strcasecmp(path + length - 4, ".csv") == 0)
        length -= 4;
    int size = asprintf(&part, "%.*s%s.part", (int)length, path, suffix);
    if (size < 0)
        return error_no_memory_for(err, ERROR_OUTPUT, path);
    char *name = strndup(part, (size_t)size - strlen(".part"));
    int rc = name != NULL ? open_checked(outputs, which, name, part, replace, err)
                          : error_no_memory_for(err, ERROR_OUTPUT, path);
    free(name);
    free(part);
    return rc;
}

int output_files_open_one(struct output_files *outputs, int which, const char *path,
                          bool replace, struct error *err)
{
    if (strcmp(path, "-") != 0)
        return output_files_open(outputs, which, path, "", replace, err);
    outputs->files[which].file = stdout;
    return 0;
}

int output_files_commit(struct output_files *outputs, struct error *err)
{
    for (int i = 0; i < OUTPUT_FILES_MOST; i++)
        if (output_file_close(&outputs->files[i], err) != 0)
            return -1;
    for (int i = 0; i < OUTPUT_FILES_MOST; i++)
        if (output_file_commit(&outputs->files[i], err) != 0)
            return -1;
    return 0;
}

void output_files_finish(struct output_files *outputs)
{
    for (int i = 0; i < OUTPUT_FILES_MOST; i++)
        output_file_finish(&outputs->files[i]);
}
