/* Static instructions as the SM sees them: the trace's table joined with the
 * configuration once, so that the pipeline reads small integers only. */
#ifndef HEARTH_SIM_CORE_INST_H
#define HEARTH_SIM_CORE_INST_H

#include <stdbool.h>
#include <stdint.h>

#include "sim/config.h"
#include "traces/traces.h"

/* The pipelines between issue and execution, in the order in which the
 * operand collectors look at them. */
enum pipe {
    PIPE_SP,
    PIPE_SFU,
    PIPE_MEM,
    PIPE_TENSOR,
    PIPE_DP,
    PIPE_INT,
    PIPE_SPECIALIZED, /* and the seven that follow: -specialized_unit_1..8 */
    PIPE_COUNT = PIPE_SPECIALIZED + 8
};

/* What an instruction reads of constant memory, with constant caches. */
enum inst_constant {
    INST_CONSTANT_NONE,
    INST_CONSTANT_OPERAND, /* before it can issue: operands, ULDC; a fixed place, or an array
                            * among the parameters, near where that begins */
    INST_CONSTANT_LOAD,    /* LDC: a fixed place */
    INST_CONSTANT_INDEXED  /* LDC: a place that only its record may have, behind this one */
};

#define INST_MAX_REGS 12
#define INST_SLOTS    3 /* operands of an instruction that registers can be read for at once */

/* How an instruction issues, for core models that describe it (core_model.h); else zero. */
struct inst_issue {
    uint8_t unit;  /* the model's */
    uint8_t stall; /* cycles until the warp may issue its next instruction, at least 1 */
    uint8_t wait;  /* mask of the dependence counters that must be 0 */
    uint8_t write; /* counter that is raised until the result is there; TRACE_NO_BARRIER */
    uint8_t read;  /* the same until the sources have been read */
    uint8_t kind;  /* the model's: what it does beyond its unit */
    uint8_t flow;  /* the model's: where it leaves the warp */
    uint8_t result, reader; /* the model's: class of its result, of what it reads */
    uint8_t predicate;      /* the model's: use of predicates */
    uint8_t reuse;          /* bit i: what slot i reads is kept for the next instruction */
    uint8_t scope;          /* of a memory barrier: 0 block, 1 GPU, 2 system */
    bool has_code; /* the above are from the machine code; else only unit and kind are set */
    uint8_t async; /* enum async_op: what goes on beside the warp */
    uint8_t barrier, barrier_warps; /* of a BAR for some of the warps: number, and how many */
    bool barrier_in_registers;      /* records have both, or else it is for all warps */
    bool multicast;                 /* a copy for several blocks */
    uint8_t sums;                   /* registers that a matrix product writes, at most */
    uint8_t reads_sums;             /* those that a product of a group reads while it runs */
    uint16_t cycles;                /* that a product of a group of warps takes, */
    uint16_t computes;              /* and its multiplications alone */
    uint16_t latency;          /* of units without a memory access: from issue to the result */
    uint8_t interval;          /* cycles for which it takes its unit */
    uint8_t slots[INST_SLOTS]; /* register that slot i reads; TRACE_REG_ZERO: none */
    uint8_t registers[INST_SLOTS]; /* so many from there on */
};

struct inst {
    uint16_t flags;        /* enum trace_inst_flag */
    uint8_t pipe;          /* enum pipe */
    uint8_t access, space; /* enum trace_access, trace_space */
    uint8_t width;         /* bytes a lane */
    uint8_t ahead;         /* as in struct packet */
    uint16_t latency, initiation;
    uint8_t dst_count, read_count, reg_count;
    uint8_t dst[TRACE_MAX_DST];   /* without R255, unless configured */
    uint8_t reads[TRACE_MAX_SRC]; /* sources, each once: one read of a register bank each */
    uint8_t regs[INST_MAX_REGS];  /* sources and destinations that must be free, likewise */
    bool prepared;    /* there is something to do for it at issue that most do not need */
    bool reduces;     /* an atomic without a result */
    uint8_t constant; /* enum inst_constant */
    uint8_t type;     /* trace_inst_type() */
    uint8_t activity; /* enum sm_activity: its issue is one of these */
    bool ends;        /* a basic block: trace_inst_ends_basic_block() */
    bool accesses;    /* memory that the load/store unit reaches: shared, local or global */
    uint32_t imm;
    uint32_t
        constant_at; /* bytes, and the bank 16 bits up; with INST_CONSTANT_OPERAND, _LOAD */
    uint32_t pc;     /* bytes from the beginning of its function */
    struct trace_async_form form;        /* of what goes on beside the warp */
    const struct trace_code *code;       /* NULL: the trace does not have it */
    const struct trace_between *between; /* what the code does before it; NULL: not known, or
                                          * nothing of interest */
    struct inst_issue issue;
};

/* Whether the code says where INST, an LDC whose record has no address, reads. With an index it
 * reads an array among the parameters, which are few: near where that begins. Arrays of other
 * banks may be long. */
static inline bool inst_has_constant_place(const struct inst *inst)
{
    return inst->constant == INST_CONSTANT_LOAD ||
           (inst->constant == INST_CONSTANT_INDEXED && inst->constant_at >> 16 == 0);
}

#define INST_CHUNK  1024u /* instructions */
#define INST_CHUNKS 16384u

/* Grows in chunks that stay where they are: SMs read on while it grows. */
struct inst_table {
    struct inst **chunks; /* INST_CHUNKS of them, set as far as COUNT goes */
    uint32_t count;
    bool reduces;        /* one of them is a reduction */
    const char *refused; /* the first opcode that the model does not simulate; NULL: none */
};

static inline const struct inst *inst_table_get(const struct inst_table *table, uint32_t index)
{
    return &table->chunks[index / INST_CHUNK][index % INST_CHUNK];
}

/* Adds what KERNEL's table has gained. False when memory is short, or for more than
 * INST_CHUNK * INST_CHUNKS instructions. */
bool inst_table_update(struct inst_table *table, const struct trace_kernel *kernel,
                       const struct sim_config *config);
void inst_table_finish(struct inst_table *table);

#endif
