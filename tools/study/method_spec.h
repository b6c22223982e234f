/* A method of hearth sample with options of its own: NAME[:OPTION=VALUE]... */
#ifndef HEARTH_TOOLS_STUDY_METHOD_SPEC_H
#define HEARTH_TOOLS_STUDY_METHOD_SPEC_H

#include "sampling/sampling.h"

struct method_spec {
    const char *text; /* as given; also used in names of files */
    const struct sampling_method *method;
    struct sampling_options options;
};

/* Reads TEXT, which must outlive SPEC. Returns 0, or -1 with ERR filled (ERROR_USAGE): the
 * method is unknown (the message lists all), an option does not belong to the method, or its
 * value is invalid. */
int method_spec_init(struct method_spec *spec, const char *text, struct error *err);

#endif
