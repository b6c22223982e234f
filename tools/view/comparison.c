#include "tools/view/comparison.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define FLOOR 1e-3 /* of the warp instructions: counters below that are left out */

/* ---- launches that both have ---- */

static bool same_kernel(const struct comparison *c, size_t b, size_t o)
{
    const struct run_view *base = c->base, *other = c->other;
    return strcmp(base->kernels[base->launches[b].kernel].name,
                  other->kernels[other->launches[o].kernel].name) == 0;
}

static bool pair_launches(struct comparison *c)
{
    struct map places = {0};
    bool good = true;
    c->pairs = calloc(c->other->launch_count + 1, sizeof *c->pairs);
    if (c->pairs == NULL)
        return false;
    for (size_t b = 0; b < c->base->launch_count && good; b++) {
        const struct view_launch *launch = &c->base->launches[b];
        good = map_set(&places, map_key(launch->launch, launch->again), (uint32_t)b);
    }
    for (size_t o = 0; o < c->other->launch_count; o++) {
        const struct view_launch *launch = &c->other->launches[o];
        uint32_t b = map_get(&places, map_key(launch->launch, launch->again));
        bool same = b != MAP_NONE && same_kernel(c, b, o);
        c->pairs[o] = same ? b : SIZE_MAX;
        c->launches += same;
    }
    map_finish(&places);
    return good;
}

/* ---- times ---- */

static double speedup_of(const double seconds[2])
{
    return seconds[0] > 0 && seconds[1] > 0 ? seconds[0] / seconds[1] : NAN;
}

/* exp(SUM / COUNT); NaN for none. */
static double mean_of(double sum, size_t count)
{
    return count > 0 ? exp(sum / (double)count) : NAN;
}

static void add_times(struct comparison *c)
{
    double logarithms = 0;
    size_t known = 0;
    for (size_t o = 0; o < c->other->launch_count; o++) {
        if (c->pairs[o] == SIZE_MAX)
            continue;
        const struct view_launch *base = &c->base->launches[c->pairs[o]];
        double seconds[2] = {view_seconds(c->base, (double)base->cycles),
                             view_seconds(c->other, (double)c->other->launches[o].cycles)};
        struct compared_kernel *kernel = &c->kernels[base->kernel];
        kernel->launches++;
        for (int i = 0; i < 2; i++) {
            kernel->seconds[i] += seconds[i];
            c->seconds[i] += seconds[i];
        }
        double speedup = speedup_of(seconds);
        if (!isnan(speedup)) {
            logarithms += log(speedup);
            known++;
        }
    }
    c->speedup = speedup_of(c->seconds);
    c->launch_mean = mean_of(logarithms, known);
}

static int by_seconds(const void *a, const void *b)
{
    const struct compared_kernel *x = a, *y = b;
    return (x->seconds[0] < y->seconds[0]) - (x->seconds[0] > y->seconds[0]);
}

static bool compare_kernels(struct comparison *c)
{
    double logarithms = 0;
    size_t known = 0, kept = 0;
    c->kernels = calloc(c->base->kernel_count + 1, sizeof *c->kernels);
    if (c->kernels == NULL)
        return false;
    add_times(c);
    for (size_t i = 0; i < c->base->kernel_count; i++) {
        struct compared_kernel kernel = c->kernels[i];
        const struct view_kernel *view = &c->base->kernels[i];
        if (kernel.launches == 0)
            continue;
        kernel.name = view->name;
        kernel.brief = view->brief;
        kernel.full = view->full;
        kernel.speedup = speedup_of(kernel.seconds);
        if (!isnan(kernel.speedup)) {
            logarithms += log(kernel.speedup);
            known++;
        }
        c->kernels[kept++] = kernel;
    }
    c->kernel_count = kept;
    c->kernel_mean = mean_of(logarithms, known);
    qsort(c->kernels, kept, sizeof *c->kernels, by_seconds);
    return true;
}

/* ---- counters ---- */

static void add_counter(struct comparison *c, struct compared_counter counter)
{
    double from = counter.values[0], to = counter.values[1];
    if (counter.ratio)
        counter.change = 100 * (to - from);
    else
        counter.change = from > 0 ? 100 * (to - from) / from : to > 0 ? INFINITY : 0;
    if (isfinite(from) && isfinite(to) && counter.change != 0)
        c->counters[c->counter_count++] = counter;
}

bool compared_counter_is_single(const struct compared_counter *counter)
{
    return !counter->ratio && (counter->values[0] > 0) != (counter->values[1] > 0);
}

static int by_change(const void *a, const void *b)
{
    const struct compared_counter *x = a, *y = b;
    const int alone = compared_counter_is_single(x) - compared_counter_is_single(y);
    if (alone != 0)
        return alone;
    double left = fabs(x->change), right = fabs(y->change);
    return left != right ? (left < right) - (left > right) : strcmp(x->name, y->name);
}

static bool is_on(const struct run_view *run, const char *option)
{
    char room[24];
    const struct sim_option_info *info = sim_option_find(option);
    return strcmp(sim_config_value(run->config, info, room, sizeof room), "0") != 0;
}

