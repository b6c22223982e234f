/* The core model `modern`: the SM of GPUs since Volta.
 *
 * The compiler schedules: its control bits (traces/function.h) say how many cycles a warp waits
 * after an instruction, and which dependence counters must be zero. Each of the sub-cores
 * issues one instruction a cycle.
 *
 *   issue -> control -> instructions of a time that the compiler knows: allocate (reserves read
 *                       ports of the register file, and holds up issue until it has them),
 *                       three cycles of reading, the unit
 *                    -> memory: a queue of the sub-core, address generation, the load/store
 *                       unit that the sub-cores share, shared memory or L1
 *                    -> others: their unit
 *
 * What happens at a time that is known at issue is worked out there: a fixed result needs no
 * event at all, as only the compiler waits for it. Traces without code have no control bits: a
 * scoreboard takes their place, with the times between classes of instructions that compilers
 * use (latencies.h).
 *
 * Sources: "Dissecting and Modeling the Architecture of Modern GPU Cores" (MICRO 2025);
 * measured rows of the card (docs/calibration.md). Cycles in which nothing can change are
 * skipped. */
#ifndef HEARTH_SIM_CORE_MODERN_MODERN_H
#define HEARTH_SIM_CORE_MODERN_MODERN_H

#include "sim/core/inst.h"
#include "sim/core/modern/async/async.h"
#include "sim/core/modern/flow.h"
#include "sim/core/modern/mio.h"
#include "sim/core/modern/units.h"
#include "sim/core/op.h"
#include "sim/core/sm.h"

#define MODERN_COUNTERS 6    /* dependence counters of a warp */
#define MODERN_STALLS   64   /* cycles ahead that a warp's next issue can be planned */
#define MODERN_WHEEL    1024 /* cycles ahead that an event can be planned */
#define MODERN_GROUPS   64   /* open groups of asynchronous copies of a warp */
#define MODERN_BUFFER   8    /* instructions that a warp's buffer holds, at most */
#define MODERN_WRITES   32   /* cycles ahead that results of a fixed time are noted */
#define MODERN_BANKS    2    /* of a sub-core's registers: even and odd ones */
/* For code that only some options or traces need: kept away from the code that always runs. */
#define MODERN_RARE __attribute__((noinline, cold))

/* Fixed by the configuration, beside struct sm_spec. */
struct modern_spec {
    bool halves;       /* FP32 has two halves; else one, of 16 lanes */
    bool read_ports;   /* of registers are limited */
    bool reuse;        /* operands are kept where the code says so */
    bool write_ports;  /* of registers are limited for loads */
    bool memory_turns; /* warps that wait for the memory queue get it in turn */
    uint32_t buffer;   /* instructions that a warp's buffer holds; 0: enough */
    uint32_t branch;   /* cycles from a taken branch to the warp's next instruction */
    bool late_fetch;   /* what it leads to is fetched when that could issue, not with it */
    uint32_t indirect, indirect_parts; /* the same from an indirect one; more if lanes part */
    uint32_t reconvergence;            /* the same from BSYNC */
    uint32_t wide; /* cycles that a wide product's result is late for the next instruction */
    uint32_t barrier, barrier_interval; /* cycles: from the last arrival until warps go on;
                                         * between arrivals */
    uint32_t membar[3];     /* cycles of a memory barrier: of a block, the GPU, the system */
    uint32_t constant;      /* cycles of LDC */
    uint32_t constant_word; /* more for each further word of its lanes */
    struct mio_spec mio;
    struct async_spec async;
};

/* Sets what a warp waits for by itself: after branches, wide products and memory barriers. */
void modern_specify_waits(const struct sim_options *options, struct modern_spec *spec);

struct modern_warp {
    struct trace_warp *trace;        /* NULL: the slot is empty */
    const struct inst_table *insts;  /* of its launch */
    uint64_t left;                   /* records from the next one on */
    struct trace_record next;        /* if left != 0 */
    uint64_t issues_at;              /* cycle from which it may issue */
    uint64_t waits_since;            /* cycle of its last issue, for reports */
    uint64_t code_floor;             /* while it waits for code: it does not issue before */
    uint64_t decoded[MODERN_BUFFER]; /* a ring: when each of the next instructions can issue */
    uint64_t fresh_until;            /* first cycle in which counters in `fresh` are seen */
    uint32_t counters[MODERN_COUNTERS]; /* wider than what can be in flight */
    uint8_t raised;                     /* mask of counters that are not 0 */
    uint8_t fresh;                      /* of these, raised by the last instruction */
    uint8_t block;                      /* slot of its block */
    uint8_t buffer_head;                /* of `decoded`: the next instruction */
    uint8_t slot;                       /* of its launch, for counts */
    uint32_t events;                    /* planned */
    uint32_t accesses;    /* instructions with the load/store unit, or before it */
    uint32_t loads;       /* instructions whose data have not all come */
    bool membar_over;     /* at a memory barrier whose time is over: it waits for accesses */
    uint32_t group;       /* LDGSTS: the open group ... */
    uint32_t group_wait;  /* ... DEPBAR waits for all below */
    uint32_t groups_done; /* all groups below are complete */
    uint16_t copies[MODERN_GROUPS];       /* LDGSTS outstanding of group g % MODERN_GROUPS */
    uint8_t group_counter[MODERN_GROUPS]; /* counter that LDGDEPBAR raised for it */
};

