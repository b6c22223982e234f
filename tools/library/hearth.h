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
    const char *intra;    /* method that samples inside launches, as of `hearth run --intra`;
                           * NULL: none */
    const char *launches; /* numbers and ranges of those to simulate, "1,5-9"; NULL: all */
    const char *output;   /* folder to write results to, as `hearth run -o`; NULL: none */
    bool resume;          /* continue what an interrupted run left in `output` */
    unsigned checkpoint;  /* seconds between two saved states; at least as long as one takes */
    unsigned jobs;        /* segments of a plan that run at the same time; 0: 1 */
    unsigned threads;   /* of each job, at most 1024; 0: the usable cores, shared by the jobs */
    uint64_t intervals; /* cycles of each interval of intervals.csv; 0: no intervals */
    bool allow_outside; /* lines of a plan may write and read outside the plan's folder */
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

/* ---- launch by launch ---- */

struct hearth_workload;

/* Opens the workload at PATH, which is not a plan. The caller closes it. NULL with ERR
 * filled. */
HEARTH_API struct hearth_workload *hearth_workload_open(const char *path,
                                                        struct hearth_error *err);
/* Accepts NULL. */
HEARTH_API void hearth_workload_close(struct hearth_workload *workload);

/* A line of the workload's list. */
enum hearth_item_kind {
    HEARTH_LAUNCH,
    HEARTH_COPY,       /* from the host to the device */
    HEARTH_OTHER,      /* without effect on a simulation */
    HEARTH_DEVICE_COPY /* what else writes memory of the device: copies there, memsets */
};
struct hearth_item {
    enum hearth_item_kind kind;
    const char *text;        /* of a launch the name of its trace, else the line */
    uint64_t number;         /* HEARTH_LAUNCH: as in `launches` of a request */
    uint64_t address, bytes; /* HEARTH_COPY, HEARTH_DEVICE_COPY */
};
HEARTH_API size_t hearth_items(const struct hearth_workload *workload);
/* INDEX: below hearth_items(). */
HEARTH_API struct hearth_item hearth_item(const struct hearth_workload *workload, size_t index);

/* A simulated GPU. It keeps the state of its memory between launches. */
struct hearth_gpu;

/* Makes one with empty caches. Of REQUEST, `configs`, `sets`, `flush` and `threads` count. The
 * caller destroys it. NULL with ERR filled. */
HEARTH_API struct hearth_gpu *hearth_gpu_create(const struct hearth_request *request,
                                                struct hearth_error *err);
/* Accepts NULL. */
HEARTH_API void hearth_gpu_destroy(struct hearth_gpu *gpu);

/* The launches so far, in their order, with the columns of kernels.csv. They are the GPU's:
 * not to be destroyed. */
HEARTH_API const struct hearth_results *hearth_gpu_results(const struct hearth_gpu *gpu);

/* How to execute a launch. */
enum hearth_mode {
    HEARTH_DETAILED,  /* all instructions */
    HEARTH_MEMORY,    /* timed, only instructions that access memory */
    HEARTH_FUNCTIONAL /* untimed: only what caches hold changes, and the counters of accesses */
};

/* How far a launch is. Cycles are core cycles since it began. */
struct hearth_launch_progress {
    uint64_t cycle, warp_insts; /* so far */
    uint64_t blocks_done, blocks;
};

/* A thread block. Cycles are core cycles since the launch began. */
struct hearth_block {
    uint64_t order;      /* in the trace, from 0 */
    uint32_t index[3];   /* x, y, z */
    uint32_t sm;         /* on which it runs, from 0 */
    uint64_t begin, end; /* end: 0 before it has ended */
};

enum hearth_block_choice {
    HEARTH_BLOCK_RUN,   /* simulate it */
    HEARTH_BLOCK_SKIP,  /* leave it out, as if the trace did not have it */
    HEARTH_BLOCK_TIMED, /* do not simulate it, but let it take its place for a number of cycles
                         */
    HEARTH_BLOCK_END,   /* leave it and all later ones out */
    HEARTH_BLOCK_WARM   /* leave it out, but let its accesses change what L2 holds */
};

