/* hearth study: whole investigations, made of runs. */
#include <stdio.h>
#include <string.h>

#include "tools/command.h"
#include "tools/study/study.h"

static const struct {
    const char *name;
    int (*run)(int argc, char **argv, struct error *err);
    const char *help;
} studies[] = {
    {"cold-start", study_cold_start, "what cold caches cost, and what warm-up gives back"},
    {"sampled", study_sampled, "a workload in full against samples of it"},
};
#define STUDIES (sizeof studies / sizeof studies[0])

static void help(FILE *out)
{
    fputs("usage: hearth study STUDY [ARGUMENT]...\n\n"
          "Carries out a whole investigation and writes its tables, charts and page.\n\n",
          out);
    for (size_t i = 0; i < STUDIES; i++)
        fprintf(out, "  %-10s %s\n", studies[i].name, studies[i].help);
    fputs("\nhearth study STUDY --help shows its options.\n", out);
}

int command_study(int argc, char **argv, struct error *err)
{
    if (argc < 2)
        return error_set(err, ERROR_USAGE, NULL, 0, 0, "no study; see hearth study --help");
    for (size_t i = 0; i < STUDIES; i++)
        if (strcmp(studies[i].name, argv[1]) == 0)
            return studies[i].run(argc - 1, argv + 1, err);
    if (strcmp(argv[1], "--help") == 0)
        help(stdout);
    else if (strcmp(argv[1], "--version") == 0)
        command_version();
    else
        return error_set(err, ERROR_USAGE, NULL, 0, 0,
                         "\"%s\" is not a study; see hearth study --help", argv[1]);
    return 0;
}
