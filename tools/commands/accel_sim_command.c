/* hearth accel-sim: the command line of Accel-Sim, for its scripts. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sim/config.h"
#include "tools/commands/accel_sim.h"
#include "tools/commands/command.h"
#include "traces/base/number.h"
#include "traces/base/process/heap.h"
#include "traces/base/visible.h"

#define DEFAULT_TRACE "./traces/kernelslist.g" /* Accel-Sim's */

struct accel_command {
    struct run_request request;
    const char **configs;
    char **sets;
    struct accel_sim text;
    struct results results;
};

static void show_help(void)
{
    fputs(
        "usage: hearth accel-sim -config FILE [-config FILE]... [-trace LIST] [-OPTION "
        "VALUE]...\n"
        "       accel-sim.out    -config FILE [-config FILE]... [-trace LIST] [-OPTION "
        "VALUE]...\n"
        "\n"
        "Simulates a workload as Accel-Sim's program does: takes its command line, prints its\n"
        "statistics on standard output, and writes no files unless --output is given.\n"
        "\n"
        "  -config FILE       option file, folder with gpgpusim.config and trace.config, or\n"
        "                     bundled name; several add up, the later one wins\n"
        "  -trace LIST        kernelslist.g or any other workload\n"
        "                     (default: " DEFAULT_TRACE ")\n"
        "  -OPTION VALUE      an option of the configuration, which wins over files; a switch\n"
        "                     without a value is on\n"
        "  --output DIR       also write a folder of results\n"
        "  --threads N        threads that work in parallel (1 to 1024; default: 1)\n"
        "  -h, --help         show this help\n"
        "  -V, --version      show the version\n",
        stdout);
}

static bool is_option(const char *word)
{
    return word[0] == '-' &&
           (word[1] == '-' || word[1] == '_' || (word[1] >= 'a' && word[1] <= 'z') ||
            (word[1] >= 'A' && word[1] <= 'Z'));
}

static int unknown(const char *word, struct error *err)
{
    char room[VISIBLE_SHORT];
    const struct sim_option_info *near = sim_option_nearest(word + 1);
    return error_set(err, ERROR_USAGE, NULL, 0, 0, "there is no option %s%s%s%s",
                     visible_short(word, room), near != NULL ? "; did you mean -" : "",
                     near != NULL ? near->name : "", near != NULL ? "?" : "");
}

/* Adds the option WORD of a configuration with VALUE (NULL: none is given). Returns how many
 * words it took, or -1. */
static int take_option(struct accel_command *work, const char *word, const char *value,
                       struct error *err)
{
    const struct sim_option_info *option = is_option(word) ? sim_option_find(word + 1) : NULL;
    int words = 2;
    if (option == NULL)
        return unknown(word, err);
    if (value == NULL || is_option(value)) {
        if (option->type != SIM_OPTION_BOOL)
            return error_set(err, ERROR_USAGE, NULL, 0, 0, "%s needs a value", word);
        value = "1";
        words = 1;
    }
    size_t size = strlen(option->name) + strlen(value) + 2;
    char *set = malloc(size);
    if (set == NULL)
        return error_no_memory(err);
    snprintf(set, size, "%s=%s", option->name, value);
    work->sets[work->request.set_count++] = set;
    return words;
}

/* Options of the command itself. */
static const struct {
    const char *name, *help;
} own[] = {
    {"-config", "option file, folder, or bundled name"},
    {"-trace", "kernelslist.g or any other workload"},
    {"--output", "also write a folder of results"},
    {"--threads", "threads that work in parallel"},
};
#define OWN (sizeof own / sizeof own[0])

static int take_threads(struct accel_command *work, const char *value, struct error *err)
{
    uint64_t number;
    if (!number_whole(value, 1, RUN_JOBS, &number))
        return error_set(err, ERROR_USAGE, NULL, 0, 0,
                         "--threads \"%s\": expected a whole number from 1 to %d", value,
                         RUN_JOBS);
    work->request.threads = (unsigned)number;
    return 2;
}

/* Takes WORD, an option, and perhaps VALUE after it (NULL: nothing is). Returns how many words
 * it took, or -1. */
