/* What an SM's caches of instructions and constants are filled from: the SM's L1 (NVIDIA's
 * L1.5, or ICC), behind it the cache of a GPC (GCC), behind that L2 and memory.
 *
 * Sources: the levels from "Dissecting and Modeling the Architecture of Modern GPU Cores"
 * (MICRO 2025), section 5.2; the GCC by the name that Nsight Compute gives its counters. That
 * a launch brings the begin of its function to the GCC is what its rows of straight code show
 * on an H100.
 *
 *   L1 takes l1_requests a cycle, in order, and answers l1_latency cycles later. A line that
 *   it lacks comes gcc_latency later from the GCC, and yet miss_latency later if that lacks it,
 *   too. A line is in a cache from the request on, for others when its data come.
 *   There are two exceptions. In the first launch of a function, lines that lie further back in
 *   it than all that the SM has asked for in that launch come load_latency later still. Of what
 *   a launch has brought near, lines that the SM asks for the first time in it count as if they
 *   were in the GCC, the first one as if it were in L1; those that the GCC lacks come there
 *   ahead_interval apart from the launch's begin on. If L2 has been emptied since
 *   the last launch of the function, they come there from DRAM: the first one cold_latency
 *   after the launch's begin, the others cold_interval apart, and its parameters (bank 0)
 *   cold_constants after it. Parameters alone come late_constants after the launch's begin if
 *   L2 lacked the place in memory where the launch leaves them.
 *
 * SMs are not equally far from what their GPC shares: with `distance`, a line takes so much
 * longer, from L1 on, and as no more of them are on their way at a time, the port's interval
 * grows in the same ratio as l1_latency does.
 *
 * Each SM has its own view of the GCC: the SMs of a GPC run the same code at the same time, and
 * a line that one of them has asked for comes for the others no earlier than for the first.
 *
 *   With l2_latency, code that the GCC lacks is asked of L2, sector by sector, when the GCC has
 *   looked it up; when its last sector has come is known only then. Until then `ready` of the
 *   line is CODE_ON_ITS_WAY and what passes after L2's answer. Code without an address in
 *   memory, and constants, come after fixed latencies: they take no room in L2 and no
 *   bandwidth. */
#ifndef HEARTH_SIM_CORE_CODE_CODE_SUPPLY_H
#define HEARTH_SIM_CORE_CODE_CODE_SUPPLY_H

#include "sim/core/code/code_place.h"
#include "sim/core/code/code_spec.h"
#include "sim/memory/line_cache.h"
#include "sim/memory/queue.h"

/* Later than any cycle: see above. */
#define CODE_ON_ITS_WAY (UINT64_C(1) << 62)

/* A line that L2 has been asked for. */
struct code_missing {
    uint64_t address;
    uint32_t left; /* sectors that have not come */
};

/* Lines at the begin of a function that an SM knows one by one: 128 KB of code. Of those behind
 * them it knows, as of code that launches do not bring near, only the last one. */
#define CODE_NEAR_LINES 1024

/* What an SM has asked for of the code of a launch. */
struct code_reach {
    uint64_t number;                     /* of the launch; 0: none */
    uint64_t address;                    /* of the line after the last one that was asked for */
    uint64_t near[CODE_NEAR_LINES / 64]; /* a bit for each of these lines that was */
};

/* Launches that may run on an SM at once without taking each other's entry. */
#define CODE_REACHES 8

struct code_supply {
    const struct code_spec *spec;
    struct line_cache l1, gcc;             /* gcc without memory if there is none */
    struct code_reach reach[CODE_REACHES]; /* of a launch: by its number */
    uint64_t cycle;                        /* in which L1 took the last request */
    uint32_t taken;                        /* requests in that cycle */
    int32_t distance;       /* core cycles that all of the GPC takes longer for this SM */
    uint32_t sm;            /* its number */
    uint8_t half;           /* of L2, to which it is near: 0 or 1 */
    uint64_t outside_free;  /* cycle from which L1's port takes a request */
    uint64_t stream_launch; /* the last one whose code the GCC asked L2 for so: */
    uint64_t stream_begin, stream_end; /* lines in a row */
    struct queue requests; /* to L2: the next sector of a line; ready: cycle in which it may
                            * leave the SM. Of the packets, only `address` and `launch` count */
    struct queue answers;  /* of L2, sectors; ready: cycle in which they are there */
    struct code_missing *missing; /* owned */
    uint32_t missing_count, missing_room;
};

