/* A streaming multiprocessor.
 *
 * One cycle goes back to front through the pipeline, so that a stage sees
 * what the one behind it did a cycle before:
 *
 *   replies -> write back -> execute, load/store -> operand collectors (one
 *   or more steps) -> issue -> decode, fetch
 *
 * An SM talks with the rest through two queues of timestamped packets only
 * (replies, requests), and runs by itself up to a given cycle. Cycles in which nothing
 * can change are skipped. */
#ifndef HEARTH_SIM_CORE_SM_H
#define HEARTH_SIM_CORE_SM_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "sim/core/coalesce.h"
#include "sim/core/icache.h"
#include "sim/core/inst.h"
#include "sim/core/launch.h"
#include "sim/core/limits.h"
#include "sim/core/observer.h"
#include "sim/core/readers.h"
#include "sim/core/schedulers/warp_scheduler.h"
#include "sim/memory/address_table.h"
#include "sim/memory/cache.h"
#include "sim/memory/line_cache.h"
#include "sim/memory/queue.h"
#include "sim/stats/shares.h"
#include "traces/traces.h"

#define SM_MAX_WIDTH      16 /* registers of a pipeline stage */
#define SM_MAX_UNITS      32 /* of a kind */
#define SM_MAX_COLLECTORS 64
#define SM_MAX_BANKS      64
#define SM_BANK_QUEUE     512  /* operands of all collectors: TRACE_MAX_SRC each */
#define SM_WHEEL          1024 /* cycles ahead that write-back can be planned */
#define SM_LISTS          64 /* coalesced accesses of instructions in front of the load/store unit */
#define SM_GROUPS         64 /* open groups of asynchronous copies a warp */
/* For what options alone need: out of the way of what all need. */
#define SM_RARE __attribute__((noinline, cold))
#define SM_NONE 0xffffu

/* Fixed by the configuration. */
struct sm_spec {
    const struct sim_config *config;
    const struct address_table_map *places;
    uint32_t warps, blocks;         /* that fit in all */
    uint32_t regs, shmem;           /* the same: registers, bytes of shared memory */
    uint32_t schedulers, issue_max; /* instructions a warp may issue a cycle */
    const struct warp_scheduler *scheduler;
    uint32_t readers_max; /* write after read: readers of a register; 0: not looked at */
    bool different_units; /* dual issue only to units of different kinds */
    bool sub_cores;
    uint32_t fetches; /* fetch and decode steps a cycle */
    uint8_t id_oc[PIPE_COUNT],
        oc_ex[PIPE_COUNT]; /* registers in front of and behind the collectors */
    uint8_t units[PIPE_COUNT];
    uint32_t collectors, in_ports, out_ports, collect_steps;
    uint32_t banks;
    uint32_t result_buses;
    uint32_t shared_latency, shared_banks;
    uint32_t shared_parts; /* groups of lanes that are checked for conflicts apart */
    bool shared_limited;   /* a group broadcasts one word alone */
    uint32_t l1_latency, l1_banks, l1_interleave_log2, l1_bank_hash;
    uint32_t fill_queue;    /* replies in front of the load/store unit */
    uint32_t request_limit; /* packets that the crossbar holds for the SM */
    bool l1_enabled, skip_l1_global, invalidate_at_membar;
    struct icache_spec icache;
    uint32_t constant_miss; /* constant cache: cycles that a miss takes longer than a hit */
    bool cpi_stack;
};

/* An instruction in flight. */
struct sm_op {
    uint64_t age; /* order of issue */
    const struct inst *inst;
    uint32_t mask;
    uint16_t next;    /* of a write-back list or the free list */
    uint16_t pending; /* sectors that have not come */
    uint16_t cycles;  /* shared memory: still to spend in the bank-conflict stage; other units
                       * than the load/store unit: on top of the latency */
    uint8_t group;    /* LDGSTS: its group */
    uint8_t warp, scheduler;
    uint8_t list;  /* of coalesced sectors; SM_LISTS = none */
    uint8_t space; /* enum trace_space, generic ones resolved */
    bool left;     /* the load/store unit has sent all of it */
};

