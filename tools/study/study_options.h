/* What studies have in common: options that they hand on to the runs that they are made of. */
#ifndef HEARTH_TOOLS_STUDY_STUDY_OPTIONS_H
#define HEARTH_TOOLS_STUDY_STUDY_OPTIONS_H

#include <stdbool.h>
#include <stddef.h>

#include "tools/commands/cli.h"
#include "tools/run/input_guard.h"
#include "traces/base/error.h"

enum {
    STUDY_SET = CLI_OWN,
    STUDY_FLUSH,
    STUDY_LAUNCHES,
    STUDY_THREADS,
    STUDY_JOBS,
    STUDY_OWN /* ids of a study's own options, and up */
};

/* Lines of the table of options that every study has. */
#define STUDY_COMMON                                                                           \
    {'o', "output", "DIR",                                                                     \
     "folder of the tables, charts and the page, and of all runs; the same\n"                  \
     "command goes on with what is there"},                                                    \
        {'c', "config", "CONFIG", "as of hearth run"},                                         \
        {STUDY_SET, "set", "NAME=VALUE",                                                       \
         "as of hearth run; gpgpu_kernel_launch_latency is 0 unless set"},                     \
        {STUDY_FLUSH, "flush", "LEVELS", "as of hearth run"},                                  \
        {STUDY_LAUNCHES, "launches", "LIST", "measure these launches only, as 1,5-9"},         \
        {STUDY_JOBS, "jobs", "N", "segments of a run side by side (default 1)"},               \
        {STUDY_THREADS, "threads", "N", "threads of each job, as of hearth run"},              \
    {                                                                                          \
        'q', "quiet", NULL, "do not tell which run is under way, nor the results"              \
    }

#define STUDY_OPERANDS 2

struct study_options {
    const char *operands[STUDY_OPERANDS + 1]; /* one more than a study takes */
    size_t operand_count;
    struct input_guard reads; /* they, which no file of the study may be */
    const char *output;
    const char *launches, *flush, *jobs, *threads; /* NULL: not given */
    const char **configs, **sets;
    size_t config_count, set_count;
    bool quiet;
    bool shown; /* --help or --version was answered */
};

/* Takes an option of STUDY_COMMON, --help or --version. False if ID is none of them. */
bool study_take(struct study_options *options, const struct cli_command *command, int id,
                const char *value);
/* Room for what is in ARGV. Returns 0, or -1 with ERR filled. */
int study_options_init(struct study_options *options, int argc, struct error *err);
/* Behind the options: the operands of ARGV. */
void study_take_operands(struct study_options *options, char **argv);
/* That there is a folder to write to; NAME is the study's, as of its command line. */
int study_check_output(const struct study_options *options, const char *name,
                       struct error *err);
/* That the first operand is a workload, and not a plan: before anything is written. */
int study_check_workload(const struct study_options *options, struct error *err);
/* Cuts the list TEXT of OPTION at its commas into at most MOST of NAMES. Returns how many, or
 * -1 with ERR filled: none, too many, an empty one, or one that stands twice. */
long study_cut(char *text, const char **names, size_t most, const char *option,
               struct error *err);
void study_options_finish(struct study_options *options);

#endif
