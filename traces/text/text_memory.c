/* The text of a launch without what does not touch memory: the memory-only
 * traces of the thesis "Cold-start": of the instructions those with a memory
 * operand that is neither constant nor texture, and EXIT. */
#define _GNU_SOURCE /* rawmemchr */
#include <stdlib.h>
#include <string.h>

#include "traces/kernel.h"
#include "traces/packed/models/template.h"
#include "traces/text/header.h"
#include "traces/text/text.h"

/* Text that is collected before it is handed on. */
#define CHUNK ((size_t)1 << 16)

struct memory_text {
    struct text text;
    struct text *inner;
    struct text_source lines;
    struct error inner_error;
    struct trace_header header;
    struct insts insts;
    struct line_reader reader;
    struct bytes out, warp; /* text to hand on; kept lines of the warp */
    bool began;             /* the header was read */
};

/* Appends the current line to OUT and leaves it. */
static void pass_line(struct source *source, struct bytes *out)
{
    const char *end = rawmemchr(source->at, '\n');
    bool unended = source->unended && end + 1 == source->complete;
    bytes_put(out, source->at, (size_t)(end + 1 - source->at) - unended);
    source_advance(source, end + 1);
}

static int begin(struct memory_text *memory, struct error *err)
{
    struct source *source = &memory->lines.source, header;
    bool exact;
    int rc;
    while ((rc = source_line(source, err)) == 1 &&
           strncmp(scan_blanks(source->at), "#BEGIN_TB", 9) != 0)
        pass_line(source, &memory->out);
    if (rc < 0)
        return -1;
    if (source_open_memory(&header, memory->text.name, memory->out.data, memory->out.size,
                           err) != 0)
        return -1;
    rc = header_read(&memory->header, &header, err);
    source_finish(&header);
    memory->began = rc == 0;
    if (rc != 0)
        return rc;
    memory->reader = (struct line_reader){.insts = &memory->insts,
                                          .lineinfo = memory->header.lineinfo,
                                          .version = memory->header.version,
                                          .ids = memory->header.version < 30};
    const struct opcode_table *table = opcode_table_for(memory->header.binary_version, &exact);
    return insts_init(&memory->insts, table) == 0
               ? 0
               : error_no_memory_for(err, ERROR_TRACE, memory->text.name);
}

static int fail_line(const struct memory_text *memory, struct error *err)
{
    return source_error(&memory->lines.source, err, memory->reader.failed_at, "%s",
                        memory->reader.expected);
}

/* Reads COUNT instructions and keeps some. Returns how many, -1 on error. */
static int64_t keep_lines(struct memory_text *memory, uint64_t count, struct error *err)
{
    struct source *source = &memory->lines.source;
    uint64_t words[LINE_MAX_WORDS];
    uint32_t previous = INSTS_NONE;
    int64_t kept = 0;
    memory->warp.size = 0;
    for (uint64_t i = 0; i < count;) {
        struct line line;
        int rc = source_line(source, err);
        if (rc < 0)
            return -1;
        const char *at = rc == 1 ? scan_blanks(source->at) : NULL;
        if (at == NULL || strncmp(at, "#END_TB", 7) == 0 || *at == 'w')
            return source_error(source, err, NULL,
                                "the warp has fewer instructions than "
                                "'insts = %lu' announced",
                                (unsigned long)count);
        if (*at == '\n' || *at == '#') {
            pass_line(source, &memory->warp);
            continue;
        }
        if (line_read(&memory->reader, source->at, previous, &line, words) == NULL)
            return fail_line(memory, err);
        previous = line.record.inst;
        i++;
        if (kernel_keeps(&memory->insts.items[line.record.inst])) {
            pass_line(source, &memory->warp);
            kept++;
        } else {
            source_skip(source);
        }
    }
    return kept;
}

/* "insts = N" and the N lines. AT is where the number stands. */
static int pass_warp(struct memory_text *memory, const char *at, struct error *err)
{
    struct source *source = &memory->lines.source;
    uint64_t count;
    const char *end = scan_decimal(at, UINT64_MAX, &count);
    if (end == NULL || *scan_blanks(end) != '\n')
        return source_error(source, err, at, "'insts = N' is expected");
    bytes_put(&memory->out, source->at, (size_t)(at - source->at));
    source_skip(source);
    int64_t kept = keep_lines(memory, count, err);
    if (kept < 0)
        return -1;
    template_decimal(&memory->out, (uint64_t)kept);
    bytes_byte(&memory->out, '\n');
    bytes_put(&memory->out, memory->warp.data, memory->warp.size);
    return 0;
}

static int pass(struct memory_text *memory, struct error *err)
{
    struct source *source = &memory->lines.source;
    const char *line = scan_blanks(source->at);
    if (strncmp(line, "insts", 5) == 0 && *scan_blanks(line + 5) == '=')
        return pass_warp(memory, scan_blanks(scan_blanks(line + 5) + 1), err);
    pass_line(source, &memory->out);
    return 0;
}

static int fill(struct memory_text *memory, struct error *err)
{
    int rc = memory->began ? 0 : begin(memory, err);
    while (rc == 0 && memory->out.size < CHUNK) {
        rc = source_line(&memory->lines.source, err);
        if (rc != 1)
            return rc;
        rc = pass(memory, err);
    }
    return rc;
}

static int read_memory(struct text *text, const void **data, size_t *size, struct error *err)
{
    struct memory_text *memory = (struct memory_text *)text;
    struct error outer = {0};
    memory->out.size = 0;
    int rc = fill(memory, &outer);
    if (rc == 0 && (memory->out.failed || memory->warp.failed))
        rc = error_no_memory_for(&outer, ERROR_TRACE, memory->text.name);
    if (rc < 0) { /* what the text says is the cause of what its reader says */
        const struct error *first =
            memory->inner_error.kind != ERROR_NONE ? &memory->inner_error : &outer;
        return error_set(err, first->kind, NULL, 0, 0, "%s", first->text);
    }
    *data = memory->out.data;
    *size = memory->out.size;
    return memory->out.size > 0;
}

static void close_memory(struct text *text)
{
    struct memory_text *memory = (struct memory_text *)text;
    if (memory->lines.source.name != NULL)
        text_source_finish(&memory->lines);
    text_close(memory->inner);
    header_finish(&memory->header);
    insts_finish(&memory->insts);
    bytes_finish(&memory->out);
    bytes_finish(&memory->warp);
    free(text->name);
    free(memory);
}

struct text *text_open_memory(struct text *inner, struct error *err)
{
    static const struct text_ops ops = {read_memory, close_memory};
    struct memory_text *memory = calloc(1, sizeof *memory);
    if (memory == NULL) {
        error_no_memory_for(err, ERROR_TRACE, inner->name);
        text_close(inner);
        return NULL;
    }
    memory->inner = inner;
    memory->text = (struct text){&ops, strdup(inner->name)};
    if (memory->text.name == NULL)
        error_no_memory_for(err, ERROR_TRACE, memory->text.name);
    else if (text_source_init(&memory->lines, inner, &memory->inner_error) == 0)
        return &memory->text;
    error_set(err, memory->inner_error.kind, NULL, 0, 0, "%s", memory->inner_error.text);
    close_memory(&memory->text);
    return NULL;
}