struct sm_warp {
    struct trace_warp *trace;       /* NULL: the slot is empty */
    const struct inst_table *insts; /* of its launch */
    const struct sm_launch *launch;
    uint64_t busy[4];              /* scoreboard: registers with a result on its way */
    struct trace_record buffer[2]; /* instruction buffer */
    uint8_t buffered, at;          /* records in it, next one */
    uint8_t block;                 /* slot of its block */
    uint64_t left;                 /* records not decoded yet */
    uint16_t in_pipeline;          /* decoded, not completed */
    uint16_t busy_count;           /* bits in `busy` */
    uint32_t stores;               /* not acknowledged */
    uint32_t atomics;              /* lanes not answered */
    uint32_t loads;                /* instructions whose data have not all come */
    uint64_t code_ready;           /* while awaiting_code: cycle in which its line is there */
    uint64_t waits_since;          /* cycle of its last issue, for reports */
    uint32_t group, group_wait;    /* LDGSTS: open group; DEPBAR waits for all below */
    uint32_t groups_done;          /* all groups below are complete */
    uint16_t copies[SM_GROUPS];    /* LDGSTS outstanding of group g % SM_GROUPS */
};

/* What is kept of a block that has ended, for observers. */
struct sm_ended {
    uint64_t order; /* of the block in the trace, from 0 */
    uint32_t index[3];
    uint64_t begin, end; /* cycles: handed to the SM, last of its warps retired */
};

struct sm_block {
    struct trace_block *trace; /* NULL: free, or timed */
    const struct sm_launch *launch;
    struct sm_ended about;
    bool timed;          /* only takes its place until about.end */
    uint64_t warps;      /* mask of warp slots that it takes */
    uint16_t live;       /* warps not retired */
    uint16_t running;    /* warps not at their end */
    uint16_t waiting;    /* warps at the barrier */
    uint64_t at_barrier; /* mask of warp slots */
};

struct collector {
    uint16_t op;
    uint8_t pipe;
    uint8_t waiting; /* operands not read yet */
};

struct bank_queue {
    uint8_t ring[SM_BANK_QUEUE]; /* collectors that want an operand of the bank */
    uint16_t head, count;
};

struct unit {
    uint64_t free_at;         /* next cycle in which it takes an instruction */
    uint64_t done_base, done; /* mask of completion cycles, from done_base on */
};

struct ldst {
    uint16_t dispatch;   /* instruction being split into accesses */
    uint16_t write_back; /* instruction whose result waits for the register file */
    uint8_t next_client; /* of write-back, in turn */
    struct queue fill;   /* replies taken */
    bool has_global;     /* `global` holds a reply that bypasses L1 */
    struct packet global;
    uint16_t pipe[256]; /* shared memory pipeline: instructions in order */
    uint64_t pipe_ready[256];
    uint32_t pipe_head, pipe_count;
    struct queue l1_queue[16];           /* L1's access pipeline, by bank */
    struct cache_refusal l1_refused[16]; /* of their heads */
    uint32_t l1_banks;                   /* mask of banks whose pipeline is not empty */
    uint64_t l1_waiting; /* heads that are refused every cycle: a byte each enum cache_kind */
};

struct sm_stats {
    uint64_t warp_insts, thread_insts, blocks, atomics, shared_conflicts;
    uint64_t active_cycles; /* with a block, up to the last time that there was none */
    uint64_t dram_waits;    /* cycles in which nothing moved, ended by what DRAM brought */
    uint64_t warp_cycles;   /* retired warps: cycles from their block's arrival on */
    uint64_t constant_lookups, constant_pending_hits, constant_misses; /* of lines */
};

