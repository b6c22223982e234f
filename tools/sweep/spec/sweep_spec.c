#include "tools/sweep/spec/sweep_spec.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tools/sweep/spec/sweep_line.h"
#include "tools/sweep/spec/sweep_words.h"
#include "traces/base/bytes.h"
#include "traces/base/files/paths.h"

const char *sweep_spec_keep(struct sweep_spec *spec, const char *text)
{
    return texts_keep(&spec->texts, text, strlen(text));
}

bool sweep_spec_add(struct sweep_spec *spec, struct sweep_names *names, const char *text)
{
    const char *kept = sweep_spec_keep(spec, text);
    if (kept == NULL || !array_room(&names->items, names->count, sizeof *names->items))
        return false;
    names->items[names->count++] = kept;
    return true;
}

size_t sweep_spec_axis(const struct sweep_spec *spec, const char *name)
{
    size_t axis = 0;
    while (axis < spec->axis_count && strcmp(spec->axes[axis].name, name) != 0)
        axis++;
    return axis;
}

size_t sweep_spec_points(const struct sweep_spec *spec)
{
    size_t points = 1;
    for (size_t a = 0; a < spec->axis_count; a++)
        points *= spec->axes[a].count;
    return points;
}

/* The last axis changes fastest. */
size_t sweep_spec_point(const struct sweep_spec *spec, size_t point, size_t axis)
{
    for (size_t a = spec->axis_count - 1; a > axis; a--)
        point /= spec->axes[a].count;
    return point % spec->axes[axis].count;
}

/* ---- ways ---- */

static bool add_way(struct sweep_spec *spec, size_t method, struct sweep_policy policy)
{
    if (!array_room(&spec->ways, spec->way_count, sizeof *spec->ways))
        return false;
    spec->ways[spec->way_count++] =
        (struct sweep_way){method, policy.name, policy.plans, policy.states, policy.timed};
    return true;
}

/* Samples have each policy; full runs have none. */
static bool make_ways(struct sweep_spec *spec)
{
    bool good = true;
    for (size_t m = 0; m < spec->method_count && good; m++)
        if (spec->methods[m].method == NULL || spec->policy_count == 0)
            good = add_way(spec, m, (struct sweep_policy){0});
        else
            for (size_t p = 0; p < spec->policy_count && good; p++)
                good = add_way(spec, m, spec->policies[p]);
    return good;
}

static int complete(struct sweep_spec *spec, const char *path, struct error *err)
{
    if (spec->workload_count == 0)
        return error_set(err, ERROR_USAGE, path, 0, 0, "no line \"workload\"");
    if (spec->card_count == 0)
        return error_set(err, ERROR_USAGE, path, 0, 0, "no line \"card\"");
    if (spec->method_count == 0) {
        spec->methods = calloc(1, sizeof *spec->methods);
        if (spec->methods == NULL)
            return error_no_memory(err);
        spec->methods[spec->method_count++].name = "full";
    }
    size_t most = 10000000, cells = spec->workload_count * spec->card_count;
    for (size_t a = 0; a < spec->axis_count && cells <= most; a++)
        cells *= spec->axes[a].count;
    if (!make_ways(spec))
        return error_no_memory(err);
    if (cells > most || cells * spec->way_count > most)
        return error_set(err, ERROR_USAGE, path, 0, 0, "more than %zu combinations", most);
    return 0;
}

/* ---- reading ---- */

static int read_line(struct sweep_words *words, char *text, long number, struct error *err)
{
    struct sweep_line line;
    text[strcspn(text, "\n")] = '\0';
    int result = sweep_line_init(&line, text, words->path, number, err);
    if (result == 0 && line.count > 0)
        result = sweep_words_take(words, &line, err);
    sweep_line_finish(&line);
    return result;
}

static int read_lines(struct sweep_words *words, FILE *in, struct error *err)
{
    char *text = NULL;
    size_t room = 0;
    int result = 0;
    for (long number = 1; result == 0 && getline(&text, &room, in) >= 0; number++)
        result = read_line(words, text, number, err);
    if (result == 0 && !feof(in)) /* also if memory ran out */
        result = error_set(err, ERROR_USAGE, words->path, 0, 0, "%s", strerror(errno));
    free(text);
    return result;
}

int sweep_spec_init(struct sweep_spec *spec, const char *path, struct error *err)
{
    *spec = (struct sweep_spec){.baseline = {.card = SWEEP_SAME, .method = SWEEP_SAME}};
    for (size_t a = 0; a < SWEEP_AXES; a++)
        spec->baseline.axes[a] = SWEEP_SAME;
    FILE *in = fopen(path, "r");
    if (in == NULL)
        return error_set(err, ERROR_USAGE, path, 0, 0, "%s", strerror(errno));
    char *absolute = paths_absolute(path);
    char *slash = absolute != NULL ? strrchr(absolute, '/') : NULL;
    if (slash != NULL)
        slash[slash == absolute] = '\0';
    struct sweep_words words = {.spec = spec, .path = path, .folder = absolute};
    int result = absolute != NULL ? read_lines(&words, in, err) : error_no_memory(err);
    if (result == 0)
        result = sweep_words_end(&words, err);
    sweep_words_finish(&words);
    fclose(in);
    free(absolute);
    return result == 0 ? complete(spec, path, err) : -1;
}

void sweep_spec_finish(struct sweep_spec *spec)
{
    for (size_t c = 0; c < spec->card_count; c++) {
        free(spec->cards[c].files.items);
        free(spec->cards[c].values.items);
    }
    for (size_t a = 0; a < spec->axis_count; a++) {
        for (size_t p = 0; p < spec->axes[a].count; p++)
            free(spec->axes[a].points[p].values.items);
        free(spec->axes[a].points);
    }
    for (size_t d = 0; d < spec->define_count; d++)
        free(spec->defines[d].values.items);
    for (size_t m = 0; m < spec->method_count; m++)
        free(spec->methods[m].options.items);
    free(spec->workloads);
    free(spec->cards);
    free(spec->defines);
    free(spec->methods);
    free(spec->policies);
    free(spec->ways);
    free(spec->pareto.items);
    texts_finish(&spec->texts);
}