/* Something that happens at a time that is known. */
struct modern_event {
    uint64_t cycle;
    union {
        const struct inst *inst; /* whose sources or result it is about */
        uint64_t warps;          /* a barrier opens: the warps that wait there */
    };
    uint16_t next; /* of the same slot of the wheel, or of the free list */
    uint8_t warp;  /* or slot of a block */
    uint8_t what;  /* enum modern_what */
};

struct modern_sub_core {
    uint64_t warps;         /* mask of its slots */
    uint64_t waited;        /* mask of warps whose memory instruction found the queue full */
    uint32_t last_memory;   /* warp that entered it last */
    uint64_t issue_free;    /* cycle from which the control stage takes an instruction */
    uint64_t allocate_free; /* cycle from which the allocate stage is free */
    uint64_t unit_free[UNIT_COUNT];
    uint64_t half_free[2];            /* of UNIT_FP32 and UNIT_HEAVY: light, heavy */
    uint32_t busy;                    /* mask of units whose unit_free may be later than now */
    uint64_t port_used[MODERN_BANKS]; /* bit n: the read port is taken in cycle port_base + n */
    uint64_t port_base;
    uint64_t products_until; /* cycle up to which the reads of products are among these */
    uint64_t fetch_used;     /* bit n: an instruction is fetched in cycle fetch_base + n */
    uint64_t fetch_base;
    uint64_t path_free;                           /* cycle from which data of loads can come */
    uint64_t writes[MODERN_BANKS][MODERN_WRITES]; /* cycles in which results of a fixed time are
                                                   * written, by cycle */
    uint16_t kept[INST_SLOTS][MODERN_BANKS];      /* warp << 8 | register, plus 1; 0: none */
};

struct modern {
    struct sm sm;
    const struct modern_spec *spec;
    uint64_t ready;  /* warps that can issue if their unit takes the instruction */
    uint64_t unseen; /* of ready: only because a counter that they wait for is not seen yet */
    uint64_t waiting_counter, waiting_barrier, waiting_membar, waiting_copy;
    uint64_t waiting_register; /* without code */
    uint64_t waiting_code;     /* of its function, from L2 */
    uint64_t asked_constant;   /* warps that wait for the line of an operand: when it has come,
                                * they issue, even if another line has taken its place */

    uint64_t ended;                  /* at the end of their trace, not retired */
    uint64_t done;                   /* of ended: they have nothing in flight any more */
    uint64_t wants[UNIT_COUNT];      /* warps by the unit of their next instruction */
    uint64_t stalled[MODERN_STALLS]; /* warps whose issues_at is that cycle, by cycle */
    uint64_t stalled_any;            /* bit n: stalled[n] is not 0 */
    bool moved;                      /* something changed in this cycle */
    uint64_t last_moved;
    uint64_t wake;          /* else: when something that was waited for is free */
    char *scheduler_states; /* as in struct legacy; owned */
    struct warp_view view;  /* what schedulers see */
    uint64_t next_age;
    struct scoreboard *scoreboard; /* owned; NULL until an instruction without code comes */
    struct async *async;           /* owned; NULL until an instruction needs it */
    struct modern_sub_core subs[SM_MAX_SCHEDULERS];
    struct mio mio;

    uint16_t wheel[MODERN_WHEEL]; /* lists of events by cycle */
    uint64_t wheel_bits[MODERN_WHEEL / 64];
    uint32_t wheel_count;
    struct modern_event *events; /* owned */
    uint32_t event_count;
    uint16_t free_event;

    struct modern_warp warps[SM_MAX_WARPS];
    uint32_t stores[SM_MAX_WARPS]; /* of a slot's warps: not acknowledged. Warps end without
                                    * waiting for them; memory barriers of the slot's next warp
                                    * wait for those, too */
    uint32_t store_count;          /* of all */
    uint64_t barrier_free;         /* cycle from which the barriers take an arrival */
    struct sm_op *ops;             /* instructions with the load/store unit; owned */
    uint32_t op_count;
    uint16_t free_op;
};

#endif
