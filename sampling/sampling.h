/* sampling: which launches stand for all.
 *
 * A method reads a profile and divides its launches into strata, each with
 * representatives that are simulated. What was counted of a representative is
 * multiplied by its scale; the sum over all is the prediction for the
 * application. The methods are a table (methods/methods.def): one file and one line
 * each; so are their options (options.def).
 *
 * What the sum may be off by is in sampling/estimate.h.
 *
 * The same profile, method, options and seed give the same selection on every
 * machine. Functions return 0 (or what they say) on success, -1 or NULL with
 * ERR filled on error: ERROR_USAGE for options and for what a profile lacks,
 * ERROR_TRACE for what is wrong with an input. */
#ifndef HEARTH_SAMPLING_SAMPLING_H
#define HEARTH_SAMPLING_SAMPLING_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "sampling/estimate.h"
#include "traces/traces.h"

/* ---- options ----------------------------------------------------------- */

/* One of several words, or a number where the words have an N among them. */
struct sampling_choice {
    unsigned index;  /* of the word in the option's argument, from 0 */
    uint64_t number; /* where the word is N; else 0 */
};

typedef uint64_t sampling_type_COUNT;
typedef double sampling_type_REAL;
typedef struct sampling_choice sampling_type_CHOICE;

/* The values of all methods' options; defaults by sampling_options_init(). */
struct sampling_options {
    uint64_t seed;        /* of every draw; default 0 */
    FILE *bbv;            /* basic blocks of the profile (NAME.bbv.csv), for methods that need
                             them, which read it from its start; NULL: none. Not owned */
    const char *bbv_name; /* for messages; not owned */
    uint64_t given;       /* set of the options that were set: SAMPLING_BIT() */
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
    const char *fallback;    /* the default, as one would write it */
    double least, greatest;  /* of numbers; both belong to it */
    const char *argument;    /* "X", "N", "first|random|centroid" */
    const char *description; /* of a line */
};

/* Of an option below SAMPLING_OPTIONS. */
const struct sampling_option *sampling_option(enum sampling_option_id id);
void sampling_options_init(struct sampling_options *options);
/* Sets an option from what a user wrote. */
int sampling_option_set(struct sampling_options *options, enum sampling_option_id id,
                        const char *value, struct error *err);
/* Writes the value of an option into TEXT so that it can be set from it. */
#define SAMPLING_VALUE_TEXT 40
void sampling_option_get(const struct sampling_options *options, enum sampling_option_id id,
                         char text[static SAMPLING_VALUE_TEXT]);

/* ---- methods ----------------------------------------------------------- */

/* What instructions are counted in. */
enum sampling_unit {
    SAMPLING_NO_INSTS, /* the profile does not know them */
    SAMPLING_WARP_INSTS,
    SAMPLING_THREAD_INSTS,
};
/* "unknown", "warp instructions", "thread instructions". */
const char *sampling_unit_name(enum sampling_unit unit);

/* How a representative's scale follows from its stratum. */
enum sampling_scale {
    SAMPLING_SCALE_INSTS,    /* instructions of the stratum over those of its representatives:
                                Sieve, section III-C; the sum of scale x cycles is then the
                                weighted harmonic mean of section III-D */
    SAMPLING_SCALE_LAUNCHES, /* launches of the stratum over representatives: PKS, STEM */
};

/* What a method needs beside columns; bits. */
enum sampling_need {
    SAMPLING_NEED_INSTS =
        1, /* warp_insts of every launch, or thread_insts of every one; above 0 */
    SAMPLING_NEED_TIME = 2, /* time_ns of every launch, or cycles of every one */
    SAMPLING_NEED_BBV = 4,  /* sampling_options.bbv */
};

struct sampling;

/* What every method gets. Rows are those of the profile, in order. */
struct sampling_input {
    const struct profile *profile;
    const struct sampling_options *options;
    const char *method; /* its name, for messages */
    enum sampling_unit unit;
    const double *insts; /* of each row, in `unit`; NULL if SAMPLING_NO_INSTS */
    const double *times; /* of each row, ns or cycles; NULL: not known */
    /* Rows by kernel: those of kernel K are by_kernel[first[K]] up to, not with,
     * by_kernel[first[K + 1]], ascending. */
    const size_t *by_kernel;
    const size_t *first;
};

