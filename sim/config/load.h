/* Loads option files, including nested ones, into a configuration. */
#ifndef HEARTH_SIM_CONFIG_LOAD_H
#define HEARTH_SIM_CONFIG_LOAD_H

#include "sim/config/build.h"

struct load {
    struct build *build;
    char **names; /* of all files read; places point to them */
    size_t name_count;
};

void load_finish(struct load *load);

/* Reads a bundled configuration or, if none has that name, the file with that path, or of a
 * folder gpgpusim.config and trace.config, whichever is there. */
int load_source(struct load *load, const char *source);

/* Reads TEXT, which has the name NAME in messages. */
int load_text(struct load *load, const char *name, const char *text, size_t size);

/* Applies "name=value". */
int load_set(struct load *load, const char *set);

#endif
