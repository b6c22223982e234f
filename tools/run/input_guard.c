#define _GNU_SOURCE /* reallocarray */
#include "tools/run/input_guard.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "tools/run/plan/plan.h"
#include "traces/base/bytes.h"

/* Returns false without memory. Files that do not exist are ignored. */
static bool add(struct input_guard *reads, const char *path)
{
    struct stat status;
    if (path == NULL || stat(path, &status) != 0 || !S_ISREG(status.st_mode))
        return true;
    if (!array_room(&reads->files, reads->file_count, sizeof *reads->files))
        return false;
    reads->files[reads->file_count++] = (struct input_guard_file){status.st_dev, status.st_ino};
    return true;
}

static bool add_listed(struct input_guard *reads, const struct trace_workload *workload)
{
    const char *last = NULL; /* a list may name the same file a million times */
    bool good = workload == NULL || add(reads, workload->list);
    for (size_t i = 0; workload != NULL && i < workload->count && good; i++) {
        const struct trace_command *command = &workload->commands[i];
        if (command->kind != TRACE_KERNEL || command->text == last)
            continue;
        char *path = trace_workload_path(workload, command->text);
        good = path != NULL && add(reads, path);
        free(path);
        last = command->text;
    }
    return good;
}

/* Whether PLAN itself saves FILE. */
static bool saves(const struct plan *plan, const char *file)
{
    for (size_t i = 0; i < plan->count; i++)
        if (plan->items[i].kind == PLAN_SAVE && strcmp(plan->items[i].text, file) == 0)
            return true;
    return false;
}

/* Adds the states that PLAN restores and does not save. */
static bool add_states(struct input_guard *reads, const struct plan *plan)
{
    bool good = true, saving = false;
    for (size_t i = 0; i < plan->count; i++)
        saving |= plan->items[i].kind == PLAN_SAVE;
    for (size_t i = 0; i < plan->count && good; i++)
        if (plan->items[i].kind == PLAN_RESTORE &&
            !(saving && saves(plan, plan->items[i].text)))
            good = add(reads, plan->items[i].text);
    return good;
}

/* Adds a workload or plan and the files that it lists. Whoever reads it reports what is wrong
 * with it. Returns false if memory is short. */
static bool add_plan(struct input_guard *reads, const char *path)
{
    struct error wrong = {0};
    struct plan *plan = plan_open(path, &wrong);
    struct trace_workload *listed =
        plan != NULL && plan->written ? trace_workload_open(plan->workload, &wrong) : NULL;
    bool good = !wrong.no_memory &&
                (plan == NULL || (add(reads, plan->workload) && add_states(reads, plan) &&
                                  add_listed(reads, plan->lines) && add_listed(reads, listed)));
    trace_workload_destroy(listed);
    plan_destroy(plan);
    return good;
}

/* Adds PATH, without its last CUT bytes, and with SUFFIX. */
static bool add_with(struct input_guard *reads, const char *path, size_t cut,
                     const char *suffix)
{
    char name[4096];
    int length = (int)(strlen(path) - cut);
    return snprintf(name, sizeof name, "%.*s%s", length, path, suffix) >= (int)sizeof name ||
           add(reads, name);
}

static bool add_name(struct input_guard *reads, const char *name)
{
    struct stat status;
    if (name == NULL || stat(name, &status) != 0)
        return true;
    if (S_ISDIR(status.st_mode) && !add_with(reads, name, 0, "/kernels.csv"))
        return false;
    if (profile_is_table(name))
        return add(reads, name) && add_with(reads, name, strlen(".csv"), ".blocks.csv") &&
               add_with(reads, name, strlen(".csv"), ".bbv.csv");
    /* A pipe could not be read again. */
    return add(reads, name) &&
           (!(S_ISREG(status.st_mode) || S_ISDIR(status.st_mode)) || add_plan(reads, name));
}

static int compare(const void *a, const void *b)
{
    const struct input_guard_file *one = a, *other = b;
    if (one->device != other->device)
        return one->device < other->device ? -1 : 1;
    return one->number == other->number ? 0 : one->number < other->number ? -1 : 1;
}

static int list(struct input_guard *reads, struct error *err)
{
    for (size_t i = 0; i < reads->count; i++)
        if (!add_name(reads, reads->names[i]))
            return error_no_memory(err);
    if (reads->file_count > 0)
        qsort(reads->files, reads->file_count, sizeof *reads->files, compare);
    reads->listed = true;
    return 0;
}

int input_guard_check(void *guard, const char *output, struct error *err)
{
    struct input_guard *reads = guard;
    struct stat status;
    if (stat(output, &status) != 0)
        return 0;
    if (!reads->listed && list(reads, err) != 0)
        return -1;
    const struct input_guard_file file = {status.st_dev, status.st_ino};
    if (reads->file_count == 0 ||
        bsearch(&file, reads->files, reads->file_count, sizeof file, compare) == NULL)
        return 0;
    return error_set(err, ERROR_USAGE, output, 0, 0,
                     "this file is also read: the output needs another name");
}

void input_guard_finish(struct input_guard *reads)
{
    free(reads->files);
    reads->files = NULL;
    reads->file_count = 0;
    reads->listed = false;
}
