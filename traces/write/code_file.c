#include "traces/write/code_file.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "traces/base/files/output_file.h"
#include "traces/base/files/paths.h"

struct trace_code_file {
    char *path;
    FILE *file;                 /* NULL: not made yet */
    off_t size;                 /* of what is whole */
    struct functions functions; /* that were written */
};

static int failed(const struct trace_code_file *file, struct error *err)
{
    return error_set(err, ERROR_OUTPUT, file->path, 0, 0, "%s", strerror(errno));
}

struct trace_code_file *trace_code_file_create(const char *folder, struct error *err)
{
    struct trace_code_file *file = calloc(1, sizeof *file);
    if (file == NULL || (file->path = paths_join(folder, FUNCTIONS_FILE)) == NULL)
        error_no_memory_for(err, ERROR_OUTPUT, folder);
    else if (unlink(file->path) != 0 && errno != ENOENT)
        failed(file, err);
    else
        return file;
    trace_code_file_destroy(file);
    return NULL;
}

void trace_code_file_destroy(struct trace_code_file *file)
{
    if (file == NULL)
        return;
    if (file->file != NULL)
        fclose(file->file);
    functions_finish(&file->functions);
    free(file->path);
    free(file);
}

/* Appends TEXT, or nothing of it. */
static int append(struct trace_code_file *file, const struct bytes *text, struct error *err)
{
    if (fwrite(text->data, 1, text->size, file->file) == text->size) {
        file->size += (off_t)text->size;
        return 0;
    }
    failed(file, err);
    if (ftruncate(fileno(file->file), file->size) != 0)
        failed(file, err);
    return -1;
}

int code_file_add(struct trace_code_file *file, const struct trace_function *function,
                  const char *launch, struct error *err)
{
    struct bytes text = {0};
    int rc = 0;
    if (file->file == NULL)
        functions_print_head(&text);
    if (!functions_write(&file->functions, function, launch, &text))
        rc = error_no_memory_for(err, ERROR_OUTPUT, file->path);
    if (rc == 0 && file->file == NULL) {
        file->file = output_file_create(file->path);
        rc = file->file != NULL && setvbuf(file->file, NULL, _IONBF, 0) == 0
                 ? 0
                 : failed(file, err);
    }
    if (rc == 0 && text.size > 0)
        rc = append(file, &text, err);
    bytes_finish(&text);
    return rc;
}