struct sampling_method {
    const char *name, *description;
    uint64_t options; /* that it takes: bits of enum sampling_option_id */
    unsigned needs;   /* bits of enum sampling_need */
    uint64_t columns; /* that every row must know: PROFILE_BIT() */
    enum sampling_scale scale;
    bool random; /* it always draws its representatives at random within strata */
    /* Fills SELECTION by sampling_add_stratum(): every row belongs to one
     * stratum. What is needed was checked. */
    int (*select)(const struct sampling_input *input, struct sampling *selection,
                  struct error *err);
};

/* The I-th method; NULL behind the last. */
const struct sampling_method *sampling_method(size_t i);
/* The method called NAME; NULL with ERR filled: it names them all. */
const struct sampling_method *sampling_find_method(const char *name, struct error *err);

/* ---- selections -------------------------------------------------------- */

struct sampling_stratum {
    size_t first, count;    /* its rows: sampling.members[first] and on, ascending */
    size_t first_rep, reps; /* its representatives: sampling.reps[first_rep] and on,
                               ascending; at least one */
    unsigned tier;          /* Sieve's, 1 to 3; 0: the method has none */
    double insts;           /* of its members, in `unit`; 0 if not known */
    double scale;           /* of each representative, at least 0 */
};

/* Strata are numbered from 1 in plans and tables, in this order. */
struct sampling {
    const struct sampling_method *method;
    const struct profile *profile; /* not owned; must outlive this */
    enum sampling_unit unit;
    double insts; /* of all launches, in `unit`; 0 if not known */
    struct sampling_stratum *strata;
    size_t count;
    size_t *members; /* rows, profile->count in all */
    size_t *reps;    /* rows */
    size_t rep_count;
    char *note; /* what the method had to assume, one sentence; or NULL */
    /* private */
    size_t member_count, capacity, rep_capacity, member_capacity;
};

/* That the options which were given are METHOD's and go together; ERROR_USAGE. */
int sampling_check_options(const struct sampling_method *method,
                           const struct sampling_options *options, struct error *err);

/* Selects by METHOD. Checks what the method needs of PROFILE, and that options
 * which were given are the method's. */
struct sampling *sampling_select(const struct profile *profile,
                                 const struct sampling_method *method,
                                 const struct sampling_options *options, struct error *err);
/* Accepts NULL. */
void sampling_destroy(struct sampling *selection);

/* For methods: appends a stratum of COUNT ROWS with REPS representatives out
 * of them; both are copied, and sorted. Insts and scale are left to
 * sampling_select(). */
int sampling_add_stratum(struct sampling *selection, const size_t *rows, size_t count,
                         const size_t *reps, size_t rep_count, unsigned tier,
                         struct error *err);
/* For methods: sets the note, unless there is one. */
void sampling_note(struct sampling *selection, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* Whether the representatives are launches drawn at random, without replacement, within each
 * stratum: what error bars need. */
bool sampling_is_random(const struct sampling_method *method,
                        const struct sampling_options *options);

/* For plans: standard deviation (divisor launches - 1) over mean of the times of each stratum's
 * launches, in time_ns or else in cycles, as methods that need times see them. SPREADS (one a
 * stratum) gets NaN where a time is not known; 0 of one launch. */
void sampling_spreads(const struct sampling *selection, double *spreads);

/* For plans: which launches each representative stands for. OWNERS (one a row)
 * gets the row of the representative in the same stratum that comes last
 * before it or is it; of rows before the first one, that one. */
void sampling_owners(const struct sampling *selection, size_t *owners);

/* Cycles of the application from those of each row: sum of scale x cycles over
 * the representatives. Others are not looked at. */
double sampling_predict(const struct sampling *selection, const double *cycles);

/* ---- evaluation --------------------------------------------------------- */

/* How good a selection is where the cycles of all launches are known; Sieve,
 * section IV. Ratios are NaN where what they are of is not known. */
struct sampling_evaluation {
    double cycles;         /* of all launches */
    double predicted;      /* sampling_predict() */
    double error;          /* |predicted - cycles| / cycles */
    double speedup_cycles; /* cycles of all over those of the representatives */
    double speedup_insts;  /* the same of instructions */
    double cycles_cov; /* mean coefficient of variation of the cycles within strata, weighted
                          by instructions or launches as the method's scale is: figure 4 */
    size_t tiers[4];   /* launches by tier, [0] of methods without: figure 2 */
};

/* Every row of the profile must know its cycles (ERROR_USAGE), and their sum be
 * above 0. */
int sampling_evaluate(const struct sampling *selection, struct sampling_evaluation *evaluation,
                      struct error *err);

#endif
