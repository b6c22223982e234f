#include "tools/calibrate/rules.h"

#include <string.h>

#define PROPERTY(name, place, label, kind_of_unit)                                             \
    {.kind = CALIBRATE_PROPERTY,                                                               \
     .option = #name,                                                                          \
     .field = place,                                                                           \
     .plus = label,                                                                            \
     .minus = "",                                                                              \
     .before = "",                                                                             \
     .unit = CALIBRATE_##kind_of_unit},
#define SPAN(name)                                                                             \
    {.kind = CALIBRATE_SPAN,                                                                   \
     .option = #name,                                                                          \
     .field = -1,                                                                              \
     .plus = "",                                                                               \
     .minus = "",                                                                              \
     .before = ""},
#define FIT(name, place, scale_of, from, to, more, less, first)                                \
    FIT_WALKS(name, place, scale_of, from, to, more, less, first, false)
#define FIT_FIRST(name, place, scale_of, from, to, more, less, first)                          \
    FIT_WALKS(name, place, scale_of, from, to, more, less, first, true)
#define FIT_WALKS(name, place, scale_of, from, to, more, less, first, walk)                    \
    {.kind = CALIBRATE_FIT,                                                                    \
     .option = #name,                                                                          \
     .field = place,                                                                           \
     .scale = CALIBRATE_##scale_of,                                                            \
     .least = from,                                                                            \
     .most = to,                                                                               \
     .plus = more,                                                                             \
     .minus = less,                                                                            \
     .before = first,                                                                          \
     .walks = walk},

const struct calibrate_rule calibrate_rules[] = {
#include "tools/calibrate/rules.def"
};
const size_t calibrate_rule_count = sizeof calibrate_rules / sizeof calibrate_rules[0];

int calibrate_each_label(const char *labels,
                         int (*take)(void *data, const char *label, size_t length), void *data)
{
    for (const char *at = labels + strspn(labels, " "); *at != '\0';) {
        size_t length = strcspn(at, " ");
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
