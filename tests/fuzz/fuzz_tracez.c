/* Any bytes are a .tracez file or are refused, with one message; its text is
 * the same however much of it is asked for at a time. */
#define _GNU_SOURCE /* memfd_create */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "traces/text/tracez.h"

#define TEXT_MOST (1 << 20) /* sub-chunks may be made of very little */

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* A hash of the text, read in steps of STEP bytes, and of the message. */
static uint64_t read_all(const uint8_t *data, size_t size, size_t step)
{
    static char text[1 << 16];
    struct error err = {0};
    uint64_t digest = 1;
    size_t total = 0;
    int fd = memfd_create("tracez", MFD_CLOEXEC);
    if (fd < 0 || write(fd, data, size) != (ssize_t)size)
        abort();
    struct tracez *tracez = tracez_open(fd, "fuzz", &err);
    long n = tracez == NULL ? -1 : 1;
    while (n > 0 && total < TEXT_MOST) {
        size_t left = TEXT_MOST - total;
        n = tracez_read(tracez, text, left < step ? left : step, &err);
        for (long i = 0; i < n; i++)
            digest = (digest ^ (uint8_t)text[i]) * UINT64_C(0x100000001b3);
        total += n > 0 ? (size_t)n : 0;
    }
    if ((n < 0) != (err.kind == ERROR_TRACE) || strlen(err.text) >= sizeof err.text)
        abort();
    for (const char *at = err.text; *at != '\0'; at++)
        digest = (digest ^ (uint8_t)*at) * UINT64_C(0x100000001b3);
    tracez_close(tracez);
    return digest;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (read_all(data, size, 1 << 16) != read_all(data, size, 61))
        abort();
    return 0;
}
