/* The rules of `hearth calibrate`: which rows set which parameter. */
#ifndef HEARTH_TOOLS_CALIBRATE_RULES_H
#define HEARTH_TOOLS_CALIBRATE_RULES_H

#include <stdbool.h>
#include <stddef.h>

#include "sim/config.h"

enum calibrate_kind { CALIBRATE_PROPERTY, CALIBRATE_SPAN, CALIBRATE_FIT };
enum calibrate_scale { CALIBRATE_LINEAR, CALIBRATE_ROUGH, CALIBRATE_SECTORS, CALIBRATE_POWERS };
enum calibrate_core { CALIBRATE_ANY, CALIBRATE_LEGACY, CALIBRATE_MODERN };
enum calibrate_state { CALIBRATE_COPIED, CALIBRATE_FIRST, CALIBRATE_LATER };
enum calibrate_column { CALIBRATE_CLOCK, CALIBRATE_SM };

/* How a property of the card becomes a value: as it is; SMs in clusters of the configuration's
 * size; GB/s of DRAM as MHz of its command clock, with the configuration's channels. */
enum calibrate_unit { CALIBRATE_PLAIN, CALIBRATE_SMS, CALIBRATE_DRAM };

/* A line of rules.def, which defines the members. */
struct calibrate_rule {
    enum calibrate_kind kind;
    int stage;
    enum calibrate_core core;
    const char *option; /* without its dash */
    int field;
    enum calibrate_scale scale;
    int least, most;
    enum calibrate_state state;
    enum calibrate_column column;
    const char *plus, *minus, *before; /* labels; a property's is in PLUS */
    enum calibrate_unit unit;
};

extern const struct calibrate_rule calibrate_rules[];
extern const size_t calibrate_rule_count;
#define CALIBRATE_STAGES 10

/* A parameter that no rule sets. */
struct calibrate_unseen {
    const char *option, *why;
};

extern const struct calibrate_unseen calibrate_unseen[];
extern const size_t calibrate_unseen_count;

/* Whether RULE sets something in a configuration with the core model CORE. */
bool calibrate_applies(const struct calibrate_rule *rule, const char *core);

/* Calls TAKE for each label of a list, eight times for "8*label" (1 to 9; any other text before
 * "*" belongs to the label). Returns 0, or -1 as soon as TAKE does. */
int calibrate_each_label(const char *labels,
                         int (*take)(void *data, const char *label, size_t length), void *data);

/* The place of FIELD in TEXT, whose fields are separated by commas or colons: *BEGIN and
 * *LENGTH. Returns 0, or -1 if there is no such field. */
int calibrate_field(const char *text, int field, size_t *begin, size_t *length);

#endif