static int take(struct accel_command *work, const char *word, const char *value,
                struct error *err)
{
    size_t i = 0;
    while (i < OWN && strcmp(own[i].name, word) != 0)
        i++;
    if (i == OWN)
        return take_option(work, word, value, err);
    if (value == NULL)
        return error_set(err, ERROR_USAGE, NULL, 0, 0, "%s needs a value", word);
    if (i == 0)
        work->configs[work->request.config_count++] = value;
    else if (i == 1)
        work->request.target = value;
    else if (i == 2)
        work->request.output = value;
    else
        return take_threads(work, value, err);
    return 2;
}

/* Candidates for the last of WORDS, the command line so far. */
static void complete(char **words, int count)
{
    const char *word = words[count - 1];
    if (count > 1 && strcmp(words[count - 2], "-config") == 0)
        for (const struct sim_bundled_config *card = sim_bundled_configs; card->name != NULL;
             card++)
            cli_candidate(word, card->name, card->description, stdout);
    for (size_t i = 0; word[0] == '-' && i < OWN; i++)
        cli_candidate(word, own[i].name, own[i].help, stdout);
    for (size_t i = 0; word[0] == '-' && i < SIM_OPTION_COUNT; i++)
        if (strncmp(sim_option_table[i].name, word + 1, strlen(word + 1)) == 0)
            printf("-%s\t%s\n", sim_option_table[i].name, sim_option_table[i].description);
}

/* Returns 0, CLI_SHOWN, or -1. */
static int read_words(struct accel_command *work, int argc, char **argv, struct error *err)
{
    if (argc > 2 && strcmp(argv[1], CLI_COMPLETION) == 0) {
        complete(argv + 2, argc - 2);
        return CLI_SHOWN;
    }
    for (int i = 1; i < argc;) {
        const char *word = argv[i];
        if (cli_asks_for_help(argc, argv) || strcmp(word, "-h") == 0 ||
            strcmp(word, "--help") == 0) {
            show_help();
            return CLI_SHOWN;
        }
        if (strcmp(word, "-V") == 0 || strcmp(word, "--version") == 0) {
            cli_print_version();
            return CLI_SHOWN;
        }
        int words = take(work, word, argv[i + 1], err);
        if (words < 0)
            return -1;
        i += words;
    }
    if (work->request.config_count > 0)
        return 0;
    return error_set(err, ERROR_USAGE, NULL, 0, 0,
                     "-config FILE is missing; see hearth accel-sim --help");
}

static void on_begun(void *data)
{
    struct accel_command *work = data;
    accel_sim_init(&work->text, stdout);
    accel_sim_notes(&work->text, &work->results.notes);
    notes_finish(&work->results.notes);
}

static void on_launched(void *data, const struct row *row)
{
    struct accel_command *work = data;
    accel_sim_launch(&work->text, row);
}

/* Standard error stays empty unless there is an error: the scripts take a job that writes
 * there for one that failed. Notes about the configuration are printed before the first launch,
 * those about launches after the last. */
static int run(struct accel_command *work, struct error *err)
{
    const struct run_hooks hooks = {.data = work, .begun = on_begun, .launched = on_launched};
    struct results *results = &work->results;
    heap_use_huge_pages();
    int code = run_execute(&work->request, &hooks, results, err);
    if (results->report != NULL)
        fputs(results->report, stderr);
    if (results->stop_reason != NULL) {
        accel_sim_notes(&work->text, &results->notes);
        if (code == 0)
            accel_sim_end(&work->text);
    }
    results_finish(results);
    return code;
}

int command_accel_sim(int argc, char **argv, struct error *err)
{
    struct accel_command work = {
        .request = {.target = DEFAULT_TRACE,
                    .threads = 1,
                    .catch_signals = true,
                    .command = (const char *const *)argv},
        .configs = calloc((size_t)argc, sizeof *work.configs),
        .sets = calloc((size_t)argc, sizeof *work.sets),
    };
    int code = work.configs == NULL || work.sets == NULL ? error_no_memory(err)
                                                         : read_words(&work, argc, argv, err);
    work.request.configs = work.configs;
    work.request.sets = (const char *const *)work.sets;
    if (code == 0)
        code = run(&work, err);
    for (size_t i = 0; i < work.request.set_count; i++)
        free(work.sets[i]);
    free(work.sets);
    free(work.configs);
    return code == CLI_SHOWN && err->kind == ERROR_NONE ? 0 : code;
}
