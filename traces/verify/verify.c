#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "traces/functions/workload_code.h"
#include "traces/kernel.h"
#include "traces/packed/store.h"
#include "traces/text/text.h"
#include "traces/verify/verifier.h"
#include "traces/workload/workload_files.h"

void verifier_tell(struct trace_verify *verify, bool error, const char *file, long line,
                   const char *format, ...)
{
    struct error text = {0};
    char what[ERROR_TEXT / 2];
    va_list args;
    va_start(args, format);
    vsnprintf(what, sizeof what, format, args);
    va_end(args);
    error_set(&text, ERROR_TRACE, file, line, 0, "%s%s", error ? "" : "note: ", what);
    const struct trace_finding finding = {error, text.text};
    *(error ? &verify->errors : &verify->notes) += 1;
    verify->found(verify->data, &finding);
}

void verifier_tell_error(struct trace_verify *verify, const struct error *err)
{
    if (err->no_memory)
        error_pass(&verify->no_memory, err);
    else if (err->kind != ERROR_NONE)
        verifier_tell(verify, true, NULL, 0, "%s", err->text);
}

/* The id of a launch and where it stands. */
struct launch_identity {
    uint64_t id;
    long line;
};

static int compare_identities(const void *a, const void *b)
{
    const struct launch_identity *x = a, *y = b;
    if (x->id != y->id)
        return x->id < y->id ? -1 : 1;
    return x->line < y->line ? -1 : x->line > y->line;
}

/* Reports launches with the same id. */
static void check_ids(struct trace_verify *verify, const char *path,
                      struct launch_identity *ids, size_t count)
{
    qsort(ids, count, sizeof *ids, compare_identities);
    for (size_t i = 1; i < count; i++)
        if (ids[i].id == ids[i - 1].id)
            verifier_tell(
                verify, false, path, ids[i].line,
                "kernel id %lu is that of line %ld too: launches go by their position",
                (unsigned long)ids[i].id, ids[i - 1].line);
}

/* The file that has the lines of WORKLOAD. */
static const char *list_of(const struct trace_workload *workload)
{
    return workload->list != NULL ? workload->list : workload->path;
}

/* PATH: of the trace. */
static void check_launch(struct trace_verify *verify, const struct trace_workload *workload,
                         const struct functions *functions, const struct trace_command *command,
                         const char *path, struct launch_identity *identity)
{
    const struct verifier_code code = {
        functions, command->kernel.listed ? command->kernel.listed : command->text};
    struct trace_header header = {0};
    struct error err = {0};
    const struct trace_kernel_options options = {.workload = workload};
    struct source text;
    bool packed = workload->store != NULL;
    int found = packed ? 1 : workload_has_file(workload, path);
    verify->launches++;
    if (found <= 0) {
        if (found < 0)
            error_no_memory_for(&verify->no_memory, ERROR_TRACE, workload->path);
        else
            verifier_tell(verify, true, list_of(workload), command->line,
                          "%s: there is no such file", path);
        return;
    }
    /* Files as they are, raw or grouped: what makes text of them would stop at
     * the first error. */
    int rc = packed ? text_open(&text, path, &options, &err)
                    : kernel_open_source(&text, path, workload, &err);
    if (rc == 0) {
        verifier_text(verify, &text, &code, &header);
        source_finish(&text);
    }
    verifier_tell_error(verify, &err);
    *identity = (struct launch_identity){header.has_id ? header.id : UINT64_MAX, command->line};
    header_finish(&header);
}

/* Reports lines that should say what was written: readers pass over those that do not. */
static void check_notes(struct trace_verify *verify, const struct trace_workload *workload)
{
    uint64_t told = 0;
    for (size_t i = 0; i < workload->count; i++) {
        struct error err = {0};
        const struct trace_command *command = &workload->commands[i];
        const char *expected, *at = NULL;
        if (command->kind == TRACE_NOTE)
            at = trace_note_wrong(command->text, &expected);
        if (at == NULL || told++ >= VERIFIER_MOST)
            continue;
        error_set(&err, ERROR_TRACE, list_of(workload), command->line,
                  (int)(at - command->text) + 1, "'%s' is expected", expected);
        verifier_tell_error(verify, &err);
    }
    if (told > VERIFIER_MOST)
        verifier_tell(verify, true, list_of(workload), 0, "%lu more errors",
                      (unsigned long)(told - VERIFIER_MOST));
}

static void check_workload(struct trace_verify *verify, const struct trace_workload *workload)
{
    struct launch_identity *ids = calloc(workload->count + 1, sizeof *ids);
    struct error err = {0};
    const struct functions *functions = workload_code_get(workload, &err);
    verifier_tell_error(verify, &err);
    size_t count = 0;
    if (ids == NULL) {
        error_no_memory_for(&verify->no_memory, ERROR_TRACE, workload->path);
        return;
    }
    for (size_t i = 0; i < workload->count; i++) {
        const struct trace_command *command = &workload->commands[i];
        if (command->kind != TRACE_KERNEL)
            continue;
        ids[count].id = UINT64_MAX;
        char *path = trace_workload_path(workload, command->text);
        if (path != NULL)
            check_launch(verify, workload, functions, command, path, &ids[count]);
        else
            error_no_memory_for(&verify->no_memory, ERROR_TRACE, workload->path);
        free(path);
        if (ids[count].id != UINT64_MAX)
            count++;
    }
    check_ids(verify, list_of(workload), ids, count);
    if (verify->launches == 0)
        verifier_tell(verify, true, workload->path, 0, "it lists no launch");
    free(ids);
}

int trace_verify_workload(const char *path, struct trace_verify *verify, struct error *err)
{
    struct error wrong = {0};
    *verify = (struct trace_verify){.found = verify->found, .data = verify->data};
    bool whole = !store_is_packed(path) || verifier_packed(verify, path);
    struct trace_workload *workload = whole ? trace_workload_open(path, &wrong) : NULL;
    verifier_tell_error(verify, &wrong);
    if (workload != NULL) {
        if (workload->note != NULL)
            verifier_tell(verify, true, NULL, 0, "%s", workload->note);
        check_notes(verify, workload);
        check_workload(verify, workload);
        trace_workload_destroy(workload);
    }
    return verify->no_memory.kind == ERROR_NONE ? 0 : error_pass(err, &verify->no_memory);
}
