/* Option files, nested ones included, into a configuration in the making. */
#ifndef HEARTH_SIM_CONFIG_LOAD_H
#define HEARTH_SIM_CONFIG_LOAD_H

#include "sim/config/build.h"

struct load {
    struct build *build;
    char **names; /* of all files read: places point to them */
    size_t name_count;
};

void load_finish(struct load *load);

/* Reads a bundled configuration or, if none is called so, the file of that
 * path. */
int load_source(struct load *load, const char *source);

/* Reads TEXT, which errors call NAME. */
int load_text(struct load *load, const char *name, const char *text, size_t size);

/* Applies "name=value". */
int load_set(struct load *load, const char *set);

#endif
