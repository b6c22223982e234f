#define _GNU_SOURCE /* asprintf */
#include "traces/packed/output.h"

#include "traces/packed/recovery_log.h"

#include <stdlib.h>
#include <string.h>

int packed_output_init(struct packed_output *output, const char *path,
                       const struct trace_writer_options *options, struct error *err)
{
    *output = (struct packed_output){.file.keep = options->keep};
    char *redo = NULL;
    struct packed_writer_options packed = {.level = options->level,
                                           .group_records = options->group_records,
                                           .launch_groups = options->launch_groups};
    if (strcmp(path, "-") == 0)
        output->file.file = stdout;
    else if (output_file_open(&output->file, path, NULL, options->replace, err) != 0)
        return -1;
    if (output->file.part != NULL &&
        asprintf(&redo, "%s" RECOVERY_LOG_SUFFIX, output->file.part) < 0)
        return error_no_memory_for(err, ERROR_OUTPUT, path);
    packed.redo = redo;
    output->writer = packed_writer_create(output->file.file, path, &packed, err);
    free(redo);
    return output->writer != NULL ? 0 : -1;
}

int packed_output_end(struct packed_output *output, struct error *err)
{
    return packed_writer_end(output->writer, err) == 0 ? output_file_commit(&output->file, err)
                                                       : -1;
}

void packed_output_finish(struct packed_output *output)
{
    packed_writer_destroy(output->writer);
    output_file_finish(&output->file);
    *output = (struct packed_output){0};
}
