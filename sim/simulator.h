/* A simulator, and what the files that execute its launches share. */
#ifndef HEARTH_SIM_SIMULATOR_H
#define HEARTH_SIM_SIMULATOR_H

#include "sim/core/code/loaded_code.h"
#include "sim/core/occupancy.h"
#include "sim/dispatch.h"
#include "sim/engine.h"
#include "sim/part_counts.h"
#include "sim/sim.h"

struct sim {
    const struct sim_config *config;
    struct engine engine;
    struct thread_pool *pool;
    struct block_reader *next; /* of the launch after the last one, or NULL; owned */
    uint64_t now;              /* cycle in which the next launch starts */
    uint64_t gap;              /* cycles spent draining since the last launch */
    uint64_t restored;         /* sectors that L2 got from a file since the last launch */
    uint64_t launches;         /* begun so far */
    struct loaded_code loaded; /* with hearth_icache */
    bool code_flushed;         /* L2 has been emptied: it lacks what is not in `loaded` */
    bool code_by_name;  /* caches may hold code where it would be if it had not been loaded */
    bool untimed;       /* caches were filled without timing: turns are still to be scattered */
    uint32_t last_turn; /* of the cluster that got the last block: the next turn comes first */
    uint16_t *visit;    /* turns of clusters in the launch; NULL: as they are numbered; owned */
    uint16_t *first;    /* clusters that get its first blocks, before any turn; owned */
    uint32_t first_count, first_room;            /* of them; entries allocated */
    struct sim_counters base;                    /* counters of all earlier launches */
    struct sim_cpi stacks[2][SM_MAX_SCHEDULERS]; /* of all launches so far; of the last one */
    struct part_counts parts;                    /* empty without -hearth_parts */
    char *report;
    struct compact_caches
        *compacts;             /* between functional launches; NULL before the first; owned */
    struct sim_frames *frames; /* of L2, which functional launches watch; NULL: none */
};

/* A launch of BLOCKS blocks begins, of which an SM holds PLACES, 0 if it may hold blocks of
 * other launches: sets which cluster gets its first block, and which follow. Returns false when
 * memory is short. */
bool sim_begin_order(struct sim *sim, uint64_t blocks, uint32_t places);

/* Sets the seats of LAUNCH, whose order has been set: where its first blocks begin if no other
 * launch runs. */
void sim_seat_sms(const struct sim *sim, struct dispatch_launch *launch);

/* Whether launches find in L1 what earlier ones left there. */
static inline bool sim_keeps_l1(const struct sim *sim)
{
    return sim->engine.spec.sm.l1_enabled && !sim->config->options.gpgpu_flush_l1_cache;
}

/* Windows between two calls of a progress hook. */
#define PROGRESS_WINDOWS 32

/* When the last instruction was issued. Zeroed ones may be used. */
struct deadlock {
    uint64_t insts;      /* warp instructions */
    uint64_t last_issue; /* window end at which they grew */
};

/* At the end of a window: true when no warp can ever go on. */
bool deadlock_found(struct sim *sim, struct deadlock *patience);
/* Keeps the report, and fills ERR. Returns -1. */
int deadlock_fail(struct sim *sim, const struct deadlock *patience, struct error *err);

/* Whether blocks of KERNEL fit, and how many. Returns 0, or -1 with ERR. */
int sim_occupancy(const struct sim *sim, const struct trace_kernel *kernel,
                  struct occupancy *occupancy, struct error *err);
/* SMs, which stand at *NOW, hold no block, but stores of the last ones may be on their way:
 * passes windows until they are acknowledged. SMs stand at *NOW then. PATIENCE is that of the
 * launches before; KEEP_GOING is called with DATA every PROGRESS_WINDOWS. Returns 1, 0 if it
 * returned false, or -1 with ERR if an acknowledgement never comes. */
int sim_end_stores(struct sim *sim, uint64_t *now, struct deadlock *patience,
                   bool (*keep_going)(const void *data), const void *data, struct error *err);
/* The next launch starts in CYCLE, if that is not over yet; the time goes to its gap. */
void sim_wait_until(struct sim *sim, uint64_t cycle);
/* Lets everything in flight finish; the time goes to the next launch's gap. */
void sim_come_to_rest(struct sim *sim);
/* A launch has ended, and nothing of it moves from cycle NOW on but what it has posted: lets
 * that finish, if there is any, so that it counts for this launch. Returns from when on the
 * next one may start. */
uint64_t sim_end_posted(struct sim *sim, uint64_t now);
/* The same in any case, and tags hold what the caches do: none of SIM's `compacts` holds it. */
void sim_drain(struct sim *sim);
/* A launch of KERNEL begins, timed or not, and gets its number: where its code is, which has
 * been run from then on. L2 has what the launch brings near. */
struct code_place launch_place_code(struct sim *sim, const struct trace_kernel *kernel);
/* What SMs must know of LAUNCH, the next of the simulator, which hands out blocks from cycle
 * FIRST on; PLACES of its blocks can be in an SM at once, numbered by their first warps. */
void launch_describe(struct sim *sim, struct dispatch_launch *launch,
                     const struct occupancy *occupancy, uint32_t places, uint64_t first);

/* The cycle after the last one of the last block of the launch that has run. */
uint64_t result_end(const struct engine *engine);

struct launch_intervals;
/* Fills RESULT with what the launch that STRETCHES are of has been, and ends these; what comes
 * next counts from here. STOPPED: at the window's end, not its own. */
void result_take(struct sim *sim, struct launch_intervals *stretches, bool stopped,
                 struct sim_result *result);

/* The trace must end with the grid. Returns 0, or -1 with ERR. */
int sim_check_end(struct trace_kernel *kernel, struct error *err);

/* Core cycles from the start of LAUNCH to when it hands out blocks. */
uint64_t launch_latency(const struct sim *sim, const struct dispatch_launch *launch);

#endif
