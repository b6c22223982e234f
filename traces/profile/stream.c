/* The companions, read row by row: tables of whole numbers. */
#include <stdlib.h>
#include <string.h>

#include "traces/base/number.h"
#include "traces/profile/format.h"

#define MOST_COLUMNS 6

struct profile_stream {
    struct csv_file csv;
    char *name;
    const char *const *columns;
    size_t count;                /* of columns */
    size_t header;               /* fields of a row */
    size_t fields[MOST_COLUMNS]; /* where they are */
};

static const char *const block_columns[] = {"launch", "block", "warp_insts", "thread_insts",
                                            "mem_requests"};
static const char *const bbv_columns[] = {"launch", "warp_type", "warps",
                                          "pc",     "insts",     "count"};

static int read_header(struct profile_stream *stream, struct error *err)
{
    struct csv_file *csv = &stream->csv;
    int rc = csv_file_next(csv, err);
    if (rc < 0)
        return -1;
    if (rc == 0)
        return error_set(err, ERROR_TRACE, stream->name, 0, 0, "the file is empty");
    stream->header = csv->count;
    for (size_t i = 0; i < stream->count; i++) {
        stream->fields[i] = format_find(csv, stream->columns[i]);
        if (stream->fields[i] == csv->count)
            return error_set(err, ERROR_TRACE, stream->name, csv_file_line(csv), 0,
                             "there is no column %s", stream->columns[i]);
    }
    return 0;
}

static struct profile_stream *stream_open(FILE *in, const char *name,
                                          const char *const *columns, size_t count,
                                          struct error *err)
{
    struct profile_stream *stream = calloc(1, sizeof *stream);
    if (stream == NULL || (stream->name = strdup(name)) == NULL) {
        error_no_memory_for(err, ERROR_TRACE, name);
        free(stream);
        return NULL;
    }
    stream->columns = columns;
    stream->count = count;
    if (csv_file_init(&stream->csv, in, stream->name, err) != 0 ||
        read_header(stream, err) != 0) {
        profile_stream_close(stream);
        return NULL;
    }
    return stream;
}

struct profile_stream *profile_blocks_open(FILE *in, const char *name, struct error *err)
{
    return stream_open(in, name, block_columns, sizeof block_columns / sizeof *block_columns,
                       err);
}

struct profile_stream *profile_bbv_open(FILE *in, const char *name, struct error *err)
{
    return stream_open(in, name, bbv_columns, sizeof bbv_columns / sizeof *bbv_columns, err);
}

void profile_stream_close(struct profile_stream *stream)
{
    if (stream == NULL)
        return;
    csv_file_finish(&stream->csv);
    free(stream->name);
    free(stream);
}

static int next(struct profile_stream *stream, uint64_t *values, struct error *err)
{
    struct csv_file *csv = &stream->csv;
    int rc = csv_file_next(csv, err);
    if (rc != 1)
        return rc;
    if (format_check_length(csv, stream->header, err) != 0)
        return -1;
    for (size_t i = 0; i < stream->count; i++) {
        const char *text = csv_file_field(csv, stream->fields[i]);
        if (number_count(text, UINT64_MAX, &values[i]) != NUMBER_OK)
            return csv_file_fail(csv, stream->fields[i], err,
                                 "%s \"%.40s\": a whole number from 0 is expected",
                                 stream->columns[i], text);
    }
    return 1;
}

int profile_blocks_next(struct profile_stream *stream, struct profile_block_row *row,
                        struct error *err)
{
    uint64_t values[MOST_COLUMNS];
    int rc = next(stream, values, err);
    if (rc == 1)
        *row =
            (struct profile_block_row){values[0], values[1], values[2], values[3], values[4]};
    return rc;
}

int profile_bbv_next(struct profile_stream *stream, struct profile_bbv_row *row,
                     struct error *err)
{
    uint64_t values[MOST_COLUMNS];
    int rc = next(stream, values, err);
    if (rc == 1)
        *row = (struct profile_bbv_row){values[0], values[1], values[2],
                                        values[3], values[4], values[5]};
    return rc;
}
