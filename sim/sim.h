/* sim: the timing model.
 *
 * A simulator is created from a configuration, executes launches one after
 * the other, or several at once, and keeps the state of its memory system between them. It has
 * no global state: several may live in one process. Functions that can fail return 0 on success
 * and -1 with ERR filled. */
#ifndef HEARTH_SIM_SIM_H
#define HEARTH_SIM_SIM_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "sim/config.h"
#include "sim/stats/counters.h"
#include "sim/stats/cpi.h"
#include "sim/stats/derived.h"
#include "sim/stats/parts.h"
#include "traces/traces.h"

struct sim;

/* Whether sim_create() can build CONFIG: the limits of this model. Returns 0, or -1 with
 * ERROR_USAGE that names the option. */
int sim_check(const struct sim_config *config, struct error *err);

/* CONFIG must outlive the simulator. Returns NULL on error (a configuration
 * that cannot be built: ERROR_USAGE). */
struct sim *sim_create(const struct sim_config *config, struct error *err);
/* From now on THREADS work in it (at least 1, the caller's included). Results
 * do not depend on how many. After an error there is one. */
int sim_set_threads(struct sim *sim, uint32_t threads, struct error *err);
/* Accepts NULL. */
void sim_destroy(struct sim *sim);

/* What a caller can see of a launch while it runs, and ask of it. */
struct sim_progress {
    uint64_t cycle;      /* core cycles since the launch began */
    uint64_t warp_insts; /* issued so far */
    uint64_t blocks_done;
    uint64_t blocks; /* of the grid */
};

/* A thread block, for hooks. Cycles are core cycles since the launch began. */
struct sim_block {
    uint64_t order;    /* in the trace, from 0 */
    uint32_t index[3]; /* x, y, z, as the trace prints it */
    uint32_t sm;
    uint64_t begin;                  /* handed to the SM at the end of this cycle */
    uint64_t end;                    /* last warp retired in this cycle; 0 before */
    const struct trace_block *trace; /* before it begins: its records, not to be read on; else
                                      * NULL */
};

enum sim_block_choice {
    SIM_BLOCK_RUN,   /* simulate it */
    SIM_BLOCK_SKIP,  /* leave it out: as if the trace did not have it */
    SIM_BLOCK_TIMED, /* do not simulate it, but let it take its place for a number of cycles */
    SIM_BLOCK_END,   /* leave it and all later ones out, which are then not read */
    SIM_BLOCK_WARM,  /* leave it out, but let its accesses change the tags of L2 */
    SIM_BLOCK_TIMED_WARM, /* SIM_BLOCK_TIMED, and the same */
};

/* A basic block that a warp has executed, for hooks: its instructions up to one that ends it
 * (trace_inst_ends_basic_block()), or before one that does not follow in the code. Cycles are
 * core cycles since the launch began. */
struct sim_basic_block {
    uint64_t order;      /* of the thread block, in the trace */
    uint32_t pc;         /* of its first instruction, in its function */
    uint32_t insts;      /* executed */
    uint64_t begin, end; /* its first instruction issued; that of the warp's next basic block
                          * issued, or the warp retired */
    uint64_t wait;       /* of a warp's first one: cycles from its block's begin to that of the
                          * basic block; else 0 */
};

/* An interval of a launch, for hooks. Cycles are core cycles since the start of the launch. */
struct sim_interval {
    uint64_t begin, end;          /* first cycle; cycle after the last one */
    struct sim_counters counters; /* of the events in it */
};

/* What an SM did, for hooks. */
enum sim_event_kind {
    SIM_EVENT_ISSUE,  /* a warp issued an instruction: one cycle */
    SIM_EVENT_STALL,  /* a warp could not issue, all the time for the same reason */
    SIM_EVENT_READ,   /* a sector on its way from L2: from the request to the reply */
    SIM_EVENT_WRITE,  /* a sector on its way to L2: to the acknowledgement */
    SIM_EVENT_ATOMIC, /* to the reply, if a warp waits for it */
    SIM_EVENT_BLOCK,  /* a thread block, from its arrival to the end of its last warp */
    SIM_EVENT_KINDS
};

#define SIM_EVENT_NOT_SELECTED SIM_CPI_COUNT /* a reason: the scheduler chose another warp */
#define SIM_EVENT_NO_WARP      UINT32_MAX    /* a request that no warp has sent */

