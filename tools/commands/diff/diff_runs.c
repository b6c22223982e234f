#include "tools/commands/diff/diff_runs.h"

#include <math.h>
#include <string.h>

/* The last part of a path. */
static const char *name_of(const char *path)
{
    const char *name = path;
    for (; *path != '\0'; path++)
        if (*path == '/' && path[1] != '/' && path[1] != '\0')
            name = path + 1;
    return name;
}

static void choose_labels(struct diff_runs *runs, char *const *folders)
{
    for (size_t i = 0; i <= runs->count; i++) {
        bool alone = true;
        for (size_t other = 0; other <= runs->count; other++)
            alone &= other == i || strcmp(name_of(folders[i]), name_of(folders[other])) != 0;
        runs->labels[i] = alone ? name_of(folders[i]) : folders[i];
    }
}

int diff_runs_read(struct diff_runs *runs, char *const *folders, size_t count,
                   struct error *err)
{
    *runs = (struct diff_runs){.count = count};
    if (run_view_read(&runs->base, folders[0], err) != 0)
        return -1;
    for (size_t i = 0; i < count; i++)
        if (run_view_read(&runs->others[i], folders[i + 1], err) != 0 ||
            comparison_init(&runs->comparisons[i], &runs->base, &runs->others[i], err) != 0)
            return -1;
    choose_labels(runs, folders);
    return 0;
}

void diff_runs_remark(const struct diff_runs *runs, size_t i, char text[DIFF_RUNS_REMARK])
{
    const struct run_view *run = i == 0 ? &runs->base : &runs->others[i - 1];
    const char *label = runs->labels[i];
    size_t used = 0;
    text[0] = '\0';
    if (run->facts.partial)
        used = (size_t)snprintf(text, DIFF_RUNS_REMARK,
                                "PARTIAL: %.200s stopped before its end (%.40s).", label,
                                run->facts.stop_reason);
    if (i == 0 || !comparison_of_two_workloads(&runs->comparisons[i - 1]))
        return;
    snprintf(text + used, DIFF_RUNS_REMARK - used,
             "%s%.200s is of another workload, %.200s, than %.200s, %.200s: %s.",
             used > 0 ? " " : "", label, run->facts.workload, runs->labels[0],
             runs->base.facts.workload,
             runs->comparisons[i - 1].launches > 0
                 ? "compared are the launches whose number and kernel agree"
                 : "no launch agrees in number and kernel");
}

void diff_runs_finish(struct diff_runs *runs)
{
    run_view_finish(&runs->base);
    for (size_t i = 0; i < runs->count; i++) {
        comparison_finish(&runs->comparisons[i]);
        run_view_finish(&runs->others[i]);
    }
}

bool diff_runs_differ(const struct diff_runs *runs, const struct sim_option_info *option)
{
    bool differ = false;
    for (size_t i = 0; i < runs->count; i++)
        differ |= comparison_option_differs(&runs->comparisons[i], option);
    return differ;
}
