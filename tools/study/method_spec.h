/* A method of hearth sample with options of its own: NAME[:OPTION=VALUE]... */
#ifndef HEARTH_TOOLS_STUDY_METHOD_SPEC_H
#define HEARTH_TOOLS_STUDY_METHOD_SPEC_H

#include "sampling/sampling.h"

struct method_spec {
    const char *text; /* as given; names files, too */
    const struct sampling_method *method;
    struct sampling_options options;
};

/* Reads TEXT, which must outlive SPEC. Returns 0, or -1 with ERR filled (ERROR_USAGE): there is
 * no such method, the message names them all; an option is not the method's or its value none
 * of the option's. */
int method_spec_init(struct method_spec *spec, const char *text, struct error *err);

#endif
