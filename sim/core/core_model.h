/* Core models: how the pipeline of an SM is simulated. To add one: a folder here with a struct
 * core_model, its line in core_models.def, and its files in sim/meson.build. */
#ifndef HEARTH_SIM_CORE_CORE_MODEL_H
#define HEARTH_SIM_CORE_CORE_MODEL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "traces/base/error.h"
#include "traces/base/policy.h"

struct cluster_copy;
struct cluster_message;
struct inst;
struct serializer;
struct sim_config;
struct sm;
struct sm_block;
struct sm_spec;
struct trace_code;
struct trace_inst;
struct trace_warp;

/* What a model may look at to describe an instruction. */
struct core_code {
    const struct sim_config *config;
    const struct trace_inst *from;
    const char *opcode;            /* as text, dotted */
    const struct trace_code *code; /* its 16 bytes; NULL: not known */
    uint32_t binary_version;       /* of the code: 90 = sm_90 */
};

/* What a warp waits for, for reports. */
struct core_warp {
    const struct sm_block *block;
    const struct trace_warp *trace;
    const char *waits_for;
    uint64_t since;     /* cycle of its last issue, or of its arrival */
    bool has_next;      /* the next instruction is known: */
    uint32_t next_inst; /* its number in the kernel's table */
};

/* The SM's struct is the first member of the model's own. Hooks marked "may be NULL" are for
 * nothing then. */
struct core_model {
    struct policy policy;
    size_t size;        /* of the model's struct */
    size_t spec_size;   /* of what it derives from the configuration; 0: nothing */
    bool follows;       /* its warps can wait for earlier launches (sm_launch.waits_until) */
    bool asks_for_code; /* sends requests for code to L2, if struct code_spec says so */

    /* Fills the `issue` of an instruction that is complete otherwise, once. May be NULL: then
     * the model does not want the machine code of kernels, where the trace has it. */
    void (*describe)(struct inst *inst, const struct core_code *code);
    /* Fills OWN, spec_size zeroed bytes, from SPEC, which is complete otherwise. Returns 0, or
     * -1 with ERR for what this model cannot be built as. May be NULL. */
    int (*specify)(const struct sm_spec *spec, void *own, struct error *err);
    /* The most packets that an SM of SPEC, which is complete, sends to the crossbar in a cycle.
     * May be NULL: it sends none. */
    uint32_t (*sends)(const struct sm_spec *spec);
    /* SM has its queues, L1 and blocks; the rest is zeroed. Returns false when memory is short;
     * `finish` follows in any case. Both may be NULL. */
    bool (*init)(struct sm *sm);
    void (*finish)(struct sm *sm);
    /* As after init: the SM is idle. Its clock, L1 and instruction cache are reset before. May
     * be NULL. */
    void (*reset)(struct sm *sm);

    /* A launch, or several, begin on the idle SM in cycle sm->now. May be NULL. */
    void (*begin)(struct sm *sm);
    /* They have ended on the idle SM; LAST is the last cycle in which it or the block scheduler
     * had a block. May be NULL. */
    void (*end)(struct sm *sm, uint64_t last);
    /* Leaves what takes turns as other work would have; MIX, a number that looks like chance,
     * decides how. The SM is idle. May be NULL. */
    void (*scatter)(struct sm *sm, uint32_t mix);

    /* The SM holds a new block in SLOT, which came at the end of its `about.begin`. The model
     * calls sm_end_block() when its last warp has retired. */
    void (*take_block)(struct sm *sm, uint32_t slot);
    /* Simulates until sm->now == END, or, with YIELD, until a cycle has ended in which a place
     * for a block was free: returns true then. Ends timed blocks, too (sm_end_timed()). */
    bool (*run)(struct sm *sm, uint64_t end, bool yield);

    /* True when nothing will move any more unless a reply comes. */
    bool (*stuck)(const struct sm *sm);
    /* True while stores of blocks that have ended are on their way: the SM is not idle before.
     * May be NULL: never. */
    bool (*storing)(const struct sm *sm);
    /* MESSAGE is for a block that the SM holds. May be NULL, and so may `copies`: the model
     * knows no clusters. */
    void (*hear)(struct sm *sm, const struct cluster_message *message);
    const struct cluster_copy *(*copies)(const struct sm *sm, uint16_t op);
    /* Nothing moves in any SM: lets a wait pass that nothing will end. Returns whether there
     * was one. May be NULL. */
    bool (*let_pass)(struct sm *sm);
    /* What the warp in slot WARP waits for; false: the slot is empty. May be NULL: not known.
     */
    bool (*warp)(const struct sm *sm, uint32_t warp, struct core_warp *state);
    /* Why WARP, which has not issued, does not: enum sim_cpi_class; SIM_CPI_no_warp if it is
     * not one of SCHEDULER. To be called after the turn of SCHEDULER, of an SM with CPI stacks.
     * May be NULL: not known. */
    uint8_t (*stall)(const struct sm *sm, uint32_t scheduler, uint32_t warp);
    /* Saves or loads the model's own state, which is idle. May be NULL. */
    void (*serialize)(struct sm *sm, struct serializer *image);
};

/* All of them: struct core_model begins with its struct policy. */
extern const struct policy *const core_models[];

/* NULL if no core model has that name. */
static inline const struct core_model *core_model_find(const char *name)
{
    return (const struct core_model *)policy_find(core_models, name);
}

#endif
