/* Listings of machine code as cuobjdump -sass prints it, with what the analytical model reads
 * of an instruction: its registers and predicates, its class, and whether it issues together
 * with the next one. Addresses are those of the listing; a listing without any is laid out as
 * Maxwell's code, whose groups of 32 bytes begin with a control word. */
#ifndef HEARTH_ESTIMATE_LISTING_H
#define HEARTH_ESTIMATE_LISTING_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "traces/base/error.h"

/* Places that instructions read and write: 255 registers, 64 uniform ones, predicates, and the
 * carry flag. */
#define LISTING_UNIFORM           256
#define LISTING_PREDICATE         320
#define LISTING_UNIFORM_PREDICATE 328
#define LISTING_CARRY             336
#define LISTING_PLACES            337

#define LISTING_READS  24
#define LISTING_WRITES 8
#define LISTING_NONE   SIZE_MAX

struct listing_inst {
    long line;
    uint32_t address;
    char opcode[32];
    uint8_t unit, access, space, width; /* as in struct trace_inst */
    bool branch, exit;
    bool guarded; /* by a predicate that may be false */
    bool dual;    /* issues together with the next instruction: the first in braces */
    bool has_target;
    uint32_t target; /* address */
    uint8_t read_count, write_count;
    uint16_t reads[LISTING_READS], writes[LISTING_WRITES];
};

/* A loop: the instructions from `head` to the branch back `end`, both included. */
struct listing_loop {
    size_t head, end;
};

struct listing_code {
    char name[256]; /* of the function; "" if the listing has none */
    struct listing_inst *insts;
    size_t count, capacity;
    struct listing_loop *loops; /* by head, outer loops first */
    size_t loop_count;
};

/* Reads function NAME (NULL: the only one) of the listing at PATH. Instructions of no effect
 * (NOP, and a branch to itself) are left out. Returns 0, or -1 with ERR (ERROR_TRACE, with
 * line); listing_finish() either way. */
int listing_read(struct listing_code *listing, const char *path, const char *name,
                 struct error *err);
void listing_finish(struct listing_code *listing);
/* The instruction at ADDRESS, or the first one after it: Maxwell's branches may go to the
 * control word. The number of instructions if there is none. */
size_t listing_find(const struct listing_code *listing, uint32_t address);

/* ---- listing_line.c ---- */

/* Reads the instruction TEXT, without braces, address and semicolon: "@P0 IADD R1, R2, R3".
 * VERSION as in trace_inst_decode(). Returns 0, or -1 with ERR naming FILE and INST->line. */
int listing_line_read(struct listing_inst *inst, char *text, uint32_t version, const char *file,
                      struct error *err);

#endif
