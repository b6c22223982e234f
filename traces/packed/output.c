#define _GNU_SOURCE /* asprintf */
#include "traces/packed/output.h"

#include "traces/packed/recovery_log.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static int failed(const struct packed_output *output, struct error *err)
{
    return error_set(err, ERROR_OUTPUT, output->path, 0, 0, "cannot write: %s",
                     strerror(errno));
}

static int open_file(struct packed_output *output, bool replace, struct error *err)
{
    const char *path = output->path;
    if (strcmp(path, "-") == 0) {
        output->file = stdout;
        return 0;
    }
    if (trace_output_check(path, replace, err) != 0)
        return -1;
    if (asprintf(&output->part, "%s.part", path) < 0) {
        output->part = NULL;
        return error_no_memory_for(err, ERROR_OUTPUT, path);
    }
    output->file = fopen(output->part, "wb");
    return output->file != NULL ? 0 : failed(output, err);
}

int packed_output_init(struct packed_output *output, const char *path,
                       const struct trace_writer_options *options, struct error *err)
{
    *output = (struct packed_output){.path = strdup(path), .keep = options->keep};
    if (output->path == NULL)
        return error_no_memory_for(err, ERROR_OUTPUT, path);
    char *redo = NULL;
    struct packed_writer_options packed = {.level = options->level,
                                           .group_records = options->group_records,
                                           .launch_groups = options->launch_groups};
    if (open_file(output, options->replace, err) != 0)
        return -1;
    if (output->part != NULL && asprintf(&redo, "%s" RECOVERY_LOG_SUFFIX, output->part) < 0)
        return error_no_memory_for(err, ERROR_OUTPUT, path);
    packed.redo = redo;
    output->writer = packed_writer_create(output->file, path, &packed, err);
    free(redo);
    return output->writer != NULL ? 0 : -1;
}

int packed_output_end(struct packed_output *output, struct error *err)
{
    if (packed_writer_end(output->writer, err) != 0)
        return -1;
    if (output->part == NULL)
        return 0;
    FILE *file = output->file;
    output->file = NULL;
    if (fclose(file) != 0 || rename(output->part, output->path) != 0)
        return failed(output, err);
    return 0;
}

void packed_output_finish(struct packed_output *output)
{
    packed_writer_destroy(output->writer);
    if (output->part != NULL && output->file != NULL) {
        fclose(output->file);
        if (!output->keep)
            unlink(output->part); /* only what is killed leaves it */
    }
    free(output->part);
    free(output->path);
    *output = (struct packed_output){0};
}
