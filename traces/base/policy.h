/* Policies: objects of one kind, among which a name chooses. A table of them is the only list
 * of their names: for configuration, help, error messages and the model. */
#ifndef HEARTH_TRACES_BASE_POLICY_H
#define HEARTH_TRACES_BASE_POLICY_H

#include <stddef.h>

/* The first member of each policy. Tables are arrays of pointers to it that end with NULL. */
struct policy {
    const char *name;
    const char *aliases; /* other names that are accepted, separated by blanks; NULL: none */
    const char *description; /* one line of help, without a full stop */
};

#define POLICY_NAMES 256 /* characters that hold the names of a table */

/* The policy of TABLE that is called NAME, or NULL. */
const struct policy *policy_find(const struct policy *const *table, const char *name);

/* "lrr, gto or oldest": the names of TABLE, in its order, in BUFFER of SIZE bytes. Returns
 * BUFFER. */
char *policy_names(const struct policy *const *table, char *buffer, size_t size);

#endif