/* Whether both runs counted it: CPI stacks and activity are only counted if a run is asked for
 * them. */
static bool is_counted(const struct comparison *c, const char *name)
{
    static const char *const activity[] = {
#define ACTIVITY(name, each, description) #name,
#include "sim/stats/activity.def"
#undef ACTIVITY
    };
    const char *option = strncmp(name, "cpi_", 4) == 0 ? "hearth_cpi_stack" : NULL;
    for (size_t i = 0; i < sizeof activity / sizeof *activity; i++)
        if (strcmp(activity[i], name) == 0)
            option = "hearth_activity";
    return option == NULL || (is_on(c->base, option) && is_on(c->other, option));
}

static void add_all(struct comparison *c, const struct view_sum sums[2])
{
    double least =
        FLOOR * fmax((double)sums[0].counters.warp_insts, (double)sums[1].counters.warp_insts);
    for (size_t i = 0; i < sim_counter_count; i++) {
        const struct sim_counter *counter = &sim_counter_table[i];
        double from = (double)sim_counter_get(&sums[0].counters, i),
               to = (double)sim_counter_get(&sums[1].counters, i);
        if (fmax(from, to) >= least && is_counted(c, counter->name))
            add_counter(c, (struct compared_counter){.name = counter->name,
                                                     .unit = counter->unit,
                                                     .description = counter->description,
                                                     .values = {from, to}});
    }
    for (int i = 0; i < SIM_DERIVED_COUNT; i++) {
        const struct sim_derived *ratio = &sim_derived_table[i];
        if (strcmp(ratio->unit, "ratio") == 0 && is_counted(c, ratio->name))
            add_counter(
                c, (struct compared_counter){.name = ratio->name,
                                             .unit = ratio->unit,
                                             .description = ratio->description,
                                             .ratio = true,
                                             .values = {view_ratio(c->base, &sums[0], i),
                                                        view_ratio(c->other, &sums[1], i)}});
    }
    qsort(c->counters, c->counter_count, sizeof *c->counters, by_change);
}

/* Which launches of the base have a partner. */
static void mark_base(const struct comparison *c, bool *keep)
{
    for (size_t o = 0; o < c->other->launch_count; o++)
        if (c->pairs[o] != SIZE_MAX)
            keep[c->pairs[o]] = true;
}

static int compare_counters(struct comparison *c, struct error *err)
{
    struct view_sum sums[2] = {c->base->sum, c->other->sum};
    bool *base = calloc(c->base->launch_count + 1, sizeof *base);
    bool *other = calloc(c->other->launch_count + 1, sizeof *other);
    c->counters = calloc(sim_counter_count + SIM_DERIVED_COUNT, sizeof *c->counters);
    int result = 0;
    if (base == NULL || other == NULL || c->counters == NULL)
        result = error_no_memory(err);
    if (result == 0) {
        mark_base(c, base);
        for (size_t o = 0; o < c->other->launch_count; o++)
            other[o] = c->pairs[o] != SIZE_MAX;
    }
    if (result == 0 && c->launches < c->base->launch_count)
        result = run_view_sum(c->base, base, &sums[0], err);
    if (result == 0 && c->launches < c->other->launch_count)
        result = run_view_sum(c->other, other, &sums[1], err);
    if (result == 0)
        add_all(c, sums);
    free(base);
    free(other);
    return result;
}

int comparison_init(struct comparison *comparison, const struct run_view *base,
                    const struct run_view *other, struct error *err)
{
    *comparison = (struct comparison){.base = base, .other = other};
    if (!pair_launches(comparison))
        return error_no_memory(err);
    if (!compare_kernels(comparison))
        return error_no_memory(err);
    return compare_counters(comparison, err);
}

void comparison_finish(struct comparison *comparison)
{
    free(comparison->pairs);
    free(comparison->kernels);
    free(comparison->counters);
    *comparison = (struct comparison){0};
}

bool comparison_of_two_workloads(const struct comparison *comparison)
{
    const char *base = comparison->base->facts.digest, *other = comparison->other->facts.digest;
    return base[0] != '\0' && other[0] != '\0' && strcmp(base, other) != 0;
}

const struct compared_kernel *comparison_kernel(const struct comparison *comparison,
                                                const char *name)
{
    for (size_t i = 0; i < comparison->kernel_count; i++)
        if (strcmp(comparison->kernels[i].name, name) == 0)
            return &comparison->kernels[i];
    return NULL;
}

const struct compared_counter *comparison_counter(const struct comparison *comparison,
                                                  const char *name)
{
    for (size_t i = 0; i < comparison->counter_count; i++)
        if (strcmp(comparison->counters[i].name, name) == 0)
            return &comparison->counters[i];
    return NULL;
}

bool comparison_option_differs(const struct comparison *comparison,
                               const struct sim_option_info *option)
{
    char base[24], other[24];
    return option->effect == SIM_OPTION_USED &&
           strcmp(sim_config_value(comparison->base->config, option, base, sizeof base),
                  sim_config_value(comparison->other->config, option, other, sizeof other)) !=
               0;
}
