#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "tools/run/plan/plan_line.h"
#include "tools/run/plan/plan_reader.h"

static int read_kernel(struct plan_reader *reader, const struct trace_command *command,
                       size_t position)
{
    struct plan_item *item = plan_add(reader->plan, PLAN_LAUNCH, command->line, reader->err);
    if (item == NULL)
        return -1;
    struct plan_launch *launch = &item->launch;
    *launch = (struct plan_launch){.step = &plan_step_none};
    if (reader->stepped)
        *launch = reader->step;
    else if (plan_is_memory_trace(command->kernel.listed != NULL ? command->kernel.listed
                                                                 : command->text))
        launch->role = PLAN_WARM, launch->mode = PLAN_MEMORY;
    reader->stepped = false;
    launch->name = command->text;
    launch->position = position;
    return 0;
}

/* Whether the first line of TEXT is that of a plan of this version. */
static bool is_ours(const char *text, size_t length)
{
    size_t size = strlen(PLAN_FIRST_LINE);
    if (length < size || memcmp(text, PLAN_FIRST_LINE, size) != 0)
        return false;
    while (size < length && (text[size] == ' ' || text[size] == '\t' || text[size] == '\r'))
        size++;
    return size == length || text[size] == '\n';
}

/* Reads any other line: a "!" line, a comment, or a line that plain lists may contain and
 * nobody reads. */
static int read_note(struct plan_reader *reader, const struct trace_command *command)
{
    const char *text = command->text + strspn(command->text, " \t\r");
    if (!reader->plan->written) {
        if (reader->plan->late == 0 && is_ours(text, strlen(text)))
            reader->plan->late = command->line;
        return 0;
    }
    if (text[0] == '\0' || text[0] == '#')
        return 0;
    if (command->line == 1)
        return 0; /* plan_parse() has checked the first line */
    if (text[0] != '!')
        return error_set(reader->err, ERROR_USAGE, reader->plan->path, command->line, 1,
                         "\"%.60s\": expected a kernel, a copy, a line that starts with \"!\" "
                         "or a comment",
                         text);
    return plan_reader_word(reader, text, command->line);
}

static int read_commands(struct plan_reader *reader)
{
    const struct trace_workload *lines = reader->plan->lines;
    size_t position = 0;
    for (size_t i = 0; i < lines->count; i++) {
        const struct trace_command *command = &lines->commands[i];
        int result = 0;
        if (command->kind == TRACE_KERNEL)
            result = read_kernel(reader, command, ++position);
        else if (command->kind == TRACE_NOTE)
            result = read_note(reader, command);
        else
            result = plan_add_copy(reader->plan, command, command->line, reader->err);
        if (result < 0)
            return -1;
    }
    if (reader->stepped)
        return error_set(reader->err, ERROR_USAGE, reader->plan->path, reader->step_line, 0,
                         "!step: no kernel line follows");
    return 0;
}

/* A relative path in a plan is relative to the plan's folder. Absolute if the file exists;
 * otherwise unchanged, for the message of whoever opens it. */
static char *resolve(const char *plan_path, const char *path)
{
    const char *slash = path[0] == '/' ? NULL : strrchr(plan_path, '/');
    size_t prefix = slash == NULL ? 0 : (size_t)(slash - plan_path) + 1;
    char *joined = malloc(prefix + strlen(path) + 1);
    if (joined == NULL)
        return NULL;
    memcpy(joined, plan_path, prefix);
    strcpy(joined + prefix, path);
    char *absolute = trace_absolute_path(joined);
    if (absolute == NULL && errno != ENOMEM)
        return joined;
    free(joined);
    return absolute;
}

/* Looks for !workload in TEXT: names cannot be resolved without it. Returns 0 with its line
 * and path in PLAN (NULL: none), or -1. */
static int find_workload(struct plan *plan, const char *text, size_t length, struct error *err)
{
    const char *path = plan->path;
    long number = 0;
    for (const char *at = text, *end = text + length, *next; at < end; at = next) {
        const char *newline = memchr(at, '\n', (size_t)(end - at));
        next = newline == NULL ? end : newline + 1;
        number++;
        size_t size = newline == NULL ? (size_t)(end - at) : (size_t)(newline - at);
        if (size < 9 || memcmp(at, "!workload", 9) != 0)
            continue;
        char *copy = strndup(at, size);
        if (copy == NULL)
            return error_no_memory(err);
        struct plan_line line;
        int result = plan_line_init(&line, copy, path, number, err);
        free(copy);
        if (result < 0)
            return -1;
        const char *value = plan_line_get(&line, "path");
        if (strcmp(line.word, "workload") != 0)
            result = 1; /* another word: the error is reported when it is read */
        else if (value == NULL || value[0] == '\0')
            result = error_set(err, ERROR_USAGE, path, number, 0, "!workload: needs path=");
        else if ((plan->workload = resolve(path, value)) == NULL)
            result = error_no_memory(err);
        plan_line_finish(&line);
        plan->workload_line = plan->workload != NULL ? number : 0;
        if (result <= 0)
            return result;
    }
    return 0;
}

