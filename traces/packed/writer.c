/* Packed files as they are written: groups, code, the index. */
#include "traces/packed/writer_state.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "traces/packed/code_group.h"
#include "traces/packed/frame.h"
#include "traces/packed/pack.h"

#define DEFAULT_LEVEL 19

int writer_out_of_memory(struct packed_writer *writer, struct error *err)
{
    return error_set(err, ERROR_TRACE, writer->name, 0, 0,
                     "out of memory, or more different instructions than a group can hold");
}

int writer_cannot_write(struct packed_writer *writer, struct error *err)
{
    return error_set(err, ERROR_OUTPUT, writer->name, 0, 0, "cannot write: %s",
                     strerror(errno));
}

static int put(struct packed_writer *writer, const struct bytes *bytes, struct error *err)
{
    if (bytes->failed)
        return writer_out_of_memory(writer, err);
    if (fwrite(bytes->data, 1, bytes->size, writer->file) == bytes->size)
        return 0;
    return writer_cannot_write(writer, err);
}

int writer_flush(struct packed_writer *writer, struct error *err)
{
    if (fflush(writer->file) == 0)
        return 0;
    return writer_cannot_write(writer, err);
}

int writer_begin_group(struct packed_writer *writer, struct error *err)
{
    struct pending_launch *group = &writer->group;
    *group = (struct pending_launch){.first_launch = writer->launches};
    return layouts_init(&group->layouts) == 0 ? 0 : writer_out_of_memory(writer, err);
}

void writer_finish_group(struct pending_launch *group)
{
    coder_finish(&group->flow);
    lines_finish(&group->lines);
    map_finish(&group->codes_by_name);
    for (uint32_t i = 0; i < group->code_count; i++) {
        code_finish(group->codes[i]);
        free(group->codes[i]);
    }
    free(group->codes);
    warp_paths_finish(&group->paths);
    layouts_finish(&group->layouts);
    *group = (struct pending_launch){0};
}

struct packed_writer *packed_writer_create(FILE *file, const char *name,
                                           const struct packed_writer_options *options,
                                           struct error *err)
{
    struct packed_writer *writer = calloc(1, sizeof *writer);
    if (writer == NULL || (writer->name = strdup(name)) == NULL) {
        free(writer);
        error_no_memory_for(err, ERROR_TRACE, name);
        return NULL;
    }
    writer->file = file;
    if (options != NULL)
        writer->options = *options;
    if (writer->options.level == 0)
        writer->options.level = DEFAULT_LEVEL;
    if (writer->options.group_records == 0)
        writer->options.group_records = WRITER_RECORDS;
    struct bytes head = {0};
    bytes_put(&head, FRAME_MAGIC, FRAME_MAGIC_SIZE);
    bytes_byte(&head, FRAME_VERSION);
    int rc = put(writer, &head, err);
    bytes_finish(&head);
    if (rc == 0)
        rc = writer_flush(writer, err); /* from here on the file can be read */
    const char *redo = writer->options.redo;
    if (rc == 0 && redo != NULL)
        rc = recovery_log_init(&writer->redo, redo, err);
    if (rc == 0 && writer_begin_group(writer, err) == 0)
        return writer;
    packed_writer_destroy(writer);
    return NULL;
}

void packed_writer_destroy(struct packed_writer *writer)
{
    if (writer == NULL)
        return;
    if (writer->in_launch)
        part_finish(&writer->part);
    writer_finish_group(&writer->group);
    recovery_log_finish(&writer->redo);
    bytes_finish(&writer->index);
    bytes_finish(&writer->code);
    bytes_finish(&writer->start.lines);
    free(writer->name);
    free(writer);
}

/* ---- groups ------------------------------------------------------------ */

struct pack_counts writer_counts(const struct pending_launch *group)
{
    return (struct pack_counts){group->first_launch, group->paths.memory.count,
                                group->paths.full.count, group->layouts.count - LAYOUT_PLACES};
}

static void index_group(struct packed_writer *writer, uint64_t size, uint64_t launches)
{
    bytes_number(&writer->index, size);
    bytes_number(&writer->index, launches);
    writer->groups++;
}

static int write_group(struct packed_writer *writer, struct error *err)
{
    struct pending_launch *group = &writer->group;
    const struct pack_counts now = writer_counts(group);
    struct bytes out = {0};
    coder_number(&group->flow, CODER_STATIC, group->code_count, false);
    for (uint32_t i = 0; i < group->code_count; i++)
        code_write(group->codes[i], &group->flow);
    int rc = pack_group(&group->flow, &now, writer->options.level, &out) != 0
                 ? writer_out_of_memory(writer, err)
                 : put(writer, &out, err);
    index_group(writer, out.size, writer->launches - group->first_launch);
    bytes_finish(&out);
    return rc;
}

/* Writes the code that has come. */
static int write_code(struct packed_writer *writer, struct error *err)
{
    struct bytes out = {0};
    if (writer->code.size == 0)
        return 0;
    int level = writer->options.level;
    int rc = writer->code.failed ||
                     code_group_pack(&writer->code, writer->launches, level, &out) != 0
                 ? writer_out_of_memory(writer, err)
                 : put(writer, &out, err);
    index_group(writer, out.size, 0);
    bytes_finish(&out);
    bytes_finish(&writer->code);
    return rc;
}

int writer_close_group(struct packed_writer *writer, bool goes_on, struct error *err)
{
    int rc = writer->group.items > 0 ? write_group(writer, err) : 0;
    if (rc == 0 && !goes_on)
        rc = write_code(writer, err);
    if (!goes_on)
        writer->start.lines.size = 0;
    if (rc == 0)
        rc = writer_flush(writer, err);
    if (rc == 0)
        rc = recovery_log_clear(&writer->redo, err);
    writer_finish_group(&writer->group);
    return rc;
}

int packed_writer_end(struct packed_writer *writer, struct error *err)
{
    if (writer_close_group(writer, false, err) != 0)
        return -1;
    struct bytes out = {0};
    bytes_byte(&out, FRAME_INDEX);
    bytes_number(&out, writer->groups);
    bytes_number(&out, writer->launches);
    bytes_put(&out, writer->index.data, writer->index.size);
    out.failed |= writer->index.failed;
    frame_put_checksum(&out, out.data, out.size);
    uint32_t size = (uint32_t)out.size;
    for (int i = 0; i < 4; i++)
        bytes_byte(&out, (uint8_t)(size >> 8 * i));
    bytes_put(&out, FRAME_FOOTER_MAGIC, sizeof FRAME_FOOTER_MAGIC);
    int rc = put(writer, &out, err);
    bytes_finish(&out);
    return rc == 0 ? writer_flush(writer, err) : rc;
}
