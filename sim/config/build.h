/* A configuration while it is made: its values, and where each of them was set, so that a late
 * error can still name the place. */
#ifndef HEARTH_SIM_CONFIG_BUILD_H
#define HEARTH_SIM_CONFIG_BUILD_H

#include "sim/config.h"

struct build_place {
    const char *file; /* NULL: the default; must outlive the build */
    long line;        /* 0: not in a file */
    int column;       /* of the value's first character, 1-based */
};

struct build {
    struct sim_config *config;
    struct build_place place[SIM_OPTION_COUNT];
    bool given[SIM_OPTION_COUNT]; /* by the user, not by a bundled configuration */
    long again[SIM_OPTION_COUNT]; /* the line of a value that a later line of the same file
                                     replaced; 0: none */
    bool bundled;                 /* values that are set now come from a bundled
                                     configuration */
    const char *empty;            /* a file without options; must outlive the build. NULL:
                                     there is none */
    struct error *err;
};

/* Gives every option its default. */
int build_init(struct build *build, struct sim_config *config, struct error *err);

/* Sets OPTION from its text; a number is checked against its range. */
int build_set(struct build *build, const struct sim_option_info *option, const char *text,
              struct build_place place);

/* Fails with a message about the character number OFFSET of OPTION's value. Always returns
 * -1. */
int build_fail(const struct build *build, enum sim_option option, size_t offset,
               const char *format, ...) __attribute__((format(printf, 4, 5)));

int build_no_memory(const struct build *build);

/* The value of an option of type TEXT. */
const char *build_text(const struct build *build, enum sim_option option);

/* Computes the members of struct sim_config that follow from its options. May be called again
 * after options have changed. */
int derive_config(struct build *build);

#endif
