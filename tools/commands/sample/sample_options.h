/* The command line of hearth sample. */
#ifndef HEARTH_TOOLS_COMMANDS_SAMPLE_SAMPLE_OPTIONS_H
#define HEARTH_TOOLS_COMMANDS_SAMPLE_SAMPLE_OPTIONS_H

#include "sampling/sampling.h"
#include "tools/cli/cli.h"
#include "tools/commands/sample/sample_list.h"
#include "tools/run/sample/sample_source.h"

struct sample_arguments {
    struct sample_request request;
    const char **configs; /* the card that will be simulated */
    size_t config_count;
    char **sources;                       /* operands; more than one only with --evaluate */
    const char *methods;                  /* as given: one, a list or "all" */
    const char *seeds;                    /* as given; NULL: not given */
    const char *values[SAMPLING_OPTIONS]; /* as given; NULL: not given */
    const char *output;                   /* path; NULL: not given */
    const char *strata, *trace_list;      /* paths; NULL: not given */
    const char *trace_warm;               /* as given; NULL: not given */
    const char *estimate;                 /* card; NULL: scales are those of the method */
    const char *judge;                    /* results of a run; NULL: not given */
    struct sample_warm warm;              /* the values of --trace-warm */
    bool evaluate, force;
};

/* Reads the command line. Returns as cli_read() does. sample_options_finish() either way. */
int sample_options_parse(struct sample_arguments *arguments, int argc, char **argv,
                         struct error *err);

void sample_options_finish(struct sample_arguments *arguments);

/* Sets what OPTIONS of METHOD leave to the card. */
int sample_options_card(struct sampling_options *options, const struct sampling_method *method,
                        const struct sample_arguments *arguments, struct error *err);

/* Reads TEXT, the value of --seed. */
int sample_options_seed(struct sampling_options *options, const char *text, struct error *err);

#endif
