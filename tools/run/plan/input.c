#include "tools/run/plan/input.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "traces/base/files/paths.h"

const struct trace_workload *input_workload(const struct input *input)
{
    return input->listed != NULL ? input->listed : input->given->lines;
}

/* ---- what a plan of somebody else may name ---- */

#define PERMITS "only --allow-outside permits that"

static bool is_in_own_folder(const struct plan *plan)
{
    char *folder = plan_own_folder(plan->path);
    bool is = folder != NULL && (paths_is_inside(folder, plan->workload) ||
                                 paths_same_file(folder, plan->workload));
    free(folder);
    return is;
}

/* Who knows the digest of a workload has it: such a plan makes no other file of the user's be
 * read. */
static int check_workload_place(const struct plan *plan, struct error *err)
{
    if (plan->workload_line == 0 || plan->digest != NULL || is_in_own_folder(plan))
        return 0;
    return error_set(err, ERROR_USAGE, plan->path, plan->workload_line, 0,
                     "!workload: %s: is outside of the plan's folder, or a symbolic link, and "
                     "the line has no digest=: " PERMITS,
                     plan->workload);
}

/* Whether NAME leaves the folder that it is relative to, as far as its text says. */
static bool leaves_folder(const char *name)
{
    if (name[0] == '/')
        return true;
    for (const char *at = name; (at = strstr(at, "..")) != NULL; at += 2)
        if ((at == name || at[-1] == '/') && (at[2] == '/' || at[2] == '\0'))
            return true;
    return false;
}

static int check_launch_places(const struct input *input, struct error *err)
{
    const struct plan *plan = input->plan;
    for (size_t i = 0; plan->written && i < plan->count; i++) {
        const struct plan_item *item = &plan->items[i];
        if (item->kind == PLAN_LAUNCH && leaves_folder(item->launch.name) &&
            launches_number(&input->launches, item->launch.name, 0) == 0)
            return error_set(err, ERROR_USAGE, plan->path, item->line, 0,
                             "%s: is outside of the workload's folder, and not in its "
                             "list: " PERMITS,
                             item->launch.name);
    }
    return 0;
}

/* A plan's names come from the list of its workload. The list may be missing: a folder of
 * traces is enough for a plan. */
static int open_workload(struct input *input, bool outside, struct error *err)
{
    const struct plan *plan = input->plan;
    if (plan->workload_line != 0 && access(plan->workload, F_OK) != 0) {
        int absent = errno, found = trace_is_one_file(plan->workload);
        if (found < 0)
            return error_no_memory_for(err, ERROR_TRACE, plan->workload);
        if (found == 0)
            return error_set(err, ERROR_TRACE, plan->path, plan->workload_line, 0,
                             "!workload: %s: %s", plan->workload, strerror(absent));
    }
    if (!outside && check_workload_place(plan, err) < 0)
        return -1;
    if (plan->written) {
        struct error no_list = {0};
        input->listed = trace_workload_open(plan->workload, &no_list);
        if (no_list.no_memory)
            return error_pass(err, &no_list);
    }
    if (digest_workload(input_workload(input), input->digest, err) < 0)
        return -1;
    if (plan->digest != NULL && strcmp(plan->digest, input->digest) != 0)
        return error_set(err, ERROR_USAGE, plan->path, plan->workload_line, 0,
                         "the plan is for a workload of digest %s, %s has %s", plan->digest,
                         plan->workload, input->digest);
    return 0;
}

/* Warns of a list in which the first line of a plan is where it has no effect. */
static void note_late(const struct plan *plan, struct notes *notes)
{
    if (plan->late == 0)
        return;
    char text[512];
    snprintf(text, sizeof text,
             "%.300s: \"!plan 1\" in line %ld: counts only as the first line of a file that is "
             "named itself; lines that start with \"!\" are ignored",
             plan->path, plan->late);
    notes_add(notes, text, 1);
}

static uint64_t number_of(const struct input *input, const struct plan_launch *launch)
{
    return launches_number(&input->launches, launch->name,
                           input->plan->written ? 0 : launch->position);
}

static bool has_launch_in(const struct input *input, struct range range)
{
    const struct ranges one = {&range, 1};
    for (size_t i = 0; i < input->plan->count; i++)
        if (input->plan->items[i].kind == PLAN_LAUNCH &&
            ranges_contain(&one, number_of(input, &input->plan->items[i].launch)))
            return true;
    return false;
}

static size_t count_launches(const struct input *input)
{
    size_t count = 0;
    for (size_t i = 0; i < input->plan->count; i++)
        count += input->plan->items[i].kind == PLAN_LAUNCH;
    return count;
}

