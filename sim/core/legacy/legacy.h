/* The core model `legacy`: the SM of GPGPU-Sim and Accel-Sim.
 *
 * Each cycle processes the stages from the last to the first, so that a stage
 * sees what its predecessor did in the previous cycle:
 *
 *   replies -> write back -> execute, load/store -> operand collectors (one
 *   or more steps) -> issue -> decode, fetch
 *
 * Cycles in which nothing can change are skipped. */
#ifndef HEARTH_SIM_CORE_LEGACY_LEGACY_H
#define HEARTH_SIM_CORE_LEGACY_LEGACY_H

#include "sim/core/inst.h"
#include "sim/core/legacy/load_store.h"
#include "sim/core/legacy/readers.h"
#include "sim/core/op.h"
#include "sim/core/sm.h"

#define LEGACY_MAX_WIDTH      16 /* registers of a pipeline stage */
#define LEGACY_MAX_UNITS      32 /* of a kind */
#define LEGACY_MAX_COLLECTORS 64
#define LEGACY_MAX_BANKS      64
#define LEGACY_BANK_QUEUE     512 /* operands of all collectors: TRACE_MAX_SRC each */
#define LEGACY_BANK_NUMBERS   (256 + SM_MAX_WARPS) /* of register and warp, added up */
#define LEGACY_WHEEL          1024 /* cycles ahead that write-back can be planned */
#define LEGACY_CONSTANT_WAIT                                                                   \
    600u                 /* cycles that LDC takes longer than a hit: more are cut off */
#define LEGACY_GROUPS 64 /* open groups of asynchronous copies a warp */
/* For code that only some options need: kept away from the code that always runs. */
#define LEGACY_RARE __attribute__((noinline, cold))

/* Fixed by the configuration, beside struct sm_spec. */
struct legacy_spec {
    uint32_t issue_max;   /* instructions that a warp may issue a cycle */
    uint32_t readers_max; /* write after read: readers of a register; 0: not looked at */
    bool different_units; /* dual issue only to units of different kinds */
    bool sub_cores;
    uint32_t fetches; /* fetch and decode steps a cycle */
    uint8_t id_oc[PIPE_COUNT],
        oc_ex[PIPE_COUNT]; /* registers before (id_oc) and after (oc_ex) the collectors */
    uint8_t units[PIPE_COUNT];
    uint32_t collectors, in_ports, out_ports, collect_steps;
    uint32_t banks;
    /* Worked out once, as divisions take long: */
    uint8_t bank[LEGACY_BANK_NUMBERS];   /* of a number, among those of its sub-core */
    uint32_t bank_queue;                 /* places in the queue of a bank, minus 1 */
    uint32_t bank_step;                  /* from a sub-core's first bank to the next one's */
    uint64_t serving[SM_MAX_SCHEDULERS]; /* the collectors of a scheduler */
    uint8_t after_served[LEGACY_MAX_COLLECTORS]; /* where a port looks next */
    uint32_t result_buses;
    bool invalidate_at_membar;
};

/* 256 bytes: a table of them is indexed by a shift. */
struct legacy_warp {
    struct trace_warp *trace;       /* NULL: the slot is empty */
    const struct inst_table *insts; /* of its launch */
    uint64_t left;                  /* records not decoded yet */
    uint64_t code_ready;            /* while awaiting_code or awaiting_constant: cycle in which
                                     * the line is there */
    uint64_t waits_since;           /* cycle of its last issue, for reports */
    uint64_t busy[4];               /* scoreboard: registers with a result on its way */
    struct trace_record buffer[2];  /* instruction buffer */
    uint8_t buffered, at;           /* records in it, next one */
    uint8_t block;                  /* slot of its block */
    uint8_t slot;                   /* of its launch, for counts */
    uint16_t in_pipeline;           /* decoded, not completed */
    uint16_t busy_count;            /* bits in `busy` */
    uint32_t stores;                /* not acknowledged */
    uint32_t atomics;               /* lanes not answered */
    uint32_t loads;                 /* instructions whose data have not all come */
    uint32_t group, group_wait;     /* LDGSTS: open group; DEPBAR waits for all below */
    uint32_t groups_done;           /* all groups below are complete */
    uint16_t copies[LEGACY_GROUPS]; /* LDGSTS outstanding of group g % LEGACY_GROUPS */
};
_Static_assert(sizeof(struct legacy_warp) == 256, "");

struct collector {
    uint16_t op;
    uint8_t pipe;
    uint8_t waiting; /* operands not read yet */
};

struct bank_queue {
    uint16_t head, count;
    uint8_t ring[LEGACY_BANK_QUEUE]; /* collectors that want an operand of the bank; as much of
                                      * it is used as legacy_spec.bank_queue says */
};

struct unit {
    uint64_t free_at;         /* next cycle in which it takes an instruction */
    uint64_t done_base, done; /* mask of completion cycles, from done_base on */
};