/* A part of a launch. */
struct hearth_interval {
    uint64_t begin, end;      /* core cycles since the launch began; END is not in it */
    const uint64_t *counters; /* hearth_counters() of them; only until the hook returns */
};
/* An instruction that a warp issued. */
struct hearth_issue {
    uint64_t cycle;     /* core cycles since the launch began */
    uint64_t block;     /* the order of the warp's block in the trace */
    uint32_t warp;      /* its place in the SM; a place serves several warps in turn */
    uint32_t scheduler; /* of the SM, from 0 */
    uint32_t lanes;     /* a bit for each active thread */
    uint32_t pc;
    const char *opcode; /* as in the trace; only until the hook returns */
};
/* The counters of an interval, in their order. */
HEARTH_API size_t hearth_counters(void);
/* INDEX: below hearth_counters(). */
HEARTH_API struct hearth_column hearth_counter(size_t index);

/* Ways to watch and steer a launch. Zero is a valid value of every member. Calls come one at a
 * time; their order depends only on what is simulated, not on the number of threads. A hook
 * must not call functions of the same GPU. */
struct hearth_launch_hooks {
    void *data; /* handed to all of them */
    /* Every few thousand cycles. Returns false to stop the launch: it gets no row, and the GPU
     * is then as after hearth_gpu_reset(). */
    bool (*progress)(void *data, const struct hearth_launch_progress *now);
    /* Before a block is handed to an SM, in the order of the trace. For HEARTH_BLOCK_TIMED it
     * sets *CYCLES, at least 1. */
    enum hearth_block_choice (*block_begins)(void *data, const struct hearth_block *block,
                                             uint64_t *cycles);
    /* After a block has ended: by cycle, then SM. Not in HEARTH_FUNCTIONAL. */
    void (*block_ended)(void *data, const struct hearth_block *block);
    /* After each INTERVAL cycles, and at the end. Not in HEARTH_FUNCTIONAL. */
    void (*interval_ended)(void *data, const struct hearth_interval *interval);
    uint64_t interval; /* cycles; 0: no intervals */
    /* After a warp has retired: the block of the warp, whose `end` is that of the warp. In one
     * order with block_ended(), a block's warps first. Not in HEARTH_FUNCTIONAL. */
    void (*warp_ended)(void *data, const struct hearth_block *block);
    /* After a warp of the SM numbered `issued_sm` has issued an instruction, by cycle; some
     * cycles after the fact. Not in HEARTH_FUNCTIONAL. */
    void (*issued)(void *data, const struct hearth_issue *issue);
    uint32_t issued_sm; /* from 0; HEARTH_USAGE if the GPU has fewer SMs */
};

/* Executes the launch that is item INDEX of WORKLOAD, alone, with the flushes that the
 * configuration has between launches; HOOKS may be NULL. Its row is then the last one of
 * hearth_gpu_results(). The copies before it are the caller's: hearth_gpu_copy() and
 * hearth_gpu_device_copy(). ERR may be
 * NULL; the status is also returned. After a failure of the simulation, the GPU must be
 * reset. */
HEARTH_API enum hearth_status hearth_gpu_launch(struct hearth_gpu *gpu,
                                                const struct hearth_workload *workload,
                                                size_t index, enum hearth_mode mode,
                                                const struct hearth_launch_hooks *hooks,
                                                struct hearth_error *err);

/* A copy from the host, or on the device, which fills L2 if the configuration says so. */
HEARTH_API void hearth_gpu_copy(struct hearth_gpu *gpu, uint64_t address, uint64_t bytes);
HEARTH_API void hearth_gpu_device_copy(struct hearth_gpu *gpu, uint64_t address,
                                       uint64_t bytes);

#define HEARTH_L1 1
#define HEARTH_L2 2
/* Empties caches, LEVELS being a sum of HEARTH_L1 and HEARTH_L2; dirty sectors go to DRAM. */
HEARTH_API void hearth_gpu_flush(struct hearth_gpu *gpu, unsigned levels);
/* Caches empty, memory idle, clocks at 0. The results stay. */
HEARTH_API void hearth_gpu_reset(struct hearth_gpu *gpu);

/* Writes the contents of L2 to a file at PATH, as !save of a plan; an existing file must be
 * such a state. HEARTH_OUTPUT: it cannot be written. */
HEARTH_API enum hearth_status hearth_gpu_save(struct hearth_gpu *gpu, const char *path,
                                              struct hearth_error *err);
/* Makes L2 hold the contents of the file at PATH, and empties L1. HEARTH_TRACE: the file is
 * missing or damaged; HEARTH_USAGE: it is the state of another L2. */
HEARTH_API enum hearth_status hearth_gpu_restore(struct hearth_gpu *gpu, const char *path,
                                                 struct hearth_error *err);

#ifdef __cplusplus
}
#endif

#endif
