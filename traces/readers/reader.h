/* Readers: what a file may be that holds a trace or a list of launches.
 * source_open() asks them one after the other. To add one: a file here with a
 * struct trace_reader, its line in readers.def, and the file's name in
 * traces/meson.build. */
#ifndef HEARTH_TRACES_READERS_READER_H
#define HEARTH_TRACES_READERS_READER_H

#include "traces/base/policy.h"
#include "traces/text/source.h"

struct kernel_layout;
struct trace_kernel_options;

/* Bytes that a reader may look at to recognise a file. */
#define READER_PROBE SOURCE_LINE_MAX

struct trace_reader {
    struct policy policy; /* its description completes "this is ..." */
    /* Whether SOURCE, at its start, is of this kind. READER_PROBE bytes stand from `at` to
     * `end`, all where there are fewer. */
    bool (*probe)(const struct source *source);
    /* Replaces SOURCE by what it stands for, which may again be of any kind. On error it is
     * finished. NULL: SOURCE stays as it is. */
    int (*open)(struct source *source, struct error *err);
    bool seeks; /* reads in `source->fd` where it likes, and so never out of a pipe */
    /* Of what stays as it is: how thread blocks are read of it (traces/kernel.h); NULL: it is
     * no trace. */
    const struct kernel_layout *layout;
    /* Then: replaces SOURCE by grouped text, in the memory that OPTIONS grant (NULL: as usual).
     * On error it is finished. NULL: SOURCE is grouped text. */
    int (*group)(struct source *source, const struct trace_kernel_options *options,
                 struct error *err);
};

/* All of them: struct trace_reader begins with its struct policy. */
extern const struct policy *const trace_readers[];

#define READER(name) extern const struct trace_reader trace_reader_##name;
#include "traces/readers/readers.def"
#undef READER

/* The first character of SOURCE's first line that is not blank; '\0' if there is none among
 * the bytes to look at. */
char reader_first(const struct source *source);

#endif
