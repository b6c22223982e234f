/* The static instructions of all functions that were instrumented. */
#ifndef HEARTH_TRACER_SASS_H
#define HEARTH_TRACER_SASS_H

#include "tracer/tracer.h"
#include "tracer/waits.h"
#include "traces/traces.h"

enum sass_flag {
    SASS_ADDRESSES = 1, /* has a memory operand */
    SASS_IN_MEMORY = 2, /* is in memory-only traces */
    SASS_LEAVES = 4,    /* lanes that execute it leave: EXIT */
    SASS_SECOND = 8,    /* lanes have a second address */
};

struct sass_inst {
    struct trace_sink_inst inst; /* its static fields; the opcode is the code's */
    char *note;                  /* its predicate registers, a line; or NULL */
    char *waits;                 /* of the branch that ends a waiting loop: a line; or NULL */
    uint8_t values;              /* as tracer_inst's */
    uint8_t flags;               /* enum sass_flag */
    uint8_t unit, access, space; /* as struct trace_inst's */
    uint16_t meaning;            /* its flags */
};

/* Instructions that were added one after the other: all of a function that are traced. */
struct sass_function {
    char *name;
    uint32_t first;       /* the next function's, or the end, follows them */
    char *between;        /* that sass_between() made; NULL: not yet */
    uint32_t between_end; /* where the instructions ended then */
};

/* Zeroed at the start. */
struct sass {
    struct sass_inst *items;
    uint32_t count, capacity;
    char **opcodes; /* the different ones, sorted */
    size_t opcode_count;
    struct sass_function *functions;
    size_t function_count;
    struct waits waits;
};

void sass_finish(struct sass *code);
/* Returns the number, or UINT32_MAX with ERR filled. */
uint32_t sass_add(struct sass *code, const struct tracer_inst *inst, struct error *err);
/* What the function NAME, the last one of that name, does between its memory instructions, as a
 * header has it (struct trace_header). It is made once, and stays until it is asked for after
 * instructions were added to the function. NULL when memory ran out. */
const char *sass_between(struct sass *code, const char *name);

#endif
