#define _GNU_SOURCE /* getline */
#include "tracer/select/select.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* A line of TRACE_LIST: launches, or "memory" and launches; '#' begins a
 * comment. */
static int parse_line(struct select_ranges *list, char *line, const char *path, long number,
                      struct error *err)
{
    static const char word[] = "memory";
    line[strcspn(line, "#")] = '\0';
    line += strspn(line, " \t");
    size_t n = strcspn(line, " \t\r\n");
    bool memory = n == sizeof word - 1 && memcmp(line, word, n) == 0;
    return select_ranges_parse(list, memory ? line + n : line, memory, path, number, err);
}

static int read_list(struct select_ranges *list, const char *path, struct error *err)
{
    FILE *in = fopen(path, "r");
    if (in == NULL)
        return error_set(err, ERROR_USAGE, path, 0, 0, "%s", strerror(errno));
    char *line = NULL;
    size_t room = 0;
    int rc = 0;
    for (long number = 1; rc == 0 && getline(&line, &room, in) >= 0; number++)
        rc = parse_line(list, line, path, number, err);
    if (rc == 0 && !feof(in)) /* also if memory ran out */
        rc = error_set(err, ERROR_USAGE, path, 0, 0, "%s", strerror(errno));
    if (rc == 0 && list->count == 0)
        rc = error_set(err, ERROR_USAGE, path, 0, 0, "a list without launches traces nothing");
    free(line);
    fclose(in);
    return rc;
}

/* The last launch of RANGES; 0 where one is open or there is none. */
static uint64_t last_of(const struct select_ranges *ranges)
{
    uint64_t last = 0;
    for (size_t i = 0; i < ranges->count; i++) {
        if (ranges->items[i].last == UINT64_MAX)
            return 0;
        if (ranges->items[i].last > last)
            last = ranges->items[i].last;
    }
    return last;
}

static uint64_t earlier(uint64_t a, uint64_t b)
{
    if (a == 0 || b == 0)
        return a + b;
    return a < b ? a : b;
}

int selection_init(struct selection *selection, const struct tracer_options *options,
                   struct error *err)
{
    *selection =
        (struct selection){.options = options, .active = options->active_from_start != 0};
    int rc = 0;
    if (options->range != NULL)
        rc = select_ranges_parse(&selection->range, options->range, false,
                                 "DYNAMIC_KERNEL_RANGE", 0, err);
    if (rc == 0 && options->list != NULL)
        rc = read_list(&selection->list, options->list, err);
    if (rc != 0) {
        selection_finish(selection);
        return rc;
    }
    selection->last = earlier(last_of(&selection->range), last_of(&selection->list));
    if (options->active_from_start)
        selection->last = earlier(selection->last, options->limit_end);
    return 0;
}

void selection_finish(struct selection *selection)
{
    select_ranges_finish(&selection->range);
    select_ranges_finish(&selection->list);
}

static bool matches(const struct select_range *range, uint64_t id, const char *name)
{
    bool named = range->name_count == 0;
    if (id < range->first || id > range->last)
        return false;
    for (size_t i = 0; i < range->name_count && !named; i++)
        named = regexec(&range->names[i], name, 0, NULL, 0) == 0;
    return named;
}

static bool is_within(const struct selection *selection, uint64_t id, const char *name)
{
    const struct tracer_options *options = selection->options;
    bool found = options->range == NULL;
    if (!selection->active)
        return false;
    if (options->active_from_start &&
        (id < options->limit_start || (options->limit_end != 0 && id > options->limit_end)))
        return false;
    for (size_t i = 0; i < selection->range.count && !found; i++)
        found = matches(&selection->range.items[i], id, name);
    return found;
}

/* The traces of a launch. */
static unsigned traces_of(const struct selection *selection, uint64_t id, const char *name)
{
    static const unsigned by_mode[] = {
        [TRACER_TRACE] = SELECT_FULL,
        [TRACER_MEMORY] = SELECT_MEMORY,
        [TRACER_BOTH] = SELECT_FULL | SELECT_MEMORY,
        [TRACER_PROFILE] = SELECT_FULL,
    };
    unsigned files = SELECT_NONE;
    if (!is_within(selection, id, name))
        return files;
    if (selection->options->list == NULL)
        return by_mode[selection->options->mode];
    for (size_t i = 0; i < selection->list.count; i++)
        if (matches(&selection->list.items[i], id, name))
            files |= selection->list.items[i].memory ? SELECT_MEMORY
                                                     : by_mode[selection->options->mode];
    /* Measured and warming others: what is measured warms as well. */
    return files & SELECT_FULL && selection->options->mode == TRACER_TRACE ? SELECT_FULL
                                                                           : files;
}

/* Launches that warm others have no states of their own. */
static unsigned states_of(const struct selection *selection, uint64_t id, unsigned traces)
{
    const struct tracer_options *options = selection->options;
    unsigned measured = options->mode == TRACER_MEMORY ? SELECT_MEMORY : SELECT_FULL;
    if (options->states == NULL || (selection->last != 0 && id > selection->last))
        return 0;
    return (unsigned)SELECT_STATES | (traces & measured ? (unsigned)SELECT_SAVE : 0) |
           (id == selection->last ? (unsigned)SELECT_LAST : 0);
}

unsigned selection_of(const struct selection *selection, uint64_t id, const char *name)
{
    unsigned traces = traces_of(selection, id, name);
    return traces | states_of(selection, id, traces);
}
