/* hearth: the command line. Only this file prints errors and exits. */
#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tools/commands/command.h"
#include "tools/commands/option_help.h"
#include "traces/base/process/terminal.h"

static const struct command_part commands[] = {
    {"run", command_run, "simulate a workload or a plan"},
    {"sample", command_sample, "choose the launches that stand for all"},
    {"warm", command_warm, "rewrite a plan so that its launches start warm"},
    {"estimate", command_estimate, "estimate times without a simulation"},
    {"study", command_study, "measure what cold start and sampling cost"},
    {"sweep", command_sweep, "simulate many workloads on many configurations"},
    {"calibrate", command_calibrate, "turn measured calibration rows into a configuration"},
    {"diff", command_diff, "compare results: speed-ups, options, counters"},
    {"activity", command_activity, "show what the parts of the GPU did, and its energy"},
    {"report", command_report, "show results as a page"},
    {"config", command_config, "show, check and list configurations"},
    {"trace", command_trace, "make, convert, cut, group, profile, check traces"},
    {"accel-sim", command_accel_sim, "simulate with the command line of Accel-Sim"},
    {"completion", command_completion, "make a shell complete command lines"},
};

static const struct command_group hearth = {
    .about = "Simulates GPU kernels from their instruction traces.",
    .more =
        "hearth --help-config shows the options of a configuration, with unit, default and\n"
        "range.\n"
        "exit codes: 0 finished, 1 the simulation failed, 2 usage or configuration,\n"
        "3 unreadable trace, 4 output not written, 128+n stopped by signal n\n",
    .parts = commands,
    .count = sizeof commands / sizeof commands[0],
};

/* Accel-Sim's scripts start a program of that name, also a copy of this one. */
static bool is_accel_sim(const char *program)
{
    const char *slash = strrchr(program, '/');
    return strcmp(slash != NULL ? slash + 1 : program, "accel-sim.out") == 0;
}

static int dispatch(int argc, char **argv, struct error *err)
{
    if (argc > 0 && is_accel_sim(argv[0]))
        return command_accel_sim(argc, argv, err);
    if (argc > 1 && strcmp(argv[1], "--help-config") == 0)
        return option_help(argv + 2, stdout, err);
    if (argc > 3 && strcmp(argv[1], CLI_COMPLETION) == 0 &&
        strcmp(argv[2], "--help-config") == 0) {
        option_help_candidates(argv[argc - 1], stdout);
        return 0;
    }
    return command_choose(&hearth, argc, argv, err);
}

/* A program compiled for a newer processor would die of an illegal instruction at some point.
 */
static bool processor_serves(void)
{
#if defined(__x86_64__) && defined(__AVX2__)
    __builtin_cpu_init();
    return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("bmi2");
#else
    return true;
#endif
}

int main(int argc, char **argv)
{
    struct error err = {0};
    if (!processor_serves()) {
        fputs("hearth: compiled for a newer processor (x86-64-v3); compile with -Dcpu=x86-64\n",
              stderr);
        return (int)ERROR_SIMULATION;
    }
    int code = dispatch(argc, argv, &err);
    if (fflush(stdout) != 0 || ferror(stdout))
        error_set(&err, ERROR_OUTPUT, NULL, 0, 0, "standard output: %s", strerror(errno));
    if (err.kind == ERROR_NONE)
        return code;
    fprintf(stderr, "%shearth:%s %s\n", terminal_begin(stderr, TERMINAL_ERROR),
            terminal_end(stderr), err.text);
    return code > 0 ? code : (int)err.kind;
}
