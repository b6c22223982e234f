/* The options of hearth run. */
#ifndef HEARTH_TOOLS_COMMANDS_RUN_OPTIONS_H
#define HEARTH_TOOLS_COMMANDS_RUN_OPTIONS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "traces/base/error.h"

struct run_options {
    const char *target; /* workload or plan */
    const char **configs;
    size_t config_count;
    const char **sets;
    size_t set_count;
    const char *flush; /* NULL: not given, as the next two */
    const char *launches;
    const char *output;
    const char *warm; /* policy */
    bool quiet;
    bool accel_sim;     /* --print accel-sim */
    uint64_t intervals; /* cycles; 0: no series */
    unsigned jobs;
    unsigned threads;    /* of each job; 0: not given */
    bool resume;         /* go on with what an earlier run left */
    unsigned checkpoint; /* seconds between two states that are kept */
    bool help_config;    /* what is asked for is help on options; then DONE */
    bool done;           /* --help or --version was answered */
};

/* Reads the command line. Strings stay ARGV's. Returns 0, or -1 with ERR
 * filled and OPTIONS empty. */
int run_options_init(struct run_options *options, int argc, char **argv, struct error *err);
void run_options_finish(struct run_options *options);

#endif
