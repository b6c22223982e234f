#include "traces/packed/store_file.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

bool store_file_read(int fd, uint64_t at, void *data, size_t size)
{
    for (char *to = data; size > 0;) {
        ssize_t n = pread(fd, to, size, (off_t)at);
        if (n < 0 && errno == EINTR)
            continue;
        if (n <= 0)
            return false;
        to += n;
        at += (uint64_t)n;
        size -= (size_t)n;
    }
    return true;
}

int store_file_check(const char *name, const uint8_t *head, struct error *err)
{
    if (memcmp(head, FRAME_MAGIC, FRAME_MAGIC_SIZE) != 0)
        return error_set(err, ERROR_TRACE, name, 0, 0, "this is no packed workload");
    if (head[FRAME_MAGIC_SIZE] != FRAME_VERSION)
        return error_set(err, ERROR_TRACE, name, 0, 0,
                         "packed workload of version %d; this program reads version %d",
                         head[FRAME_MAGIC_SIZE], FRAME_VERSION);
    return 0;
}

const char *store_file_header(int fd, uint64_t at, struct frame_header *header)
{
    uint8_t data[FRAME_HEADER_MOST];
    *header = (struct frame_header){0};
    if (!store_file_read(fd, at, data, 2) || data[0] != FRAME_GROUP ||
        !store_file_read(fd, at, data, 2 + (size_t)data[1] + 8))
        return "no group starts there";
    return frame_read_header(header, data, 2 + (size_t)data[1] + 8);
}

uint64_t store_file_group_size(const struct frame_header *header)
{
    uint64_t size = header->length;
    for (int f = 0; f < FRAMES; f++)
        size += header->frames[f].packed;
    return size;
}

/* "launches 5 to 9", as far as it is known. */
static void name_launches(const struct group *group, char *text, size_t size)
{
    uint64_t first = group->frames.first_launch + 1;
    if (group->starts > 1)
        snprintf(text, size, " (launches %" PRIu64 " to %" PRIu64 " of the list)", first,
                 first + group->starts - 1);
    else
        snprintf(text, size, " (launch %" PRIu64 " of the list%s)", first,
                 group->loaded[FRAME_HEAD] ? "" : " and what follows");
}

int store_file_damaged(const char *name, uint64_t i, const struct group *group,
                       enum frame frame, const char *wrong, struct error *err)
{
    char launches[80] = "";
    if (frame == FRAMES)
        return error_undecoded(err, name, 0, 0, "group %" PRIu64 ": %s", i + 1, wrong);
    name_launches(group, launches, sizeof launches);
    return error_undecoded(err, name, 0, 0, "group %" PRIu64 "%s: its %s %s", i + 1, launches,
                           frame_names[frame], wrong);
}

static int load_frame(int fd, const char *name, uint64_t i, uint64_t at, enum frame frame,
                      struct group *group, struct error *err)
{
    size_t size = group->frames.frames[frame].packed;
    uint8_t *data = malloc(size + 1);
    if (data == NULL)
        return error_no_memory_for(err, ERROR_TRACE, name);
    errno = 0;
    const char *wrong = store_file_read(fd, at, data, size) ? NULL : "is cut off";
    if (wrong == NULL)
        wrong = frame == FRAME_HEAD ? group_init(group, &group->frames, data)
                                    : group_load(group, frame, data);
    free(data);
    return wrong == NULL ? 0 : store_file_damaged(name, i, group, frame, wrong, err);
}

int store_file_load(int fd, const char *name, uint64_t i, uint64_t at, unsigned frames,
                    struct group *group, struct error *err)
{
    if (!group->loaded[FRAME_HEAD]) {
        const char *wrong = store_file_header(fd, at, &group->frames);
        if (wrong != NULL)
            return store_file_damaged(name, i, group, FRAMES, wrong, err);
    }
    at += group->frames.length;
    for (int f = 0; f < FRAMES; f++) {
        if (frames >> f & 1 && !group->loaded[f] &&
            load_frame(fd, name, i, at, (enum frame)f, group, err) != 0)
            return -1;
        at += group->frames.frames[f].packed;
    }
    return 0;
}
