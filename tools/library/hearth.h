/* libhearth: simulates the GPU kernels of an instruction trace, as `hearth run` does.
 *
 * Every function may be called by several threads at a time, but each object by one. Strings
 * that are handed in stay the caller's; strings that come back live as long as the object they
 * were asked of. LC_NUMERIC must be "C", as it is in programs that do not call setlocale().
 * Before version 1.0 the interface may change with the soversion. */
#ifndef HEARTH_TOOLS_LIBRARY_HEARTH_H
#define HEARTH_TOOLS_LIBRARY_HEARTH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define HEARTH_API __attribute__((visibility("default")))

/* The version of the library, such as "0.2.0". */
HEARTH_API const char *hearth_version(void);

/* What went wrong; the same numbers are exit codes of the program. */
enum hearth_status {
    HEARTH_OK = 0,
    HEARTH_SIMULATION = 1, /* deadlock, out of memory */
    HEARTH_USAGE = 2,      /* an invalid request, configuration or plan */
    HEARTH_TRACE = 3,      /* an unreadable or corrupt trace */
    HEARTH_OUTPUT = 4,     /* a result could not be written */
};

struct hearth_error {
    enum hearth_status status;
    char text[1024]; /* "file:line:column: what was expected", one line without its end */
};

/* ---- running ---- */

/* What to simulate. Zero is a valid value of every member but `target`. */
struct hearth_request {
    const char *target;         /* path of a workload (a folder with kernelslist.g, a list, a
                                 * packed file, a trace) or of a plan */
    const char *const *configs; /* bundled cards and option files, later ones win; none:
                                 * rtx3070 */
    size_t config_count;
    const char *const *sets; /* NAME=VALUE, which win over `configs` */
    size_t set_count;
    const char *flush;    /* caches to empty before launches: "none", "l1", "l2" or "all"; NULL:
                           * as the configuration says */
    const char *warm;     /* policy as of `hearth run --warm`; NULL: the plan stays as it is */
    const char *launches; /* numbers and ranges of those to simulate, "1,5-9"; NULL: all */
    const char *output;   /* folder to write results to, as `hearth run -o`; NULL: none */
    bool resume;          /* continue what an interrupted run left in `output` */
    unsigned checkpoint;  /* seconds between two saved states; at least as long as one takes */
    unsigned jobs;        /* segments of a plan that run at the same time; 0: 1 */
    unsigned threads;   /* of each job, at most 1024; 0: the usable cores, shared by the jobs */
    uint64_t intervals; /* cycles of each interval of intervals.csv; 0: no intervals */
    bool allow_outside; /* !save lines of a plan may write outside the plan's folder */
};

/* How far a run is. */
struct hearth_progress {
    size_t done, launches; /* finished; in all */
    double share;          /* of all warps that are done, 0 to 1 */
    double rate;           /* warp instructions per second so far */
    double left;           /* seconds; negative: not known yet */
};

struct hearth_results;

/* What a run tells while it is under way. Zero is a valid value of every member. */
struct hearth_hooks {
    void *data; /* handed to all of them */
    /* A few times a second, by one thread at a time. */
    void (*progress)(void *data, const struct hearth_progress *now);
};

/* Simulates what REQUEST asks for; HOOKS may be NULL. Returns what was simulated, also when the
 * run failed midway (ERR is filled then; launches that finished are kept); NULL with ERR filled
 * if there is nothing. The caller destroys it. ERR may be NULL. Signals stay the caller's. */
HEARTH_API struct hearth_results *hearth_run(const struct hearth_request *request,
                                             const struct hearth_hooks *hooks,
                                             struct hearth_error *err);
/* Reads the folder that a run wrote. NULL with ERR filled. */
HEARTH_API struct hearth_results *hearth_read(const char *folder, struct hearth_error *err);
/* Accepts NULL. */
HEARTH_API void hearth_results_destroy(struct hearth_results *results);

/* ---- results ---- */

/* Launches that were simulated, in the order of the plan. */
HEARTH_API size_t hearth_launches(const struct hearth_results *results);

/* Columns of kernels.csv, which docs/counters.md explains. */
struct hearth_column {
    const char *name, *unit, *description;
};
HEARTH_API size_t hearth_columns(void);
/* INDEX: below hearth_columns(). */
HEARTH_API struct hearth_column hearth_column(size_t index);
/* The index of the column called NAME; hearth_columns() if there is none. */
HEARTH_API size_t hearth_find_column(const char *name);

/* The number in COLUMN of LAUNCH, counted from 0. NaN: the column holds text, or nothing is
 * known. Results of many launches are kept in a temporary file: also NaN, and "" as text, if it
 * cannot be read. */
HEARTH_API double hearth_number(const struct hearth_results *results, size_t launch,
                                size_t column);
/* The same as text, as in kernels.csv; BUFFER is used where the text is not kept anywhere. */
#define HEARTH_TEXT 32
HEARTH_API const char *hearth_text(const struct hearth_results *results, size_t launch,
                                   size_t column, char buffer[HEARTH_TEXT]);

/* What was worth a remark, a sentence each, such as opcodes that no table holds. */
HEARTH_API size_t hearth_notes(const struct hearth_results *results);
/* INDEX: below hearth_notes(). */
HEARTH_API const char *hearth_note(const struct hearth_results *results, size_t index);

#ifdef __cplusplus
}
#endif

#endif
