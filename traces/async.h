/* Asynchronous copies and barriers in memory (sm_90): what the registers mean whose values a
 * trace has. Included by traces.h.
 *
 * Which register means what is as ptxas 13.0 compiles PTX for sm_90a; nobody has compared it
 * with a GPU. Addresses in shared memory are those of the cluster's window, 32 bits. */
#ifndef HEARTH_TRACES_ASYNC_H
#define HEARTH_TRACES_ASYNC_H

#include <stdbool.h>
#include <stdint.h>

#include "traces/extras.h"

enum trace_async_kind {
    TRACE_ASYNC_NONE,            /* another instruction */
    TRACE_ASYNC_INIT,            /* SYNCS.EXCH.64: makes a barrier */
    TRACE_ASYNC_ARRIVE,          /* SYNCS.ARRIVE */
    TRACE_ASYNC_WAIT,            /* SYNCS.PHASECHK: whether a phase is over */
    TRACE_ASYNC_TENSOR_LOAD,     /* UTMALDG: from global to shared memory */
    TRACE_ASYNC_TENSOR_STORE,    /* UTMASTG: from shared to global memory */
    TRACE_ASYNC_TENSOR_REDUCE,   /* UTMAREDG: the same, with an operation */
    TRACE_ASYNC_TENSOR_PREFETCH, /* UTMAPF: from global memory to L2 */
    TRACE_ASYNC_BLOCK_LOAD,      /* UBLKCP.S.G: from global to shared memory */
    TRACE_ASYNC_BLOCK_SHARE,     /* UBLKCP.S.S: from shared memory to that of another block */
    TRACE_ASYNC_BLOCK_STORE,     /* UBLKCP.G.S: from shared to global memory */
    TRACE_ASYNC_BLOCK_REDUCE,    /* UBLKRED: the same, with an operation */
    TRACE_ASYNC_BLOCK_PREFETCH,  /* UBLKPF: from global memory to L2 */
};

/* What an opcode says. */
struct trace_async_form {
    enum trace_async_kind kind;
    uint8_t dimensions; /* of a tensor, 1 to 5 */
    bool im2col;        /* of a tensor */
    bool multicast;     /* a load for several blocks of the cluster */
    /* Of ARRIVE: how many arrivals and bytes; 'R': a register says it, or 0 or 1; bytes also
     * 'X': a register says how many are done. */
    char arrivals, bytes;
};

/* What an instruction that was executed asks for. */
struct trace_async {
    enum trace_async_kind kind;
    bool is_known; /* the trace has all values of registers; else only what needs none is set */
    /* INIT, ARRIVE, WAIT: the barrier's address. Loads: that of the barrier that counts their
     * bytes. Else 0. */
    uint32_t barrier;
    uint32_t arrivals; /* INIT: how many a phase takes; ARRIVE: how many these are */
    uint32_t phase;    /* WAIT: 0 or 1, the parity of the phase that is asked for */
    /* ARRIVE: bytes that the phase has to wait for in addition, less than 0 if they are done.
     * Copies of blocks: their size. */
    int64_t bytes;
    uint32_t shared;    /* copies: where in shared memory they write, or else read */
    uint64_t global;    /* copies of blocks: address in global memory; SHARE: of the source in
                           shared memory */
    uint64_t map;       /* tensors: address of the tensor map */
    uint8_t dimensions; /* as in the form */
    int32_t coordinates[5]; /* of the box in the tensor, `dimensions` of them, in the order of
                               the tensor map */
    uint16_t offsets; /* im2col loads: offsets in the filter, as the instruction has them */
    uint16_t blocks;  /* multicast loads: bit = rank of the block in its cluster */
};

/* The form of the dotted OPCODE. */
struct trace_async_form trace_async_form(const char *opcode);

/* What a record asks for whose opcode has FORM and which has EXTRAS, of a kernel opened with
 * TRACE_EXTRA_NUMBERS and TRACE_EXTRA_ADDRESS. */
struct trace_async trace_async_decode(const struct trace_async_form *form,
                                      const struct trace_extras *extras);

#endif
