/* The text of a launch without what does not touch memory: the memory-only
 * traces of the thesis "Cold-start": of the instructions those with a memory
 * operand that is neither constant nor texture, and EXIT. */
#include <stdlib.h>
#include <string.h>

#include "traces/kernel.h"
#include "traces/packed/models/template.h"
#include "traces/text/header.h"
#include "traces/text/text.h"

/* Text that is collected before it is handed on. */
#define CHUNK ((size_t)1 << 16)

struct memory_view {
    struct source inner;
    struct trace_header header;
    struct walk walk;
    struct insts insts;
    struct line_reader reader;
    uint32_t previous;      /* instruction of the warp, for the guess */
    uint64_t kept;          /* instructions of the warp */
    struct bytes out, warp; /* text to hand on; kept lines of the warp */
    char *between;          /* for the header; or NULL */
};

static void pass_line(const struct source *source, struct bytes *out)
{
    bytes_put(out, source->at, source_line_length(source));
}

static int pass(struct walk *walk, struct error *err)
{
    struct memory_view *view = walk->data;
    pass_line(walk->source, walk->has_insts && walk->in_warp ? &view->warp : &view->out);
    return 0;
}

static int pass_value(struct walk *walk, const char *value, struct error *err)
{
    return pass(walk, err);
}

/* Up to the number: which it is shows at the end of the warp. */
static int begin_insts(struct walk *walk, const char *value, struct error *err)
{
    struct memory_view *view = walk->data;
    bytes_put(&view->out, walk->source->at, (size_t)(value - walk->source->at));
    view->warp.size = view->kept = 0;
    view->previous = INSTS_NONE;
    return 0;
}

static const char *keep(struct walk *walk, const char *at, struct error *err)
{
    struct memory_view *view = walk->data;
    uint64_t words[LINE_MAX_WORDS];
    struct line line;
    const char *next = line_read(&view->reader, at, view->previous, &line, words);
    if (next == NULL)
        return walk_bad_line(walk, &view->reader, err);
    view->previous = line.record.inst;
    if (kernel_keeps(&view->insts.items[line.record.inst])) {
        pass_line(walk->source, &view->warp);
        view->kept++;
    }
    return next;
}

static int end_warp(struct walk *walk, struct error *err)
{
    struct memory_view *view = walk->data;
    template_decimal(&view->out, view->kept);
    bytes_byte(&view->out, '\n');
    bytes_put(&view->out, view->warp.data, view->warp.size);
    return 0;
}

static const struct walk_ops walk_ops = {
    .begin_block = pass,
    .index = pass_value,
    .begin_warp = pass_value,
    .insts = begin_insts,
    .inst = keep,
    .end_warp = end_warp,
    .end_block = pass,
    .other = pass,
};

/* Adds what the code does between memory instructions to the header, before blank lines at its
 * end. */
static void put_between(struct memory_view *view)
{
    struct bytes *out = &view->out;
    size_t end = out->size, blank;
    if (view->between == NULL || view->header.between != NULL)
        return;
    while (end >= 2 && out->data[end - 1] == '\n' && out->data[end - 2] == '\n')
        end--;
    blank = out->size - end;
    out->size = end;
    bytes_put(out, BETWEEN_KEY, strlen(BETWEEN_KEY));
    bytes_put(out, view->between, strlen(view->between));
    for (bytes_byte(out, '\n'); blank > 0; blank--)
        bytes_byte(out, '\n');
}

static int begin(struct memory_view *view, struct error *err)
{
    bool exact;
    if (header_read(&view->header, &view->inner, &view->out, err) != 0)
        return -1;
    put_between(view);
    const struct trace_header *header = &view->header;
    view->reader = (struct line_reader){.insts = &view->insts,
                                        .lineinfo = header->lineinfo,
                                        .version = header->version,
                                        .ids = header->version < 30};
    walk_init(&view->walk, &walk_ops, view, &view->inner, header);
    return insts_init(&view->insts, opcode_table_for(header->binary_version, &exact)) == 0
               ? 0
               : error_no_memory_for(err, ERROR_TRACE, view->inner.name);
}

static int read_view(struct source *source, const void **text, size_t *size, struct error *err)
{
    struct memory_view *view = source->stream;
    int rc = WALK_LINES;
    view->out.size = 0;
    if (view->walk.data == NULL && begin(view, err) != 0)
        return -1;
    while (view->out.size < CHUNK && (rc = walk_next(&view->walk, err)) > WALK_END)
        ;
    if (rc < 0)
        return -1;
    if (view->out.failed || view->warp.failed)
        return error_no_memory_for(err, ERROR_TRACE, view->inner.name);
    *text = view->out.data;
    *size = view->out.size;
    return view->out.size > 0;
}

static void close_view(struct source *source)
{
    struct memory_view *view = source->stream;
    header_finish(&view->header);
    insts_finish(&view->insts);
    bytes_finish(&view->out);
    bytes_finish(&view->warp);
    free(view->between);
}

int text_open_memory(struct source *source, char *between, struct error *err)
{
    static const struct source_ops ops = {read_view, close_view};
    struct memory_view *view = source_wrap(source, &ops, sizeof *view, err);
    if (view == NULL)
        free(between);
    else
        view->between = between;
    return view != NULL ? 0 : -1;
}
