/* What a generated launch looks like in Accel-Sim's text, version 5, piece by
 * piece: a line is PRE mask POST, with a memory operand mode, addresses and
 * TAIL, and a newline. */
#ifndef HEARTH_TRACES_WRITE_SINK_LINE_H
#define HEARTH_TRACES_WRITE_SINK_LINE_H

#include "traces/sink.h"

/* More than the longest line of an instruction: 32 addresses of 21 characters, 12 registers. */
#define SINK_LINE_ROOM 2048

/* What made a workload, as its files say. */
struct sink_origin {
    char *note;  /* one line */
    char *nvbit; /* version of NVBit; NULL: the workload is synthetic */
};

/* NVBIT may be NULL. Returns 0, or -1 when memory ran out. */
int sink_origin_init(struct sink_origin *origin, const char *nvbit);
void sink_origin_finish(struct sink_origin *origin);

/* Sets the note and prints the list's first line, without a newline, into ROOM
 * bytes at TEXT. Returns 0, or -1 when memory ran out. */
int sink_origin_begin(struct sink_origin *origin, const char *note, char *text, size_t room);

/* Prints the header of a launch: names may be of any length. *LENGTH is set to its bytes.
 * Returns it, the caller's to free, or NULL with ERR filled. */
char *sink_line_header(const struct trace_header *header, const struct sink_origin *origin,
                       size_t *length, struct error *err);

/* Prints the list's line of a copy, without a newline. */
void sink_line_copy(char *text, size_t room, bool to_host, uint64_t address, uint64_t bytes);

/* The name of a launch's file, without the suffix of its compression. */
void sink_line_name(char *text, size_t room, uint64_t id, bool memory_only, const char *infix);

/* Each prints at AT, and returns the end of it. LINEINFO: with the line of the
 * source in front. */
char *sink_line_pre(char *at, const struct trace_sink_inst *inst, bool lineinfo);
char *sink_line_mask(char *at, const struct trace_sink_inst *inst);
char *sink_line_post(char *at, const struct trace_sink_inst *inst);
char *sink_line_addresses(char *at, const struct trace_sink_inst *inst);
/* The same, one for each lane. */
char *sink_line_all_addresses(char *at, const struct trace_sink_inst *inst);
/* Number I of a record's tail. */
static inline uint32_t sink_line_tail_number(const struct trace_sink_inst *inst, int i)
{
    return (uint32_t)(inst->tail[i / 2] >> 32 * (i % 2));
}
char *sink_line_tail(char *at, const struct trace_sink_inst *inst);
/* The active lanes, if they are known and more than those of the mask. */
char *sink_line_active(char *at, const struct trace_sink_inst *inst);

/* Whether addresses are printed as base and stride: where the active lanes are
 * one run of at least two, as the tracer does, or none. Else as deltas. */
bool sink_line_is_stride(const struct trace_sink_inst *inst);

#endif
