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
    struct source inner;
    struct trace_header header;
    struct insts insts;
    struct line_reader reader;
    struct bytes out, warp; /* text to hand on; kept lines of the warp */
    bool began;             /* the header was read */
};

/* Appends the current line to OUT and leaves it. */
static void pass_line(struct source *source, struct bytes *out)
{
    bytes_put(out, source->at, source_line_length(source));
    source_skip(source);
}

static int begin(struct memory_text *memory, struct error *err)
{
    struct source *source = &memory->inner, header;
    bool exact;
    int rc;
    while ((rc = source_line(source, err)) == 1 &&
           strncmp(scan_blanks(source->at), "#BEGIN_TB", 9) != 0)
        pass_line(source, &memory->out);
    if (rc < 0)
        return -1;
    if (source_open_memory(&header, memory->inner.name, memory->out.data, memory->out.size,
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
               : error_no_memory_for(err, ERROR_TRACE, memory->inner.name);
}

static int fail_line(const struct memory_text *memory, struct error *err)
{
    return source_error(&memory->inner, err, memory->reader.failed_at, "%s",
                        memory->reader.expected);
}

/* Reads COUNT instructions and keeps some. Returns how many, -1 on error. */
static int64_t keep_lines(struct memory_text *memory, uint64_t count, struct error *err)
{
    struct source *source = &memory->inner;
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
    struct source *source = &memory->inner;
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
    struct source *source = &memory->inner;
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
        rc = source_line(&memory->inner, err);
        if (rc != 1)
            return rc;
        rc = pass(memory, err);
    }
    return rc;
}

static int read_memory(struct source *source, const void **text, size_t *size,
                       struct error *err)
{
    struct memory_text *memory = source->stream;
    memory->out.size = 0;
    if (fill(memory, err) != 0)
        return -1;
    if (memory->out.failed || memory->warp.failed)
        return error_no_memory_for(err, ERROR_TRACE, memory->inner.name);
    *text = memory->out.data;
    *size = memory->out.size;
    return memory->out.size > 0;
}

static void close_memory(struct source *source)
{
    struct memory_text *memory = source->stream;
    source_finish(&memory->inner);
    header_finish(&memory->header);
    insts_finish(&memory->insts);
    bytes_finish(&memory->out);
    bytes_finish(&memory->warp);
    free(memory);
}

int text_open_memory(struct source *source, struct error *err)
{
    static const struct source_ops ops = {read_memory, close_memory};
    struct memory_text *memory = calloc(1, sizeof *memory);
    if (memory == NULL) {
        error_no_memory_for(err, ERROR_TRACE, source->name);
        source_finish(source);
        return -1;
    }
    memory->inner = *source;
    return source_open_stream(source, memory->inner.name, &ops, memory, err);
}
