/* The machine code of the functions that launches execute: 16 bytes an instruction, and what
 * the compiler wrote into their control bits. Public: included by traces.h.
 *
 * A workload has the code if the tracer stored it, or if `hearth trace annotate` added it. Code
 * of GPUs before Volta, with its instructions of 8 bytes, is not kept. */
#ifndef HEARTH_TRACES_FUNCTION_H
#define HEARTH_TRACES_FUNCTION_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "traces/base/error.h"
#include "traces/inst.h"

#define TRACE_CODE_BYTES 16 /* of an instruction */
/* Instructions of a function at most: more than any GPU's code memory holds. */
#define TRACE_CODE_MOST (1u << 22)

/* One instruction: two little-endian words. */
struct trace_code {
    uint64_t low, high;
};

/* Registers or barriers that the source of the code does not give. */
#define TRACE_FUNCTION_UNKNOWN UINT32_MAX

/* A function and its code. */
struct trace_function {
    char *name;              /* as in the headers of its launches, usually mangled */
    uint64_t address;        /* where it was loaded; 0: not known */
    uint32_t registers;      /* of a thread; or TRACE_FUNCTION_UNKNOWN */
    uint32_t barriers;       /* of a thread block, 0 to 16; or TRACE_FUNCTION_UNKNOWN */
    uint32_t max_threads[3]; /* of a thread block; 0: no bound, or not known */
    uint32_t cluster[3]; /* thread blocks of a cluster, as compiled; 0: none, or not known */
    uint32_t constants;  /* bytes of constant bank 0, parameters included; 0: not known */
    uint32_t count;      /* instructions */
    struct trace_code *code; /* by PC / 16 */
};

/* The instruction at PC, an offset in FUNCTION in bytes; NULL: there is none. */
static inline const struct trace_code *
trace_function_code(const struct trace_function *function, uint32_t pc)
{
    uint32_t i = pc / TRACE_CODE_BYTES;
    return pc % TRACE_CODE_BYTES == 0 && i < function->count ? &function->code[i] : NULL;
}

/* NULL when memory ran out. */
struct trace_function *trace_function_copy(const struct trace_function *function);
/* Accepts NULL. */
void trace_function_destroy(struct trace_function *function);

/* The function NAME of a cubin, an ELF file of SIZE bytes; its address is not known. The caller
 * destroys it. Returns NULL on error (ERROR_TRACE). */
struct trace_function *trace_function_of_cubin(const void *cubin, size_t size, const char *name,
                                               struct error *err);

/* Whether FUNCTION, which is of a GPU of BINARY_VERSION (90 = sm_90), has an instruction at PC
 * whose operation may be that of the dotted OPCODE. What the table of operations, that of
 * sm_90, does not have fits everything, and so does code of other GPUs. */
bool trace_function_fits(const struct trace_function *function, uint32_t binary_version,
                         uint32_t pc, const char *opcode);
/* The operation of the dotted OPCODE in bits 0 to 8 of its code, the first one where there are
 * several; 0: the table does not have it, or not that GPU. */
uint32_t trace_code_operation(uint32_t binary_version, const char *opcode);
/* Whether FUNCTION has an instruction at the PC of INST that writes the same register first, if
 * INST writes one. */
bool trace_function_fits_register(const struct trace_function *function,
                                  const struct trace_inst *inst);

#define TRACE_NO_BARRIER 7 /* in write_barrier and read_barrier */

/* What the compiler tells the warp scheduler about an instruction. Layout and meaning: Huerta
 * et al., "Analyzing Modern NVIDIA GPU cores" (MICRO 2025), section 4. */
struct trace_control {
    uint8_t stall;         /* 0 to 15 cycles before the warp may issue again */
    uint8_t write_barrier; /* dependence counter 0 to 5 that is raised until the result is
                              written, or TRACE_NO_BARRIER */
    uint8_t read_barrier;  /* the same until the sources have been read */
    uint8_t wait_mask;     /* bit i: waits until counter i is 0; 0 to 5 */
    uint8_t reuse; /* bit i: source operand i stays in the register file cache; 0 to 3 */
    bool yield;    /* the scheduler should issue another warp in the next cycle */
};

/* First GPU whose yield and reuse bits mean something else. */
#define TRACE_CONTROL_CHANGES 120

/* The control bits of CODE, which is of a GPU of BINARY_VERSION (90 = sm_90). From sm_120 on
 * `yield` and `reuse` are not set. */
static inline struct trace_control trace_control_decode(struct trace_code code,
                                                        uint32_t binary_version)
{
    uint32_t bits = (uint32_t)(code.high >> 41);
    bool known = binary_version < TRACE_CONTROL_CHANGES;
    return (struct trace_control){
        .stall = bits & 15,
        .yield = known && (bits >> 4 & 1) == 0, /* stored inverted */
        .write_barrier = bits >> 5 & 7,
        .read_barrier = bits >> 8 & 7,
        .wait_mask = bits >> 11 & 63,
        .reuse = known ? bits >> 17 & 15 : 0,
    };
}

/* Whether CODE, of a GPU from sm_80 on, is an LDGSTS with a predicate as an operand, beside its
 * guard: lanes for which it does not hold copy nothing. */
static inline bool trace_code_copies_if(struct trace_code code)
{
    enum { OPERATION = 0x1ff, LDGSTS = 0x1ae, PREDICATE = 15, TRUE = 7 };
    return (code.low & OPERATION) == LDGSTS && (code.high >> 23 & PREDICATE) != TRUE;
}

/* Whether CODE, of a GPU from sm_70 on, has an operand in constant memory, and where: *REG says
 * that a register is added to OFFSET (bytes). */
static inline bool trace_code_constant(struct trace_code code, uint32_t *bank, uint32_t *offset,
                                       bool *reg)
{
    enum { FORM = 7 << 9, IN_CONSTANTS = 5 << 9, BAR = 0xb1d, LDC = 0xb82, OPCODE = 0xfff };
    uint32_t opcode = code.low & OPCODE;
    *bank = code.low >> 54 & 31;
    *offset = code.low >> 38 & 0xffff;
    *reg = (code.high >> 27 & 1) != 0 || (opcode == LDC && (code.low >> 24 & 0xff) != 0xff);
    return (opcode & FORM) == IN_CONSTANTS && opcode != BAR;
}

#endif
