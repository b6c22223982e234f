/* Any bytes are a redo log, of which a group comes that can be read, is refused,
 * or nothing. After a 1 the input holds the bodies of entries, each behind a
 * length of two bytes: checksums would keep a fuzzer away from what is in them. */
#include <stdint.h>
#include <stdlib.h>

#include "traces/packed/group.h"
#include "traces/packed/recovery_log.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void build(const uint8_t *data, size_t size, struct bytes *log)
{
    while (size >= 2) {
        size_t from = log->size, length = data[0] | (size_t)data[1] << 8;
        data += 2;
        size -= 2;
        length = length < size ? length : size;
        bytes_byte(log, 'J');
        for (int i = 0; i < 8; i++)
            bytes_byte(log, (uint8_t)((uint64_t)length >> 8 * i));
        bytes_put(log, data, length);
        frame_put_checksum(log, log->data + from, log->size - from);
        data += length;
        size -= length;
    }
}

/* The group's frames, as far as they can be read. */
static void load(const struct bytes *bytes)
{
    struct frame_header header;
    struct group group = {0};
    if (frame_read_header(&header, bytes->data, bytes->size) != NULL)
        return;
    const uint8_t *at = bytes->data + header.length;
    for (int f = 0; f < FRAMES; f++) {
        const char *wrong = f == FRAME_HEAD ? group_init(&group, &header, at)
                                            : group_load(&group, (enum frame)f, at);
        if (wrong != NULL)
            break;
        at += header.frames[f].packed;
    }
    group_finish(&group);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct bytes log = {0}, group = {0};
    if (size > 0 && data[0] == 1)
        build(data + 1, size - 1, &log);
    else
        bytes_put(&log, data, size);
    if (recovery_log_parse(log.data, log.size, 0, &group) == 0 && group.size > 0)
        load(&group);
    bytes_finish(&log);
    bytes_finish(&group);
    return 0;
}
