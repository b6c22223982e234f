/* sampling: chooses a few launches that represent all.
 *
 * A method reads a profile and divides its launches into strata, each with representatives,
 * which are simulated. The counters of a representative are multiplied by its scale; the sum
 * over all representatives is the prediction for the application. The methods are a table
 * (methods/methods.def): one file and one line each; so are their options (options.def).
 *
 * sampling/estimate.h gives the error of the prediction.
 *
 * The same profile, method, options and seed give the same selection on every machine.
 * Functions return 0 (or what they document) on success, -1 or NULL with ERR filled on error:
 * ERROR_USAGE for options and for missing data in a profile, ERROR_TRACE for an invalid
 * input. */
#ifndef HEARTH_SAMPLING_SAMPLING_H
#define HEARTH_SAMPLING_SAMPLING_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "sampling/estimate.h"
#include "traces/traces.h"

/* ---- options ----------------------------------------------------------- */

/* One of several words, or a number if the choices include N. */
struct sampling_choice {
    unsigned index;  /* of the word in the option's argument, from 0 */
    uint64_t number; /* if the word is N; else 0 */
};

typedef uint64_t sampling_type_COUNT;
typedef double sampling_type_REAL;
typedef struct sampling_choice sampling_type_CHOICE;

/* The values of all methods' options; sampling_options_init() sets the defaults. */
struct sampling_options {
    uint64_t seed;        /* for every random draw; default 0 */
    FILE *bbv;            /* basic blocks of the profile (NAME.bbv.csv), for methods that
                             need them; they read it from its start. NULL: none. Not owned */
    const char *bbv_name; /* for messages; not owned */
    uint64_t given;       /* the options that were set: bits of SAMPLING_BIT() */
#define OPTION(id, name, field, type, ...) sampling_type_##type field;
#include "sampling/options.def"
#undef OPTION
};

enum sampling_option_id {
#define OPTION(id, ...) SAMPLING_##id,
#include "sampling/options.def"
#undef OPTION
    SAMPLING_OPTIONS
};
#define SAMPLING_BIT(option) (UINT64_C(1) << (option))

enum sampling_option_type { SAMPLING_TYPE_COUNT, SAMPLING_TYPE_REAL, SAMPLING_TYPE_CHOICE };

struct sampling_option {
    const char *name; /* on the command line, without dashes; in plans */
    enum sampling_option_type type;
    const char *fallback;    /* the default, as a user would write it */
    double least, greatest;  /* range of a number; both ends are allowed */
    const char *argument;    /* "X", "N", "first|random|centroid" */
    const char *description; /* one line */
};

/* Returns option ID, which is below SAMPLING_OPTIONS. */
const struct sampling_option *sampling_option(enum sampling_option_id id);
void sampling_options_init(struct sampling_options *options);
/* Sets an option from a user's text. */
int sampling_option_set(struct sampling_options *options, enum sampling_option_id id,
                        const char *value, struct error *err);
/* Writes the value of an option into TEXT, in the form that sampling_option_set() reads. */
#define SAMPLING_VALUE_TEXT 40
void sampling_option_get(const struct sampling_options *options, enum sampling_option_id id,
                         char text[static SAMPLING_VALUE_TEXT]);

/* ---- methods ----------------------------------------------------------- */

/* The unit of instruction counts. */
enum sampling_unit {
    SAMPLING_NO_INSTS, /* the profile has no instruction counts */
    SAMPLING_WARP_INSTS,
    SAMPLING_THREAD_INSTS,
};
/* "unknown", "warp instructions", "thread instructions". */
const char *sampling_unit_name(enum sampling_unit unit);

