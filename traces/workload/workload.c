/* Lists of copies and kernel launches. */
#define _GNU_SOURCE /* asprintf */
#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "traces/base/bytes.h"
#include "traces/base/files/path_guess.h"
#include "traces/base/files/paths.h"
#include "traces/base/text/texts.h"
#include "traces/functions/workload_code.h"
#include "traces/notes/note_places.h"
#include "traces/packed/store.h"
#include "traces/readers/reader.h"
#include "traces/tarball/tarball.h"
#include "traces/text/scan.h"
#include "traces/text/source.h"
#include "traces/text/source_pipe.h"
#include "traces/traces.h"
#include "traces/workload/workload_files.h"

static struct trace_command *add_command(struct trace_workload *workload)
{
    size_t count = workload->count;
    if (!array_room(&workload->commands, count, sizeof *workload->commands))
        return NULL;
    workload->commands[count] = (struct trace_command){0};
    workload->count++;
    return &workload->commands[count];
}

static const char *after_comma(const char *at)
{
    return at != NULL && *at == ',' ? scan_blanks(at + 1) : NULL;
}

/* "NAME,0xADDRESS,BYTES" and maybe a payload's file. LINE ends with '\n'. */
static bool read_copy(const char *line, struct trace_command *command, const char **failed)
{
    const char *at = after_comma(line + strcspn(line, ",\n"));
    *failed = at != NULL ? at : line;
    if (at == NULL || (at = scan_0x_hex(at, 16, &command->copy.address)) == NULL)
        return false;
    at = after_comma(scan_blanks(at));
    *failed = at != NULL ? at : line;
    if (at == NULL || (at = scan_decimal(at, UINT64_MAX - command->copy.address,
                                         &command->copy.bytes)) == NULL)
        return false; /* no number, or a copy beyond the last address */
    at = scan_blanks(at);
    *failed = at;
    return *at == '\n' || *at == ',';
}

static bool starts_with(const char *line, const char *word)
{
    return strncmp(line, word, strlen(word)) == 0;
}

/* A copy of the line without blanks at its end. */
static const char *copy_text(struct trace_workload *workload, const char *line)
{
    size_t length = strcspn(line, "\n");
    while (length > 0 && scan_is_blank(line[length - 1]))
        length--;
    return texts_keep(workload->texts, line, length);
}

static int read_line(struct trace_workload *workload, struct source *source, struct error *err)
{
    const char *line = source->at, *failed;
    size_t length = (size_t)((char *)rawmemchr(line, '\n') - line);
    if (memchr(line, '\0', length) != NULL)
        return source_error(source, err, NULL, "text is expected, this is binary");
    if (*scan_blanks(line) == '\n')
        return 0;
    if (source->line > (long)UINT32_MAX)
        return source_error(source, err, NULL, "more lines than a list may have");
    struct trace_command *command = add_command(workload);
    if (command == NULL)
        return error_no_memory_for(err, ERROR_TRACE, source->name);
    command->line = (uint32_t)source->line;
    command->kind = TRACE_NOTE;
    command->text = copy_text(workload, line);
    if (command->text == NULL)
        return error_no_memory_for(err, ERROR_TRACE, source->name);
    if (starts_with(line, "kernel")) {
        command->kind = TRACE_KERNEL;
    } else if (starts_with(line, "MemcpyHtoD")) {
        if (!read_copy(line, command, &failed))
            return source_error(source, err, failed,
                                "'MemcpyHtoD,0x<address>,<bytes>' is expected");
        command->kind = TRACE_COPY_HTOD;
    } else if (starts_with(line, "MemcpyDtoH") && read_copy(line, command, &failed))
        command->kind = TRACE_COPY_DTOH;
    if (command->kind == TRACE_NOTE && !note_places_add(workload->notes, command->text))
        return error_no_memory_for(err, ERROR_TRACE, source->name);
    if (command->kind == TRACE_NOTE &&
        trace_note_written(command->text, &command->copy.address, &command->copy.bytes))
        command->kind = TRACE_COPY_DEVICE;
    return 0;
}

