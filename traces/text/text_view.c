#include "traces/text/text_view.h"

#include "traces/text/header.h"

/* Text that is collected before it is handed on. */
#define CHUNK ((size_t)1 << 16)

int text_view_pass(struct walk *walk, struct error *err)
{
    struct text_view *view = walk->data;
    bytes_put(&view->out, walk->source->at, source_line_length(walk->source));
    return 0;
}

int text_view_pass_value(struct walk *walk, const char *value, struct error *err)
{
    return text_view_pass(walk, err);
}

/* Reads the header. */
static int begin(struct text_view *view, struct error *err)
{
    bool exact;
    if (header_read(&view->header, &view->inner, &view->out, err) != 0)
        return -1;
    if (view->ops->begin != NULL)
        view->ops->begin(view);
    const struct trace_header *header = &view->header;
    view->reader = (struct line_reader){.insts = &view->insts,
                                        .lineinfo = header->lineinfo,
                                        .version = header->version,
                                        .ids = header->version < 30};
    walk_init(&view->walk, &view->ops->walk, view, &view->inner, header);
    return insts_init(&view->insts, opcode_table_for(header->binary_version, &exact)) == 0
               ? 0
               : error_no_memory_for(err, ERROR_TRACE, view->inner.name);
}

static int read_view(struct source *source, const void **text, size_t *size, struct error *err)
{
    struct text_view *view = source->stream;
    int rc = WALK_LINES;
    view->out.size = 0;
    if (view->walk.data == NULL && begin(view, err) != 0)
        return -1;
    while (view->out.size < CHUNK && (rc = walk_next(&view->walk, err)) > WALK_END)
        ;
    if (rc < 0)
        return -1;
    if (view->out.failed)
        return error_no_memory_for(err, ERROR_TRACE, view->inner.name);
    *text = view->out.data;
    *size = view->out.size;
    return view->out.size > 0;
}

static void close_view(struct source *source)
{
    struct text_view *view = source->stream;
    header_finish(&view->header);
    insts_finish(&view->insts);
    bytes_finish(&view->out);
    if (view->ops->finish != NULL)
        view->ops->finish(view);
}

void *text_view_open(struct source *source, const struct text_view_ops *ops, size_t size,
                     struct error *err)
{
    static const struct source_ops source_ops = {read_view, close_view};
    struct text_view *view = source_wrap(source, &source_ops, size, err);
    if (view != NULL)
        view->ops = ops;
    return view;
}
