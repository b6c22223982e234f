/* Packed workloads front to back. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "traces/packed/store.h"
#include "traces/packed/store_file.h"

/* Reads up to SIZE bytes: how many there were, or -1. */
static ssize_t read_some(struct store_stream *stream, void *data, size_t size,
                         struct error *err)
{
    size_t done = 0;
    while (done < size) {
        ssize_t n = read(stream->fd, (char *)data + done, size - done);
        if (n < 0 && errno == EINTR)
            continue;
        if (n < 0)
            return error_set(err, ERROR_TRACE, stream->name, 0, 0, "cannot read: %s",
                             strerror(errno));
        if (n == 0)
            break;
        done += (size_t)n;
    }
    return (ssize_t)done;
}

int store_stream_init(struct store_stream *stream, int fd, const char *name, struct error *err)
{
    uint8_t head[FRAME_FILE_HEADER] = {0};
    *stream = (struct store_stream){.fd = fd, .name = strdup(name)};
    if (stream->name == NULL)
        return error_no_memory_for(err, ERROR_TRACE, name);
    if (read_some(stream, head, sizeof head, err) >= 0 &&
        store_file_check(name, head, err) == 0)
        return 0;
    store_stream_finish(stream);
    return -1;
}

void store_stream_finish(struct store_stream *stream)
{
    free(stream->name);
    *stream = (struct store_stream){0};
}

static int read_frames(struct store_stream *stream, unsigned frames,
                       const struct frame_header *header, struct group *group, bool *whole,
                       struct error *err)
{
    for (int f = 0; f < FRAMES; f++) {
        size_t size = header->frames[f].packed;
        uint8_t *data = malloc(size + 1);
        if (data == NULL)
            return error_no_memory_for(err, ERROR_TRACE, stream->name);
        ssize_t n = read_some(stream, data, size, err);
        const char *wrong = NULL;
        if (n == (ssize_t)size && f == FRAME_HEAD)
            wrong = group_init(group, header, data);
        else if (n == (ssize_t)size && frames >> f & 1)
            wrong = group_load(group, (enum frame)f, data);
        free(data);
        if (n < 0)
            return -1;
        if (n < (ssize_t)size) {
            *whole = false;
            return 0;
        }
        if (wrong != NULL)
            return store_file_damaged(stream->name, stream->groups, group, (enum frame)f, wrong,
                                      err);
    }
    return 1;
}

int store_stream_next(struct store_stream *stream, unsigned frames, struct group *group,
                      bool *whole, struct error *err)
{
    uint8_t data[FRAME_HEADER_MOST];
    struct frame_header header;
    *group = (struct group){0};
    *whole = true;
    ssize_t n = read_some(stream, data, 2, err);
    if (n == 2 && data[0] == FRAME_INDEX)
        return 0;
    if (n == 2) {
        size_t left = (size_t)data[1] + 8;
        ssize_t m = read_some(stream, data + 2, left, err);
        n = m < 0 ? m : m < (ssize_t)left ? 0 : 2;
    }
    if (n < 0)
        return -1;
    *whole = false;
    if (n < 2)
        return 0; /* cut off */
    const char *wrong = frame_read_header(&header, data, 2 + (size_t)data[1] + 8);
    if (wrong != NULL)
        return store_file_damaged(stream->name, stream->groups, group, FRAMES, wrong, err);
    int rc = read_frames(stream, frames, &header, group, whole, err);
    if (rc != 1)
        group_finish(group);
    stream->groups += rc == 1;
    return rc;
}
