#include "tools/run/files/output_files.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

#include "traces/traces.h"

static int cannot_write(struct error *err, const char *path)
{
    return error_set(err, ERROR_OUTPUT, path, 0, 0, "cannot write: %s", strerror(errno));
}

/* Neither the file nor its temporary name is one that is read. */
static int check_reads(const struct output_files *outputs, const char *path, const char *part,
                       struct error *err)
{
    return outputs->reads == NULL || (input_guard_check(outputs->reads, path, err) == 0 &&
                                      input_guard_check(outputs->reads, part, err) == 0)
               ? 0
               : -1;
}

int output_files_open(struct output_files *outputs, int which, const char *path,
                      const char *suffix, bool replace, struct error *err)
{
    struct output_file *output = &outputs->files[which];
    size_t length = strlen(path), size = length + strlen(suffix) + sizeof ".part";
    if (*suffix != '\0' && length > 4 && strcasecmp(path + length - 4, ".csv") == 0)
        length -= 4;
    output->path = malloc(size);
    char *part = malloc(size);
    if (output->path == NULL || part == NULL) {
        free(part);
        return error_no_memory_for(err, ERROR_OUTPUT, path);
    }
    snprintf(output->path, size, "%.*s%s", (int)length, path, suffix);
    snprintf(part, size, "%s.part", output->path);
    if (check_reads(outputs, output->path, part, err) != 0 ||
        trace_output_check(output->path, replace, err) != 0) {
        free(part);
        return -1;
    }
    output->file = fopen(part, "wb");
    if (output->file == NULL) {
        cannot_write(err, output->path);
        free(part);
        return -1;
    }
    output->part = part;
    return 0;
}

int output_files_open_one(struct output_files *outputs, int which, const char *path,
                          bool replace, struct error *err)
{
    if (strcmp(path, "-") != 0)
        return output_files_open(outputs, which, path, "", replace, err);
    outputs->files[which].file = stdout;
    return 0;
}

static int close_file(struct output_file *output, struct error *err)
{
    FILE *file = output->file;
    if (output->part == NULL)
        return 0;
    bool failed = ferror(file) != 0;
    output->file = NULL;
    return fclose(file) == 0 && !failed ? 0 : cannot_write(err, output->path);
}

int output_files_commit(struct output_files *outputs, struct error *err)
{
    for (int i = 0; i < OUTPUT_FILES_MOST; i++)
        if (close_file(&outputs->files[i], err) != 0)
            return -1;
    for (int i = 0; i < OUTPUT_FILES_MOST; i++) {
        struct output_file *output = &outputs->files[i];
        if (output->part == NULL)
            continue;
        if (rename(output->part, output->path) != 0)
            return cannot_write(err, output->path);
        free(output->part);
        output->part = NULL;
    }
    return 0;
}

void output_files_finish(struct output_files *outputs)
{
    for (int i = 0; i < OUTPUT_FILES_MOST; i++) {
        struct output_file *output = &outputs->files[i];
        if (output->part != NULL) {
            if (output->file != NULL)
                fclose(output->file);
            unlink(output->part);
        }
        free(output->part);
        free(output->path);
    }
    *outputs = (struct output_files){0};
}
