/* The sections of a packed file, one by one: damage to one is no reason not to
 * look at the others. */
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "traces/packed/store.h"
#include "traces/packed/store_file.h"
#include "traces/packed/text/unpack.h"
#include "traces/verify/verifier.h"

/* Where the groups end: at the index, or at the end of the file. */
static uint64_t find_end(int fd, uint64_t size)
{
    uint8_t footer[FRAME_FOOTER];
    if (size < FRAME_FILE_HEADER + FRAME_FOOTER ||
        !store_file_read(fd, size - FRAME_FOOTER, footer, sizeof footer) ||
        memcmp(footer + 4, FRAME_FOOTER_MAGIC, sizeof FRAME_FOOTER_MAGIC) != 0)
        return size;
    uint64_t index = footer[0] | (uint64_t)footer[1] << 8 | (uint64_t)footer[2] << 16 |
                     (uint64_t)footer[3] << 24;
    return index + FRAME_FOOTER < size ? size - FRAME_FOOTER - index : size;
}

/* Checks the group at AT. Returns its size, 0 if that is not known. */
static uint64_t check_group(struct trace_verify *verify, int fd, const char *path, uint64_t i,
                            uint64_t at)
{
    struct frame_header header;
    const char *wrong = store_file_header(fd, at, &header);
    if (wrong != NULL) {
        verifier_tell(verify, true, path, 0, "group %" PRIu64 ", at byte %" PRIu64 ": %s",
                      i + 1, at, wrong);
        return 0;
    }
    for (int f = 0; f < FRAMES; f++) {
        struct group group = {0};
        struct error err = {0};
        /* Each with the head, so that it can say which launches it is of. */
        if (f > 0 && store_file_load(fd, path, i, at, 1 << FRAME_HEAD, &group, &err) != 0) {
            if (err.no_memory) /* what else is wrong with it was reported */
                verifier_tell_error(verify, &err);
            group_finish(&group);
            continue;
        }
        store_file_load(fd, path, i, at,
                        f == FRAME_CONTROL ? 1 << FRAME_MEMORY | 1 << FRAME_CONTROL : 1u << f,
                        &group, &err);
        if (f != FRAME_CONTROL || group.loaded[FRAME_MEMORY])
            verifier_tell_error(verify, &err);
        group_finish(&group);
    }
    return store_file_group_size(&header);
}

/* Reports that the file has no end, and which launches it has. */
static void tell_cut(struct trace_verify *verify, const char *path)
{
    struct error err = {0};
    struct store *store = store_open(path, &err);
    if (err.no_memory)
        verifier_tell_error(verify, &err);
    if (store != NULL && store->note != NULL)
        verifier_tell(verify, true, NULL, 0, "%s", store->note);
    else
        verifier_tell(verify, true, path, 0,
                      "it was not written to its end: it has no index, or its last bytes are "
                      "damaged");
    store_close(store);
}

bool verifier_packed(struct trace_verify *verify, const char *path)
{
    struct stat status;
    uint8_t head[FRAME_FILE_HEADER] = {0};
    struct error err = {0};
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    if (fd < 0 || fstat(fd, &status) != 0) {
        verifier_tell(verify, true, path, 0, "cannot open: %s", strerror(errno));
        return false;
    }
    uint64_t errors = verify->errors, end = find_end(fd, (uint64_t)status.st_size);
    uint64_t at = FRAME_FILE_HEADER, size = 1;
    if (end == (uint64_t)status.st_size)
        tell_cut(verify, path);
    store_file_read(fd, 0, head, sizeof head);
    store_file_check(path, head, &err);
    verifier_tell_error(verify, &err);
    for (uint64_t i = 0; err.kind == ERROR_NONE && at < end && size > 0; i++) {
        size = check_group(verify, fd, path, i, at);
        at += size;
    }
    close(fd);
    return verify->errors == errors && !verify->no_memory.no_memory;
}
