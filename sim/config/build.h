/* A configuration in the making: its values, and where each came from, so
 * that an error found late can still name the place. */
#ifndef HEARTH_SIM_CONFIG_BUILD_H
#define HEARTH_SIM_CONFIG_BUILD_H

#include "sim/config.h"

struct build_place {
    const char *file; /* NULL: the default; outlived by the build's user */
    long line;        /* 0: not of a file */
    int column;       /* of the value's first character, 1-based */
};

struct build {
    struct sim_config *config;
    struct build_place place[SIM_OPTION_COUNT];
    bool given[SIM_OPTION_COUNT]; /* by the user, not by a bundled file */
    long again[SIM_OPTION_COUNT]; /* line of a value that a later one of the same file replaced;
                                   * 0: none */
    bool bundled;                 /* values set now come from a bundled file */
    struct error *err;
};

/* Gives every option its default. */
int build_init(struct build *build, struct sim_config *config, struct error *err);

/* Sets OPTION from its text; a number is checked against its range. */
int build_set(struct build *build, const struct sim_option_info *option, const char *text,
              struct build_place place);

/* Fails with a message about OPTION's value at its OFFSETth character.
 * Always returns -1. */
int build_fail(const struct build *build, enum sim_option option, size_t offset,
               const char *format, ...) __attribute__((format(printf, 4, 5)));

int build_no_memory(const struct build *build);

/* The value of an option of type TEXT. */
const char *build_text(const struct build *build, enum sim_option option);

/* Fills what struct sim_config derives from its options. */
int derive_config(struct build *build);

#endif