struct sm {
    /* hot */
    uint64_t now;           /* next cycle to simulate */
    _Atomic uint64_t clock; /* the same for other threads to read */
    uint64_t buffered, waiting_barrier, waiting_membar, waiting_atomic, waiting_copy, hazard;
    struct readers *readers; /* of each warp; NULL: write after read is not looked at */
    uint64_t fetchable;      /* empty buffer, trace not at its end */
    struct icache *icache;   /* NULL: perfect */
    uint64_t awaiting_code;  /* empty buffer, the line of the next instruction on its way */
    uint64_t code_came;      /* of fetchable: their line is there, even if L0 lost it */
    uint64_t ended;          /* at the end of their trace, not retired */
    uint64_t done;           /* of ended: nothing of them is on its way any more */
    struct cpi *cpi;         /* NULL: no CPI stacks */
    struct sm_observers observers;
    uint64_t wants[PIPE_COUNT]; /* buffered warps by the pipe of their next instruction */
    bool moved;                 /* something changed in this cycle */
    uint64_t last_moved;        /* the last cycle in which something did */
    uint64_t wake;              /* else: when a unit or port is free that was waited for */
    uint64_t scheduler_warps[SM_MAX_SCHEDULERS];
    char *scheduler_states; /* of each scheduler: spec->scheduler->state_size bytes; owned */
    struct warp_view view;  /* what schedulers see */
    uint32_t id_oc_full[PIPE_COUNT], oc_ex_full[PIPE_COUNT]; /* masks of occupied registers */
    uint32_t id_oc_pipes, oc_ex_pipes;                       /* masks of pipes with any */
    uint64_t collectors_busy, collectors_ready;
    bool collect_stuck;   /* no collector moves until an instruction comes or leaves */
    uint64_t issue_stuck; /* warps that could not issue for want of a register of `id_oc`
                           * or a list; 0 = unknown */
    uint64_t banks_waiting, banks_written;
    uint32_t wheel_count;
    int32_t fetched; /* warp fetched, to be decoded; -1 none */
    uint32_t last_fetched;
    uint64_t next_age;
    uint16_t id_oc[PIPE_COUNT][SM_MAX_WIDTH], oc_ex[PIPE_COUNT][SM_MAX_WIDTH];
    struct collector collectors[SM_MAX_COLLECTORS];
    uint8_t dispatch_last[SM_MAX_COLLECTORS];
    struct unit units[PIPE_COUNT][SM_MAX_UNITS];
    struct ldst ldst;
    struct cache l1;
    struct line_cache constants; /* without memory unless -hearth_const_cache 1 */
    struct queue replies;        /* ready: cycle in which the load/store unit may take it */
    struct queue requests;       /* ready: cycle in which the crossbar may take it */
    uint32_t requests_ahead;     /* packets of earlier windows still in front of the crossbar */

    uint16_t wheel[SM_WHEEL];
    uint8_t wheel_load[SM_WHEEL];
    uint64_t wheel_bits[SM_WHEEL / 64];
    struct bank_queue bank_queues[SM_MAX_BANKS];
    struct sm_warp warps[SM_MAX_WARPS];
    struct sm_op *ops;
    uint32_t op_count;
    uint16_t free_op;
    struct access_list lists[SM_LISTS];
    uint64_t free_lists;

    /* blocks */
    const struct sm_spec *spec;
    uint32_t number;     /* of the SM */
    uint32_t blocks_max; /* at once */
    uint32_t blocks_used;
    uint64_t warps_used;         /* mask of warp slots */
    bool shared;                 /* blocks of several launches may be in it at once */
    bool place;                  /* shared: what `least` says is free */
    struct sm_needs least, used; /* shared: a block needs so much at least; taken */
    bool flush_l1;               /* shared: when a launch takes the empty SM from another */
    uint64_t last_launch;        /* shared: number of the launch that last took it empty */
    struct sm_stats *shares;     /* shared: of each slot, without active_cycles; the owner is
                                  * the engine */
    struct sm_block blocks[SM_MAX_BLOCKS];
    uint64_t active_since; /* while there are blocks: cycle of the first one's arrival */
    uint64_t last_end;     /* cycle in which the last block ended */
    uint64_t timed_end;    /* cycle in which the next timed block ends; UINT64_MAX = none */
    uint64_t first_cycle;  /* of the launch */
    uint32_t turn;         /* scheduler that comes first in first_cycle */
    struct sm_stats stats;
};

