/* The command line of hearth sample. */
#ifndef HEARTH_TOOLS_SAMPLE_OPTIONS_H
#define HEARTH_TOOLS_SAMPLE_OPTIONS_H

#include "sampling/sampling.h"
#include "tools/sample_source.h"

struct sample_arguments {
    struct sample_request request;
    const struct sampling_method *method;
    struct sampling_options options;
    const char *output, *strata, *trace_list; /* paths; NULL: not asked for */
    bool force, quiet, shown;                 /* shown: only help or the version */
};

/* Reads the command line. Returns 0, or -1 with ERR filled. */
int sample_options_parse(struct sample_arguments *arguments, int argc, char **argv,
                         struct error *err);

#endif