static int read_lines(struct trace_workload *workload, struct source *source, struct error *err)
{
    int rc;
    while ((rc = source_line(source, err)) == 1) {
        if (read_line(workload, source, err) != 0)
            return -1;
        source_skip(source);
    }
    return rc;
}

void trace_workload_destroy(struct trace_workload *workload)
{
    if (workload == NULL)
        return;
    if (workload->texts != NULL)
        texts_finish(workload->texts);
    free(workload->texts);
    if (workload->notes != NULL)
        note_places_finish(workload->notes);
    free(workload->notes);
    store_close(workload->store);
    source_pipe_destroy(workload->pipe);
    tarball_close(workload->tarball);
    functions_cache_destroy(workload->code);
    free(workload->list);
    free(workload->trace);
    free(workload->note);
    free(workload->commands);
    free(workload->folder);
    free(workload->path);
    free(workload);
}

static struct trace_workload *create(const char *path, char *folder, struct error *err)
{
    struct trace_workload *workload = calloc(1, sizeof *workload);
    if (workload != NULL && folder != NULL) {
        workload->path = strdup(path);
        workload->texts = calloc(1, sizeof *workload->texts);
        workload->notes = calloc(1, sizeof *workload->notes);
        workload->folder = folder;
        workload->code = functions_cache_create();
        if (workload->path != NULL && workload->texts != NULL && workload->notes != NULL &&
            workload->code != NULL)
            return workload;
        folder = NULL;
    }
    trace_workload_destroy(workload);
    free(folder);
    error_no_memory_for(err, ERROR_TRACE, path);
    return NULL;
}

/* Reads the lines of SOURCE, which it finishes, into WORKLOAD. */
static struct trace_workload *fill(struct trace_workload *workload, struct source *source,
                                   struct error *err)
{
    if (workload != NULL && read_lines(workload, source, err) != 0) {
        trace_workload_destroy(workload);
        workload = NULL;
    }
    source_finish(source);
    return workload;
}

struct trace_workload *trace_workload_parse(const char *name, const char *folder,
                                            const char *text, size_t length, struct error *err)
{
    struct source source;
    /* Without a limit to lines: plans list what a launch stands for in one. */
    if (source_open_text(&source, name, text, length, err) != 0)
        return NULL;
    return fill(create(name, strdup(folder), err), &source, err);
}

/* The folder of a file: "." at least. */
static char *folder_of(const char *path)
{
    const char *slash = strrchr(path, '/');
    if (slash == NULL)
        return strdup(".");
    return slash == path ? strdup("/") : strndup(path, (size_t)(slash - path));
}

/* How many lists of one context, "kernelslist_ctx_0x..." with or without ".g", the folder has
 * with SUFFIX; -1 without memory. *FOUND: the path of the only one, else NULL. */
static int find_context_list(const char *folder, const char *suffix, char **found)
{
    int count = 0;
    bool good = true;
    DIR *dir = opendir(folder);
    *found = NULL;
    if (dir == NULL)
        return errno == ENOMEM ? -1 : 0;
    for (struct dirent *entry; good && (entry = readdir(dir)) != NULL;) {
        const char *name = entry->d_name;
        const char *dot = strrchr(name, '.');
        if (!starts_with(name, "kernelslist_ctx_") || strcmp(dot ? dot : "", suffix) != 0)
            continue;
        free(*found);
        *found = ++count == 1 ? paths_join(folder, name) : NULL;
        good = count > 1 || *found != NULL;
    }
    closedir(dir);
    return good ? count : -1;
}

/* Whether NAME is that of a list or a packed workload. */
static bool is_workload(const char *name)
{
    const char *suffix = strrchr(name, '.');
    return strcmp(name, "kernelslist.g") == 0 || strcmp(name, "kernelslist") == 0 ||
           (suffix != NULL && strcmp(suffix, ".packed") == 0);
}

