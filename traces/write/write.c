#include <stdlib.h>
#include <string.h>

#include "traces/packed/code_group.h"
#include "traces/packed/store.h"
#include "traces/packed/text/unpack.h"
#include "traces/write/idle_lanes.h"
#include "traces/write/writer.h"

int writer_init(struct trace_writer *writer, const struct writer_ops *ops, const char *path,
                const struct trace_writer_options *options, struct error *err)
{
    *writer = (struct trace_writer){.ops = ops, .path = strdup(path), .options = *options};
    return writer->path != NULL ? 0 : error_no_memory_for(err, ERROR_OUTPUT, path);
}

struct trace_writer *trace_writer_create(const char *path,
                                         const struct trace_writer_options *options,
                                         struct error *err)
{
    static const struct trace_writer_options standard = {0};
    if (options == NULL)
        options = &standard;
    if (options->output == TRACE_OUTPUT_PACKED)
        return writer_create_packed(path, options, err);
    return writer_create_folder(path, options, err);
}

int trace_writer_line(struct trace_writer *writer, const char *text, struct error *err)
{
    return writer->ops->line(writer, text, err);
}

void trace_writer_idle(struct trace_writer *writer, const struct trace_idle_lanes *idle)
{
    writer->idle = *idle;
}

int trace_writer_launch(struct trace_writer *writer, const char *name, const char *path,
                        const struct trace_kernel_options *options, struct error *err)
{
    struct source text;
    const struct trace_idle_lanes idle = writer->idle;
    writer->idle = (struct trace_idle_lanes){0};
    if (text_open(&text, path, options, err) != 0)
        return -1;
    if (idle.is_idle != NULL && idle_lanes_open(&text, &idle, err) != 0)
        return -1;
    int rc = writer->ops->launch(writer, name, &text, err);
    source_finish(&text);
    return rc;
}

int trace_writer_function(struct trace_writer *writer, const char *name,
                          const struct trace_function *function, struct error *err)
{
    struct bytes text = {0};
    int rc = functions_write(&writer->functions, function, name, &text)
                 ? 0
                 : error_no_memory_for(err, ERROR_OUTPUT, writer->path);
    if (rc == 0 && text.size > 0)
        rc = writer->ops->code(writer, text.data, text.size, err);
    bytes_finish(&text);
    return rc;
}

int trace_writer_end(struct trace_writer *writer, struct error *err)
{
    return writer->ops->end(writer, err);
}

void trace_writer_destroy(struct trace_writer *writer)
{
    if (writer == NULL)
        return;
    char *path = writer->path;
    functions_finish(&writer->functions);
    writer->ops->destroy(writer);
    free(path);
}

/* ---- front to back ----------------------------------------------------- */

/* A launch out of a stream of groups. */
struct streamed {
    const char *name;
    struct store_stream stream;
    struct group group;
    bool has_group;
    size_t item; /* of the group, being read */
    struct unpack *unpack;
    bool whole; /* the file has its end */
    bool cut;   /* the launch has none */
};

/* Passes the code on that the group of STREAMED holds: its numbers of functions hold in the
 * output, which has no other code. */
static int add_code(struct trace_writer *writer, struct streamed *streamed, struct error *err)
{
    const struct byte_reader code = code_group_text(&streamed->group);
    size_t size = (size_t)(code.end - code.at);
    return size > 0 ? writer->ops->code(writer, code.at, size, err) : 0;
}

/* Reads the next group. Returns 1, 0 at the end, -1 on error. */
static int next_group(struct streamed *streamed, struct error *err)
{
    if (streamed->has_group)
        group_finish(&streamed->group);
    int rc = store_stream_next(&streamed->stream, UNPACK_FRAMES, &streamed->group,
                               &streamed->whole, err);
    streamed->has_group = rc == 1;
    streamed->item = 0;
    return rc;
}

static int read_streamed(struct source *source, const void **text, size_t *size,
                         struct error *err)
{
    struct streamed *streamed = source->stream;
    int rc;
    while ((rc = unpack_read(streamed->unpack, text, size, err)) == 0) {
        const struct group_item *item = &streamed->group.items[streamed->item];
        if (item->info.flags & PART_ENDS)
            return 0;
        rc = next_group(streamed, err);
        if (rc == 1 &&
            (streamed->group.count == 0 || streamed->group.items[0].tag != GROUP_CONTINUES))
            rc = error_set(err, ERROR_TRACE, source->name, 0, 0,
                           "a launch does not go on where it should");
        streamed->cut = rc == 0;
        if (rc == 0)
            rc = error_set(err, ERROR_TRACE, source->name, 0, 0, "the last launch has no end");
        if (rc < 0 || unpack_begin(streamed->unpack, &streamed->group,
                                   &streamed->group.items[0], err) != 0)
            return -1;
    }
    return rc;
}

static int add_launch(struct trace_writer *writer, struct streamed *streamed,
                      const struct group_item *item, const char *line, struct error *err)
{
    static const struct source_ops ops = {read_streamed, NULL};
    struct source text;
    if (unpack_begin(streamed->unpack, &streamed->group, item, err) != 0 ||
        source_open_stream(&text, streamed->name, &ops, streamed, err) != 0)
        return -1;
    int rc = writer->ops->launch(writer, line, &text, err);
    source_finish(&text);
    return rc;
}

static int add_item(struct trace_writer *writer, struct streamed *streamed, size_t *launches,
                    struct error *err)
{
    const struct group_item *item = &streamed->group.items[streamed->item];
    bool launch = item->tag == GROUP_LAUNCH; /* the group may be another one afterwards */
    if (item->tag == GROUP_CONTINUES)
        return error_set(err, ERROR_TRACE, streamed->name, 0, 0,
                         "a launch goes on that did not begin");
    char *line =
        strndup((const char *)streamed->group.texts.data + item->line, item->line_length);
    if (line == NULL)
        return error_no_memory_for(err, ERROR_TRACE, streamed->name);
    int rc = launch ? add_launch(writer, streamed, item, line, err)
                    : trace_writer_line(writer, line, err);
    *launches += rc == 0 && launch;
    free(line);
    return rc;
}

static int add_groups(struct trace_writer *writer, struct streamed *streamed, size_t *launches,
                      struct error *err)
{
    int rc;
    while ((rc = next_group(streamed, err)) == 1) {
        if (code_group_is(&streamed->group) && add_code(writer, streamed, err) != 0)
            return -1;
        for (; streamed->item < streamed->group.count; streamed->item++)
            if (add_item(writer, streamed, launches, err) != 0)
                return -1;
    }
    return rc;
}

int trace_writer_stream(struct trace_writer *writer, int fd, const char *name, size_t *launches,
                        bool *whole, struct error *err)
{
    struct streamed streamed = {.name = name, .unpack = unpack_create(name)};
    *launches = 0;
    if (streamed.unpack == NULL)
        return error_no_memory_for(err, ERROR_TRACE, name);
    int rc = store_stream_init(&streamed.stream, fd, name, err);
    if (rc == 0) {
        rc = add_groups(writer, &streamed, launches, err);
        store_stream_finish(&streamed.stream);
    }
    *whole = streamed.whole && !streamed.cut;
    unpack_destroy(streamed.unpack);
    if (streamed.has_group)
        group_finish(&streamed.group);
    return rc;
}
