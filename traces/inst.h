/* Instructions: what is decoded once for each (static), and what changes each
 * time a warp executes one (dynamic). Public: included by traces.h, and by
 * those who need only this. */
#ifndef HEARTH_TRACES_INST_H
#define HEARTH_TRACES_INST_H

#include <stdint.h>

/* The pipeline that executes an opcode. The classes are those of NVIDIA's
 * public instruction-set listings (CUDA Binary Utilities), grouped by the
 * units that GPGPU-Sim option files configure. */
enum trace_unit {
    TRACE_UNIT_ALU, /* moves, predicates, conversions, control without a
                     * unit of its own: the integer pipeline */
    TRACE_UNIT_INT, /* integer arithmetic */
    TRACE_UNIT_FP32,
    TRACE_UNIT_FP16, /* packed half precision: FP32 pipeline, half the initiation interval */
    TRACE_UNIT_FP64,
    TRACE_UNIT_SFU,     /* MUFU */
    TRACE_UNIT_TENSOR,  /* HMMA, IMMA, BMMA, DMMA, HGMMA ... */
    TRACE_UNIT_BRANCH,  /* BRA, CALL, RET, BSSY, WARPSYNC ... */
    TRACE_UNIT_TEXTURE, /* TEX, TLD, TXQ ... */
    TRACE_UNIT_UNIFORM, /* uniform datapath: ULDC, R2UR, UIADD3 ... */
    TRACE_UNIT_MEMORY,  /* load/store unit, MEMBAR included */
    TRACE_UNIT_EXIT,    /* EXIT; executes on the integer pipeline */
    TRACE_UNIT_BARRIER, /* BAR; executes on the integer pipeline */
    TRACE_UNIT_COUNT
};

/* What an instruction does to memory. */
enum trace_access {
    TRACE_ACCESS_NONE,
    TRACE_ACCESS_LOAD,
    TRACE_ACCESS_STORE,
    TRACE_ACCESS_ATOMIC, /* returns a value, or is a reduction (RED): both travel like a load */
};

enum trace_space {
    TRACE_SPACE_NONE,
    TRACE_SPACE_GLOBAL,
    TRACE_SPACE_LOCAL,
    TRACE_SPACE_SHARED,
    TRACE_SPACE_GENERIC,  /* LD/ST: resolved by address, trace_resolve_space() */
    TRACE_SPACE_CONSTANT, /* LDC: the public tracers give no addresses */
};

enum trace_inst_flag {
    TRACE_INST_EXIT = 1 << 0,
    TRACE_INST_BARRIER = 1 << 1,   /* BAR: waits for all warps of the block */
    TRACE_INST_MEMBAR = 1 << 2,    /* MEMBAR and its kin */
    TRACE_INST_BYPASS_L1 = 1 << 3, /* .STRONG.GPU loads and atomics: served at L2 */
    TRACE_INST_LDGSTS = 1 << 4,    /* asynchronous copy to shared memory */
    TRACE_INST_LDGDEPBAR = 1 << 5, /* closes a group of LDGSTS */
    TRACE_INST_DEPBAR = 1 << 6,    /* waits until at most `imm` groups are open */
    TRACE_INST_LDSM = 1 << 7,      /* matrices, from or to shared memory */
    TRACE_INST_UNKNOWN = 1 << 8,   /* class came from a rule, not from the opcode table */
    TRACE_INST_ARRIVE = 1 << 9,    /* with BARRIER: BAR.ARV, arrives and goes on */
    TRACE_INST_STRONG_SYS =
        1 << 10, /* .STRONG.SYS load (volatile): at L2 or in L1, as configured */
    TRACE_INST_LTC64B = 1 << 11,  /* .LTC64B load: L2 prefetches so many aligned bytes */
    TRACE_INST_LTC128B = 1 << 12, /* the same of .LTC128B and .LTC256B: a line of L2 at most */
};

#define TRACE_MAX_DST    4
#define TRACE_MAX_SRC    8
#define TRACE_MAX_VALUES 2   /* registers of a line whose values are known */
#define TRACE_MAX_TAIL   32  /* numbers of a line with a memory operand, behind its immediate */
#define TRACE_REG_ZERO   255 /* RZ: listed as any other, but no dependence */

/* One instruction of a kernel's code. Decoded once per PC (and once more for
 * each different text at the same PC: called functions have offsets of
 * their own). */
struct trace_inst {
    uint32_t pc;    /* byte offset in its function */
    uint32_t imm;   /* immediate without memory operand (DEPBAR's count, BAR's number),
                     * low 32 bits; 0 when the trace has none */
    uint16_t flags; /* enum trace_inst_flag */
    uint8_t unit;   /* enum trace_unit */
    uint8_t access; /* enum trace_access */
    uint8_t space;  /* enum trace_space */
    uint8_t width;  /* bytes a lane, 1..32, from the opcode's size suffix; 0 without memory
                       operand */
    uint8_t dst_count, src_count;
    uint8_t dst[TRACE_MAX_DST]; /* register numbers 0..255 */
    uint8_t src[TRACE_MAX_SRC];
    uint32_t opcode; /* offset of the dotted opcode text, trace_kernel_opcode() */
};

/* How a record's lane addresses are kept. */
enum trace_address_mode {
    TRACE_ADDRESS_NONE,   /* not a memory instruction, mask 0, or left out as asked:
                           * trace_kernel_options.bare_shared */
    TRACE_ADDRESS_STRIDE, /* two words: base, stride (signed). The n-th active lane has base + n
                           * stride */
    TRACE_ADDRESS_LIST,   /* one word per active lane, ascending lanes */
    /* Only if requested (trace_kernel_options.rows): the active lanes, in ascending order, form
     * rows of equal length with an equal distance between lanes. One word per row, the address
     * of its first lane, and after all rows one word with the distance, 0 to 16. */
    TRACE_ADDRESS_ROWS_2,
    TRACE_ADDRESS_ROWS_4,
    TRACE_ADDRESS_ROWS_8,
    TRACE_ADDRESS_ROWS_16, /* the last one: all from ROWS_2 on are rows */
};

/* One executed warp instruction. */
struct trace_record {
    uint32_t inst : 28;  /* index into trace_kernel_insts() */
    uint32_t extras : 1; /* it has some, trace_record_extras(): only if asked for */
    uint32_t mode : 3;   /* enum trace_address_mode */
    uint32_t mask;       /* active AND predicate, bit = lane; 0 when predicated off */
    uint32_t address;    /* index of its first word in the warp's addresses */
};

#endif