static void no_list(const char *folder, struct error *err)
{
    char *below = path_guess_below(folder, is_workload);
    error_set(err, ERROR_TRACE, folder, 0, 0,
              "the folder has neither kernelslist.g nor kernelslist%s%s",
              below != NULL ? "; below it: " : "", below != NULL ? below : "");
    free(below);
}

/* The list in a folder: grouped before raw, that of all contexts before that
 * of one. */
static char *find_list(const char *folder, struct error *err)
{
    static const char *const suffixes[] = {".g", ""};
    for (int i = 0; i < 2; i++) {
        char *path;
        struct stat status;
        bool named = asprintf(&path, "%s/kernelslist%s", folder, suffixes[i]) >= 0;
        if (named && stat(path, &status) == 0)
            return path;
        free(named ? path : NULL);
        int contexts = named ? find_context_list(folder, suffixes[i], &path) : -1;
        if (contexts < 0)
            error_no_memory_for(err, ERROR_TRACE, folder);
        else if (contexts > 1)
            error_set(err, ERROR_TRACE, folder, 0, 0,
                      "%d lists kernelslist_ctx_*%s, one for each context: name one of them",
                      contexts, suffixes[i]);
        if (contexts != 0)
            return contexts == 1 ? path : NULL;
    }
    no_list(folder, err);
    return NULL;
}

/* The workload of the launch in a trace file, which SOURCE is and which is looked at later:
 * only a pipe stays open until then. */
static struct trace_workload *single_trace(struct trace_workload *workload, const char *path,
                                           struct source *source, struct error *err)
{
    struct stat status;
    struct trace_command *command = add_command(workload);
    if (stat(path, &status) != 0 || !S_ISFIFO(status.st_mode))
        source_finish(source);
    else if ((workload->pipe = source_pipe_create(source, err)) == NULL)
        command = NULL;
    const char *slash = strrchr(path, '/');
    if (command != NULL) {
        command->kind = TRACE_KERNEL;
        const char *name = slash != NULL ? slash + 1 : path;
        command->text = texts_keep(workload->texts, name, strlen(name));
        workload->trace = strdup(path);
    }
    if (command != NULL && command->text != NULL && workload->trace != NULL)
        return workload;
    error_no_memory_for(err, ERROR_TRACE, path);
    trace_workload_destroy(workload);
    return NULL;
}

/* Names the launches of a packed workload, whose list was read, as they were
 * listed before. */
static int name_launches(struct trace_workload *workload)
{
    struct store *store = workload->store;
    const char *at = (const char *)store->names.data, *end;
    size_t launch = 0;
    for (size_t i = 0; i < workload->count && launch < store->launch_count; i++) {
        struct trace_command *command = &workload->commands[i];
        if (command->kind != TRACE_KERNEL)
            continue;
        end = strchrnul(at, '\n');
        command->kernel.listed = copy_text(workload, at);
        command->kernel.packed = store->launches[launch++].packed;
        if (command->kernel.listed == NULL)
            return -1;
        at = end + 1;
    }
    if (!store_has_code(store))
        bytes_finish(&store->names);
    return 0;
}

/* The workload in STORE (NULL: it could not be opened), which it takes. */
static struct trace_workload *open_packed(const char *path, struct store *store,
                                          struct error *err)
{
    if (store == NULL)
        return NULL;
    struct trace_workload *workload =
        trace_workload_parse(path, path, (const char *)store->list.data, store->list.size, err);
    if (workload == NULL) {
        store_close(store);
        return NULL;
    }
    workload->store = store;
    if (store->note != NULL)
        workload->note = strdup(store->note);
    if (name_launches(workload) == 0)
        return workload;
    trace_workload_destroy(workload);
    error_no_memory_for(err, ERROR_TRACE, path);
    return NULL;
}

/* A file of lines that mean nothing is another file. A plan's own lines are notes, too. */
static struct trace_workload *check_list(struct trace_workload *workload, struct error *err)
{
    if (workload == NULL || workload->count == 0)
        return workload;
    for (size_t i = 0; i < workload->count; i++)
        if (workload->commands[i].kind != TRACE_NOTE || workload->commands[i].text[0] == '!')
            return workload;
    error_set(err, ERROR_TRACE, workload->list, workload->commands[0].line, 0,
              "no line of the file is a copy or a launch: a list of launches or a kernel "
              "trace is expected");
    trace_workload_destroy(workload);
    return NULL;
}

