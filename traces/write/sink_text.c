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
#include "traces/traces.h"
#include "traces/write/code_file.h"
#include "traces/write/sink_file.h"
#include "traces/write/sink_line.h"

#define MOST_INFIX 48

struct text_sink {
    struct trace_sink base;
    char *folder, *infix;
    struct trace_text_options options;
    char *path; /* room for file names in FOLDER */
    size_t path_size;
    struct sink_origin origin;
    struct sink_file trace;
    struct sink_file list;
    off_t listed;  /* bytes of the list that are whole lines */
    char name[96]; /* of the current trace */
    char *lines;   /* of the current warp: their number goes first */
    size_t used, capacity;
    uint64_t insts;
    bool counted; /* the number has gone first already */
    bool lineinfo;
    bool made; /* the folder was not there before */
    uint32_t warp;
};

static struct text_sink *of(struct trace_sink *sink)
{
    return (struct text_sink *)sink;
}

/* Sets the path of NAME. */
static void path_of(struct text_sink *sink, const char *name)
{
    snprintf(sink->path, sink->path_size, "%s/%s", sink->folder, name);
}

static int failed(const struct text_sink *sink, struct error *err)
{
    return error_set(err, ERROR_OUTPUT, sink->path, 0, 0, "%s", strerror(errno));
}

