/* Functions found in listings and cubins: what launches may have executed. */
#ifndef HEARTH_TRACES_FUNCTIONS_CANDIDATES_H
#define HEARTH_TRACES_FUNCTIONS_CANDIDATES_H

#include "traces/base/bytes.h"
#include "traces/functions/functions.h"
#include "traces/inst.h"

/* What a file is expected to be, in messages. */
#define CANDIDATES_FILE "a listing of cuobjdump -sass or nvdisasm -hex or a cubin"

/* A function as a file has it. */
struct candidate {
    uint32_t version;  /* of its code: 90 = sm_90; 0: not known */
    uint32_t file;     /* index of the file */
    uint32_t *opcodes; /* of each instruction: offset in `pool`; NULL: a cubin, without names */
};

/* Zeroed: empty. */
struct candidates {
    struct functions functions;
    struct candidate *items; /* as many */
    struct bytes pool;       /* opcodes, each with its 0 */
    struct map opcodes;      /* by their text */
    /* Whether functions of that name are kept. NULL: all are. */
    bool (*wanted)(const void *data, const char *name);
    const void *data;
    uint32_t file; /* that is being read */
    uint64_t seen; /* functions in the files, kept or not */
};

void candidates_finish(struct candidates *candidates);
/* Adds the functions of the file at PATH: a listing, compressed or not, or a cubin. */
int candidates_read(struct candidates *candidates, const char *path, struct error *err);
/* Adds the functions of a listing of cuobjdump -sass or nvdisasm -hex. */
int candidates_read_listing(struct candidates *candidates, struct source *source,
                            struct error *err);
/* Adds the functions of a cubin of SIZE bytes; NAME is for messages. */
int candidates_read_cubin(struct candidates *candidates, const uint8_t *data, size_t size,
                          const char *name, struct error *err);

/* Whether functions of that name are kept. */
bool candidates_want(struct candidates *candidates, const char *name);
/* Adds FUNCTION, which is taken over with ITEM's opcodes, also on failure. Returns false when
 * memory ran out. */
bool candidates_add(struct candidates *candidates, struct trace_function *function,
                    const struct candidate *item);
/* Where the opcode of LENGTH bytes at TEXT is in the pool; MAP_NONE when memory ran out. */
uint32_t candidates_opcode(struct candidates *candidates, const char *text, size_t length);

/* The name of the instruction at PC, or NULL: of cubins the first token, if it is known. */
const char *candidates_name(const struct candidates *candidates, uint32_t i, uint32_t pc);
/* Whether function I has an instruction at the PC of INST that may be it and its dotted
 * OPCODE. */
bool candidates_fit(const struct candidates *candidates, uint32_t i,
                    const struct trace_inst *inst, const char *opcode);

#endif
