#include "sim/config.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "sim/config/build.h"
#include "sim/config/load.h"
#include "traces/base/draft.h"

typedef void note_fn(void *data, const char *text);

/* Options of which the model supports only one value. */
static const struct {
    enum sim_option option;
    const char *value, *meaning;
} fixed[] = {
    {SIM_OPTION_network_mode, "2", "a crossbar"},
    {SIM_OPTION_icnt_subnets, "2", "a crossbar each for requests and replies"},
    {SIM_OPTION_gpgpu_perfect_inst_const_cache, "1",
     "instruction and constant fetches always hit"},
    {SIM_OPTION_gpgpu_perfect_mem, "0", "memory takes time"},
    {SIM_OPTION_gpgpu_simple_dram_model, "0", "banks and rows"},
    {SIM_OPTION_l2_ideal, "0", "L2 may miss"},
};

static bool is_fixed(size_t option)
{
    for (size_t i = 0; i < sizeof fixed / sizeof *fixed; i++)
        if (option == (size_t)fixed[i].option)
            return true;
    return false;
}

/* Tells the notes about a configuration, what changes a simulation first. */
struct telling {
    const struct build *build;
    note_fn *note;
    void *data;
    bool failed; /* memory is short */
};

static void __attribute__((format(printf, 2, 3)))
tell(struct telling *telling, const char *format, ...)
{
    struct draft draft;
    va_list args;
    if (!draft_begin(&draft)) {
        telling->failed = true;
        return;
    }
    va_start(args, format);
    vfprintf(draft.out, format, args);
    va_end(args);
    if (draft_end(&draft))
        telling->note(telling->data, draft.text);
    else
        telling->failed = true;
    free(draft.text);
}

/* Those that were given another value than the model has. */
static void tell_fixed(struct telling *telling)
{
    const struct build *build = telling->build;
    for (size_t i = 0; i < sizeof fixed / sizeof *fixed; i++) {
        char buffer[24];
        const struct sim_option_info *option = &sim_option_table[fixed[i].option];
        const char *value = sim_config_value(build->config, option, buffer, sizeof buffer);
        if (build->given[fixed[i].option] && strcmp(value, fixed[i].value) != 0)
            tell(telling, "-%s %s is simulated as %s, %s", option->name, value, fixed[i].value,
                 fixed[i].meaning);
    }
}

/* Values that mean something else here. */
static void tell_replaced(struct telling *telling)
{
    const struct build *build = telling->build;
    const struct sim_config *config = build->config;
    uint32_t indexing = config->options.gpgpu_memory_partition_indexing;
    if (build->given[SIM_OPTION_gpgpu_clock_domains] && config->icnt_mhz != config->core_mhz)
        tell(telling, "the interconnect runs at the clock of the core, %g MHz, not at %g",
             config->core_mhz, config->icnt_mhz);
    if (build->given[SIM_OPTION_gpgpu_memory_partition_indexing] && indexing >= 3 &&
        indexing <= 5)
        tell(telling, "-gpgpu_memory_partition_indexing %u is simulated as 0, plain", indexing);
}

/* Those that a file gives twice. */
static void tell_again(struct telling *telling)
{
    const struct build *build = telling->build;
    for (size_t i = 0; i < SIM_OPTION_COUNT; i++)
        if (build->again[i] != 0)
            tell(telling, "-%s of line %ld replaces that of line %ld", sim_option_table[i].name,
                 build->place[i].line, build->again[i]);
}

/* Whether OPTION is about what traces do not have, or about printing and logs. */
static bool is_elsewhere(size_t option)
{
    return (option >= SIM_SECTION_ptx_latencies && option < SIM_SECTION_shared) ||
           (option >= SIM_SECTION_device && option < SIM_SECTION_uvm);
}

static void tell_without_effect(struct telling *telling, bool elsewhere, const char *about)
{
    const struct build *build = telling->build;
    struct draft draft;
    bool any = false;
    if (!draft_begin(&draft)) {
        telling->failed = true;
        return;
    }
    for (size_t i = 0; i < SIM_OPTION_COUNT; i++) {
        if (!build->given[i] || sim_option_table[i].effect != SIM_OPTION_NO_EFFECT ||
            is_fixed(i) || is_elsewhere(i) != elsewhere)
            continue;
        fprintf(draft.out, "%s-%s", any ? ", " : "", sim_option_table[i].name);
        any = true;
    }
    if (!draft_end(&draft))
        telling->failed = true;
    else if (any)
        tell(telling, "%s: %s", about, draft.text);
    free(draft.text);
}

