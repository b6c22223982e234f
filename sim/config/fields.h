/* Reads the fields of a structured value such as "S:4:128:64,L:T:m:L:L,..." one after another.
 * Each function returns 0, or -1 with an error that gives the field's number and NAME. */
#ifndef HEARTH_SIM_CONFIG_FIELDS_H
#define HEARTH_SIM_CONFIG_FIELDS_H

#include "sim/config/build.h"
#include "traces/base/policy.h"

struct fields {
    const struct build *build;
    enum sim_option option;
    const char *text;
    size_t at;       /* next character */
    unsigned number; /* of the next field, 1-based */
    unsigned total;  /* fields in a complete value */
};

struct fields fields_of(const struct build *build, enum sim_option option, unsigned total);

int fields_u32(struct fields *fields, const char *name, uint32_t min, uint32_t max,
               uint32_t *value);
/* The least decimal above 0: a Hz in MHz. */
#define FIELDS_DECIMAL_MIN 1e-6

/* Above 0 and at most MAX. */
int fields_decimal(struct fields *fields, const char *name, double max, double *value);
/* One of LETTERS. */
int fields_letter(struct fields *fields, const char *name, const char *letters, char *value);

/* A letter that is the name of an entry of TABLE. */
int fields_policy(struct fields *fields, const char *name, const struct policy *const *table,
                  const struct policy **policy);

/* Skips SEPARATOR before the field NAME. */
int fields_separator(struct fields *fields, char separator, const char *name);
/* Checks that nothing is left. */
int fields_end(struct fields *fields);
bool fields_at_end(const struct fields *fields);
/* Skips C if it is the next character. */
bool fields_accept(struct fields *fields, char c);

/* Fails with a message about the last field, called NAME. */
int fields_fail(const struct fields *fields, size_t offset, const char *name,
                const char *format, ...) __attribute__((format(printf, 4, 5)));

#endif
