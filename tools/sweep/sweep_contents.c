#define _GNU_SOURCE /* asprintf */
#include "tools/sweep/sweep_contents.h"

#include <errno.h>
#include <glob.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "tools/sweep/sweep_folder.h"
#include "traces/base/files/paths.h"
#include "traces/traces.h"

/* What is digested of each file. */
struct looking {
    FILE *out;  /* of a struct digest_text */
    bool bytes; /* the file's bytes; otherwise its name, size and time */
    struct error *err;
};

static int add_file(const struct looking *looking, const char *path)
{
    struct stat status;
    char digest[DIGEST_TEXT];
    bool good = looking->bytes ? digest_file(path, digest) : stat(path, &status) == 0;
    if (!good)
        return error_set(looking->err, ERROR_TRACE, path, 0, 0, "%s", strerror(errno));
    if (looking->bytes)
        fprintf(looking->out, "%s\n", digest);
    else
        fprintf(looking->out, "%s %lld %lld.%09ld %llu\n", path, (long long)status.st_size,
                (long long)status.st_mtim.tv_sec, status.st_mtim.tv_nsec,
                (unsigned long long)status.st_ino);
    return 0;
}

/* Folders that cannot be read have no files, but not because memory is short. */
static int is_short_of_memory(const char *folder, int error)
{
    return error == ENOMEM;
}

/* PATH, and what is called so with a suffix of compression; names of folders and launches may
 * have letters that mean something to glob(). */
static int add_files(const struct looking *looking, const char *path)
{
    char *pattern = malloc(2 * strlen(path) + 2), *to = pattern;
    glob_t found = {0};
    int result = pattern != NULL ? 0 : error_no_memory(looking->err);
    for (; result == 0 && *path != '\0'; *to++ = *path++)
        if (strchr("*?[\\", *path) != NULL)
            *to++ = '\\';
    if (result == 0) {
        strcpy(to, "*");
        int why = glob(pattern, 0, is_short_of_memory, &found);
        if (why == GLOB_NOSPACE || why == GLOB_ABORTED)
            result = error_no_memory(looking->err);
        for (size_t i = 0; why == 0 && i < found.gl_pathc && result == 0; i++)
            result = add_file(looking, found.gl_pathv[i]);
    }
    globfree(&found);
    free(pattern);
    return result;
}

/* The machine code beside the traces. */
static int add_code(const struct looking *looking, const char *folder)
{
    char *path = paths_join(folder, "functions.code");
    int result = path != NULL ? add_files(looking, path) : error_no_memory(looking->err);
    free(path);
    return result;
}

/* The file of a launch; a missing one is an error of the job that needs it. */
static int add_trace(const struct looking *looking, const struct trace_workload *workload,
                     const char *name)
{
    char *path = trace_workload_path(workload, name);
    int result = path != NULL ? add_files(looking, path) : error_no_memory(looking->err);
    free(path);
    return result;
}

/* A packed workload, or the archive that it is in. */
static int add_one_file(const struct looking *looking, const struct trace_workload *workload)
{
    const size_t length = workload->archive_length;
    char *path = strndup(workload->path, length != 0 ? length : strlen(workload->path));
    int result = path != NULL ? add_file(looking, path) : error_no_memory(looking->err);
    free(path);
    return result;
}

static int add_workload(const struct looking *looking, const struct trace_workload *workload,
                        bool packed)
{
    const char *last = NULL;
    if (packed)
        return add_one_file(looking, workload);
    int result = add_code(looking, workload->folder);
    for (size_t i = 0; i < workload->count && result == 0; i++) {
        const struct trace_command *command = &workload->commands[i];
        if (command->kind == TRACE_KERNEL && command->text != last)
            result = add_trace(looking, workload, command->text);
        if (command->kind == TRACE_KERNEL)
            last = command->text;
    }
    return result;
}

static int digest_files(const struct trace_workload *workload, bool packed, bool bytes,
                        char text[DIGEST_TEXT], struct error *err)
{
    struct digest_text digest;
    char list[DIGEST_TEXT];
    if (digest_workload(workload, list, err) != 0)
        return -1;
    if (!digest_text_begin(&digest))
        return error_no_memory(err);
    const struct looking looking = {digest.out, bytes, err};
    fprintf(digest.out, "%s\n", list);
    int result = add_workload(&looking, workload, packed);
    return digest_text_end(&digest, text) || result != 0 ? result : error_no_memory(err);
}

static bool read_kept(const char *path, char text[DIGEST_TEXT])
{
    FILE *in = fopen(path, "r");
    bool good = in != NULL && fscanf(in, "%16s", text) == 1 && strlen(text) == DIGEST_TEXT - 1;
    if (in != NULL)
        fclose(in);
    return good;
}

static int write_kept(const char *path, const char *text, struct error *err)
{
    struct output_file output = {0};
    if (sweep_folder_open(&output, path, err) != 0)
        return -1;
    fprintf(output.file, "%s\n", text);
    int result = output_file_commit(&output, err);
    output_file_finish(&output);
    return result;
}

int sweep_contents_read(struct sweep_contents *contents, const char *path, const char *store,
                        struct error *err)
{
    char name[DIGEST_TEXT], *kept = NULL;
    struct trace_workload *workload = trace_workload_open(path, err);
    if (workload == NULL)
        return -1;
    int one_file = trace_is_one_file(path);
    contents->packed = one_file > 0;
    int result = one_file < 0 ? error_no_memory_for(err, ERROR_TRACE, path)
                              : digest_files(workload, contents->packed, false, name, err);
    if (result == 0 && asprintf(&kept, "%s/contents/%s", store, name) < 0) {
        kept = NULL;
        result = error_no_memory(err);
    }
    if (result == 0 && !read_kept(kept, contents->digest)) {
        result = digest_files(workload, contents->packed, true, contents->digest, err);
        if (result == 0)
            result = write_kept(kept, contents->digest, err);
    }
    free(kept);
    trace_workload_destroy(workload);
    return result;
}
