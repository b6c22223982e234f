/* OPTION=VALUE in a specification: checked as far as one option by itself can be. */
#ifndef HEARTH_TOOLS_SWEEP_SPEC_SWEEP_SETTINGS_H
#define HEARTH_TOOLS_SWEEP_SPEC_SWEEP_SETTINGS_H

#include "tools/sweep/spec/sweep_line.h"
#include "tools/sweep/spec/sweep_spec.h"
#include "tools/sweep/spec/sweep_values.h"

/* Whether NAME, at WORD of LINE, is an option of configurations. Returns 0, or -1 with ERR
 * filled. */
int sweep_settings_check_name(const struct sweep_line *line, size_t word, const char *name,
                              struct error *err);
/* Adds NAME=VALUE to VALUES. Returns 0, or -1 with ERR filled if there is no such option, or a
 * number is not in its range. */
int sweep_settings_add(struct sweep_spec *spec, struct sweep_names *values,
                       const struct sweep_line *line, size_t word, const char *name,
                       const char *value, struct error *err);
/* Adds all words of LINE from WORD on, each OPTION=VALUE. */
int sweep_settings_pairs(struct sweep_spec *spec, struct sweep_names *values,
                         const struct sweep_line *line, size_t word, struct error *err);

#endif