/* How L1 answers. */
enum code_answer { CODE_L1_HIT, CODE_L1_PENDING_HIT, CODE_L1_MISS };

/* SPEC must outlive it. Returns false when memory is short. */
bool code_supply_init(struct code_supply *supply, const struct code_spec *spec);
/* Accepts a zeroed one. */
void code_supply_finish(struct code_supply *supply);
/* Empties it, at cycle 0. */
void code_supply_clear(struct code_supply *supply);

/* The launch of the code at PLACE asks for the first line that L1 lacks: what it brings near
 * takes room in the cache of the GPC. If the launch is TIMED, lines come there one after the
 * other, else they are there. Nothing happens the next times. Returns what it has asked for. */
struct code_reach *code_supply_enter(struct code_supply *supply, const struct code_place *place,
                                     bool timed);

/* Asks for the line at ADDRESS, of the code at PLACE, in cycle NOW, which never decreases.
 * *READY becomes the cycle in which it is there. */
enum code_answer code_supply_ask(struct code_supply *supply, const struct code_place *place,
                                 uint64_t address, uint64_t now, uint64_t *ready);

/* The same for a line that no warp waits for; NOW may be earlier than in calls before, and L1
 * takes it at once. */
enum code_answer code_supply_ask_ahead(struct code_supply *supply,
                                       const struct code_place *place, uint64_t address,
                                       uint64_t now, uint64_t *ready);

/* The next cycle in which the SM has to send a request or take an answer; UINT64_MAX: none. */
static inline uint64_t code_supply_next(const struct code_supply *supply)
{
    uint64_t sends = queue_next(&supply->requests), takes = queue_next(&supply->answers);
    return sends < takes ? sends : takes;
}

/* Takes the oldest answer, which is there. Returns whether its line, *ADDRESS, is complete: it
 * came in *CYCLE, and is in L1 and the GCC as such. */
bool code_supply_take(struct code_supply *supply, uint64_t *address, uint64_t *cycle);

/* When what has the time READY comes, if L2's answer came in CYCLE. */
static inline uint64_t code_came(uint64_t ready, uint64_t cycle)
{
    return ready < CODE_ON_ITS_WAY ? ready : cycle + (ready - CODE_ON_ITS_WAY);
}

/* The same for a line of constants. */
enum code_answer code_supply_constant(struct code_supply *supply,
                                      const struct code_place *place, uint64_t address,
                                      uint64_t now, uint64_t *ready);

/* The same for one that an LDC loads, in the launch whose code is at PLACE; L1
 * gets the constant_fetch bytes around it if it lacks it. */
enum code_answer code_supply_fetch(struct code_supply *supply, const struct code_place *place,
                                   uint64_t address, uint64_t now, uint64_t *ready);

/* The same for a line of the launch's parameters, which is in L1 as soon as the launch has
 * brought them. Returns the cycle in which it is there. */
uint64_t code_supply_near(struct code_supply *supply, const struct code_place *place,
                          uint64_t now);

/* How much later parameters come from DRAM to this SM than to one that is near to their home.
 */
static inline uint64_t code_supply_far(const struct code_supply *supply,
                                       const struct code_place *place)
{
    return supply->half != place->params_half ? supply->spec->far_constants : 0;
}

/* When the launch has brought its parameters, and NOW at the earliest. */
static inline uint64_t code_supply_parameters(const struct code_supply *supply,
                                              const struct code_place *place, uint64_t now)
{
    uint64_t there =
        place->begin + supply->spec->cold_constants + code_supply_far(supply, place);
    return place->cold && there > now ? there : now;
}

/* What comes to the first SM in READY comes to this one then; not before cycle 0. */
static inline uint64_t code_supply_further(const struct code_supply *supply, uint64_t ready)
{
    int64_t further = (int64_t)ready + supply->distance;
    return further > 0 ? (uint64_t)further : 0;
}

/* When a line of parameters comes that would come in READY if L2 had their place. */
static inline uint64_t code_supply_late(const struct code_supply *supply,
                                        const struct code_place *place, uint64_t ready)
{
    uint64_t there =
        place->begin + supply->spec->late_constants + code_supply_far(supply, place);
    return place->late && there > ready ? there : ready;
}

#endif
