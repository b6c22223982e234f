/* The text of a launch without what does not touch memory: the memory-only
 * traces of the thesis "Cold-start": of the instructions those with a memory
 * operand that is neither constant nor texture, and EXIT. */
#include <stdlib.h>
#include <string.h>

#include "traces/kernel.h"
#include "traces/packed/models/template.h"
#include "traces/text/text.h"
#include "traces/text/text_view.h"

struct memory_view {
    struct text_view view;
    uint32_t previous; /* instruction of the warp, for the guess */
    uint64_t kept;     /* instructions of the warp */
    struct bytes warp; /* kept lines of the warp */
    char *between;     /* for the header; or NULL */
};

static void keep_line(struct memory_view *memory, const struct source *source)
{
    bytes_put(&memory->warp, source->at, source_line_length(source));
}

/* Lines between the instructions of a warp go with those that are kept. */
static int pass_other(struct walk *walk, struct error *err)
{
    if (!walk->has_insts || !walk->in_warp)
        return text_view_pass(walk, err);
    keep_line(walk->data, walk->source);
    return 0;
}

/* Up to the number: which it is shows at the end of the warp. */
static int begin_insts(struct walk *walk, const char *value, struct error *err)
{
    struct memory_view *memory = walk->data;
    const char *line = walk->source->at;
    bytes_put(&memory->view.out, line, (size_t)(value - line));
    memory->warp.size = memory->kept = 0;
    memory->previous = INSTS_NONE;
    return 0;
}

static const char *keep(struct walk *walk, const char *at, struct error *err)
{
    struct memory_view *memory = walk->data;
    struct text_view *view = &memory->view;
    uint64_t words[LINE_MAX_WORDS];
    struct line line;
    const char *next = line_read(&view->reader, at, memory->previous, &line, words);
    if (next == NULL)
        return walk_bad_line(walk, &view->reader, err);
    memory->previous = line.record.inst;
    if (kernel_keeps(&view->insts.items[line.record.inst])) {
        keep_line(memory, walk->source);
        memory->kept++;
    }
    return next;
}

static int end_warp(struct walk *walk, struct error *err)
{
    struct memory_view *memory = walk->data;
    struct bytes *out = &memory->view.out;
    if (memory->warp.failed)
        return error_no_memory_for(err, ERROR_TRACE, walk->source->name);
    template_decimal(out, memory->kept);
    bytes_byte(out, '\n');
    bytes_put(out, memory->warp.data, memory->warp.size);
    return 0;
}

/* Adds what the code does between memory instructions to the header, before blank lines at its
 * end. */
static void put_between(struct text_view *view)
{
    const char *between = ((const struct memory_view *)view)->between;
    struct bytes *out = &view->out;
    size_t end = out->size, blank;
    if (between == NULL || view->header.between != NULL)
        return;
    while (end >= 2 && out->data[end - 1] == '\n' && out->data[end - 2] == '\n')
        end--;
    blank = out->size - end;
    out->size = end;
    bytes_put(out, BETWEEN_KEY, strlen(BETWEEN_KEY));
    bytes_put(out, between, strlen(between));
    for (bytes_byte(out, '\n'); blank > 0; blank--)
        bytes_byte(out, '\n');
}

static void finish(struct text_view *view)
{
    struct memory_view *memory = (struct memory_view *)view;
    bytes_finish(&memory->warp);
    free(memory->between);
}

static const struct text_view_ops ops = {
    .walk = {.begin_block = text_view_pass,
             .index = text_view_pass_value,
             .begin_warp = text_view_pass_value,
             .insts = begin_insts,
             .inst = keep,
             .end_warp = end_warp,
             .end_block = text_view_pass,
             .other = pass_other},
    .begin = put_between,
    .finish = finish,
};

int text_open_memory(struct source *source, char *between, struct error *err)
{
    struct memory_view *memory = text_view_open(source, &ops, sizeof *memory, err);
    if (memory == NULL)
        free(between);
    else
        memory->between = between;
    return memory != NULL ? 0 : -1;
}
