/* Options that all studies have; they pass them on to their runs. */
#ifndef HEARTH_TOOLS_STUDY_STUDY_OPTIONS_H
#define HEARTH_TOOLS_STUDY_STUDY_OPTIONS_H

#include <stdbool.h>
#include <stddef.h>

#include "tools/cli/cli.h"
#include "tools/run/input_guard.h"
#include "tools/run/run.h"
#include "tools/run/values/value_lists.h"
#include "traces/base/error.h"

/* Entries for the tables of options; MEMBER of the study's TYPE is its struct
 * study_options. */
#define STUDY_COMMON(type, member)                                                             \
    {'o',                                                                                      \
     "output",                                                                                 \
     "DIR",                                                                                    \
     "folder of tables, charts, page and all runs; the same "                                  \
     "command continues what is there",                                                        \
     CLI_TEXT,                                                                                 \
     CLI_AT(type, member.output),                                                              \
     .required = true},                                                                        \
        {'c',                                                                                  \
         "config",                                                                             \
         "CONFIG",                                                                             \
         "as in hearth run",                                                                   \
         CLI_LIST,                                                                             \
         CLI_LIST_AT(type, member.configs, member.config_count),                               \
         .values = value_lists_cards},                                                         \
        {0,                                                                                    \
         "set",                                                                                \
         "NAME=VALUE",                                                                         \
         "as in hearth run; gpgpu_kernel_launch_latency is 0 unless set",                      \
         CLI_LIST,                                                                             \
         CLI_LIST_AT(type, member.sets, member.set_count),                                     \
         .values = value_lists_options},                                                       \
        {0,                                                                                    \
         "flush",                                                                              \
         "LEVELS",                                                                             \
         "as in hearth run",                                                                   \
         CLI_CHOICE,                                                                           \
         CLI_AT(type, member.flush),                                                           \
         .choices = plan_level_names},                                                         \
        {0,                                                                                    \
         "jobs",                                                                               \
         "N",                                                                                  \
         "segments that run in parallel",                                                      \
         CLI_WHOLE,                                                                            \
         CLI_AT(type, member.jobs),                                                            \
         1,                                                                                    \
         RUN_JOBS,                                                                             \
         .initial = "1"},                                                                      \
        {0,         "threads",                                                                 \
         "N",       "threads of each job, as in hearth run",                                   \
         CLI_WHOLE, CLI_AT(type, member.threads),                                              \
         1,         RUN_JOBS},                                                                 \
    {                                                                                          \
        'q', "quiet", NULL, "print neither progress nor results", CLI_FLAG,                    \
            CLI_AT(type, member.quiet)                                                         \
    }

/* Likewise, for studies that can measure some of the launches. */
#define STUDY_LAUNCHES(type, member)                                                           \
    {                                                                                          \
        0, "launches", "LIST", "only measure these launches, as 1,5-9", CLI_TEXT,              \
            CLI_AT(type, member.launches)                                                      \
    }

/* Likewise, for studies of warm-up policies; FOLDERS says what is where for several cards. */
#define STUDY_STATES(type, member, folders)                                                    \
    {                                                                                          \
        0, "states", "FOLDER",                                                                 \
            "states of nsl that the tracer made (TRACE_STATES), as in hearth run" folders,     \
            CLI_TEXT, CLI_AT(type, member.states)                                              \
    }

#define STUDY_OPERANDS 2

struct study_options {
    const char *operands[STUDY_OPERANDS + 1]; /* one more than a study may have */
    size_t operand_count;
    char **listed;            /* all operands as given, NULL-terminated; NULL: those above */
    struct input_guard reads; /* none of the study's files may replace one of these */
    const char *output;
    const char *launches, *flush, *states; /* NULL: not given */
    unsigned jobs, threads;                /* 0: not given */
    unsigned placements;                   /* as in placements.h; 0: the study has none */
    const char **configs, **sets;
    size_t config_count, set_count;
    bool quiet;
    char *command; /* study_take_command(); NULL: not known */
};

/* Copies the command line, for the study's page. ARGV[0] is the name of the study. Returns 0,
 * or -1 without memory. */
int study_take_command(struct study_options *options, int argc, char **argv);
/* Copies the operands. */
void study_take_operands(struct study_options *options, char **operands);
/* Checks that there is a folder to write to; NAME is the study's name on the command line. */
int study_check_output(const struct study_options *options, const char *name,
                       struct error *err);
/* Checks, before anything is written, that the first operand is a workload and not a plan. */
int study_check_workload(const struct study_options *options, struct error *err);
/* Whether states that the tracer made serve for POLICY, which warmup_parse() reads. */
bool study_takes_states(const char *policy);
/* Checks that they do for one of COUNT POLICIES, if there are any. */
int study_check_states(const struct study_options *options, const char *const *policies,
                       size_t count, struct error *err);
/* Splits the list TEXT of OPTION at its commas into at most MOST NAMES. Returns how many, or
 * -1 with ERR filled: there are none, too many, an empty one, or the same twice. */
long study_cut(char *text, const char **names, size_t most, const char *option,
               struct error *err);
void study_options_finish(struct study_options *options);

#endif