/* Cycles are core cycles since the launch began, END is exclusive. */
struct sim_event {
    uint64_t begin, end;
    uint64_t block;    /* its order in the trace; not of requests */
    uint64_t address;  /* requests */
    uint32_t warp;     /* slot in the SM; SIM_EVENT_NO_WARP; of a block: that of the block */
    uint32_t inst;     /* issue: in trace_kernel_insts() */
    uint32_t mask;     /* issue: active lanes */
    uint8_t kind;      /* enum sim_event_kind */
    uint8_t scheduler; /* issue and stall */
    uint8_t reason;    /* stall: enum sim_cpi_class, or SIM_EVENT_NOT_SELECTED */
};

/* Ways to watch and steer a launch. Any may be NULL: then it costs nothing.
 * Calls come one at a time. Their order and moments depend only on the
 * simulated state, whatever the number of threads. */
struct sim_hooks {
    /* Every few thousand cycles. Returns false to stop the launch there: the
     * result is then marked stopped, and the simulator is as after sim_reset(). */
    bool (*progress)(void *data, const struct sim_progress *progress);
    /* Before a block is handed to an SM, in the order of the trace. For
     * SIM_BLOCK_TIMED and SIM_BLOCK_TIMED_WARM sets *CYCLES (at least 1). L2 takes accesses of
     * blocks that are not simulated within some hundred cycles. */
    enum sim_block_choice (*block_begins)(void *data, const struct sim_block *block,
                                          uint64_t *cycles);
    /* After blocks have ended, timed ones included: by cycle, then SM; at
     * the latest when the launch ends, a few hundred cycles after the fact. */
    void (*block_ended)(void *data, const struct sim_block *block);
    /* After a warp of a block that is simulated has retired: END is that of the warp. In one
     * order with block_ended(), a block's warps first. */
    void (*warp_ended)(void *data, const struct sim_block *block);
    /* After a warp of a block that is simulated has executed a basic block: in one order with
     * warp_ended(), a warp's basic blocks first. */
    void (*basic_block_ended)(void *data, const struct sim_basic_block *basic);
    /* Now and then: COUNT more instructions of TYPE (trace_inst_type()), whose results are
     * there, have taken CYCLES together from issue to result. */
    void (*results_came)(void *data, uint8_t type, uint64_t count, uint64_t cycles);
    /* After each INTERVAL cycles of the launch, the rest at its end, and after blocks and warps
     * that have ended in them. Every counter counts an event by its cycle, but blocks and
     * warp_cycles when the block or warp has ended, and what the launch leaves on its way at
     * its end. Intervals change no cycle, and add up to the launch's counters, less what
     * happened in its gap_cycles. */
    void (*interval_ended)(void *data, const struct sim_interval *interval);
    uint64_t interval; /* cycles; 0: no intervals */
    /* What one SM did in some cycles, now and then, in the order of the ends. Reasons of stalls
     * need CPI stacks (-hearth_cpi_stack). */
    void (*sm_event)(void *data, const struct sim_event *event);
    struct sim_event_range {
        uint32_t sm;       /* its number, below that of the SMs */
        uint64_t from, to; /* cycles since the launch began, TO exclusive; an event counts that
                            * is partly in them */
    } events;
    /* What sim_launch() will be called with after this launch, if that is known: several
     * threads read its first blocks while this one runs. It must stay open until then, or until
     * sim_forget_next(). NULL: not known. */
    struct trace_kernel *next;
    void *data;
};

/* How the blocks of a launch fill the GPU. */
struct sim_places {
    uint32_t sms;
    uint32_t blocks;     /* that an SM holds at once */
    uint64_t first;      /* cycle, since the launch began, at whose end blocks are handed out */
    uint64_t l2_bytes;   /* that L2 holds; 0: there is none */
    double dram_bytes;   /* that DRAM moves in a core cycle at most */
    uint32_t schedulers; /* of an SM */
    uint32_t alu_cycles; /* of an integer instruction without conflicts, to its result */
    uint32_t l1_cycles;  /* the same of a load that hits L1 */
};

/* Fills PLACES for a launch of KERNEL that runs alone. Returns 0, or -1 with ERR if its blocks
 * do not fit. */
int sim_places(const struct sim *sim, const struct trace_kernel *kernel,
               struct sim_places *places, struct error *err);

/* What a launch gave. */
struct sim_result {
    uint64_t start_cycle, end_cycle; /* on the simulator's core clock */
    uint64_t gap_cycles;             /* spent draining before it, charged to no launch */
    uint64_t restored_sectors;       /* that sim_restore() put into L2 before it; 0 for
                                      * launches that overlap */
    struct sim_counters counters;    /* only of this launch */
    struct sim_peaks peaks;          /* of the configuration */
    bool stopped;                    /* a hook ended it early */
    /* Bytes that DRAM channels have moved since sim_create() or sim_reset(): all of them, and
     * the one with the most. 0 for launches that overlap. */
    uint64_t channel_bytes, busiest_channel_bytes;
};

