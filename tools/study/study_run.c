#define _GNU_SOURCE /* asprintf */
#include "tools/study/study_run.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tools/commands/command.h"

#define LATENCY "gpgpu_kernel_launch_latency=0"

/* A command line in the making. */
struct argument_line {
    const char **words;
    size_t count;
};

static void add(struct argument_line *line, const char *word)
{
    line->words[line->count++] = word;
}

static void add_pair(struct argument_line *line, const char *option, const char *value)
{
    if (value == NULL)
        return;
    add(line, option);
    add(line, value);
}

static void write_line(struct argument_line *line, const struct study_options *options,
                       const struct study_run *piece, const char *folder, bool resume)
{
    add(line, "run");
    add(line, piece->target != NULL ? piece->target : options->operands[0]);
    add_pair(line, "-o", folder);
    if (resume)
        add(line, "--resume");
    add(line, "-q");
    for (size_t i = 0; i < options->config_count; i++)
        add_pair(line, "-c", options->configs[i]);
    add_pair(line, "-c", piece->config);
    add_pair(line, "--set", LATENCY);
    for (size_t i = 0; i < options->set_count; i++)
        add_pair(line, "--set", options->sets[i]);
    for (size_t i = 0; i < STUDY_RUN_SETS && piece->sets[i] != NULL; i++)
        add_pair(line, "--set", piece->sets[i]);
    add_pair(line, "--warm", piece->policy);
    add_pair(line, "--flush", piece->flush != NULL ? piece->flush : options->flush);
    add_pair(line, "--launches", options->launches);
    add_pair(line, "--threads", options->threads);
    add_pair(line, "--jobs", options->jobs);
}

/* DIR/runs/NAME; colons and the like are not for names of folders. */
char *study_run_folder(const struct study_options *options, const char *name)
{
    char *folder;
    if (asprintf(&folder, "%s/runs/%s", options->output, name) < 0)
        return NULL;
    for (char *c = folder + strlen(options->output) + 6; *c != '\0'; c++)
        if (strchr(":+/ ", *c) != NULL)
            *c = '-';
    return folder;
}

static int carry_out(const struct study_options *options, const struct study_run *piece,
                     const char *folder, bool resume, struct error *err)
{
    size_t most = 32 + 2 * (options->config_count + options->set_count + STUDY_RUN_SETS);
    struct argument_line line = {.words = calloc(most, sizeof *line.words)};
    if (line.words == NULL)
        return error_no_memory(err);
    write_line(&line, options, piece, folder, resume);
    int code = command_run((int)line.count, (char **)line.words, err);
    free(line.words);
    return code;
}

/* ---- pieces that are others -------------------------------------------- */

/* Whether the configuration in TEXT gives option SETTING, "name=value", that value. */
static bool is_in_force(const char *text, const char *setting)
{
    size_t name = strcspn(setting, "=");
    const char *value = setting + name + (setting[name] == '=');
    for (const char *line = text; line != NULL; line = strchr(line, '\n')) {
        line += *line == '\n';
        if (line[0] != '-' || strncmp(line + 1, setting, name) != 0 || line[1 + name] != ' ')
            continue;
        const char *given = line + 2 + name;
        size_t length = strcspn(given, " \n");
        return length == strlen(value) && strncmp(given, value, length) == 0;
    }
    return false;
}

/* What --flush LEVELS sets. */
static bool is_flush_in_force(const char *text, const char *levels)
{
    bool all = strcmp(levels, "all") == 0;
    bool l1 = all || strcmp(levels, "l1") == 0, l2 = all || strcmp(levels, "l2") == 0;
    return is_in_force(text, l1 ? "gpgpu_flush_l1_cache=1" : "gpgpu_flush_l1_cache=0") &&
           is_in_force(text, l2 ? "gpgpu_flush_l2_cache=1" : "gpgpu_flush_l2_cache=0");
}

/* The configuration of the run in FOLDER; NULL if there is none. */
static char *read_configuration(const char *folder)
{
    char *path, *text = NULL;
    size_t size = 0;
    if (asprintf(&path, "%s/config.out", folder) < 0)
        return NULL;
    FILE *in = fopen(path, "r");
    free(path);
    if (in == NULL)
        return NULL;
    if (getdelim(&text, &size, '\0', in) < 0) {
        free(text);
        text = NULL;
    }
    fclose(in);
    return text;
}

struct study_run study_run_plain(const struct study_options *options,
                                 const struct study_run *piece)
{
    const struct study_run plain = {
        .policy = piece->policy,
        .serves = piece->serves != NULL ? piece->serves : piece->name,
    };
    char *folder = study_run_folder(options, piece->policy);
    char *text = folder != NULL ? read_configuration(folder) : NULL;
    bool same = text != NULL && (piece->flush == NULL || is_flush_in_force(text, piece->flush));
    for (size_t i = 0; i < STUDY_RUN_SETS && piece->sets[i] != NULL; i++)
        same = same && is_in_force(text, piece->sets[i]);
    free(text);
    free(folder);
    return same ? plain : *piece;
}

/* What is run, and what for. */
static void tell(const struct study_run *piece, const char *name,
                 const struct study_run_count *count)
{
    fprintf(stderr, "hearth: run %zu of %zu: ", count->done + 1, count->all);
    if (piece->serves != NULL && strcmp(piece->serves, name) != 0)
        fprintf(stderr, "%s, the same as ", piece->serves);
    fprintf(stderr, "%s\n", name);
}

int study_run_run(const struct study_options *options, const struct study_run *piece,
                  struct study_run_count *count, struct run_measures *series, struct error *err)
{
    const char *name = piece->name != NULL ? piece->name : piece->policy;
    char *folder = study_run_folder(options, name);
    if (folder == NULL)
        return error_no_memory(err);
    if (!options->quiet)
        tell(piece, name, count);
    int code = carry_out(options, piece, folder, true, err);
    /* Of another plan; any other fault of the usage is found again, at once. */
    if (code < 0 && err->kind == ERROR_USAGE && piece->redone) {
        *err = (struct error){0};
        code = carry_out(options, piece, folder, false, err);
    }
    count->done += code == 0;
    if (code == 0 && series != NULL)
        code = run_measures_read(series, folder, err);
    free(folder);
    return code;
}
