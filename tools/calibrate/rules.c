#include "tools/calibrate/rules.h"

#include <string.h>

/* The table is read twice: for the rules, and for what no rule sets. */
#define PROPERTY(at_stage, name, place, label, kind_of_unit)                                   \
    {.kind = CALIBRATE_PROPERTY,                                                               \
     .stage = at_stage,                                                                        \
     .option = #name,                                                                          \
     .field = place,                                                                           \
     .plus = label,                                                                            \
     .minus = "",                                                                              \
     .before = "",                                                                             \
     .unit = CALIBRATE_##kind_of_unit},
#define SPAN(at_stage, name)                                                                   \
    {.kind = CALIBRATE_SPAN,                                                                   \
     .stage = at_stage,                                                                        \
     .option = #name,                                                                          \
     .field = -1,                                                                              \
     .plus = "",                                                                               \
     .minus = "",                                                                              \
     .before = ""},
#define FIT(at_stage, of_core, name, place, scale_of, from, to, memory, cycles, more, less,    \
            first)                                                                             \
    {.kind = CALIBRATE_FIT,                                                                    \
     .stage = at_stage,                                                                        \
     .core = CALIBRATE_##of_core,                                                              \
     .option = #name,                                                                          \
     .field = place,                                                                           \
     .scale = CALIBRATE_##scale_of,                                                            \
     .least = from,                                                                            \
     .most = to,                                                                               \
     .state = CALIBRATE_##memory,                                                              \
     .column = CALIBRATE_##cycles,                                                             \
     .plus = more,                                                                             \
     .minus = less,                                                                            \
     .before = first},
#define UNSEEN(name, reason)

const struct calibrate_rule calibrate_rules[] = {
#include "tools/calibrate/rules.def"
};
const size_t calibrate_rule_count = sizeof calibrate_rules / sizeof calibrate_rules[0];

#undef PROPERTY
#undef SPAN
#undef FIT
#undef UNSEEN
#define PROPERTY(...)
#define SPAN(...)
#define FIT(...)
#define UNSEEN(name, reason) {#name, reason},

const struct calibrate_unseen calibrate_unseen[] = {
#include "tools/calibrate/rules.def"
};
const size_t calibrate_unseen_count = sizeof calibrate_unseen / sizeof calibrate_unseen[0];

bool calibrate_applies(const struct calibrate_rule *rule, const char *core)
{
    return rule->core == CALIBRATE_ANY ||
           (rule->core == CALIBRATE_MODERN) == (strcmp(core, "modern") == 0);
}

/* The times that the label at *AT counts, from 1 to 9; moves *AT to what follows "8*". */
static int times_of(const char **at)
{
    const char *text = *at;
    if (text[0] < '1' || text[0] > '9' || text[1] != '*')
        return 1;
    *at = text + 2;
    return text[0] - '0';
}

int calibrate_each_label(const char *labels,
                         int (*take)(void *data, const char *label, size_t length), void *data)
{
    for (const char *at = labels + strspn(labels, " "); *at != '\0';) {
        int times = times_of(&at);
        size_t length = strcspn(at, " ");
        for (; times != 0; times--)
            if (take(data, at, length) != 0)
                return -1;
        at += length + strspn(at + length, " ");
    }
    return 0;
}

int calibrate_field(const char *text, int field, size_t *begin, size_t *length)
{
    static const char separators[] = ",:";
    *begin = 0;
    *length = strlen(text);
    if (field < 0)
        return 0;
    for (; field > 0; field--) {
        size_t skipped = strcspn(text + *begin, separators);
        if (text[*begin + skipped] == '\0')
            return -1;
        *begin += skipped + 1;
    }
    *length = strcspn(text + *begin, separators);
    return 0;
}