/* Executes one launch: all blocks of KERNEL, read to its end. A deadlock is
 * an error of kind ERROR_SIMULATION; its report is then sim_report(). HOOKS
 * may be NULL. */
int sim_launch(struct sim *sim, struct trace_kernel *kernel, const struct sim_hooks *hooks,
               struct sim_result *result, struct error *err);

/* Whether sim_launch() reads of the hooks' next kernel: it does with several threads. */
bool sim_reads_ahead(const struct sim *sim);
/* The next kernel of the last hooks will not be launched: it may be closed after this. */
void sim_forget_next(struct sim *sim);

/* Launches that overlap: where they come from and where results go. Calls come one at a time,
 * in an order that depends only on the simulated state. */
struct sim_overlap {
    /* The next launch in order: 1 with KERNEL, which must stay until it has ended; 0 when there
     * are no more; -1 with ERR. */
    int (*next)(void *data, struct trace_kernel **kernel, struct error *err);
    /* A launch has ended: by cycle, then order. */
    void (*ended)(void *data, struct trace_kernel *kernel, const struct sim_result *result);
    /* Every few thousand cycles, of all launches begun together; may be NULL. Returns false to
     * stop there: the simulator is then as after sim_reset(). */
    bool (*progress)(void *data, const struct sim_progress *progress);
    void *data;
    bool flush_l1; /* an SM's L1 is emptied when a launch takes the empty SM from another */
};

/* Whether launches use the machine code of their functions, if the trace has it:
 * trace_kernel_options.code. They run without it, too. */
bool sim_wants_code(const struct sim *sim);

/* Whether programmatic launches (trace_kernel_programmatic()) begin before the one before them
 * in their stream has ended: with -hearth_programmatic, in a core model that knows them. Then
 * they are for sim_run_overlapped(), together with that one; sim_launch() runs them alone. */
bool sim_overlaps_followers(const struct sim_config *config);

/* What SIM does not simulate of KERNEL, of which all blocks have been read: calls NOTE for
 * each instruction of its code that is concerned, with its opcode and what is left out. UNSEEN:
 * it has copies of tensors or blocks of which the trace does not say what they move (counter
 * unseen_copies). The texts hold as long as KERNEL. */
void sim_missing(const struct sim *sim, const struct trace_kernel *kernel, bool unseen,
                 void (*note)(void *data, const char *opcode, const char *part), void *data);
/* Executes launches; those of different streams (-cuda stream id of their traces) run at once,
 * and programmatic ones beside the one before them in their stream (sim_overlaps_followers()).
 * The next -gpgpu_max_concurrent_kernel launches, at most 256, are considered at a time; each
 * starts when the previous launch of its stream has ended. Their blocks share SMs as far as
 * warps, registers, shared memory and -gpgpu_shader_cta allow; those of a launch are handed out
 * before those of the next (accel_sim_framework::simulation_loop() of Accel-Sim,
 * gpgpu_sim::select_kernel() and shader_core_ctx::can_issue_1block() of GPGPU-Sim with
 * -gpgpu_concurrent_kernel_sm 1).
 *
 * Counters hold what the launch has caused. Events that cannot be attributed to a launch count
 * for the launch that ends next: reservation failures, DRAM commands and the bytes written,
 * sm_active_cycles. Gap cycles go to the launch that ends first. The sum over the launches is
 * exact. Returns 0, with STOPPED set if a hook ended it, or -1 with ERR. */
int sim_run_overlapped(struct sim *sim, const struct sim_overlap *overlap, bool *stopped,
                       struct error *err);

/* Executes a launch functionally: its accesses update the tags of L1 and L2 (lines, sectors,
 * dirty bits, replacement order), which end up approximately as sim_launch() would leave them.
 * Blocks are given to SMs as slots become free, and warps advance in approximately their timed
 * order (sim/functional/warp_order.h), which depends on hits in L1 and L2. A memory-only view
 * of KERNEL is sufficient and faster; it only lacks memory fences that empty L1
 * (-gpgpu_flush_l1_cache). KERNEL should have been opened with trace_kernel_options.between.
 * Memory drains first, which is charged to the gap_cycles of the next launch. The launch
 * changes only the tags: the clock stands still, DRAM does nothing (write-backs are only
 * counted in RESULT), and the block scheduler's position stays.
 *
 * After "functional warming" of SMARTS (Wunderlich, Wenisch, Falsafi, Hoe: "SMARTS:
 * Accelerating Microarchitecture Simulation via Rigorous Statistical Sampling", ISCA 2003).
 *
 * Of HOOKS (may be NULL) only progress() and block_begins() are called, with cycle 0. A block
 * that block_begins() does not want to run is left out, for SIM_BLOCK_END with all later ones;
 * those that let accesses change the tags are as SIM_BLOCK_RUN.
 * RESULT has the counters; the launch takes no cycles. Errors as in sim_launch(). */
