/* The code of functions: where it comes from, and which launch executes it. */
#include "tracer/code.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "tracer/tracer_state.h"

#define MOST_NAME 65000 /* as launches' */
#define MOST_FEW  255   /* registers, or barriers */

void traced_code_finish(struct traced_code *code)
{
    for (uint32_t i = 0; i < code->count; i++)
        trace_function_destroy(code->items[i]);
    free(code->items);
    *code = (struct traced_code){0};
}

static bool is_few(uint32_t number)
{
    return number <= MOST_FEW || number == TRACE_FUNCTION_UNKNOWN;
}

/* Whether readers take it as it is written. */
static bool is_readable(const struct trace_function *function)
{
    const char *name = function->name;
    size_t length = strlen(name);
    return length > 0 && length <= MOST_NAME && strpbrk(name, " \t\r\n") == NULL &&
           is_few(function->registers) && is_few(function->barriers) && function->count > 0 &&
           function->count <= TRACE_CODE_MOST;
}

uint32_t tracer_add_function(struct tracer *tracer, const struct trace_function *function,
                             struct error *err)
{
    struct traced_code *code = &tracer->functions;
    if (!is_readable(function)) {
        error_set(err, ERROR_TRACE, NULL, 0, 0,
                  "%.64s: invalid code: its name, registers, barriers or length",
                  function->name);
        return 0;
    }
    struct trace_function **more = reallocarray(code->items, code->count + 1, sizeof *more);
    if (more != NULL)
        code->items = more;
    if (more == NULL || (more[code->count] = trace_function_copy(function)) == NULL) {
        error_no_memory_for(err, ERROR_TRACE, NULL);
        return 0;
    }
    if (tracer->record != NULL)
        tracer_record_function(tracer->record, function);
    return ++code->count;
}

/* ---- cubins ------------------------------------------------------------ */

/* Where operations are not known, code that is shifted or another function's shows by the
 * registers: few instructions write the same ones. NVBit names the first operand of some that
 * write none. */
static int check(const struct trace_function *function, const struct tracer_cubin *cubin,
                 struct error *err)
{
    uint32_t written = 0, same = 0;
    for (uint32_t i = 0; i < cubin->count; i++) {
        const struct tracer_inst *inst = &cubin->insts[i];
        struct trace_inst meaning = {0};
        if (!trace_function_fits(function, inst->binary_version, inst->pc, inst->opcode))
            return error_set(err, ERROR_TRACE, NULL, 0, 0,
                             "the cubin has another instruction than %s at PC 0x%x",
                             inst->opcode, inst->pc);
        trace_inst_decode(&meaning, inst->binary_version, inst->opcode, inst->memory);
        meaning.pc = inst->pc;
        meaning.dst_count = inst->dst_count;
        meaning.dst[0] = inst->dst[0];
        written += inst->dst_count > 0;
        same += inst->dst_count > 0 && trace_function_fits_register(function, &meaning);
    }
    if (2 * same >= written)
        return 0;
    return error_set(err, ERROR_TRACE, NULL, 0, 0,
                     "%u of %u instructions write other registers in the cubin", written - same,
                     written);
}

uint32_t tracer_add_cubin(struct tracer *tracer, const struct tracer_cubin *cubin,
                          struct error *err)
{
    uint32_t number = 0;
    struct trace_function *function =
        trace_function_of_cubin(cubin->data, cubin->size, cubin->name, err);
    if (function == NULL)
        return 0;
    function->address = cubin->address;
    if (check(function, cubin, err) == 0)
        number = tracer_add_function(tracer, function, err);
    trace_function_destroy(function);
    return number;
}

/* ---- launches ---------------------------------------------------------- */

int tracer_execute(struct tracer *tracer, uint32_t number, uint32_t function, struct error *err)
{
    if (tracer->record != NULL)
        tracer_record_execute(tracer->record, number, function);
    if (tracer->failed || numbers_are_ignored(&tracer->numbers, number))
        return 0;
    struct traced_launch *launch = tracer_find(tracer, number);
    if (launch == NULL || launch->writing)
        return error_set(err, ERROR_TRACE, NULL, 0, 0,
                         "launch %u is not being traced, or records of it have been written",
                         number);
    if (function == 0 || function > tracer->functions.count ||
        strcmp(tracer->functions.items[function - 1]->name, launch->header.name) != 0)
        return error_set(err, ERROR_TRACE, NULL, 0, 0, "launch %u does not execute the code %u",
                         number, function);
    launch->function = tracer->functions.items[function - 1];
    return 0;
}
