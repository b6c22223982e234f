#include <stdlib.h>
#include <string.h>

#include "traces/functions/cubin.h"
#include "traces/functions/encodings.h"

struct trace_function *trace_function_copy(const struct trace_function *function)
{
    struct trace_function *new = malloc(sizeof *new);
    if (new == NULL)
        return NULL;
    *new = *function;
    new->name = strdup(function->name);
    new->code = malloc((function->count + 1) * sizeof *new->code);
    if (new->name == NULL || new->code == NULL) {
        trace_function_destroy(new);
        return NULL;
    }
    memcpy(new->code, function->code, function->count * sizeof *new->code);
    return new;
}

void trace_function_destroy(struct trace_function *function)
{
    if (function == NULL)
        return;
    free(function->name);
    free(function->code);
    free(function);
}

bool trace_function_fits(const struct trace_function *function, uint32_t binary_version,
                         uint32_t pc, const char *opcode)
{
    const struct trace_code *code = trace_function_code(function, pc);
    return code != NULL && encodings_fit(binary_version, code->low, opcode);
}

bool trace_function_fits_register(const struct trace_function *function,
                                  const struct trace_inst *inst)
{
    const struct trace_code *code = trace_function_code(function, inst->pc);
    return code != NULL && encodings_fit_register(code->low, inst);
}

/* ---- one function of a cubin ------------------------------------------- */

struct function_search {
    const char *name;
    struct trace_function *found;
};

static bool want(void *data, const char *name)
{
    const struct function_search *search = data;
    return search->found == NULL && strcmp(name, search->name) == 0;
}

static bool take(void *data, struct trace_function *function, uint32_t version)
{
    ((struct function_search *)data)->found = function;
    return true;
}

struct trace_function *trace_function_of_cubin(const void *cubin, size_t size, const char *name,
                                               struct error *err)
{
    struct function_search search = {.name = name};
    const struct cubin_taker taker = {want, take, &search};
    int rc = cubin_read(cubin, size, NULL, &taker, err);
    if (rc == 0 && search.found == NULL)
        rc = error_set(err, ERROR_TRACE, NULL, 0, 0, "the cubin has no function of this name");
    if (rc == 0)
        return search.found;
    trace_function_destroy(search.found);
    return NULL;
}
