/* A method of hearth sample with options of its own: NAME[:OPTION=VALUE]... */
#ifndef HEARTH_TOOLS_STUDY_METHOD_SPEC_H
#define HEARTH_TOOLS_STUDY_METHOD_SPEC_H

#include "sampling/sampling.h"

struct method_spec {
    const char *text; /* as given; names files, too */
    const struct sampling_method *method;
    struct sampling_options options;
    char values[SAMPLING_OPTIONS][SAMPLING_VALUE_TEXT]; /* of options.given */
};

/* Reads TEXT, which must outlive SPEC. Returns 0, or -1 with ERR filled (ERROR_USAGE): there is
 * no such method, the message names them all; an option is not the method's or its value none
 * of the option's. */
int method_spec_init(struct method_spec *spec, const char *text, struct error *err);

/* Appends the words --method NAME --OPTION VALUE ... to WORDS, which has room for
 * METHOD_SPEC_WORDS; WORDS points into SPEC and into NAMES. Returns how many. */
#define METHOD_SPEC_WORDS (2 + 2 * SAMPLING_OPTIONS)
struct method_spec_names {
    char of[SAMPLING_OPTIONS][40];
};
size_t method_spec_words(const struct method_spec *spec, struct method_spec_names *names,
                         const char **words);

#endif
