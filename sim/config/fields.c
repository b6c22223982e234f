#include "sim/config/fields.h"

#include <stdarg.h>
#include <string.h>

#include "traces/base/number.h"

struct fields fields_of(const struct build *build, enum sim_option option, unsigned total)
{
    return (struct fields){.build = build,
                           .option = option,
                           .text = build_text(build, option),
                           .number = 1,
                           .total = total};
}

__attribute__((format(printf, 5, 0))) static int fail_at(const struct fields *fields,
                                                         unsigned number, size_t offset,
                                                         const char *name, const char *format,
                                                         va_list args)
{
    char text[ERROR_TEXT];
    vsnprintf(text, sizeof text, format, args);
    return build_fail(fields->build, fields->option, offset, "field %u of %u, %s: %s", number,
                      fields->total, name, text);
}

int fields_fail(const struct fields *fields, size_t offset, const char *name,
                const char *format, ...)
{
    va_list args;
    va_start(args, format);
    fail_at(fields, fields->number - 1, offset, name, format, args);
    va_end(args);
    return -1;
}

__attribute__((format(printf, 3, 4))) static int
fail_here(const struct fields *fields, const char *name, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    fail_at(fields, fields->number, fields->at, name, format, args);
    va_end(args);
    return -1;
}

/* The text at the next character, for a message: 'x', or up to a separator. */
static const char *found(const struct fields *fields, char buffer[24])
{
    const char *at = fields->text + fields->at;
    size_t length = strcspn(at, ":,;= ");
    if (*at == '\0')
        return "the end";
    if (length == 0)
        length = 1;
    snprintf(buffer, 24, "'%.*s'", length > 20 ? 20 : (int)length, at);
    return buffer;
}

int fields_u32(struct fields *fields, const char *name, uint32_t min, uint32_t max,
               uint32_t *value)
{
    char buffer[24];
    uint64_t number;
    unsigned length = number_prefix(fields->text + fields->at, false, &number);
    if (length == 0)
        return fail_here(fields, name, "expected an integer from %u to %u; got %s", min, max,
                         found(fields, buffer));
    if (number < min || number > max)
        return fail_here(fields, name, "%.*s%s is out of range: expected %u to %u",
                         length > 20 ? 20 : (int)length, fields->text + fields->at,
                         length > 20 ? "..." : "", min, max);
    fields->at += length;
    fields->number++;
    *value = (uint32_t)number;
    return 0;
}

int fields_decimal(struct fields *fields, const char *name, double max, double *value)
{
    char buffer[24];
    unsigned length = number_prefix_decimal(fields->text + fields->at, value);
    if (length == 0 || *value < FIELDS_DECIMAL_MIN || *value > max)
        return fail_here(fields, name, "expected a number above 0, at most %g; got %s", max,
                         found(fields, buffer));
    fields->at += length;
    fields->number++;
    return 0;
}

/* "L, P or X" of "LPX". */
static const char *alternatives(const char *letters, char buffer[48])
{
    char *to = buffer;
    for (const char *c = letters; *c != '\0'; c++) {
        const char *between = c == letters ? "" : c[1] == '\0' ? " or " : ", ";
        to += snprintf(to, (size_t)(buffer + 48 - to), "%s%c", between, *c);
    }
    return buffer;
}

int fields_letter(struct fields *fields, const char *name, const char *letters, char *value)
{
    char buffer[24], list[48];
    char c = fields->text[fields->at];
    if (c == '\0' || strchr(letters, c) == NULL)
        return fail_here(fields, name, "expected %s; got %s", alternatives(letters, list),
                         found(fields, buffer));
    fields->at++;
    fields->number++;
    *value = c;
    return 0;
}

int fields_policy(struct fields *fields, const char *name, const struct policy *const *table,
                  const struct policy **policy)
{
    char buffer[24], names[POLICY_NAMES];
    const char letter[] = {fields->text[fields->at], '\0'};
    *policy = policy_find(table, letter);
    if (*policy == NULL)
        return fail_here(fields, name, "expected %s; got %s",
                         policy_names(table, names, sizeof names), found(fields, buffer));
    fields->at++;
    fields->number++;
    return 0;
}

bool fields_accept(struct fields *fields, char c)
{
    if (fields->text[fields->at] != c || c == '\0')
        return false;
    fields->at++;
    return true;
}

int fields_separator(struct fields *fields, char separator, const char *name)
{
    char buffer[24];
    if (fields_accept(fields, separator))
        return 0;
    return fail_here(fields, name, "expected '%c' before it; got %s", separator,
                     found(fields, buffer));
}

bool fields_at_end(const struct fields *fields)
{
    return fields->text[fields->at] == '\0';
}

int fields_end(struct fields *fields)
{
    char buffer[24];
    if (fields_at_end(fields))
        return 0;
    return build_fail(fields->build, fields->option, fields->at,
                      "expected the end after field %u; got %s", fields->number - 1,
                      found(fields, buffer));
}
