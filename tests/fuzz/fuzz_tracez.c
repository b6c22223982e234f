/* Any bytes are a file that a reader opens, .tracez or compressed most of all, or are refused
 * with one message; the text is the same however much of it is looked at before. */
#define _GNU_SOURCE /* memfd_create */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "traces/text/source.h"

#define TEXT_MOST (1 << 20) /* sub-chunks may be made of very little */

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static uint64_t mix(uint64_t digest, const char *text, size_t size)
{
    for (size_t i = 0; i < size; i++)
        digest = (digest ^ (uint8_t)text[i]) * UINT64_C(0x100000001b3);
    return digest;
}

/* A hash of the text and of the message, after a look at PEEK bytes. */
static uint64_t read_all(const uint8_t *data, size_t size, size_t peek)
{
    struct error err = {0};
    struct source source;
    uint64_t digest = 1;
    char path[64];
    int fd = memfd_create("tracez", MFD_CLOEXEC);
    if (fd < 0 || write(fd, data, size) != (ssize_t)size)
        abort();
    snprintf(path, sizeof path, "/proc/self/fd/%d", fd);
    int rc = source_open(&source, path, &err);
    close(fd);
    if (rc == 0) {
        const void *text;
        size_t n, total = 0;
        rc = source_peek(&source, peek, &err) == 0 ? 1 : -1;
        while (rc == 1 && total < TEXT_MOST &&
               (rc = source_read(&source, &text, &n, &err)) == 1) {
            n = n < TEXT_MOST - total ? n : TEXT_MOST - total;
            digest = mix(digest, text, n);
            total += n;
        }
        source_finish(&source);
    }
    if ((rc < 0) != (err.kind == ERROR_TRACE) || strlen(err.text) >= sizeof err.text)
        abort();
    return mix(rc < 0 ? 1 : digest, err.text, strlen(err.text));
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (read_all(data, size, 0) != read_all(data, size, 1000))
        abort();
    return 0;
}
