/* Sampling inside a launch: simulates a part of its blocks, and projects the rest.
 *
 * A method watches a launch through the hooks of the simulator (sim/sim.h): it leaves blocks
 * out, or ends the launch early, and projects cycles and counters of the whole launch from what
 * was simulated. The methods are a table (methods.def): one file and one line each. A method
 * that cannot be applied to a launch refuses: the launch is then simulated in full, and the
 * outcome names the check that failed.
 *
 * The same launch, configuration, method and options give the same outcome, whatever the number
 * of threads. */
#ifndef HEARTH_SAMPLING_INTRA_INTRA_H
#define HEARTH_SAMPLING_INTRA_INTRA_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "sampling/intra/block_profile.h"
#include "sim/sim.h"

enum intra_option_id {
#define OPTION(id, ...) INTRA_##id,
#include "sampling/intra/options.def"
#undef OPTION
    INTRA_OPTIONS
};

/* A method with its options: METHOD[:OPTION=VALUE...]. */
struct intra_spec {
    const struct intra_method *method;
    double values[INTRA_OPTIONS]; /* of the options that the method has */
};

/* Fills SPEC from TEXT. Returns 0, or -1 with ERROR_USAGE that names what is wrong. */
int intra_parse(struct intra_spec *spec, const char *text, struct error *err);
/* The name of SPEC's method; it lasts. */
const char *intra_name(const struct intra_spec *spec);
/* The name of the method NAME, which lasts; NULL if there is none. */
const char *intra_find(const char *name);
/* What the option `warm` asks for: when blocks that were left out go through the caches. */
enum { INTRA_WARM_AFTER = 1, INTRA_WARM_WITHIN = 2 };
/* Whether they shall do so after the launch, functionally (warm=1). */
bool intra_warms(const struct intra_spec *spec);
/* Prints the methods, a line each, and their options. */
void intra_describe(FILE *out);

/* Why a launch was simulated in full. */
enum intra_check {
    INTRA_DONE, /* it was not: the method was applied */
#define CHECK(id, name, description) INTRA_CHECK_##id,
#include "sampling/intra/checks.def"
#undef CHECK
    INTRA_CHECKS
};
/* Its name; "" for INTRA_DONE. */
const char *intra_check_name(enum intra_check check);
/* The check with this name; INTRA_CHECKS if there is none. */
enum intra_check intra_check_find(const char *name);

/* What a method made of a launch. */
struct intra_outcome {
    enum intra_check check;
    uint64_t blocks;     /* of the grid that were simulated */
    uint64_t warp_insts; /* issued by them */
    uint64_t cycles;     /* that they took */
    double bar;          /* half of the interval that contains the cycles with the method's
                          * confidence, over the cycles; NaN: the method gives none */
    double stability;    /* how much what the method watches varied when it stopped, relative;
                          * NaN: unknown. The methods say what they watch */
};

struct intra;

/* What methods that compare launches know of those before. */
struct intra_history;

/* NULL when memory is short. */
struct intra_history *intra_history_create(void);
/* Accepts NULL. */
void intra_history_destroy(struct intra_history *history);
/* Whether SPEC's method compares launches. */
bool intra_compares(const struct intra_spec *spec);

/* Watches a launch of KERNEL, about to run alone on SIM. NULL with ERR filled. SPEC, and
 * HISTORY, which may be NULL for methods that do not compare launches, must outlive it. */
struct intra *intra_begin(const struct intra_spec *spec, const struct sim *sim,
                          const struct trace_kernel *kernel, struct intra_history *history,
                          struct error *err);
/* Adds to HISTORY a launch that has ended before, with RESULT as intra_end() left it. AHEAD is
 * its trace. Returns 0, or -1 with ERR filled. */
int intra_remember(const struct intra_spec *spec, const struct sim *sim,
                   struct trace_kernel *ahead, struct intra_history *history,
                   const struct sim_result *result, struct error *err);
/* Whether the method wants to read the launch before it runs. */
bool intra_wants_ahead(const struct intra *intra);
/* Reads all blocks of AHEAD, the same launch opened once more with the same options. Call it
 * before intra_hook(). Returns 0, or -1 with ERR filled. */
int intra_read_ahead(struct intra *intra, struct trace_kernel *ahead, struct error *err);
/* Whether a profile of its blocks will do instead. */
bool intra_takes_profile(const struct intra *intra);
/* Takes what PROFILE says of launch number LAUNCH, instead of intra_read_ahead(). Regions are
 * those for the GPU that is simulated, whatever GPU was profiled. Returns 0, or -1 with ERR
 * filled: also if it is not of this launch, by its blocks and instructions. */
int intra_take_profile(struct intra *intra, struct block_profile *profile, uint64_t launch,
                       struct error *err);
/* Accepts NULL. */
void intra_destroy(struct intra *intra);

/* Adds to HOOKS, whose data the caller sets to INTRA, what the method wants to know; members
 * that it does not need stay. */
void intra_hook(const struct intra *intra, struct sim_hooks *hooks);

/* Replaces RESULT, of the launch, which has ended, by the projection. Returns 0, or -1 with ERR
 * if memory was short. */
int intra_end(struct intra *intra, struct sim_result *result, struct intra_outcome *outcome,
              struct error *err);

/* A hook for sim_functional() of the same launch: from the first block that was not simulated
 * on, blocks run. DATA is the struct intra. */
enum sim_block_choice intra_warm_block(void *data, const struct sim_block *block,
                                       uint64_t *cycles);
/* Whether any block was left out. */
bool intra_skipped(const struct intra *intra);

#endif