/* How a representative's scale follows from its stratum. */
enum sampling_scale {
    SAMPLING_SCALE_INSTS,    /* instructions of the stratum over those of its
                                representatives: Sieve, section III-C. The sum of scale x
                                cycles is then the weighted harmonic mean of section III-D */
    SAMPLING_SCALE_LAUNCHES, /* launches of the stratum over representatives: PKS, STEM */
    SAMPLING_SCALE_TIMES,    /* one over the probability with which a representative was drawn,
                                which goes with the root of its time, times a factor of the
                                stratum: the times of its launches over what the
                                representatives predict of them */
};

/* What a method needs in addition to columns; bits. */
enum sampling_need {
    SAMPLING_NEED_INSTS = 1, /* warp_insts or thread_insts of every launch, above 0 */
    SAMPLING_NEED_TIME = 2,  /* time_ns or cycles of every launch */
    SAMPLING_NEED_BBV = 4,   /* sampling_options.bbv */
    SAMPLING_NEED_GRIDS = 8, /* groups of sampling_input are by grid, too */
};

struct sampling;

/* What every method gets. Rows are the rows of the profile, in order. */
struct sampling_input {
    const struct profile *profile;
    const struct sampling_options *options;
    const char *method; /* its name, for messages */
    enum sampling_unit unit;
    const double *insts; /* for each row, in `unit`; NULL if SAMPLING_NO_INSTS */
    const double *times; /* for each row, ns or cycles; NULL: unknown */
    /* Rows by kernel, with SAMPLING_NEED_GRIDS by kernel and grid: group K has
     * by_kernel[first[K]] to by_kernel[first[K + 1] - 1], ascending. */
    const size_t *by_kernel;
    const size_t *first;
    size_t groups;
};

struct sampling_method {
    const char *name, *description;
    uint64_t options; /* that it takes: bits of enum sampling_option_id */
    unsigned needs;   /* bits of enum sampling_need */
    uint64_t columns; /* that must be known in every row: PROFILE_BIT() */
    enum sampling_scale scale;
    bool random; /* it always draws representatives at random within strata */
    /* Fills SELECTION by sampling_add_stratum(): every row must be in one stratum. What the
     * method needs has been checked. */
    int (*select)(const struct sampling_input *input, struct sampling *selection,
                  struct error *err);
};

/* Method number I; NULL after the last. */
const struct sampling_method *sampling_method(size_t i);
/* The method called NAME; NULL with ERR filled, which lists all names. */
const struct sampling_method *sampling_find_method(const char *name, struct error *err);

/* ---- selections -------------------------------------------------------- */

struct sampling_stratum {
    size_t first, count;    /* its rows, from sampling.members[first] on, ascending */
    size_t first_rep, reps; /* its representatives, from sampling.reps[first_rep] on,
                               ascending; at least one */
    unsigned tier;          /* Sieve's tier, 1 to 3; 0: the method has no tiers */
    double insts;           /* of its members, in `unit`; 0 if unknown */
    double scale;           /* of each representative, at least 0 */
};

/* Strata are numbered from 1 in plans and tables, in this order. */
struct sampling {
    const struct sampling_method *method;
    const struct profile *profile; /* not owned; must outlive this */
    enum sampling_unit unit;
    double insts; /* of all launches, in `unit`; 0 if unknown */
    struct sampling_stratum *strata;
    size_t count;
    size_t *members; /* rows, profile->count in total */
    size_t *reps;    /* rows */
    double *weights; /* if they are scaled by times, or after sampling_regress(): the scale of
                        each of `reps`; else NULL, and the scales are those of the strata */
    double *sizes;   /* likewise: the time, or auxiliary value, of each of them */
    size_t rep_count;
    char *note; /* assumptions of the method, one sentence; or NULL */
    /* private */
    size_t member_count, capacity, rep_capacity, member_capacity;
};

/* Checks that the options that were given belong to METHOD and are consistent; ERROR_USAGE. */
int sampling_check_options(const struct sampling_method *method,
                           const struct sampling_options *options, struct error *err);

/* Selects launches by METHOD. Checks that PROFILE has what the method needs, and that the
 * options that were given belong to the method. */