/* Writes formatted numbers: less than SINK_LINE_ROOM bytes. */
static int put(struct sink_file *file, struct error *err, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

static int put(struct sink_file *file, struct error *err, const char *format, ...)
{
    char text[SINK_LINE_ROOM];
    va_list arguments;
    va_start(arguments, format);
    int length = vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    return sink_file_put(file, text, (size_t)length, err);
}

/* ---- the list ---------------------------------------------------------- */

static void list_of(struct text_sink *sink)
{
    char name[sizeof "kernelslist.g" + MOST_INFIX];
    snprintf(name, sizeof name, "kernelslist%s.g", sink->infix != NULL ? sink->infix : "");
    path_of(sink, name);
}

/* One line; in incremental lists it stays if the process dies, and half of one
 * does not stay. */
static int put_listed(struct text_sink *sink, const char *line, struct error *err)
{
    if (sink->options.unlisted)
        return 0;
    if (sink_file_put(&sink->list, line, strlen(line), err) != 0 ||
        sink_file_put(&sink->list, "\n", 1, err) != 0)
        return -1;
    if (!sink->options.incremental)
        return 0;
    if (sink_file_flush(&sink->list, err) != 0)
        return ftruncate(sink->list.fd, sink->listed) == 0 ? -1 : failed(sink, err);
    sink->listed += (off_t)strlen(line) + 1;
    return 0;
}

static int open_list(struct text_sink *sink, struct error *err)
{
    list_of(sink);
    if (unlink(sink->path) != 0 && errno != ENOENT)
        return failed(sink, err);
    return sink_file_open(&sink->list, sink->path, sink->options.incremental, err);
}

static int begin(struct trace_sink *base, const char *note, struct error *err)
{
    struct text_sink *sink = of(base);
    char text[SINK_LINE_ROOM];
    if (sink_origin_begin(&sink->origin, note, text, sizeof text) != 0)
        return error_no_memory_for(err, ERROR_OUTPUT, NULL);
    sink->made = mkdir(sink->folder, 0777) == 0;
    if (!sink->made && errno != EEXIST)
        return error_set(err, ERROR_OUTPUT, sink->folder, 0, 0, "%s", strerror(errno));
    if (!sink->options.unlisted && open_list(sink, err) != 0)
        return -1;
    return put_listed(sink, text, err);
}

static int copy(struct trace_sink *base, bool to_host, uint64_t address, uint64_t bytes,
                struct error *err)
{
    char text[64];
    sink_line_copy(text, sizeof text, to_host, address, bytes);
    return put_listed(of(base), text, err);
}

static int line(struct trace_sink *base, const char *text, struct error *err)
{
    return put_listed(of(base), text, err);
}

static int end(struct trace_sink *base, struct error *err)
{
    struct text_sink *sink = of(base);
    return sink->options.unlisted ? 0 : sink_file_close(&sink->list, err);
}

/* ---- launches ---------------------------------------------------------- */

static int begin_launch(struct trace_sink *base, const struct trace_header *header,
                        const struct trace_function *function, bool memory_only,
                        struct error *err)
{
    struct text_sink *sink = of(base);
    size_t length;
    sink_line_name(sink->name, sizeof sink->name, header->id, memory_only,
                   sink->infix != NULL ? sink->infix : "");
    strcat(sink->name, sink_file_suffix(sink->options.compression));
    sink->lineinfo = header->lineinfo;
    if (sink->options.code != NULL && function != NULL &&
        code_file_add(sink->options.code, function, sink->name, err) != 0)
        return -1;
    path_of(sink, sink->name);
    if (sink_file_open(&sink->trace, sink->path, false, err) != 0)
        return -1;
    char *text = sink_line_header(header, &sink->origin, &length, err);
    int rc = text != NULL ? sink_file_put(&sink->trace, text, length, err) : -1;
    free(text);
    return rc;
}

static int end_launch(struct trace_sink *base, struct error *err)
{
    struct text_sink *sink = of(base);
    return sink_file_close(&sink->trace, err) == 0 ? put_listed(sink, sink->name, err) : -1;
}

static int drop_launch(struct trace_sink *base, struct error *err)
{
    sink_file_drop(&of(base)->trace);
    return 0;
}

static int begin_block(struct trace_sink *base, const uint32_t index[3], struct error *err)
{
    return put(&of(base)->trace, err, "\n#BEGIN_TB\n\nthread block = %u,%u,%u\n", index[0],
               index[1], index[2]);
}

static int put_warp(struct text_sink *sink, uint64_t insts, struct error *err)
{
    return put(&sink->trace, err, "\nwarp = %u\ninsts = %" PRIu64 "\n", sink->warp, insts);
}

static int begin_warp(struct trace_sink *base, uint32_t warp, uint64_t insts, struct error *err)
{
    struct text_sink *sink = of(base);
    sink->warp = warp;
    sink->used = 0;
    sink->insts = 0;
    sink->counted = insts != TRACE_SINK_UNKNOWN;
    return sink->counted ? put_warp(sink, insts, err) : 0;
}

/* ---- records ----------------------------------------------------------- */

static char *put_inst(const struct text_sink *sink, char *at,
                      const struct trace_sink_inst *inst)
{
    at = sink_line_pre(at, inst, sink->lineinfo);
    at = sink_line_mask(at, inst);
    at = sink_line_post(at, inst);
    if (sink->options.all_addresses)
        at = sink_line_all_addresses(at, inst);
    else
        at = sink_line_addresses(at, inst);
    at = sink_line_tail(at, inst);
    at = sink_line_active(at, inst);
    *at++ = '\n';
    return at;
}

static int put_lines(struct text_sink *sink, struct error *err)
{
    size_t used = sink->used;
    sink->used = 0;
    return sink_file_put(&sink->trace, sink->lines, used, err);
}

/* Makes room for a line. */
static int reserve(struct text_sink *sink, struct error *err)
{
    if (sink->capacity - sink->used >= SINK_LINE_ROOM)
        return 0;
    if (sink->counted && sink->used > 0)
        return put_lines(sink, err);
    size_t capacity = sink->capacity == 0 ? 1u << 20 : 2 * sink->capacity;
    char *more = realloc(sink->lines, capacity);
    if (more == NULL)
        return error_no_memory_for(err, ERROR_OUTPUT, NULL);
    sink->lines = more;
    sink->capacity = capacity;
    return 0;
}

static int inst(struct trace_sink *base, const struct trace_sink_inst *inst, struct error *err)
{
    struct text_sink *sink = of(base);
    if (reserve(sink, err) != 0)
        return -1;
    char *at = sink->lines + sink->used;
    sink->used += (size_t)(put_inst(sink, at, inst) - at);
    sink->insts++;
    return 0;
}

static int end_warp(struct trace_sink *base, struct error *err)
{
    struct text_sink *sink = of(base);
    if (!sink->counted && put_warp(sink, sink->insts, err) != 0)
        return -1;
    return put_lines(sink, err);
}

static int end_block(struct trace_sink *base, struct error *err)
{
    return put(&of(base)->trace, err, "\n#END_TB\n");
}

/* ---- all --------------------------------------------------------------- */

static void destroy(struct trace_sink *base)
{
    struct text_sink *sink = of(base);
    sink_file_finish(&sink->trace);
    sink_file_finish(&sink->list);
    sink_origin_finish(&sink->origin);
    if (sink->made)
        rmdir(sink->folder); /* if nothing was written */
    free(sink->folder);
    free(sink->infix);
    free(sink->path);
    free(sink->lines);
    free(sink);
}

static const struct trace_sink_ops ops = {
    begin,    copy,      line,       begin_launch, begin_block, begin_warp,  inst,
    end_warp, end_block, end_launch, end,          destroy,     drop_launch,
};

static int init(struct text_sink *sink, const char *folder, struct error *err)
{
    const struct trace_text_options *options = &sink->options;
    sink->folder = strdup(folder);
    sink->infix = options->infix != NULL ? strdup(options->infix) : NULL;
    sink->path_size = strlen(folder) + 2 * sizeof sink->name;
    sink->path = malloc(sink->path_size);
    if (sink->folder == NULL || (options->infix != NULL && sink->infix == NULL) ||
        sink->path == NULL || sink_origin_init(&sink->origin, options->nvbit) != 0)
        return error_no_memory_for(err, ERROR_OUTPUT, NULL);
    if (options->infix != NULL && strlen(options->infix) > MOST_INFIX)
        return error_set(err, ERROR_OUTPUT, folder, 0, 0, "the names of files are too long");
    return sink_file_init(&sink->trace, options->compression, err) == 0 &&
                   sink_file_init(&sink->list, TRACE_PLAIN, err) == 0
               ? 0
               : -1;
}

struct trace_sink *trace_text_sink_create(const char *folder,
                                          const struct trace_text_options *options,
                                          struct error *err)
{
    struct text_sink *sink = calloc(1, sizeof *sink);
    if (sink == NULL) {
        error_no_memory_for(err, ERROR_OUTPUT, NULL);
        return NULL;
    }
    sink->base.ops = &ops;
    if (options != NULL)
        sink->options = *options;
    if (init(sink, folder, err) == 0)
        return &sink->base;
    destroy(&sink->base);
    return NULL;
}
