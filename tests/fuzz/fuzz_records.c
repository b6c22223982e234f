/* Any bytes are a stream of records: of an application's GPU, or a file. */
#define _GNU_SOURCE /* asprintf */
#include <dirent.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "tracer/tracer.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static char folder[] = "/tmp/fuzz-records-XXXXXX";

static void remove_folder(void)
{
    DIR *dir = opendir(folder);
    for (struct dirent *entry; dir != NULL && (entry = readdir(dir)) != NULL;) {
        char *path;
        if (entry->d_name[0] == '.' || asprintf(&path, "%s/%s", folder, entry->d_name) < 0)
            continue;
        unlink(path);
        free(path);
    }
    if (dir != NULL)
        closedir(dir);
    rmdir(folder);
}

static const char *format;

static const char *get_option(const char *name)
{
    if (strcmp(name, "TRACE_FORMAT") == 0)
        return format;
    if (strcmp(name, "TRACE_BUDGET") == 0)
        return "1";
    if (strcmp(name, "TRACE_MODE") == 0)
        return "both";
    return strcmp(name, "TRACE_FILE_COMPRESS") == 0 ? "0" : NULL;
}

static void replay(const uint8_t *data, size_t size)
{
    struct tracer_options options;
    struct error err = {0};
    tracer_options_read(&options, get_option, &err);
    options.folder = folder;
    options.user_folders = 1;
    struct tracer *tracer = tracer_create(&options, "fuzz", &err);
    size_t used;
    do {
        err = (struct error){0};
        tracer_replay(tracer, data, size, &used, &err);
        data += used;
        size -= used;
    } while (err.kind != ERROR_NONE && used > 0);
    tracer_finish(tracer, &err);
    tracer_destroy(tracer);
}

/* The first byte chooses the format. */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (size == 0)
        return 0;
    memcpy(strrchr(folder, '-') + 1, "XXXXXX", 6);
    if (mkdtemp(folder) == NULL)
        return 0;
    format = data[0] & 1 ? "packed" : "text";
    replay(data + 1, size - 1);
    remove_folder();
    return 0;
}
