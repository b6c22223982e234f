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
#include "traces/sink_line.h"
#include "traces/traces.h"

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

/* Writes formatted text of at most SINK_LINE_ROOM bytes. */
static int put(struct sink_file *file, struct error *err, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

static int put(struct sink_file *file, struct error *err, const char *format, ...)
{
    char text[SINK_LINE_ROOM];
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
    char text[64];
    sink_line_copy(text, sizeof text, address, bytes);
    return put(&of(base)->list, err, "%s\n", text);
}

static int put_header(struct text_sink *sink, const struct trace_header *header,
                      struct error *err)
{
    char text[SINK_LINE_ROOM];
    int length = sink_line_header(text, sizeof text, header, sink->note, err);
    return length < 0 ? -1 : sink_file_put(&sink->trace, text, (size_t)length, err);
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

/* ---- records ----------------------------------------------------------- */

static char *put_inst(char *at, const struct trace_sink_inst *inst)
{
    at = sink_line_pre(at, inst);
    at = sink_line_mask(at, inst);
    at = sink_line_post(at, inst);
    at = sink_line_addresses(at, inst);
    at = sink_line_tail(at, inst);
    *at++ = '\n';
    return at;
}

static int inst(struct trace_sink *base, const struct trace_sink_inst *inst, struct error *err)
{
    struct text_sink *sink = of(base);
    if (sink->capacity - sink->used < SINK_LINE_ROOM) {
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
