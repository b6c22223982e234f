/* Instructions whose work goes on while their warp does: products of groups of warps, barriers
 * in shared memory, copies of tensors, barriers of clusters. */
#ifndef HEARTH_SIM_CORE_HOPPER_ASYNC_OP_H
#define HEARTH_SIM_CORE_HOPPER_ASYNC_OP_H

#include <stdbool.h>
#include <stdint.h>

struct trace_code;

enum async_op {
    ASYNC_NONE,
    ASYNC_PRODUCT,      /* HGMMA and its kin */
    ASYNC_PRODUCT_WAIT, /* WARPGROUP.DEPBAR */
    ASYNC_INIT,         /* SYNCS.EXCH: makes a barrier */
    ASYNC_ARRIVE,       /* SYNCS.ARRIVE: one arrival a lane, */
    ASYNC_ARRIVE_BYTES, /* which announces as many bytes as a register says, */
    ASYNC_ARRIVE_COUNT, /* or stands for as many arrivals; */
    ASYNC_BYTES,        /* announces bytes alone */
    ASYNC_STORE_FAR, /* STAS, REDAS: a store or reduction to another block, whose bytes come to
                      * a barrier there */
    ASYNC_WAIT,      /* SYNCS.PHASECHK */
    ASYNC_SLEEP,     /* NANOSLEEP.SYNCS, and branches: what a loop that waits is made of */
    ASYNC_PAUSE,     /* NANOSLEEP: for a time, if it is in no loop that waits */
    ASYNC_POLL,      /* a load past L1, which may be repeated until a value has come */
    ASYNC_LOAD,      /* UTMALDG, UBLKCP.S.G: a barrier counts what comes */
    ASYNC_SHARE,     /* UBLKCP.S.S: to another block of the cluster */
    ASYNC_PREFETCH,  /* UTMAPF, UBLKPF: to L2 */
    ASYNC_STORE,     /* UTMASTG, UTMAREDG, UBLKCP.G.S, UBLKRED: read shared memory */
    ASYNC_FLUSH,     /* UTMACMDFLUSH */
    ASYNC_FENCE,     /* FENCE.VIEW.ASYNC: copies see what was stored to shared memory */
    ASYNC_CLUSTER_ARRIVE,
    ASYNC_CLUSTER_WAIT,
    ASYNC_LAUNCH_LETS, /* PREEXIT: the next launch may begin when all blocks have come here */
    ASYNC_LAUNCH_WAIT, /* ACQBULK: waits until the launches before have ended */
    ASYNC_REGISTERS_GIVE, /* USETMAXREG.DEALLOC: a warp leaves registers to others */
    ASYNC_REGISTERS_TAKE, /* USETMAXREG.TRY_ALLOC: it takes what they left */
};

/* That of the dotted OPCODE. */
enum async_op async_op_of(const char *opcode);

/* Registers that CODE names: the uniform register of what SYNCS.EXCH writes, of a copy's
 * place in shared memory (its barrier's is the next one), of the blocks that get a copy. */
uint32_t async_value(const struct trace_code *code);
uint32_t async_receivers(const struct trace_code *code);

/* Registers a thread that CODE, of a USETMAXREG, asks for. */
uint32_t async_registers(const struct trace_code *code);

/* The operand of CODE, a NANOSLEEP, in nanoseconds; false: it is in register *NANOSECONDS. */
bool async_pause(const struct trace_code *code, uint32_t *nanoseconds);

/* BAR, with number and threads in CODE: fills both. False: they are in registers, or it is for
 * all threads. */
bool async_named_barrier(const struct trace_code *code, uint8_t *number, uint8_t *warps);

/* Whether the product of CODE is the last of a batch; its first operand is in registers. */
bool async_closes_batch(const struct trace_code *code);
bool async_from_registers(const struct trace_code *code);

/* Whether CODE, of an instruction of a function, makes barriers in shared memory. */
bool async_makes_barrier(const struct trace_code *code);

#endif
