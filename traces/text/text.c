#include "traces/text/text.h"

#include <stdlib.h>
#include <string.h>

#include "traces/kernel.h"

void text_close(struct text *text)
{
    if (text != NULL)
        text->ops->close(text);
}

/* ---- open -------------------------------------------------------------- */

/* The launch of a packed workload that PATH names; *NAMED tells whether it
 * does. */
static struct text *open_in_store(const char *path, const struct trace_kernel_options *options,
                                  bool *named, bool *memory, struct error *err)
{
    size_t launch;
    bool owned;
    struct store *store = packed_find(path, options, &launch, &owned, memory, err);
    *named = store != NULL || (err != NULL && err->kind != ERROR_NONE);
    return store != NULL ? text_open_packed(store, launch, owned, err) : NULL;
}

/* A file: grouped or raw, as its header and first lines say. */
static struct text *open_file(const char *path, const struct trace_kernel_options *options,
                              struct error *err)
{
    struct text *text = NULL;
    struct trace_kernel *kernel = trace_kernel_open(path, NULL, err);
    if (kernel == NULL)
        return NULL;
    bool grouped = trace_kernel_header(kernel)->grouped;
    char *file = kernel_other_name(path);
    trace_kernel_close(kernel);
    const char *name = file != NULL ? file : path;
    text = grouped ? text_open_grouped(name, err) : text_open_raw(name, options, err);
    free(file);
    return text;
}

struct text *text_open(const char *path, const struct trace_kernel_options *options,
                       struct error *err)
{
    bool named, memory = false;
    struct error local = {0};
    struct text *text = open_in_store(path, options, &named, &memory, &local);
    if (named && text == NULL)
        error_set(err, local.kind, NULL, 0, 0, "%s", local.text);
    else if (text == NULL)
        text = open_file(path, options, err);
    memory |= options != NULL && options->memory_only;
    return text != NULL && memory ? text_open_memory(text, err) : text;
}

/* ---- as lines ---------------------------------------------------------- */

static long read_text(void *data, const void **chunk)
{
    struct text_source *lines = data;
    size_t size = 0;
    int rc = text_read(lines->text, chunk, &size, lines->err);
    return rc == 1 ? (long)size : rc;
}

int text_source_init(struct text_source *lines, struct text *text, struct error *err)
{
    *lines = (struct text_source){.text = text, .err = err};
    return source_open_callback(&lines->source, text->name, read_text, lines, err);
}

void text_source_finish(struct text_source *lines)
{
    source_finish(&lines->source);
}

/* ---- grouped files ----------------------------------------------------- */

#define CHUNK ((size_t)1 << 16)

struct grouped {
    struct text text;
    struct source source;
    char *chunk;
};

static int read_grouped(struct text *text, const void **data, size_t *size, struct error *err)
{
    struct grouped *grouped = (struct grouped *)text;
    long n = source_read(&grouped->source, grouped->chunk, CHUNK, err);
    if (n < 0)
        return -1;
    *data = grouped->chunk;
    *size = (size_t)n;
    return n > 0;
}

static void close_grouped(struct text *text)
{
    struct grouped *grouped = (struct grouped *)text;
    if (grouped->source.name != NULL)
        source_finish(&grouped->source);
    free(grouped->chunk);
    free(text->name);
    free(grouped);
}

struct text *text_open_grouped(const char *path, struct error *err)
{
    static const struct text_ops ops = {read_grouped, close_grouped};
    struct grouped *grouped = calloc(1, sizeof *grouped);
    if (grouped == NULL) {
        error_no_memory_for(err, ERROR_TRACE, path);
        return NULL;
    }
    grouped->text = (struct text){&ops, strdup(path)};
    grouped->chunk = malloc(CHUNK);
    if (grouped->text.name == NULL || grouped->chunk == NULL)
        error_no_memory_for(err, ERROR_TRACE, path);
    else if (source_open(&grouped->source, path, err) == 0)
        return &grouped->text;
    close_grouped(&grouped->text);
    return NULL;
}