struct sm *sm_create(const struct sm_spec *spec, uint32_t number);
void sm_destroy(struct sm *sm);
/* As after sm_create(): caches and pointers; it must be idle. */
void sm_reset(struct sm *sm);

/* Readies an idle SM for LAUNCH alone, which starts at cycle START. */
void sm_begin(struct sm *sm, const struct sm_launch *launch, uint64_t start);

/* Readies an idle SM from cycle START on for launches that share it, as far as threads,
 * registers, shared memory and blocks allow. The unified memory is divided, and with FLUSH_L1
 * L1 emptied, when a launch takes the empty SM from another; blocks that join change nothing.
 * Source: shader_core_ctx::can_issue_1block() of GPGPU-Sim, and for L1, which it divides anew
 * in all SMs with every launch, the rule that no line is lost while it is used. */
void sm_begin_shared(struct sm *sm, bool flush_l1, uint64_t start);
/* The same for launches that go on with it after sm_end(). */
void sm_resume_shared(struct sm *sm, uint64_t start);

/* Leaves the turns of an idle SM's schedulers, of their warps and of fetching as other work
 * would; MIX, a number that looks like chance, decides how. */
void sm_scatter(struct sm *sm, uint32_t mix);

/* Ends the launch for an idle SM; the block scheduler had blocks left up to
 * cycle LAST_GIVEN. The schedulers' turns stand still in between. */
void sm_end(struct sm *sm, uint64_t last_given);

/* True when a block may be given to it; shared: one that needs no more than `least`. */
static inline bool sm_has_place(const struct sm *sm)
{
    return sm->blocks_used < sm->blocks_max && sm->place;
}

/* Shared: sets what the least demanding block that waits needs. */
void sm_set_least(struct sm *sm, const struct sm_needs *least);

/* True when there is room for a block of LAUNCH. */
bool sm_fits(const struct sm *sm, const struct sm_launch *launch);

/* Gives the SM a block of LAUNCH at the end of cycle NOW; it becomes its owner. ORDER is
 * its number in the trace. */
void sm_take_block(struct sm *sm, const struct sm_launch *launch, struct trace_block *block,
                   uint64_t order, uint64_t now);

/* A block that is not simulated: it only takes a place for CYCLES (at least 1). INDEX as in
 * struct trace_block. */
void sm_take_timed(struct sm *sm, const struct sm_launch *launch, const uint32_t index[3],
                   uint64_t order, uint64_t cycles, uint64_t now);

/* The next cycle that the SM will simulate; any thread may ask. */
static inline uint64_t sm_clock(struct sm *sm)
{
    return atomic_load_explicit(&sm->clock, memory_order_acquire);
}

static inline void sm_set_clock(struct sm *sm, uint64_t now)
{
    sm->now = now;
    atomic_store_explicit(&sm->clock, now, memory_order_release);
}

/* Simulates until sm->now == END, or, with YIELD, until a cycle has ended in
 * which a place for a block was free: returns true then. */
bool sm_run(struct sm *sm, uint64_t end, bool yield);

/* True when nothing will move in it any more unless a packet comes. */
bool sm_stuck(const struct sm *sm);

/* ---- between the files of an SM ---- */

/* Whether an observer wants EVENT. */
static inline bool sm_observed(const struct sm *sm, enum sm_event event)
{
    return __builtin_expect(sm->observers.wanted >> event & 1, 0);
}

