/* The inside of a writer of workloads. */
#ifndef HEARTH_TRACES_WRITE_WRITER_H
#define HEARTH_TRACES_WRITE_WRITER_H

#include "traces/functions/functions.h"
#include "traces/text/text.h"
#include "traces/traces.h"

struct writer_ops {
    int (*line)(struct trace_writer *writer, const char *text, struct error *err);
    /* Takes all of the grouped TEXT, which stays the caller's. */
    int (*launch)(struct trace_writer *writer, const char *name, struct source *text,
                  struct error *err);
    /* Takes code, as lines of traces/functions/functions.h, between launches. */
    int (*code)(struct trace_writer *writer, const void *text, size_t size, struct error *err);
    int (*end)(struct trace_writer *writer, struct error *err);
    void (*destroy)(struct trace_writer *writer);
};

/* First member of every writer. */
struct trace_writer {
    const struct writer_ops *ops;
    char *path;
    struct trace_writer_options options;
    struct functions functions;   /* that were written */
    struct trace_idle_lanes idle; /* of the next launch; zeroed: none */
};

/* Fills the first member. Returns 0, or -1. */
int writer_init(struct trace_writer *writer, const struct writer_ops *ops, const char *path,
                const struct trace_writer_options *options, struct error *err);

struct trace_writer *writer_create_packed(const char *path,
                                          const struct trace_writer_options *options,
                                          struct error *err);
struct trace_writer *writer_create_folder(const char *path,
                                          const struct trace_writer_options *options,
                                          struct error *err);

#endif