/* Marks the launches that --launches leaves out. Every range must contain a launch. */
static int choose_launches(struct input *input, const struct ranges *ranges, struct error *err)
{
    for (size_t i = 0; i < ranges->count; i++)
        if (!has_launch_in(input, ranges->items[i]))
            return error_set(err, ERROR_USAGE, NULL, 0, 0,
                             "--launches: %s has no launch from %" PRIu64 " to %" PRIu64
                             "; it has %zu",
                             input->plan->path, ranges->items[i].first, ranges->items[i].last,
                             count_launches(input));
    for (size_t k = 0; k < input->plan->count; k++)
        input->skip[k] =
            input->plan->items[k].kind == PLAN_LAUNCH &&
            !ranges_contain(ranges, number_of(input, &input->plan->items[k].launch));
    return 0;
}

static bool is_measured(const struct plan_item *item)
{
    return item->kind == PLAN_LAUNCH && item->launch.role == PLAN_MEASURE;
}

/* Whether the plan has a measured launch that is left out, or one that is not. */
static bool has_measured(const struct input *input, bool left_out)
{
    for (size_t i = 0; i < input->plan->count; i++)
        if (input->skip[i] == left_out && is_measured(&input->plan->items[i]))
            return true;
    return false;
}

static void note_workload(const struct input *input, struct notes *notes)
{
    const struct trace_workload *workload = input_workload(input);
    if (workload->note != NULL)
        notes_add(notes, workload->note, 1);
    if (input->launches.by_position)
        notes_add(notes,
                  "kernel ids are missing or repeat: launches are numbered by "
                  "their position in the list",
                  1);
    if (!has_measured(input, false))
        notes_add(notes,
                  "no launch is measured: warm-up, and memory-only traces "
                  "(kernel-mem-<id>.traceg), only leave their state in the caches",
                  1);
}

/* A file that was cut off in its first launch has nothing to simulate. */
static int check_any_whole(const struct input *input, struct error *err)
{
    const struct trace_workload *workload = input_workload(input);
    if (workload->note == NULL || input->launches.count > 0)
        return 0;
    return error_set(err, ERROR_TRACE, NULL, 0, 0, "%s", workload->note);
}

int input_init(struct input *input, const char *path, const struct plan *plan, bool outside,
               const struct ranges *chosen, struct notes *notes, struct error *err)
{
    *input = (struct input){.plan = plan};
    if (plan == NULL)
        input->plan = input->opened = plan_open(path, err);
    input->given = input->plan;
    outside |= plan != NULL;
    if (input->plan == NULL || open_workload(input, outside, err) < 0)
        return -1;
    note_late(input->plan, notes);
    input->skip = calloc(input->plan->count + 1, sizeof *input->skip);
    if (input->skip == NULL)
        return error_no_memory(err);
    if (launches_init(&input->launches, input_workload(input), err) < 0 ||
        check_any_whole(input, err) < 0 || (!outside && check_launch_places(input, err) < 0) ||
        (chosen != NULL && choose_launches(input, chosen, err) < 0))
        return -1;
    note_workload(input, notes);
    return 0;
}

int input_replace(struct input *input, struct plan *plan, struct error *err)
{
    input->part |= has_measured(input, true);
    input->plan = input->made = plan;
    if (input->opened != NULL)
        plan_drop_items(input->opened);
    free(input->skip);
    input->skip = calloc(plan->count + 1, sizeof *input->skip);
    return input->skip != NULL ? 0 : error_no_memory(err);
}

struct plan *input_own_plan(struct input *input)
{
    return input->made != NULL ? input->made : input->opened;
}

void input_finish(struct input *input)
{
    launches_finish(&input->launches);
    free(input->skip);
    trace_workload_destroy(input->listed);
    plan_destroy(input->made);
    plan_destroy(input->opened);
    *input = (struct input){0};
}

const char *input_listed_digest(const struct input *input)
{
    return input->given->written && input->listed == NULL ? NULL : input->digest;
}

void input_count(const struct input *input, size_t *launches, uint64_t *warps)
{
    *launches = 0;
    *warps = 0;
    for (size_t i = 0; i < input->plan->count; i++) {
        if (input->plan->items[i].kind != PLAN_LAUNCH || input->skip[i])
            continue;
        const struct launch_header *known =
            launches_find(&input->launches, input->plan->items[i].launch.name);
        *launches += 1;
        *warps += known != NULL ? known->warps : 0;
    }
}
