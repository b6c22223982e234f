/* The files of one context: its list with the launches' traces, or its packed
 * file, and stats.csv. One launch is written at a time. */
#ifndef HEARTH_TRACER_OUTPUT_OUTPUT_H
#define HEARTH_TRACER_OUTPUT_OUTPUT_H

#include "tracer/blocks.h"
#include "tracer/sass.h"
#include "tracer/select/select.h"
#include "tracer/states/states.h"

struct tracer_output {
    const struct tracer_options *options;
    struct sass *code;
    struct trace_sink *main;      /* the list and what stands in it; NULL: profiles only */
    struct trace_sink *beside;    /* memory-only files beside full ones; or NULL */
    struct tracer_states *states; /* NULL: none are wanted */
    struct trace_sink *state;     /* of the launch that is being written, for its states */
    FILE *stats;                  /* stats.csv */
    FILE *profile;                /* profile.csv, of mode `profile` */
    char *stats_path, *profile_path;
    uint32_t noted; /* instructions whose comments are in the list */
};

/* Makes the files in FOLDER, which is there; INFIX tells contexts apart: "" or
 * "_ctx_0x..."; CODE_FILE is of text. Returns 0, or -1 with ERR filled and OUTPUT to be
 * finished. */
int output_init(struct tracer_output *output, const struct tracer_options *options,
                struct sass *code, const char *nvbit, const char *folder, const char *infix,
                struct trace_code_file *code_file, struct error *err);
/* Completes the files. Returns 0 or -1. */
int output_end(struct tracer_output *output, struct error *err);
/* Drops what is not complete. */
void output_finish(struct tracer_output *output);

/* A launch: its header and its code (NULL: not known), its blocks in order, its end. FILES is a
 * set of enum select_files. */
int output_begin(struct tracer_output *output, const struct trace_header *header,
                 const struct trace_function *function, unsigned files, struct error *err);
int output_block(struct tracer_output *output, struct chunk_pool *pool,
                 const struct trace_header *header, unsigned files,
                 const struct traced_block *block, uint32_t warps, struct error *err);
int output_end_launch(struct tracer_output *output, unsigned files, struct error *err);
/* Leaves the launch that has begun out; without its accesses there are no further states, for
 * the reason WHY. */
int output_drop_launch(struct tracer_output *output, unsigned files, const char *why,
                       struct error *err);
/* A copy from the host or on the device, for the states. */
void output_copy(struct tracer_output *output, uint64_t address, uint64_t bytes,
                 bool on_device);

#endif
