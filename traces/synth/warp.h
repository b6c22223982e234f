/* The code of one warp, instruction by instruction.
 *
 * A generator is written like the kernel: straight-line calls, loops and
 * branches. The program counter follows the text, not the path: code that no
 * lane executes is gone through silently, so that every instruction keeps its
 * place whatever the data. That asks of a generator that the number of calls
 * in a body does not depend on data. */
#ifndef HEARTH_TRACES_SYNTH_WARP_H
#define HEARTH_TRACES_SYNTH_WARP_H

#include "traces/function.h"
#include "traces/synth/synth.h"

#define WARP_SIZE 32
enum { NONE = -1, RZ = TRACE_REG_ZERO };
enum { REG_SIZE = 7 }; /* holds the size of an element from the prologue on */

struct warp {
    struct synth *synth;
    const struct synth_launch *launch;
    uint32_t block[3]; /* blockIdx */
    uint32_t index;    /* warp in the block */
    uint32_t first;    /* its first thread in the block */
    uint32_t live;     /* lanes that have not left the kernel */
    uint32_t mask;     /* lanes that are active now */
    uint32_t pc;
    bool silent;            /* nobody executes this code */
    struct trace_code code; /* of the next instruction, where registers do not give it */
};

/* Warp INDEX of BLOCK, before its first instruction; what it executes: the launch's body, and
 * EXIT. */
struct warp warp_begin(struct synth *synth, const struct synth_launch *launch,
                       const uint32_t block[3], uint32_t index);
void warp_run(struct warp *warp);

/* An address (or anything else) a lane. Lanes that are not active are not
 * looked at. */
struct lanes {
    uint64_t at[WARP_SIZE];
};

/* for each active lane: none in silent code, so that no data is looked at. */
#define EACH_LANE(w, lane)                                                                     \
    for (uint32_t each_ = (w)->silent ? 0 : (w)->mask, lane;                                   \
         each_ != 0 && ((lane) = (uint32_t)__builtin_ctz(each_), true); each_ &= each_ - 1)

/* One instruction: destination (or NONE), then sources. */
#define OP(w, opcode, ...)                                                                     \
    warp_op(w, opcode, 0, (const int[]){__VA_ARGS__},                                          \
            sizeof((const int[]){__VA_ARGS__}) / sizeof(int))
/* The same with an immediate in the trace. */
#define OP_IMM(w, opcode, imm, ...)                                                            \
    warp_op(w, opcode, imm, (const int[]){__VA_ARGS__},                                        \
            sizeof((const int[]){__VA_ARGS__}) / sizeof(int))
void warp_op(struct warp *warp, const char *opcode, uint32_t imm, const int *registers,
             size_t count);

/* Any instruction, and one with the address of each active lane. */
void warp_emit(struct warp *warp, struct trace_sink_inst *inst);
void warp_emit_lanes(struct warp *warp, struct trace_sink_inst *inst, const struct lanes *at);

/* Memory instructions, each with its opcode for either generation. */
enum memory_op {
#define MEMORY_OP(name, old, ampere, width, kind) name,
#include "traces/synth/memory.def"
#undef MEMORY_OP
    MEMORY_OPS
};

/* A load into REG, a store or reduction of REG; ADDRESS is the register with
 * the address, RZ for a constant one. */
void warp_memory(struct warp *warp, enum memory_op op, int reg, int address,
                 const struct lanes *at);
/* The same where lane L accesses BASE + L x STRIDE. */
void warp_memory_row(struct warp *warp, enum memory_op op, int reg, int address, uint64_t base,
                     int64_t stride);
/* An atomic with a result. */
void warp_atomic(struct warp *warp, enum memory_op op, int dst, int address, int data,
                 const struct lanes *at);
/* Copies from global AT to shared memory where the architecture can do so
 * by itself; else by LDG and STS through REG. SHARED: where to. */
void warp_copy_async(struct warp *warp, int reg, int address, int shared_address,
                     const struct lanes *at, const struct lanes *shared);
/* The end of a group of such copies, and the wait until at most GROUPS are open. */
void warp_commit_async(struct warp *warp);
void warp_wait_async(struct warp *warp, uint32_t groups);
void warp_barrier(struct warp *warp);
/* D[16][8] = A[16][16] B[16][8] + C in half precision, single accumulation. */
void warp_matrix(struct warp *warp, int d, int a, int b);

/* Lanes for which the predicate holds leave. Returns true when none is left:
 * the generator returns. The branchless form of "if (...) return;". */
bool warp_leave(struct warp *warp, uint32_t lanes);

/* Narrows the mask for predicated instructions: gives back what to restore. */
static inline uint32_t warp_predicate(struct warp *warp, uint32_t lanes)
{
    uint32_t saved = warp->mask;
    warp->mask &= lanes;
    return saved;
}

/* if: code for LANES, branched around when there are none. */
struct branch {
    uint32_t mask;
    bool silent;
};
struct branch warp_if(struct warp *warp, uint32_t lanes);
void warp_end_if(struct warp *warp, struct branch branch);

/* A loop of N rounds for all active lanes: while (loop_next(w, &l)) { l.i }.
 * COUNTER is the register that counts. With N 0 the body is gone through
 * once, silently. */
struct loop {
    uint32_t top, i, n;
    int counter;
    bool started, ghost;
    struct branch outer;
};
struct loop loop_begin(int counter, uint32_t n);
bool loop_next(struct warp *warp, struct loop *loop);

/* A loop that lanes leave one by one: LANES go on. */
struct lane_loop {
    uint32_t top;
    bool started, ghost;
    struct branch outer;
};
bool lane_loop_next(struct warp *warp, struct lane_loop *loop, uint32_t lanes);

/* R[value] of all lanes into one by OP and shuffles over LANES (a power of two)
 * neighbours; TEMPORARY is overwritten. */
void warp_reduce(struct warp *warp, const char *op, int value, int temporary, uint32_t lanes);

/* Lanes whose first thread index (in the block, x fastest) is below N. */
uint32_t lanes_below(uint64_t first, uint64_t n);
/* Thread index of LANE along the axes. */
uint32_t warp_x(const struct warp *warp, uint32_t lane);
uint32_t warp_y(const struct warp *warp, uint32_t lane);

/* ---- what nvcc begins with ---- */

/* R2 = blockIdx.x, R3 = threadIdx.x, R0 = R2 * blockDim.x + R3. Gives back the
 * R0 of lane 0. */
uint64_t warp_prologue(struct warp *warp);
/* The same for x (R0) and y (R3) of a two-dimensional grid; R2 and R4 are the
 * thread's. */
void warp_prologue_2d(struct warp *warp);
/* if (R0 >= n) return; with FIRST the index of lane 0. As warp_leave(). */
bool warp_bound(struct warp *warp, uint64_t first, uint64_t n);
/* R[dst, dst + 1] = a pointer among the arguments + R[index] * R7. */
void warp_pointer(struct warp *warp, int dst, int index);

#endif
