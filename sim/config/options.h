/* The options of a configuration: for each line of options.def, struct sim_options has a
 * member and sim_option_table an entry. */
#ifndef HEARTH_SIM_CONFIG_OPTIONS_H
#define HEARTH_SIM_CONFIG_OPTIONS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "traces/base/policy.h"

#define SIM_OPTION_MEMBER_U32  uint32_t
#define SIM_OPTION_MEMBER_I32  int32_t
#define SIM_OPTION_MEMBER_U64  uint64_t
#define SIM_OPTION_MEMBER_BOOL bool
#define SIM_OPTION_MEMBER_TEXT char * /* never NULL; owned by the configuration */

struct sim_options {
#define OPTION(type, field, ...) SIM_OPTION_MEMBER_##type field;
#include "sim/config/options.def"
#undef OPTION
};

/* The index of an option in sim_option_table, SIM_OPTION_gpgpu_n_mem ..., and of the first
 * option of each section, SIM_SECTION_dram ... (sections have no index of their own). */
enum sim_option {
#define OPTION(type, field, ...) SIM_OPTION_##field,
#define SECTION(id, where)       SIM_SECTION_##id, SIM_SECTION_END_##id = SIM_SECTION_##id - 1,
#include "sim/config/options.def"
#undef OPTION
    SIM_OPTION_COUNT
};

enum sim_option_type {
    SIM_OPTION_U32,
    SIM_OPTION_I32,
    SIM_OPTION_U64,
    SIM_OPTION_BOOL,
    SIM_OPTION_TEXT,
};

enum sim_option_effect {
    SIM_OPTION_USED,      /* affects the model */
    SIM_OPTION_NO_EFFECT, /* accepted, but nothing depends on it */
};

struct sim_option_info {
    const char *name; /* without the dash */
    enum sim_option_type type;
    enum sim_option_effect effect;
    const char *initial; /* the default, as in an option file */
    const char *unit;    /* "" if it has none */
    int64_t min, max;    /* inclusive; both 0 for texts */
    const char *description;
    size_t offset; /* in struct sim_options */
};

/* Every option, in the order of options.def; SIM_OPTION_COUNT entries. */
extern const struct sim_option_info sim_option_table[SIM_OPTION_COUNT];

/* Accepts current names and the former names that old files use. NULL if the name is
 * unknown. */
const struct sim_option_info *sim_option_find(const char *name);

/* The known name that is nearest to NAME; NULL if none is near. */
const struct sim_option_info *sim_option_nearest(const char *name);

/* The part of the model on which OPTION acts, or would act if it had an effect: "a DRAM
 * channel". */
const char *sim_option_where(const struct sim_option_info *option);

/* The unit of OPTION's value; "switch" for a boolean, "number" or "text" without a unit. */
const char *sim_option_unit(const struct sim_option_info *option);

/* The policies whose names are the values of OPTION; NULL for other options. */
const struct policy *const *sim_option_policies(const struct sim_option_info *option);

/* The policies that a letter within OPTION's value chooses from; *FIELD is how the option's
 * description calls that letter. NULL for other options. */
const struct policy *const *sim_option_field_policies(const struct sim_option_info *option,
                                                      const char **field);

#define SIM_OPTION_RANGE POLICY_NAMES

/* The values that OPTION may have, "from 1 to 1024", in BUFFER of SIZE bytes
 * (SIM_OPTION_RANGE suffice). */
const char *sim_option_range(const struct sim_option_info *option, char *buffer, size_t size);

#endif