struct legacy {
    struct sm sm;
    const struct legacy_spec *spec;
    uint64_t buffered, waiting_barrier, waiting_membar, waiting_atomic, waiting_copy, hazard;
    struct readers *readers;    /* of each warp; NULL: write after read is not looked at */
    uint64_t fetchable;         /* empty buffer, trace not at its end */
    uint64_t awaiting_code;     /* empty buffer, the line of the next instruction on its way */
    uint64_t starting;          /* of these: not begun yet, see hearth_block_start_latency */
    uint64_t code_came;         /* of fetchable: their line is there, even if L0 lost it */
    uint64_t awaiting_constant; /* the constant operand of the next instruction on its way */
    uint64_t constant_came;     /* it is there, even if the cache lost it */
    uint64_t ended;             /* at the end of their trace, not retired */
    uint64_t done;              /* of ended: they have nothing in flight any more */
    uint64_t wants[PIPE_COUNT]; /* buffered warps by the pipe of their next instruction */
    bool moved;                 /* something changed in this cycle */
    uint64_t last_moved;        /* the last cycle in which something did */
    uint64_t wake;              /* else: when a unit or port is free that was waited for */
    uint64_t scheduler_warps[SM_MAX_SCHEDULERS];
    char *scheduler_states; /* of each scheduler: spec->scheduler->state_size bytes; owned */
    struct sm_observer scheduler_observer;                   /* for their hooks */
    struct warp_view view;                                   /* what schedulers see */
    uint32_t id_oc_full[PIPE_COUNT], oc_ex_full[PIPE_COUNT]; /* masks of occupied registers */
    uint32_t id_oc_pipes, oc_ex_pipes;                       /* masks of pipes with any */
    uint32_t id_oc_stuck; /* of these: their oldest one has found no free collector */
    uint64_t id_oc_order[PIPE_COUNT]; /* occupied registers, the oldest in the lowest 4 bits */
    uint64_t collectors_busy, collectors_ready;
    uint64_t collectors_stuck; /* of the ready ones: found no free register to their unit */
    bool collect_stuck;        /* no collector moves until an instruction comes or leaves */
    uint64_t issue_stuck;      /* warps that could not issue for want of a register of `id_oc`
                                * or a list; 0 = unknown */
    uint64_t banks_waiting, banks_written;
    uint32_t wheel_count;
    int32_t fetched; /* warp fetched, to be decoded; -1 none */
    uint32_t last_fetched;
    uint64_t next_age;
    uint16_t id_oc[PIPE_COUNT][LEGACY_MAX_WIDTH], oc_ex[PIPE_COUNT][LEGACY_MAX_WIDTH];
    struct collector collectors[LEGACY_MAX_COLLECTORS];
    uint8_t dispatch_last[LEGACY_MAX_COLLECTORS];
    struct unit units[PIPE_COUNT][LEGACY_MAX_UNITS];
    struct load_store load_store;

    uint16_t wheel[LEGACY_WHEEL];
    uint8_t wheel_load[LEGACY_WHEEL];
    uint64_t wheel_bits[LEGACY_WHEEL / 64];
    struct bank_queue bank_queues[LEGACY_MAX_BANKS];
    struct legacy_warp warps[SM_MAX_WARPS];
    struct sm_op *ops;
    uint32_t op_count;
    uint16_t free_op;

    uint64_t first_cycle; /* of the launch */
    uint32_t turn;        /* scheduler that comes first in first_cycle */
};

/* Fills OWN, a struct legacy_spec. Returns 0, or -1 with ERR for what this model cannot be
 * built as. */
int legacy_specify(const struct sm_spec *spec, void *own, struct error *err);
void legacy_serialize(struct sm *sm, struct serializer *image);
/* Gives the SM CPI stacks, which observe it. Returns false when memory is short. */
bool legacy_stalls_create(struct legacy *core);
/* The hook `stall` of struct core_model. */
uint8_t legacy_stall(const struct sm *sm, uint32_t scheduler, uint32_t warp);

/* ---- between the files of the core ---- */

static inline void *legacy_scheduler_state(const struct legacy *core, uint32_t scheduler)
{
    return core->scheduler_states + scheduler * core->sm.spec->scheduler->state_size;
}

static inline const struct sm_launch *legacy_launch_of(const struct legacy *core,
                                                       const struct legacy_warp *warp)
{
    return core->sm.blocks[warp->block].launch;
}

/* The next instruction of a warp whose buffer is not empty. */
static inline const struct inst *legacy_next_of(const struct legacy_warp *warp)
{
    return inst_table_get(warp->insts, warp->buffer[warp->at].inst);
}