int sim_functional(struct sim *sim, struct trace_kernel *kernel, const struct sim_hooks *hooks,
                   struct sim_result *result, struct error *err);

/* After a deadlock: which warps wait for what since when, as lines of text.
 * Owned by the simulator; "" if there is none. */
const char *sim_report(const struct sim *sim);

/* The warp schedulers of an SM; 0 without CPI stacks (-hearth_cpi_stack). */
uint32_t sim_schedulers(const struct sim *sim);
/* The CPI stack of the last finished launch, of the schedulers number SCHEDULER, from 0, of
 * all SMs: adds up to cycles x SMs. Owned by the simulator. */
const struct sim_cpi *sim_stack(const struct sim *sim, uint32_t scheduler);

/* How many parts of KIND are counted separately; 0 without -hearth_parts. */
uint32_t sim_parts(const struct sim *sim, enum sim_part_kind kind);
/* The counters of part NUMBER in the last finished launch: SMs come first, then L2 slices, then
 * DRAM channels. All parts add up to the launch's counters. Of launches that overlap, it has
 * the events since the previous one of them ended. Owned by the simulator. */
const struct sim_part *sim_part(const struct sim *sim, uint32_t number);

enum sim_level { SIM_L1 = 1, SIM_L2 = 2 };

/* Flushes the caches in LEVELS (bits of enum sim_level) after the memory
 * system has drained. Dirty L2 sectors are written to DRAM and counted as
 * dram_writes of the next launch, unless DROP. The time goes to the next
 * launch's gap_cycles. */
void sim_flush(struct sim *sim, unsigned levels, bool drop);

/* Flushes what the configuration flushes between launches (-gpgpu_flush_l1_cache,
 * -gpgpu_flush_l2_cache, -hearth_flush_at, -hearth_flush_like_accelsim): to be called after
 * the copies before a launch, and when the launch has ended. As sim_flush() otherwise. */
void sim_flush_start(struct sim *sim);
void sim_flush_end(struct sim *sim);

/* A copy from the host, or what was written ON_DEVICE outside of launches, by copies there and
 * memsets: drains, and fills L2 with the copied lines when the configuration asks for it
 * (-gpgpu_perf_sim_memcpy 1, -hearth_device_copies 1). */
void sim_copy(struct sim *sim, uint64_t address, uint64_t bytes, bool on_device);

/* In how many places of memory launches leave their parameters in turn (-hearth_param_slots);
 * 0: in none. */
uint32_t sim_parameter_places(const struct sim *sim);

/* Launch number ID, of its header, has run without being simulated, and has left its parameters
 * in their place: L2 has it. */
void sim_leave_parameters(struct sim *sim, uint64_t id);

/* Drains, and writes what L2 holds (lines, valid and dirty sectors, order of
 * use) to OUT; if L1 survives between launches (-gpgpu_flush_l1_cache 0) each L1 and the
 * block scheduler's position; if they are modelled, what caches of instructions hold
 * (-hearth_icache), with the lines that the next launch may have to wait for, and which regions
 * of memory are translated (-hearth_page_walk). NAME is for messages. ERROR_OUTPUT when OUT
 * does not take it, ERROR_USAGE without an L2. */
int sim_save(struct sim *sim, FILE *out, const char *name, struct error *err);

/* What a launch is going to touch, for sim_save_needed(). Drains. SIM's L2 must stay as it is
 * until that is done. Returns NULL on error: ERROR_USAGE without an L2. */
struct sim_needs *sim_needs_create(struct sim *sim, struct error *err);
/* Accepts NULL. */
void sim_needs_destroy(struct sim_needs *needs);
/* It touches SECTORS (bit = 32-byte sector) of the 128-byte line at address LINE. Each line
 * once. */
void sim_needs_add(struct sim_needs *needs, uint64_t line, uint8_t sectors);
/* It may touch anything. */
void sim_needs_all(struct sim_needs *needs);

