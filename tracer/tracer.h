/* tracer: what instrumented launches send becomes a workload on disk.
 *
 * Nothing here knows CUDA: the NVBit tool (nvbit/tool.cc) calls these functions, and
 * so does whatever replays a recorded stream. Records of one warp come in program order,
 * those of different warps in any order. They are grouped by thread block in bounded
 * memory, and the blocks are written in the order of the grid, so that the files do not
 * depend on how warps interleaved.
 *
 * A tracer is used by one thread at a time. Functions return 0, or -1 with ERR filled. If
 * an output cannot be written (ERROR_OUTPUT), that call reports it; from then on every
 * function does nothing and returns 0, and launches that were complete stay. Invalid
 * records (ERROR_TRACE) are left out, and tracing goes on. */
#ifndef HEARTH_TRACER_TRACER_H
#define HEARTH_TRACER_TRACER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "tracer/records.h"
#include "traces/base/error.h"
#include "traces/inst.h"

#ifdef __cplusplus /* the tool is C++ */
extern "C" {
#endif

/* ---- options ----------------------------------------------------------- */

enum tracer_mode {
    TRACER_TRACE,   /* all instructions */
    TRACER_MEMORY,  /* those with a memory operand (not constant or texture), and EXIT: after
                       "Cold-start" (thesis) */
    TRACER_BOTH,    /* a file of each */
    TRACER_PROFILE, /* counts only */
};

enum tracer_format { TRACER_TEXT, TRACER_PACKED };

/* Read from environment variables; options.def has their names, ranges,
 * defaults and meaning. Texts are the environment's, or NULL. */
struct tracer_options {
#define OPTION_NUMBER(name, field, low, high, standard, help) uint64_t field;
#define OPTION_CHOICE(name, field, choices, standard, help)   uint64_t field;
#define OPTION_TEXT(name, field, help)                        const char *field;
#include "tracer/options.def"
#undef OPTION_NUMBER
#undef OPTION_CHOICE
#undef OPTION_TEXT
};

/* Fills OPTIONS from GET(NAME), which is as getenv(). Returns -1 with ERR
 * filled (ERROR_USAGE) for the first invalid value. */
int tracer_options_read(struct tracer_options *options, const char *(*get)(const char *name),
                        struct error *err);
/* Prints a line for each that is not at its default. */
void tracer_options_print(const struct tracer_options *options, FILE *out);
/* Prints all: name, default, meaning. */
void tracer_options_help(FILE *out);

/* ---- code -------------------------------------------------------------- */

/* A static instruction, as the tool finds it in a function. */
struct tracer_inst {
    const char *function;    /* its name, mangled; for notes */
    const char *opcode;      /* dotted: "LDG.E.64" */
    const char *predicates;  /* guard, destinations and sources among the predicate registers:
                                "@!P0 P1 P2", as packed files note them; NULL or "": none */
    uint64_t imm;            /* immediate, 0 for none */
    uint32_t pc;             /* bytes from its function's start */
    uint32_t line;           /* of the source; 0 is not known */
    uint32_t binary_version; /* 86 = sm_86 */
    bool memory;             /* has a memory operand; constants do not count */
    bool second; /* with a memory operand: each lane has a second address, of shared memory */
    bool unsent; /* no record of it will come: it only says what the code does between memory
                    instructions */
    uint8_t values; /* how many registers' values its records have: up to TRACE_MAX_VALUES for a
                       barrier's number and threads; with a memory operand, and not `second`,
                       up to TRACER_MOST_VALUES for coordinates, bytes or phases */
    uint8_t dst_count, src_count; /* general registers */
    uint8_t dst[TRACE_MAX_DST], src[TRACE_MAX_SRC];
};

/* *WIDTH is set to the bytes that a lane accesses. */
enum tracer_count_kind tracer_count_kind(const struct tracer_inst *inst, unsigned *width);
/* Whether lanes that execute INST leave: EXIT. */
bool tracer_inst_leaves(const struct tracer_inst *inst);

/* A function as the driver loaded it. */
struct tracer_cubin {
    const void *data; /* an ELF file */
    size_t size;
    const char *name;                /* of the function, mangled */
    uint64_t address;                /* where it was loaded; 0: not known */
    const struct tracer_inst *insts; /* all of the function, to compare the code with */
    uint32_t count;
};

/* ---- tracing ----------------------------------------------------------- */

struct tracer;
struct trace_function;

/* A launch as it begins. Texts need to hold during the call only. */
struct tracer_launch {
    uint32_t context;  /* what tracer_context() gave */
    const char *name;  /* mangled */
    uint32_t grid[3];  /* blocks: 1 to 2^31 - 1 in x, 65535 in y and z */
    uint32_t block[3]; /* threads: 1024 in all */
    uint32_t shmem;    /* bytes a block, static + dynamic */
    uint32_t regs;     /* a thread */
    uint32_t binary_version;
    uint64_t stream;
    uint64_t shmem_base, local_base; /* windows in generic addresses */
    /* What only the list's comments hold. */
    uint32_t dynamic_shmem; /* bytes of `shmem` that were asked for at the launch */
    uint32_t cluster[3];    /* blocks of a cluster; 0: none */
    uint32_t cooperative;   /* 1: all blocks run at the same time; else 0 */
    int32_t carveout; /* per cent of L1 wanted as shared memory; -1: the driver's choice */
    const char *more; /* further facts, as they stand in the comment: " window=..."; NULL or "":
                         none */
};

/* NVBIT is the version of what instruments, one word. OPTIONS' texts must
 * outlive the tracer. Writes nothing before the first context. Returns NULL on
 * error. */
struct tracer *tracer_create(const struct tracer_options *options, const char *nvbit,
                             struct error *err);
/* Accepts NULL. Without tracer_finish() before, files of launches that did not
 * end are removed, and a packed file keeps its temporary name. */
void tracer_destroy(struct tracer *tracer);

/* A context, known to the driver as HANDLE: launches are numbered from 1 in
 * each, and each has a list of its own. The first one makes the folder, which no
 * other process may be writing to (ERROR_OUTPUT). Returns its number, from 0, or -1. */
int tracer_context(struct tracer *tracer, uint64_t handle, struct error *err);
/* Adds an instruction. Returns its number, or UINT32_MAX with ERR filled. */
uint32_t tracer_add_inst(struct tracer *tracer, const struct tracer_inst *inst,
                         struct error *err);
/* A launch begins in LAUNCH's context. *WANTED is set to a set of enum tracer_wanted. If that
 * is not empty, *NUMBER is set to the number that its records have, and the caller must call
 * tracer_end_launch() or tracer_drop_launch(). Several launches may be open. */
int tracer_begin_launch(struct tracer *tracer, const struct tracer_launch *launch,
                        uint32_t *number, unsigned *wanted, struct error *err);
/* Adds code, which is copied. Returns its number, from 1, or 0 with ERR filled (ERROR_TRACE).
 */
uint32_t tracer_add_function(struct tracer *tracer, const struct trace_function *function,
                             struct error *err);
/* The same from a cubin. Its code must be that of the instructions: at each PC the same
 * operation, and mostly the same registers. */
uint32_t tracer_add_cubin(struct tracer *tracer, const struct tracer_cubin *cubin,
                          struct error *err);
/* Launch NUMBER, of which no record has come yet, executes the code FUNCTION. */
int tracer_execute(struct tracer *tracer, uint32_t number, uint32_t function,
                   struct error *err);
/* Takes SIZE bytes: complete records of launches that are open. */
int tracer_records(struct tracer *tracer, const void *data, size_t size, struct error *err);
/* The counts of launch NUMBER, before its end. */
int tracer_counted(struct tracer *tracer, uint32_t number, const struct tracer_counts *counts,
                   struct error *err);
/* Launch NUMBER has sent all its records. It is written without the invalid ones, whose number
 * is then reported (ERROR_TRACE). Records that came after all threads of their block had left
 * are written and reported; if their block had been written already because memory was short,
 * the launch is left out. */
int tracer_end_launch(struct tracer *tracer, uint32_t number, struct error *err);
/* Launch NUMBER was refused by the driver: it is left out. */
int tracer_drop_launch(struct tracer *tracer, uint32_t number, struct error *err);
/* A copy between host and device. */
int tracer_copy(struct tracer *tracer, uint32_t context, bool to_host, uint64_t address,
                uint64_t bytes, struct error *err);
/* Anything else that changes the device's memory: TEXT, a line that begins with "# ", goes
 * into the list as a comment, in order. */
int tracer_note(struct tracer *tracer, uint32_t context, const char *text, struct error *err);
/* cuProfilerStart (ACTIVE) and cuProfilerStop. */
void tracer_region(struct tracer *tracer, bool active);
/* Whether all launches that were asked for have been traced and the process is
 * to end (TERMINATE_UPON_LIMIT). */
bool tracer_is_over(const struct tracer *tracer);
/* Completes the outputs. Launches that are still open did not end: they are
 * left out, which is an ERROR_TRACE. */
int tracer_finish(struct tracer *tracer, struct error *err);

/* Before the process forks: what is buffered gets written, so that only the parent
 * writes it. */
void tracer_before_fork(struct tracer *tracer);
/* In the child, where TRACER must not be used any more, not even destroyed: its
 * files are the parent's. */
void tracer_in_child(struct tracer *tracer);

/* ---- recorded streams -------------------------------------------------- */

/* Calls, one after the other, as bytes: what TRACE_RECORD writes and
 * hearth-replay reads. stream/stream.h has the layout. */

/* Does what the stream at DATA says, as far as its SIZE bytes reach: *USED is
 * set to how many were taken, complete entries only. No input makes this crash. */
int tracer_replay(struct tracer *tracer, const void *data, size_t size, size_t *used,
                  struct error *err);

/* Appends entries to OUT, whose errors are the caller's to look at. */
void tracer_record_context(FILE *out, uint64_t handle);
void tracer_record_inst(FILE *out, const struct tracer_inst *inst);
void tracer_record_begin(FILE *out, const struct tracer_launch *launch);
void tracer_record_function(FILE *out, const struct trace_function *function);
void tracer_record_execute(FILE *out, uint32_t number, uint32_t function);
void tracer_record_records(FILE *out, const void *data, size_t size);
void tracer_record_counts(FILE *out, uint32_t number, const struct tracer_counts *counts);
void tracer_record_end(FILE *out, uint32_t number);
void tracer_record_drop(FILE *out, uint32_t number);
void tracer_record_copy(FILE *out, uint32_t context, bool to_host, uint64_t address,
                        uint64_t bytes);
void tracer_record_note(FILE *out, uint32_t context, const char *text);
void tracer_record_region(FILE *out, bool active);

#ifdef __cplusplus
}
#endif

#endif