uint16_t legacy_new_op(struct legacy *core);
void legacy_free_op(struct legacy *core, uint16_t op);
/* A result of OP has been written: its registers are free. */
void legacy_release(struct legacy *core, const struct sm_op *op);
/* An instruction has left its register between the collectors and the units. */
static inline void legacy_leave_oc_ex(struct legacy *core, uint32_t pipe, uint32_t slot)
{
    core->collect_stuck = false;
    core->collectors_stuck = 0;
    core->oc_ex_full[pipe] &= ~(1u << slot);
    if (core->oc_ex_full[pipe] == 0)
        core->oc_ex_pipes &= ~(1u << pipe);
}
/* The register of a pipeline stage with the oldest instruction; FULL (not 0) is the mask
 * of the occupied ones of REGISTERS. */
uint32_t legacy_oldest(const struct legacy *core, const uint16_t *registers, uint32_t full);
/* Writes OP's results to their banks, until one is taken by another write of
 * this step: false then. */
bool legacy_write_banks(struct legacy *core, const struct sm_op *op);
/* One instruction of the warp has left the pipeline. */
void legacy_leave(struct legacy *core, uint32_t warp);
/* Some work of a warp has finished: marks the warp done if it was the last. */
static inline void legacy_settle(struct legacy *core, uint32_t number)
{
    const struct legacy_warp *warp = &core->warps[number];
    if ((core->ended >> number & 1) && warp->in_pipeline == 0 && warp->stores == 0 &&
        warp->loads == 0 && warp->busy_count == 0)
        core->done |= 1ull << number;
}
/* Something must be looked at again at CYCLE, although nothing moves now. */
static inline void legacy_wake(struct legacy *core, uint64_t cycle)
{
    if (cycle < core->wake)
        core->wake = cycle;
}
/* OP, one that reads registers, has read them all. */
LEGACY_RARE void legacy_operands_read(struct legacy *core, const struct sm_op *op);
/* Recomputes whether the warp's next instruction waits for a register. */
void legacy_check_hazard(struct legacy *core, uint32_t warp);
/* A new instruction is the next one of the warp's buffer. */
void legacy_next_inst(struct legacy *core, uint32_t warp);
/* A warp reached the end of its trace. */
void legacy_end_warp(struct legacy *core, uint32_t warp);

void legacy_fetch(struct legacy *core);
void legacy_issue(struct legacy *core);
void legacy_collect(struct legacy *core);
/* True while a collector of the scheduler (without sub-cores: any collector) holds an
 * instruction that has all operands but cannot leave, as the register to its unit is taken. */
bool legacy_waits_for_unit(const struct legacy *core, uint32_t scheduler);
void legacy_write_back(struct legacy *core);
void legacy_execute(struct legacy *core);
/* How many cycles the lines of OP, an LDC with the constant cache modelled, come later than
 * by a hit; less than LEGACY_WHEEL / 2. */
uint16_t legacy_constant_wait(struct legacy *core, const struct sm_op *op,
                              const struct trace_record *record);
/* What legacy_constant_there() does for a warp whose next instruction has a constant operand.
 */
LEGACY_RARE bool legacy_await_constant(struct legacy *core, uint32_t scheduler,
                                       uint32_t number);
/* False while the constant operand of the warp's next instruction is on its way: then the warp
 * is in awaiting_constant. */
static inline bool legacy_constant_there(struct legacy *core, uint32_t scheduler,
                                         uint32_t number)
{
    return legacy_next_of(&core->warps[number])->constant != INST_CONSTANT_OPERAND ||
           legacy_await_constant(core, scheduler, number);
}
/* Warps whose constant operand has come can issue. */
LEGACY_RARE void legacy_take_constants(struct legacy *core);

/* ---- what the load/store unit reports to the core ---- */

/* Something changed in this cycle. */
static inline void legacy_moved(struct legacy *core)
{
    core->moved = true;
}

/* Memory instructions may be issued again. */
static inline void legacy_memory_freed(struct legacy *core)
{
    core->issue_stuck = 0;
}

/* COUNT stores of WARP are on their way; one has been acknowledged. */
static inline void legacy_memory_stores(struct legacy *core, uint32_t warp, uint32_t count)
{
    core->warps[warp].stores += count;
}
static inline void legacy_memory_stored(struct legacy *core, uint32_t warp)
{
    core->warps[warp].stores--;
    legacy_settle(core, warp);
}

/* An instruction of WARP has left the pipeline, but not all of its data have come: the warp
 * does not end meanwhile. They have come. */
static inline void legacy_memory_loads(struct legacy *core, uint32_t warp)
{
    core->warps[warp].loads++;
    legacy_leave(core, warp);
}
static inline void legacy_memory_loaded(struct legacy *core, uint32_t warp)
{
    core->warps[warp].loads--;
    legacy_settle(core, warp);
}

/* An atomic of WARP has been answered for LANES lanes. */
static inline void legacy_memory_answered(struct legacy *core, uint32_t warp, uint32_t lanes)
{
    if (core->sm.spec->waits_for_atomics && (core->warps[warp].atomics -= lanes) == 0)
        core->waiting_atomic &= ~(1ull << warp);
}

/* The data of OP, an asynchronous copy, have come. */
void legacy_memory_copied(struct legacy *core, const struct sm_op *op);

#endif
