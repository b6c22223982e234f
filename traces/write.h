/* Writing workloads: as a packed file, or as a folder of grouped text with its
 * list. Included by traces.h. */
#ifndef HEARTH_TRACES_WRITE_H
#define HEARTH_TRACES_WRITE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "traces/base/error.h"

enum trace_output {
    TRACE_OUTPUT_PACKED, /* one file; "-" is standard output */
    TRACE_OUTPUT_FOLDER, /* kernelslist.g and a file a launch, compressed if its name says so */
};

struct trace_writer_options {
    enum trace_output output;
    int level;              /* packed: zstd's, 1 to 22; 0 = 19 */
    uint64_t group_records; /* packed: records after which a group is closed; 0 = 8 Mi */
    bool launch_groups;     /* packed: after each launch all of it is in the file */
    bool keep;              /* packed: what is not completed stays as PATH.part */
    bool replace;           /* an output that exists is replaced; a folder's files one by one */
};

struct trace_writer;
struct trace_kernel_options;
struct trace_workload;
struct trace_command;
struct trace_annotation;
struct trace_function;

/* Starts a workload at PATH. A packed file is written as PATH.part and gets
 * its name at the end; a folder gets its list at the end. OPTIONS may be NULL.
 * Returns NULL with ERR filled (ERROR_OUTPUT). */
struct trace_writer *trace_writer_create(const char *path,
                                         const struct trace_writer_options *options,
                                         struct error *err);
/* Adds a line of the list that is no launch: TEXT without newline. */
int trace_writer_line(struct trace_writer *writer, const char *text, struct error *err);
/* Says that the launch which is added next, under NAME, executes FUNCTION. Its code is written
 * once, however many launches execute it. */
int trace_writer_function(struct trace_writer *writer, const char *name,
                          const struct trace_function *function, struct error *err);
/* Lanes that are in the masks of instructions and do nothing. */
struct trace_idle_lanes {
    /* Whether the lane of the instruction at PC, an LDGSTS, that has ADDRESS does nothing. */
    bool (*is_idle)(void *data, uint32_t pc, uint64_t address);
    void *data;
};
/* Takes lanes out of the launch that is added next. A line keeps them in its mask of active
 * lanes, if its launch has such masks. */
void trace_writer_idle(struct trace_writer *writer, const struct trace_idle_lanes *idle);
/* Adds the launch at PATH, as trace_kernel_open() takes it, under NAME, its
 * line of the list. Raw traces are grouped, within OPTIONS->memory_budget;
 * with OPTIONS->memory_only what does not touch memory is left out. OPTIONS
 * may be NULL. */
int trace_writer_launch(struct trace_writer *writer, const char *name, const char *path,
                        const struct trace_kernel_options *options, struct error *err);

/* What of a workload is taken. */
struct trace_copy {
    /* Whether to take the launch of COMMAND, the POSITIONth of the list, from
     * 1; NULL: all are. Other lines always are. */
    bool (*keep)(void *data, size_t position, const struct trace_command *command);
    void *data;
    /* Adds lines to WRITER before the launch of COMMAND is; NULL: none. Returns 0 or -1. */
    int (*before)(void *before_data, struct trace_writer *writer,
                  const struct trace_command *command, struct error *err);
    void *before_data;
    bool memory_only;     /* as in struct trace_kernel_options; launches are then named
                             kernel-mem-<id>.traceg */
    bool by_position;     /* in these names positions stand for ids */
    size_t memory_budget; /* bytes for grouping raw traces; 0 = 64 MiB */
    const struct trace_annotation *annotation; /* the code that it found is added: that of
                                                  WORKLOAD stays with the other launches; or
                                                  NULL */
};

/* Adds the lines, launches and code of WORKLOAD, in order, under their names, where
 * ".trace" becomes ".traceg". WHAT may be NULL: all. The trace of a
 * launch that would be written over while it is read is an error (ERROR_USAGE). */
int trace_writer_workload(struct trace_writer *writer, const struct trace_workload *workload,
                          const struct trace_copy *what, struct error *err);
/* Adds all that the packed workload at FD has, front to back: FD may be a
 * pipe. NAME is for messages. *LAUNCHES is set to how many were whole, *WHOLE
 * to whether the file was. */
int trace_writer_stream(struct trace_writer *writer, int fd, const char *name, size_t *launches,
                        bool *whole, struct error *err);
/* Completes the output. */
int trace_writer_end(struct trace_writer *writer, struct error *err);
/* Accepts NULL. Without trace_writer_end() before, a packed output is removed.
 * Where the process is killed PATH.part stays, readable up to its last whole
 * launch. */
void trace_writer_destroy(struct trace_writer *writer);

#endif
