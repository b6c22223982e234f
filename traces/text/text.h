/* The grouped text of a launch, chunk by chunk, wherever it comes from: a
 * grouped file, a raw one that is grouped on the way, a packed one, or one of
 * these without what does not touch memory. */
#ifndef HEARTH_TRACES_TEXT_TEXT_H
#define HEARTH_TRACES_TEXT_TEXT_H

#include "traces/text/source.h"
#include "traces/traces.h"

struct text;

struct text_ops {
    /* The next chunk, owned by TEXT until the next call. Returns 1, 0 at the
     * end, -1 on error. */
    int (*read)(struct text *text, const void **data, size_t *size, struct error *err);
    void (*close)(struct text *text);
};

/* First member of every text. */
struct text {
    const struct text_ops *ops;
    char *name;
};

/* Opens the launch at PATH, as trace_kernel_open(). Returns NULL on error. */
struct text *text_open(const char *path, const struct trace_kernel_options *options,
                       struct error *err);
/* The same launch reduced to what touches memory; takes TEXT over, also on
 * error. */
struct text *text_open_memory(struct text *text, struct error *err);
/* Accepts NULL. */
void text_close(struct text *text);

static inline int text_read(struct text *text, const void **data, size_t *size,
                            struct error *err)
{
    return text->ops->read(text, data, size, err);
}

/* A text as a stream of lines. TEXT stays the caller's and the first error of
 * it goes to ERR. */
struct text_source {
    struct text *text;
    struct error *err;
    struct source source;
};

int text_source_init(struct text_source *lines, struct text *text, struct error *err);
void text_source_finish(struct text_source *lines);

/* The kinds. */
struct text *text_open_grouped(const char *path, struct error *err);
struct text *text_open_raw(const char *path, const struct trace_kernel_options *options,
                           struct error *err);
struct store;
/* Launch I of STORE, which must outlive the text; OWNED: it is closed with it. */
struct text *text_open_packed(struct store *store, size_t i, bool owned, struct error *err);

#endif