/* Tells observers of an event: sm_tell_issued() ... */
#define EVENT(name, arguments, ...)                                                            \
    static inline void sm_tell_##name(__VA_ARGS__)                                             \
    {                                                                                          \
        if (sm_observed(sm, SM_EVENT_##name))                                                  \
            sm_observers_##name arguments;                                                     \
    }
#include "sim/core/events.def"
#undef EVENT

static inline void *sm_scheduler_state(const struct sm *sm, uint32_t scheduler)
{
    return sm->scheduler_states + scheduler * sm->spec->scheduler->state_size;
}

/* The next instruction of a warp whose buffer is not empty. */
static inline const struct inst *sm_next_of(const struct sm_warp *warp)
{
    return inst_table_get(warp->insts, warp->buffer[warp->at].inst);
}

uint16_t sm_new_op(struct sm *sm);
void sm_free_op(struct sm *sm, uint16_t op);
/* A result of OP has been written: its registers are free. */
void sm_release(struct sm *sm, const struct sm_op *op);
/* An instruction has left its register in front of the units. */
static inline void sm_leave_oc_ex(struct sm *sm, uint32_t pipe, uint32_t slot)
{
    sm->collect_stuck = false;
    sm->oc_ex_full[pipe] &= ~(1u << slot);
    if (sm->oc_ex_full[pipe] == 0)
        sm->oc_ex_pipes &= ~(1u << pipe);
}
/* The register of a pipeline stage with the oldest instruction; FULL (not 0) is the mask
 * of the occupied ones of REGISTERS. */
uint32_t sm_oldest(const struct sm *sm, const uint16_t *registers, uint32_t full);
/* Writes OP's results to their banks, until one is taken by another write of
 * this step: false then. */
bool sm_write_banks(struct sm *sm, const struct sm_op *op);
/* Passes the warp's groups of asynchronous copies that are complete. */
void sm_pass_groups(struct sm_warp *warp);
/* One instruction of the warp has left the pipeline. */
void sm_leave(struct sm *sm, uint32_t warp);
/* Something of a warp has come to an end: marks it done if it was the last. */
static inline void sm_settle(struct sm *sm, uint32_t number)
{
    const struct sm_warp *warp = &sm->warps[number];
    if ((sm->ended >> number & 1) && warp->in_pipeline == 0 && warp->stores == 0 &&
        warp->loads == 0 && warp->busy_count == 0)
        sm->done |= 1ull << number;
}
/* Something must be looked at again at CYCLE, although nothing moves now. */
static inline void sm_wake(struct sm *sm, uint64_t cycle)
{
    if (cycle < sm->wake)
        sm->wake = cycle;
}
/* OP, one that reads registers, has read them all. */
SM_RARE void sm_operands_read(struct sm *sm, const struct sm_op *op);
/* Recomputes whether the warp's next instruction waits for a register. */
void sm_check_hazard(struct sm *sm, uint32_t warp);
/* A new instruction is the next one of the warp's buffer. */
void sm_next_inst(struct sm *sm, uint32_t warp);
/* The mask of banks that hold OP's destinations. */
uint32_t sm_bank(const struct sm *sm, uint32_t reg, uint32_t warp, uint32_t scheduler);
/* A warp reached the end of its trace. */
void sm_end_warp(struct sm *sm, uint32_t warp);

/* The last warp of the block in SLOT has retired. */
void sm_end_block(struct sm *sm, uint32_t slot);
/* Ends timed blocks that are due. */
void sm_end_timed(struct sm *sm);
void sm_fetch(struct sm *sm);
void sm_issue(struct sm *sm);
void sm_collect(struct sm *sm);
/* True while a collector of the scheduler (without sub-cores: any) holds an instruction with
 * all operands that cannot go on: the register in front of its unit is taken. */
bool sm_waits_for_unit(const struct sm *sm, uint32_t scheduler);
void sm_write_back(struct sm *sm);
void sm_execute(struct sm *sm);
void sm_load_store(struct sm *sm);
/* Takes the oldest collected memory instruction. */
void sm_load_store_issue(struct sm *sm);
/* How many cycles the lines of OP, an LDC with the constant cache modelled, come later than
 * by a hit; less than SM_WHEEL / 2. */
uint16_t sm_constant_wait(struct sm *sm, const struct sm_op *op,
                          const struct trace_record *record);
/* Prepares OP (of a memory instruction) at issue. */
void sm_prepare_access(struct sm *sm, struct sm_op *op, const struct trace_record *record);
/* The earliest cycle after this one in which the load/store unit has something to do by
 * itself, if nothing moved in this one. */
uint64_t sm_load_store_next(const struct sm *sm);

#endif