struct sampling *sampling_select(const struct profile *profile,
                                 const struct sampling_method *method,
                                 const struct sampling_options *options, struct error *err);
/* Accepts NULL. */
void sampling_destroy(struct sampling *selection);

/* For methods: appends a stratum of COUNT ROWS with REPS representatives among them; both are
 * copied and sorted. sampling_select() sets `insts` and `scale`. */
int sampling_add_stratum(struct sampling *selection, const size_t *rows, size_t count,
                         const size_t *reps, size_t rep_count, unsigned tier,
                         struct error *err);
/* For methods: sets the note if there is none yet. */
void sampling_note(struct sampling *selection, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* Whether the representatives were drawn at random, without replacement, within each stratum.
 * Error bars require this. */
bool sampling_is_random(const struct sampling_method *method,
                        const struct sampling_options *options);

/* For plans: SPREADS gets, for each stratum, the standard deviation (divisor launches - 1) of
 * its launches' times over the mean of its representatives': time_ns, or else cycles, as for
 * methods that need times. NaN if a time is unknown; 0 for a single launch. */
void sampling_spreads(const struct sampling *selection, double *spreads);
/* Whether these spreads belong to error bars: launches count the same, and were drawn at random
 * or by their times. */
bool sampling_has_spreads(const struct sampling *selection,
                          const struct sampling_options *options);

/* For plans: which launches each representative stands for. OWNERS gets, for each row, the row
 * of the last representative of its stratum that is not after it; for rows before the first
 * representative, that one. */
void sampling_owners(const struct sampling *selection, size_t *owners);

/* The scale of representative number REP, an index of `reps`, of STRATUM. */
static inline double sampling_scale_of(const struct sampling *selection,
                                       const struct sampling_stratum *stratum, size_t rep)
{
    return selection->weights != NULL ? selection->weights[rep] : stratum->scale;
}

/* Replaces the scales by those of the regression estimator: VALUES, one for each row, all above
 * 0, are known of every launch and follow its cycles, such as estimates. In each stratum with
 * at least three representatives, the prediction is that of the straight line through their
 * cycles over VALUES; with fewer of them, or if a scale would be negative, that of the line
 * through the origin (ratio estimator); likewise if launches were not equally likely. SELECTION
 * has not been regressed before. Returns 0, or -1 with ERR. */
int sampling_regress(struct sampling *selection, const double *values, struct error *err);

/* Predicted cycles of the application from the cycles of each row: the sum of scale x cycles
 * over the representatives. Other rows are ignored. */
double sampling_predict(const struct sampling *selection, const double *cycles);

/* The column of times that methods which need times use: time_ns, or else cycles. */
enum profile_column sampling_time_column(const struct profile *profile);

/* ---- evaluation --------------------------------------------------------- */

/* The quality of a selection if the cycles of all launches are known; Sieve, section IV. A
 * ratio is NaN if its base is unknown. */
struct sampling_evaluation {
    double cycles;         /* of all launches */
    double predicted;      /* sampling_predict() */
    double error;          /* |predicted - cycles| / cycles */
    double bar;            /* half of the interval of `predicted` with the confidence asked
                              for, over `cycles`; NaN: no error bar */
    double speedup_cycles; /* cycles of all launches over those of the representatives */
    double speedup_insts;  /* the same for instructions */
    double cycles_cov; /* mean coefficient of variation of the cycles within strata, weighted
                          by instructions or launches, as the method scales: figure 4 */
    size_t tiers[4];   /* launches by tier; [0] for methods without tiers: figure 2 */
};

/* CYCLES: of each row, as measured or simulated; NULL: those of the profile, all of which must
 * then be known (ERROR_USAGE). Their sum must be above 0. OPTIONS: those of the selection. */
int sampling_evaluate(const struct sampling *selection, const struct sampling_options *options,
                      const double *cycles, struct sampling_evaluation *evaluation,
                      struct error *err);

#endif