static struct trace_workload *open_file(const char *path, const char *file, struct error *err)
{
    struct source source;
    if (source_open(&source, file, err) != 0)
        return NULL;
    if (source.reader == &trace_reader_packed) {
        source_finish(&source);
        return open_packed(file, store_open(file, err), err);
    }
    struct trace_workload *workload = create(path, folder_of(file), err);
    if (workload == NULL || source.reader->layout == NULL) {
        if (workload != NULL && (workload->list = strdup(file)) == NULL) {
            error_no_memory_for(err, ERROR_TRACE, file);
            trace_workload_destroy(workload);
            workload = NULL;
        }
        return check_list(fill(workload, &source, err), err);
    }
    return single_trace(workload, file, &source, err);
}

/* The workload PATH, whose LIST is in TARBALL, which it takes. */
static struct trace_workload *open_list_inside(const char *path, struct tarball *tarball,
                                               size_t length, char *list, struct error *err)
{
    struct source source;
    struct trace_workload *workload = create(path, folder_of(list), err);
    if (workload == NULL) {
        tarball_close(tarball);
        free(list);
        return NULL;
    }
    workload->tarball = tarball;
    workload->archive_length = length;
    workload->list = list;
    if (workload_source(workload, workload->list, &source, err) == 0)
        return check_list(fill(workload, &source, err), err);
    trace_workload_destroy(workload);
    return NULL;
}

/* The workload PATH, in FOLDER (NULL: in any) of TARBALL, which is the first LENGTH bytes of
 * PATH and which it takes: the list there, else the packed workload. */
static struct trace_workload *open_inside(const char *path, struct tarball *tarball,
                                          size_t length, const char *folder, struct error *err)
{
    struct error no_list = {0}, several = {0};
    struct trace_workload *workload = NULL;
    char *list = NULL;
    const char *packed = NULL, *member = tarball_list(tarball, folder, &no_list);
    if (member == NULL)
        packed = tarball_packed(tarball, folder, &several);
    if (packed != NULL) {
        workload = open_packed(path, tarball_store(tarball, packed, path, err), err);
        if (workload != NULL)
            workload->archive_length = length;
    } else if (member == NULL) {
        error_pass(err, several.kind != ERROR_NONE ? &several : &no_list);
    } else if (asprintf(&list, "%.*s/%s", (int)length, path, member) < 0) {
        error_no_memory_for(err, ERROR_TRACE, path);
    } else {
        return open_list_inside(path, tarball, length, list, err);
    }
    tarball_close(tarball);
    return workload;
}

static struct trace_workload *open_archive(const char *path, size_t length, struct error *err)
{
    char *file = strndup(path, length);
    struct tarball *tarball = file != NULL ? tarball_open(file, err) : NULL;
    if (file == NULL)
        error_no_memory_for(err, ERROR_TRACE, path);
    free(file);
    const char *folder =
        path[length] == '/' && path[length + 1] != '\0' ? path + length + 1 : NULL;
    return tarball != NULL ? open_inside(path, tarball, length, folder, err) : NULL;
}

/* What PATH is when it is no folder. */
static struct trace_workload *open_other(const char *path, struct error *err)
{
    size_t length;
    if (!workload_archive_length(path, &length)) {
        error_no_memory_for(err, ERROR_TRACE, path);
        return NULL;
    }
    if (length == 0)
        return open_file(path, path, err);
    return open_archive(path, length, err);
}

struct trace_workload *trace_workload_open(const char *path, struct error *err)
{
    struct stat status;
    if (stat(path, &status) != 0 || !S_ISDIR(status.st_mode))
        return open_other(path, err);
    char *list = find_list(path, err);
    struct trace_workload *workload = list != NULL ? open_file(path, list, err) : NULL;
    free(list);
    return workload;
}