static int tell_notes(const struct build *build, note_fn *note, void *data)
{
    struct telling telling = {.build = build, .note = note, .data = data};
    if (build->empty != NULL)
        tell(&telling, "%s has no options", build->empty);
    tell_fixed(&telling);
    tell_replaced(&telling);
    tell_again(&telling);
    tell_without_effect(&telling, false, "options without effect in this model");
    tell_without_effect(&telling, true, "options that do not concern traces");
    return telling.failed ? build_no_memory(build) : 0;
}

/* derive_config() with an error of its own. */
static struct error derive(struct build *build)
{
    struct error *err = build->err, wrong = {.kind = ERROR_NONE};
    build->err = &wrong;
    (void)derive_config(build);
    build->err = err;
    return wrong;
}

/* Fails with WRONG, which came with the --set that LABEL names; NULL: with none. What WRONG
 * calls its place may be a line of a card that is right by itself. */
static int blame(const struct build *build, const char *label, const struct error *wrong)
{
    if (label == NULL || wrong->no_memory || strncmp(wrong->text, label, strlen(label)) == 0)
        return error_pass(build->err, wrong);
    return error_set(build->err, wrong->kind, label, 0, 0, "%s", wrong->text);
}

/* Applies SETS and derives the configuration. Deriving it before each of them, too, shows
 * which one an error comes with. */
static int derive_with(struct load *load, const char *const *sets, unsigned set_count)
{
    const char *label = NULL;
    struct error wrong = derive(load->build);
    for (unsigned i = 0; i < set_count; i++) {
        if (load_set(load, sets[i]) < 0)
            return -1;
        struct error next = derive(load->build);
        if (next.kind != ERROR_NONE && strcmp(next.text, wrong.text) != 0)
            label = load->names[load->name_count - 1];
        wrong = next;
    }
    return wrong.kind == ERROR_NONE ? 0 : blame(load->build, label, &wrong);
}

static int load_all(struct load *load, const char *const *sources, unsigned source_count,
                    const char *const *sets, unsigned set_count)
{
    for (unsigned i = 0; i < source_count; i++)
        if (load_source(load, sources[i]) < 0)
            return -1;
    return derive_with(load, sets, set_count);
}

/* Makes the initial configuration, with the defaults. NULL on error. */
static struct sim_config *start(struct build *build, struct error *err)
{
    struct sim_config *config = calloc(1, sizeof *config);
    if (config == NULL) {
        error_no_memory(err);
        return NULL;
    }
    if (build_init(build, config, err) < 0) {
        sim_config_destroy(config);
        return NULL;
    }
    return config;
}

struct sim_config *sim_config_create(const char *const *sources, unsigned source_count,
                                     const char *const *sets, unsigned set_count, note_fn *note,
                                     void *data, struct error *err)
{
    struct build build;
    struct load load = {.build = &build};
    struct sim_config *config = start(&build, err);
    if (config == NULL)
        return NULL;
    int result = load_all(&load, sources, source_count, sets, set_count);
    if (result == 0 && note != NULL)
        result = tell_notes(&build, note, data);
    load_finish(&load);
    if (result == 0)
        return config;
    sim_config_destroy(config);
    return NULL;
}

struct sim_config *sim_config_parse(const char *name, const char *text, size_t size,
                                    note_fn *note, void *data, struct error *err)
{
    struct build build;
    struct load load = {.build = &build};
    struct sim_config *config = start(&build, err);
    if (config == NULL)
        return NULL;
    int result = load_text(&load, name, text, size);
    if (result == 0)
        result = derive_config(&build);
    if (result == 0 && note != NULL)
        result = tell_notes(&build, note, data);
    load_finish(&load);
    if (result == 0)
        return config;
    sim_config_destroy(config);
    return NULL;
}

void sim_config_destroy(struct sim_config *config)
{
    if (config == NULL)
        return;
    for (size_t i = 0; i < SIM_OPTION_COUNT; i++)
        if (sim_option_table[i].type == SIM_OPTION_TEXT)
            free(*(char **)((char *)&config->options + sim_option_table[i].offset));
    free(config);
}
