/* Functions and their code: those of a workload, or those that were written. */
#ifndef HEARTH_TRACES_FUNCTIONS_FUNCTIONS_H
#define HEARTH_TRACES_FUNCTIONS_FUNCTIONS_H

#include "traces/base/error.h"
#include "traces/base/map.h"
#include "traces/function.h"
#include "traces/text/source.h"

/* The file of a text workload, beside its list. */
#define FUNCTIONS_FILE "functions.code"
/* Its first line. */
#define FUNCTIONS_HEAD "!functions 1"

/* A launch whose function is not the first one of its name. */
struct functions_use {
    char *launch;      /* its name in the list, without the suffix of its compression */
    uint32_t function; /* index */
};

/* Zeroed: empty. */
struct functions {
    struct trace_function **items;
    uint32_t *next; /* of each: the next one with the same name, or MAP_NONE */
    uint32_t count;
    struct map by_name; /* the first one of a name */
    struct functions_use *uses;
    uint32_t use_count;
    struct map by_launch; /* to `uses` */
};

void functions_finish(struct functions *functions);

/* Adds FUNCTION, which is taken over, also on failure. Returns its index, or MAP_NONE when
 * memory ran out. */
uint32_t functions_add(struct functions *functions, struct trace_function *function);
/* Says that LAUNCH, a name in the list, executes a function. Returns false when memory ran
 * out. */
bool functions_add_use(struct functions *functions, const char *launch, uint32_t function);

/* The first function of that name, or MAP_NONE; `next` has the others. */
uint32_t functions_first(const struct functions *functions, const char *name);
/* The function of a launch: NAME is that of its header, LAUNCH that in the list. NULL: there is
 * no code. */
const struct trace_function *functions_find(const struct functions *functions, const char *name,
                                            const char *launch);

/* ---- as text: docs/file-formats.md ------------------------------------- */

/* Appends FUNCTION, or what functions_add_use() was told. */
void functions_print(const struct trace_function *function, struct bytes *out);
void functions_print_use(const char *launch, uint32_t function, struct bytes *out);
/* The first line of a file. */
void functions_print_head(struct bytes *out);
/* Adds what SOURCE holds, with a FUNCTIONS_FILE's first line if it is a FILE. Returns 0 or
 * -1. */
int functions_read(struct functions *functions, struct source *source, bool file,
                   struct error *err);

/* Adds FUNCTION to what was written, if it is new, and says that LAUNCH executes it. Appends to
 * OUT what readers need to know of that: nothing for most launches. Returns false when memory
 * ran out. */
bool functions_write(struct functions *written, const struct trace_function *function,
                     const char *launch, struct bytes *out);

#endif
