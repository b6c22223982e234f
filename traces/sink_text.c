/* A sink that writes what Accel-Sim reads: version 5, grouped. */
#include <errno.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "traces/sink.h"
#include "traces/sink_file.h"
#include "traces/traces.h"

/* More than the longest line: 32 addresses of 21 characters, 12 registers. */
#define LINE_ROOM 2048

struct text_sink {
    struct trace_sink base;
    char *folder;
    bool compressed;
    char *path; /* room for a file name in FOLDER */
    size_t path_size;
    char *note;
    struct sink_file trace;
    struct sink_file list;
    char *lines; /* of the warp in hand: their number goes first */
    size_t used, capacity;
    uint64_t insts, launches;
    uint32_t warp;
};

static struct text_sink *of(struct trace_sink *sink)
{
    return (struct text_sink *)sink;
}

static int out_of_memory(struct error *err)
{
    return error_set(err, ERROR_OUTPUT, NULL, 0, 0, "out of memory");
}

static const char *path_of(struct text_sink *sink, const char *name)
{
    snprintf(sink->path, sink->path_size, "%s/%s", sink->folder, name);
    return sink->path;
}

/* Writes formatted text of at most LINE_ROOM bytes. */
static int put(struct sink_file *file, struct error *err, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

static int put(struct sink_file *file, struct error *err, const char *format, ...)
{
    char text[LINE_ROOM];
    va_list arguments;
    va_start(arguments, format);
    int length = vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    if (length < 0 || (size_t)length >= sizeof text)
        return error_set(err, ERROR_OUTPUT, NULL, 0, 0, "a header of the trace is too long");
    return sink_file_put(file, text, (size_t)length, err);
}

static int begin(struct trace_sink *base, const char *note, struct error *err)
{
    struct text_sink *sink = of(base);
    sink->note = strdup(note);
    if (sink->note == NULL)
        return out_of_memory(err);
    if (mkdir(sink->folder, 0777) != 0 && errno != EEXIST)
        return error_set(err, ERROR_OUTPUT, sink->folder, 0, 0, "%s", strerror(errno));
    if (unlink(path_of(sink, "kernelslist.g")) != 0 && errno != ENOENT)
        return error_set(err, ERROR_OUTPUT, sink->path, 0, 0, "%s", strerror(errno));
    if (sink_file_open(&sink->list, path_of(sink, "kernelslist.g.part"), err) != 0)
        return -1;
    return put(&sink->list, err, "# synthetic: %s\n", note);
}

static int copy(struct trace_sink *base, uint64_t address, uint64_t bytes, struct error *err)
{
    return put(&of(base)->list, err, "MemcpyHtoD,0x%016" PRIx64 ",%" PRIu64 "\n", address,
               bytes);
}

static int put_header(struct text_sink *sink, const struct trace_header *h, struct error *err)
{
    return put(&sink->trace, err,
               "-kernel name = %s\n-kernel id = %" PRIu64 "\n-grid dim = (%u,%u,%u)\n"
               "-block dim = (%u,%u,%u)\n-shmem = %u\n-nregs = %u\n-binary version = %u\n"
               "-cuda stream id = %" PRIu64 "\n-shmem base_addr = 0x%016" PRIx64
               "\n-local mem base_addr = 0x%016" PRIx64 "\n-nvbit version = none\n"
               "-accelsim tracer version = 5\n-enable lineinfo = 0\n-synthetic = %s\n\n"
               "#traces format = [line_num] PC mask dest_num [reg_dests] opcode src_num "
               "[reg_srcs] mem_width [adrrescompress?] [mem_addresses] immediate\n",
               h->name, h->id, h->grid[0], h->grid[1], h->grid[2], h->block[0], h->block[1],
               h->block[2], h->shmem, h->regs, h->binary_version, h->stream, h->shmem_base,
               h->local_base, sink->note);
}

static int begin_launch(struct trace_sink *base, const struct trace_header *header,
                        struct error *err)
{
    struct text_sink *sink = of(base);
    char name[64];
    snprintf(name, sizeof name, "kernel-%" PRIu64 ".traceg%s", ++sink->launches,
             sink->compressed ? ".zst" : "");
    if (put(&sink->list, err, "%s\n", name) != 0 ||
        sink_file_open(&sink->trace, path_of(sink, name), err) != 0)
        return -1;
    return put_header(sink, header, err);
}

static int begin_block(struct trace_sink *base, const uint32_t index[3], struct error *err)
{
    return put(&of(base)->trace, err, "\n#BEGIN_TB\n\nthread block = %u,%u,%u\n", index[0],
               index[1], index[2]);
}

static int begin_warp(struct trace_sink *base, uint32_t warp, struct error *err)
{
    struct text_sink *sink = of(base);
    sink->warp = warp;
    sink->used = 0;
    sink->insts = 0;
    return 0;
}

/* ---- one line; this is most of the time ---- */

static char *put_text(char *at, const char *text)
{
    return stpcpy(at, text);
}

static char *put_hex(char *at, uint64_t value, int least)
{
    int digits = value == 0 ? 1 : (67 - __builtin_clzll(value)) / 4;
    digits = digits < least ? least : digits;
    for (int i = digits - 1; i >= 0; i--, value >>= 4)
        at[i] = "0123456789abcdef"[value & 15];
    return at + digits;
}

static char *put_unsigned(char *at, uint64_t value)
{
    char digits[20];
    int n = 0;
    do
        digits[n++] = (char)('0' + value % 10);
    while ((value /= 10) != 0);
    while (n > 0)
        *at++ = digits[--n];
    return at;
}

static char *put_signed(char *at, int64_t value)
{
    if (value >= 0)
        return put_unsigned(at, (uint64_t)value);
    *at++ = '-';
    return put_unsigned(at, -(uint64_t)value);
}

static char *put_registers(char *at, const uint8_t *registers, int count)
{
    *at++ = (char)('0' + count);
    *at++ = ' ';
    for (int i = 0; i < count; i++) {
        *at++ = 'R';
        at = put_unsigned(at, registers[i]);
        *at++ = ' ';
    }
    return at;
}

/* Whether the active lanes are one run of at least two: what the tracer
 * writes with a stride. */
static bool is_run(uint32_t mask)
{
    uint32_t shifted = mask >> __builtin_ctz(mask);
    return (shifted & (shifted + 1)) == 0 && shifted != 1;
}

static char *put_deltas(char *at, const struct trace_sink_inst *inst)
{
    int lanes = __builtin_popcount(inst->mask);
    at = put_text(at, "2 0x");
    at = put_hex(at, inst->words[0], 1);
    *at++ = ' ';
    for (int i = 1; i < lanes; i++) {
        uint64_t delta = inst->mode == TRACE_ADDRESS_STRIDE
                             ? inst->words[1]
                             : inst->words[i] - inst->words[i - 1];
        at = put_signed(at, (int64_t)delta);
        *at++ = ' ';
    }
    return at;
}

static char *put_addresses(char *at, const struct trace_sink_inst *inst)
{
    if (inst->mask == 0)
        return put_text(at, "1 0x0 0 ");
    if (inst->mode != TRACE_ADDRESS_STRIDE || !is_run(inst->mask))
        return put_deltas(at, inst);
    at = put_text(at, "1 0x");
    at = put_hex(at, inst->words[0], 1);
    *at++ = ' ';
    at = put_signed(at, (int64_t)inst->words[1]);
    *at++ = ' ';
    return at;
}

static char *put_inst(char *at, const struct trace_sink_inst *inst)
{
    at = put_hex(at, inst->pc, 4);
    *at++ = ' ';
    at = put_hex(at, inst->mask, 8);
    *at++ = ' ';
    at = put_registers(at, inst->dst, inst->dst_count);
    at = put_text(at, inst->opcode);
    *at++ = ' ';
    at = put_registers(at, inst->src, inst->src_count);
    at = put_unsigned(at, inst->width);
    *at++ = ' ';
    if (inst->width != 0)
        at = put_addresses(at, inst);
    at = put_unsigned(at, inst->imm);
    at = put_text(at, " \n");
    return at;
}

static int inst(struct trace_sink *base, const struct trace_sink_inst *inst, struct error *err)
{
    struct text_sink *sink = of(base);
    if (sink->capacity - sink->used < LINE_ROOM) {
        size_t capacity = sink->capacity == 0 ? 1u << 20 : 2 * sink->capacity;
        char *more = realloc(sink->lines, capacity);
        if (more == NULL)
            return out_of_memory(err);
        sink->lines = more;
        sink->capacity = capacity;
    }
    char *at = sink->lines + sink->used;
    sink->used += (size_t)(put_inst(at, inst) - at);
    sink->insts++;
    return 0;
}

static int end_warp(struct trace_sink *base, struct error *err)
{
    struct text_sink *sink = of(base);
    if (put(&sink->trace, err, "\nwarp = %u\ninsts = %" PRIu64 "\n", sink->warp, sink->insts) !=
        0)
        return -1;
    return sink_file_put(&sink->trace, sink->lines, sink->used, err);
}

static int end_block(struct trace_sink *base, struct error *err)
{
    return put(&of(base)->trace, err, "\n#END_TB\n");
}

static int end_launch(struct trace_sink *base, struct error *err)
{
    return sink_file_close(&of(base)->trace, err);
}

static int end(struct trace_sink *base, struct error *err)
{
    struct text_sink *sink = of(base);
    if (sink_file_close(&sink->list, err) != 0)
        return -1;
    char *from = strdup(path_of(sink, "kernelslist.g.part"));
    if (from == NULL)
        return out_of_memory(err);
    int rc = rename(from, path_of(sink, "kernelslist.g"));
    free(from);
    return rc == 0 ? 0 : error_set(err, ERROR_OUTPUT, sink->path, 0, 0, "%s", strerror(errno));
}

static void destroy(struct trace_sink *base)
{
    struct text_sink *sink = of(base);
    sink_file_finish(&sink->trace);
    if (sink->list.path != NULL)
        unlink(sink->list.path);
    sink_file_finish(&sink->list);
    free(sink->folder);
    free(sink->path);
    free(sink->note);
    free(sink->lines);
    free(sink);
}

static const struct trace_sink_ops ops = {
    begin,    copy,      begin_launch, begin_block, begin_warp, inst,
    end_warp, end_block, end_launch,   end,         destroy,
};

struct trace_sink *trace_text_sink_create(const char *folder, bool compressed,
                                          struct error *err)
{
    struct text_sink *sink = calloc(1, sizeof *sink);
    if (sink != NULL) {
        sink->base.ops = &ops;
        sink->compressed = compressed;
        sink->folder = strdup(folder);
        sink->path_size = strlen(folder) + 64;
        sink->path = malloc(sink->path_size);
        if (sink->folder != NULL && sink->path != NULL &&
            sink_file_init(&sink->trace, compressed, err) == 0 &&
            sink_file_init(&sink->list, false, err) == 0)
            return &sink->base;
        destroy(&sink->base);
    }
    out_of_memory(err);
    return NULL;
}
