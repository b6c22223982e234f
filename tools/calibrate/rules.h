/* The rules of `hearth calibrate`: which rows set which parameter. */
#ifndef HEARTH_TOOLS_CALIBRATE_RULES_H
#define HEARTH_TOOLS_CALIBRATE_RULES_H

#include <stdbool.h>
#include <stddef.h>

#include "sim/config.h"

enum calibrate_kind { CALIBRATE_PROPERTY, CALIBRATE_SPAN, CALIBRATE_FIT };
enum calibrate_scale { CALIBRATE_LINEAR, CALIBRATE_ROUGH, CALIBRATE_POWERS };

/* How a property of the card becomes a value: as it is; SMs in clusters of the configuration's
 * size; GB/s of DRAM as MHz of its command clock, with the configuration's channels. */
enum calibrate_unit { CALIBRATE_PLAIN, CALIBRATE_SMS, CALIBRATE_DRAM };

/* A line of rules.def, which defines the members. */
struct calibrate_rule {
    enum calibrate_kind kind;
    const char *option; /* without its dash */
    int field;
    enum calibrate_scale scale;
    int least, most;
    const char *plus, *minus, *before; /* labels; a property's is in PLUS */
    bool walks; /* the launches are the program's first in their memory: page walks count */
    enum calibrate_unit unit;
};

extern const struct calibrate_rule calibrate_rules[];
extern const size_t calibrate_rule_count;

/* Calls TAKE for each word of LABELS, which ends at LENGTH. Stops at the first -1, and returns
 * it; else 0. */
int calibrate_each_label(const char *labels,
                         int (*take)(void *data, const char *label, size_t length), void *data);

/* Field FIELD of the value TEXT: where it begins, and its length. Returns 0, or -1 if there is
 * none. */
int calibrate_field(const char *text, int field, size_t *begin, size_t *length);

#endif