/* The folder to which names are relative: WORKLOAD, or the folder that contains it. Returns
 * NULL without memory. */
static char *folder_of(const char *workload)
{
    struct stat status;
    bool folder = stat(workload, &status) == 0 && S_ISDIR(status.st_mode);
    int one_file = folder ? 0 : trace_is_one_file(workload);
    if (folder || one_file != 0)
        return one_file >= 0 ? strdup(workload) : NULL;
    const char *slash = strrchr(workload, '/');
    if (slash == NULL)
        return strdup(".");
    return slash == workload ? strdup("/") : strndup(workload, (size_t)(slash - workload));
}

char *plan_own_folder(const char *path)
{
    char *file = resolve("", path);
    char *near = file != NULL ? folder_of(file) : NULL;
    char *folder = near != NULL ? resolve("", near) : NULL;
    free(file);
    free(near);
    return folder;
}

/* Reads the commands of PLAN->lines. Returns PLAN, or NULL after destroying it. */
static struct plan *finish(struct plan *plan, struct error *err)
{
    struct error first = {0}; /* ERR may be NULL; a reader needs one to check */
    struct plan_reader reader = {.plan = plan, .err = &first};
    plan->names = plan->lines;
    if (plan->lines != NULL && read_commands(&reader) == 0)
        return plan;
    if (first.kind != ERROR_NONE)
        error_pass(err, &first);
    plan_destroy(plan);
    return NULL;
}

struct plan *plan_parse(const char *path, const char *text, size_t length, struct error *err)
{
    if (!is_ours(text, length)) {
        error_set(err, ERROR_USAGE, path, 1, 1, "expected \"" PLAN_FIRST_LINE "\"");
        return NULL;
    }
    struct plan *plan = plan_create(path, true, err);
    if (plan == NULL)
        return NULL;
    if (find_workload(plan, text, length, err) < 0)
        goto fail;
    char *folder = plan->workload != NULL ? folder_of(plan->workload) : plan_own_folder(path);
    if (folder != NULL && plan->workload == NULL)
        plan->workload = strdup(folder);
    if (folder == NULL || plan->workload == NULL) {
        free(folder);
        error_no_memory(err);
        goto fail;
    }
    plan->lines = trace_workload_parse(path, folder, text, length, err);
    free(folder);
    return finish(plan, err);
fail:
    plan_destroy(plan);
    return NULL;
}

/* Reads all of FILE. Returns NULL with errno set. */
static char *read_all(FILE *file, size_t *length)
{
    size_t size = 0, room = 1 << 16;
    char *text = malloc(room);
    while (text != NULL) {
        size += fread(text + size, 1, room - size, file);
        if (size < room)
            break;
        char *larger = realloc(text, room *= 2);
        if (larger == NULL)
            free(text);
        text = larger;
    }
    if (text != NULL && ferror(file)) {
        free(text);
        return NULL;
    }
    *length = size;
    return text;
}

/* Whether FILE, a regular one, begins like a plan, of any version. */
static bool starts_as_plan(FILE *file)
{
    char first[5];
    bool is =
        fread(first, 1, sizeof first, file) == sizeof first && memcmp(first, "!plan", 5) == 0;
    rewind(file);
    return is;
}

static struct plan *open_list(const char *path, struct error *err)
{
    struct plan *plan = plan_create(path, false, err);
    if (plan == NULL)
        return NULL;
    plan->workload = resolve("", path);
    if (plan->workload == NULL) {
        error_no_memory(err);
        plan_destroy(plan);
        return NULL;
    }
    plan->lines = trace_workload_open(path, err);
    return finish(plan, err);
}

struct plan *plan_open(const char *path, struct error *err)
{
    struct stat status;
    if (stat(path, &status) < 0 || !S_ISREG(status.st_mode))
        return open_list(path, err);
    FILE *file = fopen(path, "rb");
    if (file == NULL) {
        error_set(err, ERROR_TRACE, path, 0, 0, "%s", strerror(errno));
        return NULL;
    }
    struct plan *plan = NULL;
    if (!starts_as_plan(file)) {
        fclose(file);
        return open_list(path, err);
    }
    size_t length;
    char *text = read_all(file, &length);
    if (text == NULL)
        error_set(err, ERROR_TRACE, path, 0, 0, "%s", strerror(errno));
    else
        plan = plan_parse(path, text, length, err);
    free(text);
    fclose(file);
    return plan;
}
