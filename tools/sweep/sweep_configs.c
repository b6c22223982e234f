#include "tools/sweep/sweep_configs.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tools/run/run.h"
#include "traces/base/bytes.h"

/* Options that functional simulation does not read: sections [first, end) of options.def, and
 * a single one. What they change is time; tests/tools/sweep/sweep_test.py compares states. */
static const struct timing_only {
    unsigned first, end;
} timing_only[] = {
    {SIM_SECTION_run, SIM_SECTION_launch},
    {SIM_OPTION_gpgpu_kernel_launch_latency, SIM_OPTION_gpgpu_kernel_launch_latency + 1},
    {SIM_SECTION_units, SIM_SECTION_shared},
    {SIM_SECTION_statistics, SIM_SECTION_start},
};

static bool is_timing_only(size_t option)
{
    for (size_t i = 0; i < sizeof timing_only / sizeof timing_only[0]; i++)
        if (option >= timing_only[i].first && option < timing_only[i].end)
            return true;
    return false;
}

/* Options of L2, of the way to it, of DRAM and of clocks, in which configurations may differ
 * whose states one job makes. */
static bool is_behind_l1(size_t option)
{
    return option == SIM_OPTION_gpgpu_cache_dl2 || option == SIM_OPTION_gpgpu_n_mem ||
           option == SIM_OPTION_gpgpu_n_sub_partition_per_mchannel ||
           option == SIM_OPTION_gpgpu_clock_domains ||
           (option >= SIM_SECTION_address && option < SIM_SECTION_l2) ||
           (option >= SIM_SECTION_dram && option < SIM_SECTION_hearth);
}

/* What of a configuration is digested. */
enum digested { ALL, FOR_STATES, FOR_PASS };

static bool digest_config(const struct sim_config *config, enum digested what,
                          char text[DIGEST_TEXT])
{
    struct digest_text digest;
    char buffer[24];
    if (!digest_text_begin(&digest))
        return false;
    for (size_t i = 0; i < SIM_OPTION_COUNT; i++) {
        const struct sim_option_info *option = &sim_option_table[i];
        bool left_out =
            (what != ALL && is_timing_only(i)) || (what == FOR_PASS && is_behind_l1(i));
        if (option->effect == SIM_OPTION_USED && !left_out)
            fprintf(digest.out, "%s %s\n", option->name,
                    sim_config_value(config, option, buffer, sizeof buffer));
    }
    if (what == FOR_PASS)
        fprintf(digest.out, "%d %u %d\n", config->l2.enabled, (unsigned)config->l2.line,
                config->l2.sectored);
    return digest_text_end(&digest, text);
}

struct sweep_names sweep_jobs_values(const struct sweep_jobs *jobs, size_t config)
{
    const struct sweep_spec *spec = jobs->spec;
    struct sweep_names values = {0};
    size_t points = jobs->config_count / spec->card_count;
    size_t card = config / points, point = config % points;
    size_t count = spec->cards[card].values.count;
    for (size_t a = 0; a < spec->axis_count; a++)
        count += spec->axes[a].points[sweep_spec_point(spec, point, a)].values.count;
    values.items = calloc(count + 1, sizeof *values.items);
    for (size_t v = 0; v < spec->cards[card].values.count && values.items != NULL; v++)
        values.items[values.count++] = spec->cards[card].values.items[v];
    for (size_t a = 0; a < spec->axis_count && values.items != NULL; a++) {
        const struct sweep_names *more =
            &spec->axes[a].points[sweep_spec_point(spec, point, a)].values;
        for (size_t v = 0; v < more->count; v++)
            values.items[values.count++] = more->items[v];
    }
    return values;
}

const struct sweep_names *sweep_jobs_files(const struct sweep_jobs *jobs, size_t config)
{
    return &jobs->spec->cards[config / (jobs->config_count / jobs->spec->card_count)].files;
}

struct sim_config *sweep_configs_make(const struct sweep_jobs *jobs, size_t index,
                                      struct error *err)
{
    const struct sweep_names *files = sweep_jobs_files(jobs, index);
    struct sweep_names values = sweep_jobs_values(jobs, index);
    struct sim_config *config = NULL;
    if (values.items != NULL)
        config = sim_config_create(files->items, (unsigned)files->count, values.items,
                                   (unsigned)values.count, NULL, NULL, err);
    else
        error_no_memory(err);
    free(values.items);
    return config;
}

/* ---- groups ---- */

/* Where configurations are found while groups are made. */
struct grouping {
    struct map states; /* the first one with these states */
    struct map passes; /* the last group of a pass, by what all in it have in common */
};

/* Begins a group of PASS. NULL without memory. */
static struct sweep_group *add_group(struct sweep_jobs *jobs, struct grouping *grouping,
                                     uint64_t pass)
{
    if (!array_room(&jobs->groups, jobs->group_count, sizeof *jobs->groups) ||
        !map_set(&grouping->passes, pass, (uint32_t)jobs->group_count))
        return NULL;
    jobs->groups[jobs->group_count] = (struct sweep_group){0};
    return &jobs->groups[jobs->group_count++];
}

/* Configuration INDEX becomes one of its group, or begins one. */
static bool join_group(struct sweep_jobs *jobs, struct grouping *grouping, size_t index,
                       uint64_t pass)
{
    struct sweep_of_config *of = &jobs->configs[index];
    uint64_t states = strtoull(of->states, NULL, 16);
    uint32_t same = map_get(&grouping->states, states);
    if (same != MAP_NONE) {
        of->group = jobs->configs[same].group;
        of->variant = jobs->configs[same].variant;
        return true;
    }
    uint32_t number = map_get(&grouping->passes, pass);
    struct sweep_group *group = number != MAP_NONE ? &jobs->groups[number] : NULL;
    if (group == NULL || group->count == SWEEP_VARIANTS)
        group = add_group(jobs, grouping, pass);
    if (group == NULL || !map_set(&grouping->states, states, (uint32_t)index))
        return false;
    of->group = (uint32_t)(group - jobs->groups);
    of->variant = (uint8_t)group->count;
    group->configs[group->count++] = (uint32_t)index;
    return true;
}

static int take_config(struct sweep_jobs *jobs, struct grouping *grouping, size_t index,
                       struct error *err)
{
    struct sweep_of_config *of = &jobs->configs[index];
    char pass[DIGEST_TEXT];
    struct error wrong = {0};
    struct sim_config *config = sweep_configs_make(jobs, index, &wrong);
    if (config == NULL)
        return (of->error = strdup(wrong.text)) != NULL ? 0 : error_no_memory(err);
    bool good = digest_config(config, ALL, of->digest) &&
                digest_config(config, FOR_STATES, of->states) &&
                digest_config(config, FOR_PASS, pass) &&
                join_group(jobs, grouping, index, strtoull(pass, NULL, 16));
    of->core_mhz = config->core_mhz;
    of->limited = run_is_limited(config);
    sim_config_destroy(config);
    return good ? 0 : error_no_memory(err);
}

int sweep_configs_init(struct sweep_jobs *jobs, struct error *err)
{
    struct grouping grouping = {0};
    int result = 0;
    for (size_t c = 0; c < jobs->config_count && result == 0; c++)
        result = take_config(jobs, &grouping, c, err);
    map_finish(&grouping.states);
    map_finish(&grouping.passes);
    return result;
}
