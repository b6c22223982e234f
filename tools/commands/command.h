/* The commands of hearth. Each takes its own arguments (argv[0] is its name)
 * and returns the exit code; errors are left in ERR for main() to print. */
#ifndef HEARTH_TOOLS_COMMANDS_COMMAND_H
#define HEARTH_TOOLS_COMMANDS_COMMAND_H

#include "tools/cli/cli.h"
#include "traces/base/error.h"

int command_run(int argc, char **argv, struct error *err);
int command_sample(int argc, char **argv, struct error *err);
int command_config(int argc, char **argv, struct error *err);
int command_warm(int argc, char **argv, struct error *err);
int command_diff(int argc, char **argv, struct error *err);
int command_report(int argc, char **argv, struct error *err);
int command_study(int argc, char **argv, struct error *err);
int command_estimate(int argc, char **argv, struct error *err);
int command_calibrate(int argc, char **argv, struct error *err);
int command_sweep(int argc, char **argv, struct error *err);
int command_accel_sim(int argc, char **argv, struct error *err);
int command_activity(int argc, char **argv, struct error *err);
int command_completion(int argc, char **argv, struct error *err);
int command_trace(int argc, char **argv, struct error *err);

/* A command made of others. */
struct command_group {
    const char *name;  /* "trace"; NULL: of hearth itself */
    const char *about; /* a sentence for its help */
    const struct command_part {
        const char *name;
        int (*run)(int argc, char **argv, struct error *err);
        const char *help;
    } * parts;
    size_t count;
    const char *more; /* the end of its help; NULL: nothing */
};

/* Runs the part that ARGV[1] names, with its name as argv[0], or shows help or version: "help",
 * "help PART", -h, -V. */
int command_choose(const struct command_group *group, int argc, char **argv, struct error *err);

#endif
