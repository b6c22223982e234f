/* Where a workload goes as it is made: text files, a count, a packed file.
 * Whoever makes one calls the hooks in this order, so that nothing has to be
 * kept but the warp in hand:
 *
 *   begin { copy | line | begin_launch { begin_block { begin_warp inst... end_warp }
 *   end_block } end_launch | drop_launch } end
 */
#ifndef HEARTH_TRACES_SINK_H
#define HEARTH_TRACES_SINK_H

#include <stdbool.h>
#include <stddef.h>

#include "traces/base/error.h"
#include "traces/inst.h"

struct trace_code_file;
struct trace_function;
struct trace_header;
struct trace_writer_options;

/* One executed warp instruction, whole: what a reader would find as a
 * trace_inst and a trace_record. */
struct trace_sink_inst {
    uint32_t pc;        /* bytes; the same for every visit of an instruction */
    uint32_t mask;      /* active AND predicate, bit = lane */
    uint32_t active;    /* lanes that execute together; 0: not known */
    uint32_t imm;       /* immediate; 0 for none */
    uint32_t line;      /* of the source; looked at where the launch's header has `lineinfo` */
    const char *opcode; /* dotted; lives as long as the process */
    uint8_t width;      /* bytes a lane; 0 without a memory operand */
    uint8_t mode;       /* enum trace_address_mode; NONE when `width` or `mask` is 0 */
    uint8_t dst_count, src_count;
    uint8_t dst[TRACE_MAX_DST], src[TRACE_MAX_SRC];
    uint8_t value_count; /* of an instruction without a memory operand: registers whose values
                            are known; the same for all records of it */
    uint32_t values[TRACE_MAX_VALUES];
    const uint64_t *words; /* addresses as trace_record's, the caller's */
    const uint64_t *tail;  /* numbers that belong to a record with a memory operand, of 32 bits,
                              two to a word with the first in the low half; the caller's */
    uint8_t tail_count;    /* at most TRACE_MAX_TAIL; 0: none */
};

struct trace_sink;

#define TRACE_SINK_UNKNOWN UINT64_MAX

/* Every hook returns 0, or -1 with ERR filled; none is called after a
 * failure but destroy. */
struct trace_sink_ops {
    /* NOTE says what made the workload, one line: for synthetic ones their
     * arguments. */
    int (*begin)(struct trace_sink *sink, const char *note, struct error *err);
    /* A copy to the device, or TO_HOST from it. */
    int (*copy)(struct trace_sink *sink, bool to_host, uint64_t address, uint64_t bytes,
                struct error *err);
    /* Any other line of the list: TEXT without a newline. */
    int (*line)(struct trace_sink *sink, const char *text, struct error *err);
    /* HEADER holds until end_launch. FUNCTION is the code that the launch executes, NULL if it
     * is not known; it needs to hold during the call only. MEMORY_ONLY: only instructions that
     * access memory follow, so that the launch is named kernel-mem-<id>. */
    int (*begin_launch)(struct trace_sink *sink, const struct trace_header *header,
                        const struct trace_function *function, bool memory_only,
                        struct error *err);
    int (*begin_block)(struct trace_sink *sink, const uint32_t index[3], struct error *err);
    /* INSTS: how many follow, so that they need not be kept until end_warp, or
     * TRACE_SINK_UNKNOWN. */
    int (*begin_warp)(struct trace_sink *sink, uint32_t warp, uint64_t insts,
                      struct error *err);
    int (*inst)(struct trace_sink *sink, const struct trace_sink_inst *inst, struct error *err);
    int (*end_warp)(struct trace_sink *sink, struct error *err);
    int (*end_block)(struct trace_sink *sink, struct error *err);
    int (*end_launch)(struct trace_sink *sink, struct error *err);
    /* Completes the output: without it there is no workload to be read. */
    int (*end)(struct trace_sink *sink, struct error *err);
    void (*destroy)(struct trace_sink *sink);
    /* Leaves the launch that has begun out, with all that was written of it, between blocks.
     * NULL: the sink cannot. Packed files need `launch_groups`. */
    int (*drop_launch)(struct trace_sink *sink, struct error *err);
};

struct trace_sink {
    const struct trace_sink_ops *ops;
};

/* Accepts NULL. */
void trace_sink_destroy(struct trace_sink *sink);

/* How text files are compressed; the names of the files show it. */
enum trace_compression {
    TRACE_PLAIN,
    TRACE_ZST, /* ".zst" */
    TRACE_XZ,  /* ".xz", what Accel-Sim reads besides plain text */
};

struct trace_text_options {
    enum trace_compression compression;
    const char *nvbit;  /* version of NVBit that the traces were made with; NULL: the workload
                           is synthetic */
    const char *infix;  /* in file names, after the number, and in the list's name: "_ctx_0x7f";
                           NULL: none */
    bool incremental;   /* the list grows launch by launch: whatever ends the process, it has
                           every launch that was whole by then */
    bool unlisted;      /* files only, no list */
    bool all_addresses; /* one of each lane, not base and stride or differences */
    struct trace_code_file *code; /* gets the code of launches and outlives the sink; NULL: it
                                     is left out */
};

/* Accel-Sim text, version 5, grouped: a file kernel-<id>.traceg a launch in
 * FOLDER, which is made if it is not there, and kernelslist.g. A file has its
 * name when it is whole. Without OPTIONS->incremental the list is written last:
 * a folder without it is incomplete. OPTIONS may be NULL: plain, synthetic.
 * Returns NULL on error. */
struct trace_sink *trace_text_sink_create(const char *folder,
                                          const struct trace_text_options *options,
                                          struct error *err);

/* The code of the launches of all lists in FOLDER, once for each function: functions.code,
 * which is made with the first function. One that is there is removed. Whatever ends the
 * process, the code of each launch that has begun is in the file. Returns NULL on error. */
struct trace_code_file *trace_code_file_create(const char *folder, struct error *err);
/* Accepts NULL. The file stays. */
void trace_code_file_destroy(struct trace_code_file *file);

/* One packed file at PATH, as a trace_writer with OPTIONS (the output's form
 * in them does not matter; NULL: none) would make of the text. NVBIT as in
 * struct trace_text_options. Returns NULL on error. */
struct trace_sink *trace_packed_sink_create(const char *path, const char *nvbit,
                                            const struct trace_writer_options *options,
                                            struct error *err);

/* What a workload consists of. */
struct trace_sink_counts {
    uint64_t launches, kernels, copies; /* kernels: different names */
    uint64_t warp_insts, thread_insts;
    uint64_t footprint;  /* bytes of the 128-byte lines that global accesses touch */
    uint64_t copy_bytes; /* copied to the device */
};

/* Counts and passes on to NEXT, which it does not own; NULL for none. Copies
 * from the device are passed on only. COUNTS
 * is the caller's, and complete after `end`. The footprint takes a bit a line
 * of the address range in use. Returns NULL on error. */
struct trace_sink *trace_count_sink_create(struct trace_sink_counts *counts,
                                           struct trace_sink *next, struct error *err);

#endif