/* sim_save() of only what that launch can notice: after sim_restore() of it, the launch finds
 * the same hits and evicts the same dirty sectors as after the whole state. It holds the last
 * accesses that still matter to the launch, from the LRU stack of each set: the truncated
 * checkpoint of "NSL-BLRL: Efficient Cache Warmup for Sampled Processor Simulation" (Van
 * Ertvelde, Hellebaut, Eeckhout, De Bosschere, 2006) for one L2, with sectors and what has to
 * be written back. */
int sim_save_needed(struct sim *sim, const struct sim_needs *needs, FILE *out, const char *name,
                    struct error *err);

/* The block frames of SIM's L2, ways of its sets in order of use, in the launches that it
 * executes functionally while it is told to watch them. Two things can be asked of them.
 *
 * After launches that began with an empty L2, how long frames were dead: "A Model for
 * Estimating Trace-Sample Miss Ratios" (Wood, Hill, Kessler, 1991). A frame is live if its next
 * access will hit, and dead if that will replace its line. Whether the first line that comes to
 * a frame would have been there in the full run is unknown. By the renewal-reward theorem, the
 * share of these that miss is that of the time in which frames are dead: between the last
 * access of a line and the line that replaces it.
 *
 * In launches one after another: which of them decide the order of the lines in a set.
 *
 * Returns NULL on error: ERROR_USAGE without an L2. */
struct sim_frames *sim_frames_create(struct sim *sim, struct error *err);
/* Accepts NULL. No simulator may be watching them. */
void sim_frames_destroy(struct sim_frames *frames);
/* SIM, whose frames these are, watches them from now on; NULL: none. */
void sim_frames_watch(struct sim *sim, struct sim_frames *frames);
/* The share of the time of the frames whose line was replaced in which they were dead, 0 to 1;
 * 0 if no line was replaced. */
double sim_frames_dead(const struct sim_frames *frames);
/* A launch begins, before the copies that precede it: while SIM watches FRAMES, what sim_copy()
 * brings counts, too. Returns 0, or -1 with ERR filled: ERROR_USAGE if L2's replacement is not
 * LRU. */
int sim_frames_begin(struct sim_frames *frames, struct error *err);
/* The sets of L2. */
size_t sim_frames_sets(const struct sim_frames *frames);
/* Which launches decide the order of the lines of SET under LRU: those that began last, up to
 * BACK before the last one, if at most one line has had its last access before them; with one
 * way, if none has. Returns the least BACK. */
uint32_t sim_frames_back(const struct sim_frames *frames, size_t set);
/* Whether the order of the lines of SET mattered to the launch that began last: it has replaced
 * a line, or used one that another order could have replaced. */
bool sim_frames_matters(const struct sim_frames *frames, size_t set);
/* Makes L2 of SIM hold those first lines that would have been there: the share that is not
 * sim_frames_dead(), each with the sectors that were accessed. The address of a line decides.
 * L1 is empty. */
void sim_frames_place(const struct sim_frames *frames, struct sim *sim);

/* Whether IN begins as what sim_save() wrote. */
bool sim_is_saved(FILE *in);

/* Drains, and makes L2 hold what sim_save() wrote; and L1 and caches of instructions, which are
 * empty if the file has nothing of them; of a file without regions of memory, those of which L2
 * holds lines are translated. ERROR_TRACE for a file that is not a state, is incomplete or
 * damaged, or has another version; ERROR_USAGE for the state of other caches or regions. All
 * caches are then empty. */
int sim_restore(struct sim *sim, FILE *in, const char *name, struct error *err);

/* Writes the complete state between two launches to OUT: not only what caches
 * hold but also what is on its way, so that a simulator that loads it goes on
 * exactly as this one. Nothing drains. A state fits the program that wrote it,
 * on the same kind of machine, with the same configuration; sim_save() makes
 * files to keep. ERROR_OUTPUT when OUT does not take it. */
int sim_state_save(struct sim *sim, FILE *out, const char *name, struct error *err);

/* Makes SIM what sim_state_save() wrote. Damage is found by a digest, which is
 * no protection against maliciously made files. ERROR_TRACE for a file that is
 * damaged or not a state, ERROR_USAGE for one of another configuration or
 * version; SIM is then as after sim_reset(). */
int sim_state_load(struct sim *sim, FILE *in, const char *name, struct error *err);

/* Starts a segment: caches empty, memory idle, scheduler pointers and clocks
 * as after sim_create(). */
void sim_reset(struct sim *sim);

#endif
